/// Colors the atoms of one model.
struct AtomColoring: Sendable {
  let structure: Structure
  private let part: StructureModel
  private let kinds: [SecondaryStructureKind]
  private let scheme: ColorScheme
  /// The lowest and highest colored number, if the scheme shows numbers.
  let range: ClosedRange<Float>?

  /// Prepares a scheme.
  ///
  /// - Parameters:
  ///   - model: the model, 0-based; it exists.
  ///   - kinds: the secondary structure of its residues; evaluated only if the scheme shows it.
  init(_ structure: Structure, model: Int, scheme: ColorScheme, kinds: @autoclosure () -> [SecondaryStructureKind]) {
    precondition(structure.models.indices.contains(model), "colors are for a model that exists")
    self.structure = structure
    self.scheme = scheme
    part = structure.models[model]
    self.kinds = scheme == .secondaryStructure ? kinds() : []
    range = scheme.definition.range(structure.atoms, part.atoms)
  }

  /// Returns the colors of the model's atoms in order.
  ///
  /// - Complexity: O(atoms).
  func colors() -> [RGBColor] { scheme.definition.colors(self) }

  func residues() -> [RGBColor] {
    byResidue { _, row in
      let code = ResidueCode.code(ofResidue: structure.names[row.name])
      return ColorTable.residueColor(ResidueCode.code(of: row, in: structure, byName: code))
    }
  }

  func chains() -> [RGBColor] {
    byResidue { _, row in ColorTable.chainColor(Int(row.chain) - part.chains.lowerBound) }
  }

  func secondaryStructure() -> [RGBColor] { byResidue { residue, row in secondaryColor(residue, row) } }

  func byAtom(_ color: (Int) -> RGBColor) -> [RGBColor] { part.atoms.map(color) }

  /// Returns the colors of residues, or of their elements where there is none.
  func byResidue(_ color: (Int, Residue) -> RGBColor?) -> [RGBColor] {
    var colors: [RGBColor] = []
    colors.reserveCapacity(part.atoms.count)
    for residue in part.residues {
      let row = structure.residues[residue]
      if let color = color(residue, row) {
        for _ in row.atoms { colors.append(color) }
      } else {
        for atom in row.atoms { colors.append(ElementStyle.color(of: structure.atoms.element[atom].rawValue)) }
      }
    }
    return colors
  }

  private func secondaryColor(_ residue: Int, _ row: Residue) -> RGBColor? {
    guard row.kind == .polymer else { return nil }
    switch ResidueCatalog.entry(structure.names[row.name])?.family {
    case .ribonucleotide, .deoxyribonucleotide: return ColorTable.nucleicColor
    case .aminoAcid, .water, nil: return ColorTable.secondaryColor(kind(ofResidue: residue))
    }
  }

  /// Returns the secondary structure of a residue; coil if it is unknown.
  private func kind(ofResidue residue: Int) -> SecondaryStructureKind {
    let index = residue - part.residues.lowerBound
    return index < kinds.count ? kinds[index] : .coil
  }

  /// Returns colors by entity: chains of one sequence are one entity, as are ligands and waters of one name.
  func entities() -> [RGBColor] {
    var numbers: [String: Int] = [:]
    func number(_ key: String) -> Int {
      if let known = numbers[key] { return known }
      numbers[key] = numbers.count
      return numbers.count - 1
    }
    let chains = part.chains.map { number("chain " + sequence(ofChain: $0)) }
    return byResidue { _, row in
      if row.kind == .polymer { return ColorTable.chainColor(chains[Int(row.chain) - part.chains.lowerBound]) }
      return ColorTable.chainColor(number(structure.names[row.name]))
    }
  }

  /// Returns the residue names of a chain, as deposited or else from its atoms.
  func sequence(ofChain chain: Int) -> String {
    let name = structure.chains[chain].name
    if let stated = structure.sequences.first(where: { $0.chains.contains(name) }) {
      return stated.residueNames.joined(separator: " ")
    }
    return structure.chains[chain].residueRuns.joined().filter { structure.residues[$0].kind == .polymer }
      .map { structure.residueName($0) }.joined(separator: " ")
  }

  /// Returns colors along every polymer chain from its first residue to its last.
  func rainbow() -> [RGBColor] {
    var counts = [Int](repeating: 0, count: part.chains.count)
    for row in structure.residues[part.residues] where row.kind == .polymer {
      counts[Int(row.chain) - part.chains.lowerBound] += 1
    }
    var seen = [Int](repeating: 0, count: part.chains.count)
    return byResidue { _, row in
      guard row.kind == .polymer else { return nil }
      let chain = Int(row.chain) - part.chains.lowerBound
      defer { seen[chain] += 1 }
      return ColorTable.rainbow.color(at: Float(seen[chain]) / Float(max(1, counts[chain] - 1)))
    }
  }

