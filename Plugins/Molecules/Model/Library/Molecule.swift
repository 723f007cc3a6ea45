import PluginAPI

/// A molecule of the library as shown in lists.
struct MoleculeSummary: Equatable, Sendable {
  /// The number in the library; never reused after a deletion.
  var id: Int
  /// Entry code, as in `1CRN`; may be empty.
  var code: String
  var title: String
  /// The first compound of the entry; may be empty.
  var compound: String
  /// The name of the format, as `PDB` or `mmCIF`.
  var format: String
  var counts: MoleculeCounts
  var addedAt: Instant
  /// The file name of the original in the folder of originals.
  var file: String

  /// The title, or a substitute for it.
  var displayTitle: String {
    [title, compound, code, file].first { !$0.isEmpty } ?? "molecule \(id)"
  }
}

extension MoleculeSummary: Model {
  static let typeName = MoleculeValueType.opened
  static let fields = Fields<MoleculeSummary> {
    Field("id", \.id, "Number in the library, from 1, never reused", heading: "Id")
    Field("code", \.code, "Entry code; empty if the file has none", heading: "Code")
    Field(
      "title", \.displayTitle, "Title as in the file; without one, the first compound, the code or the file name",
      heading: "Title")
    Field("format", \.format, "File format: \(Molecule.formats)", heading: "Format")
    Field("atoms", \.counts.atoms, "Number of atoms in the first model", heading: "Atoms")
    Field("bonds", \.counts.bonds, "Number of bonds in the first model", heading: "Bonds")
    Field("models", \.counts.models, "Number of models", heading: "Models")
    Field("addedAt", \.addedAt, "Time of the import", heading: "Added")
  }
}

/// The counts of a molecule's parts; of the first model where models differ.
struct MoleculeCounts: Equatable, Sendable {
  var models = 0
  var chains = 0
  var residues = 0
  var atoms = 0
  var bonds = 0
}

/// A molecule with its structure and the bonds of its models.
struct Molecule: Equatable, Sendable {
  /// The number in the library; nil for a molecule read from a file.
  var id: Int?
  /// The name of the format, as `PDB` or `mmCIF`.
  var format: String
  /// The name of its file.
  var file: String
  var structure: Structure
  /// The bonds of each model, by index of the whole structure; may have fewer elements than models if some are not yet
  /// found.
  var bonds: [[Bond]]

  /// The names of the formats that are read, in words.
  static let formats = "PDB, mmCIF, BinaryCIF, SDF or XYZ"

  /// Returns the bonds of a model, finding them if necessary; none for a model that does not exist.
  ///
  /// - Complexity: O(atoms) if they have to be found.
  func bonds(ofModel model: Int) -> [Bond] {
    if bonds.indices.contains(model) { return bonds[model] }
    return structure.models.indices.contains(model) ? BondPerception.bonds(of: structure, model: model) : []
  }

  /// The title, or a substitute for it.
  var displayTitle: String {
    let metadata = structure.metadata
    return [metadata.title, metadata.compounds.first?.name ?? "", metadata.entryID, file].first { !$0.isEmpty }
      ?? "molecule"
  }

  /// The counts of its parts.
  var counts: MoleculeCounts {
    let first = structure.models.first
    return MoleculeCounts(
      models: structure.models.count, chains: first?.chains.count ?? 0, residues: first?.residues.count ?? 0,
      atoms: first?.atoms.count ?? 0, bonds: bonds.first?.count ?? 0)
  }

  /// Returns the molecule with some of its atoms only; models that lose all of theirs are removed.
  func restricted(to kept: AtomSelection) -> Molecule {
    let restriction = StructureRestriction(structure, to: kept)
    var molecule = self
    molecule.structure = restriction.structure
    molecule.bonds = structure.models.indices.filter { kept.intersects(structure.models[$0].atoms) }
      .map { restriction.bonds(bonds(ofModel: $0)) }
    return molecule
  }
}

/// Resolves a word to a molecule: a number, an entry code in any case, or the beginning of exactly one title.
enum MoleculeReference {
  /// The result of resolving a word.
  enum Match: Equatable {
    case found(MoleculeSummary)
    /// Several molecules with that code or beginning of a title.
    case ambiguous([MoleculeSummary])
    /// No molecule; the nearest code or title, if one is near.
    case missing(nearest: String?)
  }

  /// Resolves a word.
  ///
  /// - Complexity: linear in the molecules.
  static func match(_ word: String, among molecules: [MoleculeSummary]) -> Match {
    if let id = Int(word), let molecule = molecules.first(where: { $0.id == id }) { return .found(molecule) }
    let wanted = word.lowercased()
    guard !wanted.isEmpty else { return .missing(nearest: nil) }
    let byCode = molecules.filter { $0.code.lowercased() == wanted }
    if !byCode.isEmpty { return byCode.count == 1 ? .found(byCode[0]) : .ambiguous(byCode) }
    let exact = molecules.filter { $0.displayTitle.lowercased() == wanted }
    if exact.count == 1 { return .found(exact[0]) }
    let byTitle = molecules.filter { $0.displayTitle.lowercased().hasPrefix(wanted) }
    switch byTitle.count {
    case 1: return .found(byTitle[0])
    case 0: return .missing(nearest: nearest(to: word, among: molecules))
    default: return .ambiguous(byTitle)
    }
  }

  private static func nearest(to word: String, among molecules: [MoleculeSummary]) -> String? {
    let codes = molecules.map(\.code).filter { !$0.isEmpty }
    if let code = Suggestion.nearest(to: word, in: codes) { return code }
    return Suggestion.nearest(to: word, in: molecules.map(\.displayTitle))
  }
}

/// The type names of the values this plugin emits; each has its text renderer.
enum MoleculeValueType {
  static let info = "molecules.info"
  static let importReport = "molecules.import-report"
  static let deletion = "molecules.deletion"
  static let opened = "molecules.opened"
  static let sequences = "molecules.sequences"
  static let secondaryStructure = "molecules.secondary-structure"
  static let selection = "molecules.selection"
  static let measurement = "molecules.measurement"
  static let superposition = "molecules.superposition"
  static let motifSites = "molecules.motif-sites"
  static let page = "molecules.page"
}
