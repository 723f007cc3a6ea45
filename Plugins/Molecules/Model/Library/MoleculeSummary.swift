import PluginAPI

/// A molecule of the library as lists show it.
struct MoleculeSummary: Equatable, Sendable {
  /// The number it has in the library; never used again after a deletion.
  var id: Int
  /// Entry code, as in `1CRN`; may be empty.
  var code: String
  var title: String
  /// What the molecule is, as the first compound of the entry says; may be empty.
  var compound: String
  /// The name of the format, as `PDB` or `mmCIF`.
  var format: String
  var counts: MoleculeCounts
  var addedAt: Instant
  /// The name of the original in the folder of originals.
  var file: String

  /// Title, or what else can stand for it.
  var displayTitle: String {
    [title, compound, code, file].first { !$0.isEmpty } ?? "molecule \(id)"
  }
}

/// How much there is of a molecule; of the first model where models differ.
struct MoleculeCounts: Equatable, Sendable {
  var models = 0
  var chains = 0
  var residues = 0
  var atoms = 0
  var bonds = 0
}

/// A molecule as it is shown: the structure and the bonds of its models.
struct Molecule: Equatable, Sendable {
  /// Its number in the library; nil for one that was read from a file.
  var id: Int?
  /// The name of the format, as `PDB` or `mmCIF`.
  var format: String
  /// The name of the file it comes from.
  var file: String
  var structure: Structure
  /// The bonds of each model, by index of the whole structure; there may be fewer than models if not all were found yet.
  var bonds: [[Bond]]

  /// The bonds of a model, found now if they were not yet; none for a model there is not.
  ///
  /// - Complexity: O(atoms) if they have to be found.
  func bonds(ofModel model: Int) -> [Bond] {
    if bonds.indices.contains(model) { return bonds[model] }
    return structure.models.indices.contains(model) ? BondPerception.bonds(of: structure, model: model) : []
  }

  /// Title, or what else can stand for it.
  var displayTitle: String {
    let metadata = structure.metadata
    return [metadata.title, metadata.compounds.first?.name ?? "", metadata.entryID, file].first { !$0.isEmpty }
      ?? "molecule"
  }

  /// How much there is of it.
  var counts: MoleculeCounts {
    let first = structure.models.first
    return MoleculeCounts(
      models: structure.models.count, chains: first?.chains.count ?? 0, residues: first?.residues.count ?? 0,
      atoms: first?.atoms.count ?? 0, bonds: bonds.first?.count ?? 0)
  }
}
