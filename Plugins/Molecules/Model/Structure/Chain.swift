/// A chain of one model, by its author name.
struct Chain: Equatable, Sendable {
  /// The author name; may be empty and of any length.
  var name: String
  /// The label names of its parts (_atom_site.label_asym_id), or segments of a PDB file, in order of appearance.
  var labels: [String] = []
  /// Runs of consecutive residue indices that belong to it, ascending.
  var residueRuns: [Range<Int>] = []

  /// The number of residues, waters and ligands included.
  var residueCount: Int { residueRuns.reduce(0) { $0 + $1.count } }
}

/// A run of residues of one label name or segment, up to the next run or the last residue; an empty label means none.
struct LabelRun: Equatable, Sendable {
  /// Residue index, 0-based.
  var firstResidue: Int32
  var label: String
}

/// One model: the ranges of chains, residues and atoms that belong to it.
struct StructureModel: Equatable, Sendable {
  /// The model number in the file (1 if there is none); numbers may repeat and need not ascend.
  var number: Int
  var chains: Range<Int>
  var residues: Range<Int>
  var atoms: Range<Int>
}
