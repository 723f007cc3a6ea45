/// The meaning of the colors of a picture: single colors with their names, or a ramp with the numbers at its ends.
struct ColorLegend: Equatable, Sendable {
  /// One color.
  struct Entry: Equatable, Sendable {
    var title: String
    var color: RGBColor
  }

  var scheme: ColorScheme
  var entries: [Entry] = []
  var ramp: ColorRamp?
  /// The labels at the two ends of the ramp.
  var low = ""
  var high = ""

  /// The most entries that are listed one by one.
  static let mostEntries = 26

  /// Returns the legend of a model in a mode and a scheme, nil if there is no such model.
  ///
  /// - Parameter scheme: nil for the one that suits the mode.
  static func of(_ structure: Structure, model: Int, mode: RenderMode, scheme: ColorScheme?) -> ColorLegend? {
    guard structure.models.indices.contains(model), let scheme else { return nil }
    return AtomColoring(
      structure, model: model, scheme: scheme, kinds: SecondaryStructureKind.kinds(of: structure, model: model)
    ).legend()
  }

  /// The legend in words, on one line.
  var text: String {
    if ramp != nil { return "\(scheme.title) from \(low) to \(high)" }
    let shown = entries.prefix(Self.mostEntries).map(\.title).joined(separator: ", ")
    let rest = entries.count - Self.mostEntries
    return "\(scheme.title): \(shown)" + (rest > 0 ? " and \(rest) more" : "")
  }
}

extension AtomColoring {
  /// Returns the meaning of the colors.
  ///
  /// - Complexity: O(atoms).
  func legend() -> ColorLegend {
    var legend = ColorLegend(scheme: scheme)
    switch scheme {
    case .bFactor:
      legend.ramp = ColorTable.coolToWarm
      legend.low = FixedText.text(Double(range?.lowerBound ?? 0), decimals: 1) + " Å²"
      legend.high = FixedText.text(Double(range?.upperBound ?? 0), decimals: 1) + " Å²"
    case .occupancy: (legend.ramp, legend.low, legend.high) = (ColorTable.violetToYellow, "0", "1")
    case .rainbow:
      (legend.ramp, legend.low, legend.high) = (ColorTable.rainbow, "the first residue of a chain", "the last")
    case .plddt: legend.entries = ColorTable.confidence.map { .init(title: $0.title, color: $0.color) }
    case .element, .residue, .chain, .entity, .secondaryStructure: legend.entries = listed()
    }
    return legend
  }

  /// Returns the colors that occur and their meaning, in order of first appearance.
  private func listed() -> [ColorLegend.Entry] {
    let all = colors()
    var seen: Set<String> = []
    var entries: [ColorLegend.Entry] = []
    for residue in part.residues {
      let row = structure.residues[residue]
      for atom in scheme == .element ? row.atoms : row.atoms.prefix(1) {
        guard let title = title(ofAtom: atom, residue, row), seen.insert(title).inserted else { continue }
        entries.append(.init(title: title, color: all[atom - part.atoms.lowerBound]))
      }
    }
    return entries
  }

  private func title(ofAtom atom: Int, _ residue: Int, _ row: Residue) -> String? {
    switch scheme {
    case .element: structure.atoms.element[atom].symbol
    case .residue: structure.names[row.name]
    case .chain: structure.chains[Int(row.chain)].name
    case .entity:
      row.kind == .polymer ? entityTitle(ofChain: Int(row.chain)) : structure.names[row.name]
    case .secondaryStructure:
      row.kind == .polymer ? secondaryTitle(residue, row) : nil
    case .bFactor, .plddt, .occupancy, .rainbow: nil
    }
  }

  /// Returns the names of the chains that form one entity.
  private func entityTitle(ofChain chain: Int) -> String {
    let own = sequence(ofChain: chain)
    return part.chains.filter { sequence(ofChain: $0) == own }.map { structure.chains[$0].name }.joined(separator: "+")
  }

  private func secondaryTitle(_ residue: Int, _ row: Residue) -> String {
    let family = ResidueCatalog.entry(structure.names[row.name])?.family
    if family == .ribonucleotide || family == .deoxyribonucleotide { return "nucleic acid" }
    let place = residue - part.residues.lowerBound
    return (place < kinds.count ? kinds[place] : .coil).title
  }
}
