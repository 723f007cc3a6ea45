import PluginAPI

/// The property shown by the colors of atoms.
enum ColorScheme: String, CaseIterable, ParameterValue {
  case element
  case residue
  case chain
  case entity
  case secondaryStructure = "secondary-structure"
  case bFactor = "b-factor"
  case plddt
  case occupancy
  case rainbow

  /// The display name.
  var title: String {
    switch self {
    case .bFactor: "B factor"
    case .plddt: "pLDDT"
    case .secondaryStructure: "secondary structure"
    case .element, .residue, .chain, .entity, .occupancy, .rainbow: rawValue
    }
  }

  /// A Boolean value indicating whether the scheme distinguishes parts of polymers, so that ligands are colored by
  /// element.
  var isOfPolymers: Bool {
    switch self {
    case .chain, .entity, .residue, .secondaryStructure, .rainbow: true
    case .element, .bFactor, .plddt, .occupancy: false
    }
  }
}

/// Colors the atoms of one model.
struct AtomColoring: Sendable {
  private let structure: Structure
  private let part: StructureModel
  private let kinds: [SecondaryStructureKind]
  private let scheme: ColorScheme
  /// The lowest and highest colored number, if the scheme shows numbers.
  private let range: ClosedRange<Float>?

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
    range = Self.range(of: structure.atoms, part.atoms, scheme)
  }

  /// Returns the colors of the model's atoms in order.
  ///
  /// - Complexity: O(atoms).
  func colors() -> [RGBColor] {
    switch scheme {
    case .element: byAtom { ElementStyle.color(of: structure.atoms.element[$0].rawValue) }
    case .bFactor: byAtom { ColorTable.coolToWarm.color(at: share(structure.atoms.bFactor[$0])) }
    case .plddt: byAtom { ColorTable.confidenceColor(structure.atoms.bFactor[$0]) }
    case .occupancy: byAtom { ColorTable.violetToYellow.color(at: share(structure.atoms.occupancy[$0])) }
    case .residue:
      byResidue { _, row in
        let code = ResidueCode.code(ofResidue: structure.names[row.name])
        return ColorTable.residueColor(ResidueCode.code(of: row, in: structure, byName: code))
      }
    case .chain: byResidue { _, row in ColorTable.chainColor(Int(row.chain) - part.chains.lowerBound) }
    case .entity: entities()
    case .secondaryStructure: byResidue { residue, row in secondaryColor(residue, row) }
    case .rainbow: rainbow()
    }
  }

  private func byAtom(_ color: (Int) -> RGBColor) -> [RGBColor] { part.atoms.map(color) }

  private func byResidue(_ color: (Int, Residue) -> RGBColor?) -> [RGBColor] {
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

  /// Returns the secondary structure of a residue; coil for one of which none is known.
  private func kind(ofResidue residue: Int) -> SecondaryStructureKind {
    let index = residue - part.residues.lowerBound
    return index < kinds.count ? kinds[index] : .coil
  }

  /// Returns colors by entity: chains of one sequence are one entity, as are ligands and waters of one name.
  private func entities() -> [RGBColor] {
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
  private func rainbow() -> [RGBColor] {
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

  private func share(_ value: Float) -> Float {
    guard let range, range.upperBound > range.lowerBound else { return 0.5 }
    return (value - range.lowerBound) / (range.upperBound - range.lowerBound)
  }

  /// Returns the values at the ends of a ramp: 0 and 1 for occupancies, the 2nd and the 98th percentile for
  /// displacements.
  private static func range(of table: AtomTable, _ atoms: Range<Int>, _ scheme: ColorScheme) -> ClosedRange<Float>? {
    switch scheme {
    case .occupancy: return 0...1
    case .plddt: return 0...100
    case .bFactor:
      let sorted = table.bFactor[atoms].filter(\.isFinite).sorted()
      guard let first = sorted.first else { return nil }
      let low = sorted[sorted.count / 50]
      let high = sorted[sorted.count - 1 - sorted.count / 50]
      return low <= high ? low...high : first...first
    case .element, .residue, .chain, .entity, .secondaryStructure, .rainbow: return nil
    }
  }

  // MARK: Legend

  /// Returns the meaning of the colors of some atoms.
  ///
  /// - Complexity: O(atoms).
  fileprivate func legend(of atoms: AtomSelection) -> ColorLegend {
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
    case .element, .residue, .chain, .entity, .secondaryStructure: legend.entries = listed(atoms)
    }
    return legend
  }

  /// Returns the colors of some atoms and their meaning, in order of first appearance.
  private func listed(_ atoms: AtomSelection) -> [ColorLegend.Entry] {
    let all = colors()
    var seen: Set<String> = []
    var entries: [ColorLegend.Entry] = []
    for residue in part.residues {
      let row = structure.residues[residue]
      for atom in row.atoms.lazy.filter({ atoms[$0] }).prefix(scheme == .element ? row.atoms.count : 1) {
        guard let title = title(ofAtom: atom, residue, row, among: atoms), seen.insert(title).inserted else { continue }
        entries.append(.init(title: title, color: all[atom - part.atoms.lowerBound]))
      }
    }
    return entries
  }

  private func title(ofAtom atom: Int, _ residue: Int, _ row: Residue, among atoms: AtomSelection) -> String? {
    switch scheme {
    case .element: structure.atoms.element[atom].symbol
    case .residue: structure.names[row.name]
    case .chain: structure.chains[Int(row.chain)].name
    case .entity:
      row.kind == .polymer ? entityTitle(ofChain: Int(row.chain), among: atoms) : structure.names[row.name]
    case .secondaryStructure:
      row.kind == .polymer ? secondaryTitle(residue, row) : nil
    case .bFactor, .plddt, .occupancy, .rainbow: nil
    }
  }

  /// Returns the names of the chains with some atoms that form one entity.
  private func entityTitle(ofChain chain: Int, among atoms: AtomSelection) -> String {
    let own = sequence(ofChain: chain)
    return part.chains.filter { other in
      let residues = structure.chains[other].residueRuns.joined()
      return residues.contains { atoms.intersects(structure.residues[$0].atoms) } && sequence(ofChain: other) == own
    }.map { structure.chains[$0].name }.joined(separator: "+")
  }

  private func secondaryTitle(_ residue: Int, _ row: Residue) -> String {
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

  /// The most entries that are listed one by one.
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