  /// Returns the color of a number on a ramp, whose ends are those of the range.
  func color(_ value: Float, on ramp: ColorRamp) -> RGBColor {
    guard let range, range.upperBound > range.lowerBound else { return ramp.color(at: 0.5) }
    return ramp.color(at: (value - range.lowerBound) / (range.upperBound - range.lowerBound))
  }

  /// Returns the 2nd and the 98th percentile of finite values; nil if there are none.
  static func percentiles(of values: ArraySlice<Float>) -> ClosedRange<Float>? {
    let sorted = values.filter(\.isFinite).sorted()
    guard let first = sorted.first else { return nil }
    let low = sorted[sorted.count / 50]
    let high = sorted[sorted.count - 1 - sorted.count / 50]
    return low <= high ? low...high : first...first
  }

  // MARK: Legend

  /// Returns the meaning of the colors of some atoms.
  ///
  /// - Complexity: O(atoms).
  fileprivate func legend(of atoms: AtomSelection) -> ColorLegend {
    var legend = ColorLegend(scheme: scheme)
    switch scheme.definition.legend {
    case .ramp(let ramp, let ends):
      legend.ramp = ramp
      (legend.low, legend.high) = ends(self)
    case .classes(let entries): legend.entries = entries
    case .atoms(let title): legend.entries = listed(atoms) { atom, _ in title(self, atom) }
    case .residues(let titles):
      let title = titles(self, atoms)
      legend.entries = listed(atoms, perResidue: 1) { _, residue in title(residue) }
    }
    return legend
  }

  /// Returns the colors of some atoms and their meaning, in order of first appearance.
  private func listed(
    _ atoms: AtomSelection, perResidue count: Int = .max, _ title: (_ atom: Int, _ residue: Int) -> String?
  ) -> [ColorLegend.Entry] {
    let all = colors()
    var seen: Set<String> = []
    var entries: [ColorLegend.Entry] = []
    for residue in part.residues {
      for atom in structure.residues[residue].atoms.lazy.filter({ atoms[$0] }).prefix(count) {
        guard let title = title(atom, residue), seen.insert(title).inserted else { continue }
        // A chain of a PDB file may have no name.
        let shown = title.isEmpty ? ColorLegend.noName : title
        entries.append(.init(title: shown, color: all[atom - part.atoms.lowerBound]))
      }
    }
    return entries
  }

  /// Returns a function from a residue to its title: the names of the chains with some atoms that form a polymer's
  /// entity, or the name of another residue.
  ///
  /// - Complexity: linear in the residues; constant for the returned function.
  func entityTitles(among atoms: AtomSelection) -> (_ residue: Int) -> String? {
    let sequences = part.chains.map { sequence(ofChain: $0) }
    var names: [String: [String]] = [:]
    for (chain, sequence) in zip(structure.chains[part.chains], sequences)
    where chain.residueRuns.joined().contains(where: { atoms.intersects(structure.residues[$0].atoms) }) {
      names[sequence, default: []].append(chain.name)
    }
    let titles = sequences.map { names[$0]?.joined(separator: "+") }
    return { residue in
      let row = structure.residues[residue]
      return row.kind == .polymer ? titles[Int(row.chain) - part.chains.lowerBound] : structure.names[row.name]
    }
  }

  /// Returns the kind of a polymer's residue; nil for another residue.
  func secondaryTitle(ofResidue residue: Int) -> String? {
    let row = structure.residues[residue]
    guard row.kind == .polymer else { return nil }
    let family = ResidueCatalog.entry(structure.names[row.name])?.family
    if family == .ribonucleotide || family == .deoxyribonucleotide { return "nucleic acid" }
    return kind(ofResidue: residue).title
  }
}

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

  /// The title of something without a name.
  static let noName = "no name"

  /// The maximum number of entries that are listed one by one.
  private static let mostEntries = 26

  /// Returns the legend of drawn atoms in a scheme; nil if none of them has a color of the scheme.
  static func of(_ structure: Structure, scheme: ColorScheme, drawn: DrawnAtoms) -> ColorLegend? {
    let colored = scheme.isOfPolymers ? drawn.ofPolymers : drawn.all
    if colored.isEmpty { return nil }
    return AtomColoring(
      structure, model: drawn.model, scheme: scheme,
      kinds: SecondaryStructureKind.kinds(of: structure, model: drawn.model)
    ).legend(of: colored)
  }

  /// The legend in words, on one line.
  var text: String {
    if ramp != nil { return "\(scheme.title) from \(low) to \(high)" }
    let shown = entries.prefix(Self.mostEntries).map(\.title).joined(separator: ", ")
    let remaining = entries.count - Self.mostEntries
    return "\(scheme.title): \(shown)" + (remaining > 0 ? " and \(remaining) more" : "")
  }
}
