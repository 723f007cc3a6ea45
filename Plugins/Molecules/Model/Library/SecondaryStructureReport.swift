import PluginAPI

/// DSSP's assignment of a model: the letters of each chain, and a row for each residue with a full backbone.
struct SecondaryStructureReport: Model {
  private let chains: ChainLetters
  private let residues: ModelTable<StructureRow<ResidueState>>

  /// Reports an assignment.
  ///
  /// - Parameters:
  ///   - assignment: DSSP's assignment of a model.
  ///   - structure: Its structure.
  ///   - selection: The residues to report; nil for all. The others still count as neighbors.
  ///   - progress: Called from time to time with the fraction done, 0 to 1; returns whether to continue.
  /// - Returns: Nil if `progress` returned false.
  init?(
    _ assignment: SecondaryStructureAssignment, of structure: Structure, selection: AtomSelection?,
    progress: ((Double) -> Bool)? = nil
  ) {
    let rows = ResidueState.all(assignment, of: structure, selection: selection, progress: progress)
    guard let rows else { return nil }
    residues = ModelTable(table: StructureRow<ResidueState>.table(of: rows, in: structure))
    chains = ChainLetters(
      letters: assignment.letters(of: structure) { residue in
        selection?.intersects(structure.residues[residue].atoms) ?? true
      })
  }

  static let typeName = MoleculeValueType.secondaryStructure
  static let fields = Fields<SecondaryStructureReport> {
    Field("chains", \.chains, "letters by author name of the chain")
    Field("residues", \.residues, "a row per letter, in file order")
  }

  /// The letters of chains by their names, in file order.
  private struct ChainLetters: FieldValue {
    let letters: [(chain: String, letters: String)]

    static var schema: ValueSchema { .map(.text) }

    var fieldValue: Value {
      var record = Record()
      for (chain, text) in letters { record[chain] = .text((record[chain]?.text ?? "") + text) }
      return .record(record)
    }
  }
}

/// The secondary structure of a residue with a full backbone.
struct ResidueState: ResidueItem {
  let residue: Int
  private let kind: SecondaryStructureKind
  /// The area in Å² that water can reach; nil where atoms overlap.
  private let accessibility: Int?
  /// The angles in degrees; NaN at the ends of a chain and beside a break.
  private let phi: Double
  private let psi: Double

  /// Returns the residues of an assignment that have a full backbone, in file order; nil if `progress` returned false.
  static func all(
    _ assignment: SecondaryStructureAssignment, of structure: Structure, selection: AtomSelection? = nil,
    progress: ((Double) -> Bool)? = nil
  ) -> [ResidueState]? {
    let backbone = BackboneResidue.all(of: structure, in: assignment.residues)
    guard let accessibility = SolventAccessibility(backbone, of: structure, progress: progress) else { return nil }
    let (phi, psi) = BackboneResidue.angles(of: backbone)
    return backbone.indices.compactMap { index in
      let residue = backbone[index].residue
      guard selection?.intersects(structure.residues[residue].atoms) ?? true else { return nil }
      return ResidueState(
        residue: residue, kind: assignment[residue] ?? .coil, accessibility: accessibility.rounded(index),
        phi: phi[index], psi: psi[index])
    }
  }

  static let typeName = "molecules.residue-state"
  static let fields = Fields<StructureRow<ResidueState>> {
    StructureRow<ResidueState>.chain
    StructureRow<ResidueState>.number
    StructureRow<ResidueState>.insertionCode
    StructureRow<ResidueState>.residueName("name")
    Field("state", \.item.kind, "its letter in 'chains'", heading: "State")
    Field(
      "accessibility", \.item.accessibility,
      "area that water can reach in square angstrom, as DSSP measures it; null where atoms lie on each other",
      heading: "Accessible", unit: "angstrom²")
    Field(
      "phi", optional: { $0.item.phi }, .angle,
      "C, N, CA, C in degrees; null at the start of a chain and behind a break", heading: "phi", unit: "degree")
    Field(
      "psi", optional: { $0.item.psi }, .angle,
      "N, CA, C, N in degrees; null at the end of a chain and before a break", heading: "psi", unit: "degree")
  }
}

extension SecondaryStructureKind: FieldValue {
  static var schema: ValueSchema { .choice(allCases.map { String($0.letter) }) }
  var fieldValue: Value { .text(String(letter)) }

  static func column(of contents: [SecondaryStructureKind], decimals: Int?) -> Table.Values {
    .texts(contents.map { String($0.letter) })
  }
}

/// A table of models, as a field of another model.
struct ModelTable<Row: Model>: FieldValue {
  let table: Table

  static var schema: ValueSchema { .table(Row.fields.columns) }
  var fieldValue: Value { .table(table) }
}
