import PluginAPI

/// The parts of a chain of one model, counted.
struct ChainSummary: Model {
  /// The author name.
  var name: String
  /// The label names of its parts; empty for PDB files.
  var labels: [String]
  /// The name of its compound; empty if the file states none.
  var compound: String
  var residues = 0
  var polymerResidues = 0
  var ligands = 0
  var waters = 0
  var atoms = 0

  static let typeName = "molecules.chain"
  static let fields = Fields<ChainSummary> {
    Field("chain", \.name, "author name", heading: "Chain")
    Field(
      "labels", { $0.labels.joined(separator: " ") }, "label names of its parts, empty for PDB files",
      heading: "Labels")
    Field("residues", \.residues, "residues, waters and ligands included", heading: "Residues")
    Field("polymerResidues", \.polymerResidues, "residues of the polymer", heading: "Polymer")
    Field("ligands", \.ligands, "other residues but water", heading: "Ligands")
    Field("waters", \.waters, "water residues", heading: "Waters")
    Field("atoms", \.atoms, "atoms", heading: "Atoms")
    Field("compound", \.compound, "what it is, if the file says", heading: "Compound")
  }

  /// Returns the chains of a model; with a selection only the selected parts of them.
  ///
  /// - Complexity: linear in the residues.
  static func all(of structure: Structure, model: Int, selection: AtomSelection? = nil) -> [ChainSummary] {
    structure.models[model].chains.compactMap { index in
      let chain = ChainSummary(structure.chains[index], of: structure, selection)
      return selection == nil || chain.residues > 0 ? chain : nil
    }
  }

  private init(_ chain: Chain, of structure: Structure, _ selection: AtomSelection?) {
    name = chain.name
    labels = chain.labels
    compound = structure.metadata.compounds.first { $0.chains.contains(chain.name) }?.name ?? ""
    for index in chain.residueRuns.joined() {
      let residue = structure.residues[index]
      guard selection?.intersects(residue.atoms) ?? true else { continue }
      residues += 1
      atoms += selection?.count(in: residue.atoms) ?? residue.atoms.count
      switch residue.kind {
      case .polymer: polymerResidues += 1
      case .ligand: ligands += 1
      case .water: waters += 1
      }
    }
  }
}
