import PluginAPI

/// The command that shows the atoms of a selection.
enum SelectCommand {
  static let command = CommandPart(
    CommandDescription(
      "select", "tells which atoms a selection means",
      output: .model(SelectionSummary.self)
    ).taking(MoleculeInputs.molecule, expression, MoleculeInputs.model, SelectionOptions.set)
      .explained(discussion, examples: examples)
  ) { call in
    let selection = try SelectionOptions.selection(call[expression], SelectionOptions.sets(call))
    let model = call[MoleculeInputs.model]
    let library = try MoleculeLibrary(call)
    let molecule = try await library.molecule(call[MoleculeInputs.molecule])
    try MoleculeInputs.check(model, in: molecule)
    let result = try await library.computed("selecting") { _ in
      let atoms = selection.atoms(of: molecule.structure, model: model)
      return SelectionSummary(selection.text, atoms, of: molecule.structure, model: model)
    }
    try await call.emit(result)
  }

  private static let expression = Argument("selection", String.self, "the selection")

  private static let discussion = """
    Properties: chain A,B · resi 5-10+52A · resn ALA+GLY · name CA · element FE · altloc A · segi A · model 2 · serial 1-100 · \
    index 7 · b > 30 · occ < 1 · charge != 0 · x, y, z. Names take * and ?, and quotes where they mean themselves.

    Classes: all, none, polymer, protein, nucleic, dna, rna, ligand, organic, water, backbone, sidechain, hydrogen, \
    metal, hetero, helix, sheet, loop, inorganic, guide, donors, acceptors. Places: A/50/CA, /1ake//A/50/CA; A/50/CA@B \
    is conformer B.

    Joined by and, or, not and parentheses. 'within 5 of', 'beyond 5 of', 'around 5' and 'expand 5' go by distance; \
    'byres', 'bychain' and 'same chain as' take whole residues and chains of all to their right. 'extend 2', \
    'neighbor', 'bound_to' and 'bymolecule' go by bonds; 'in', 'like', 'first', 'last' and pepseq AGW are as in PyMOL. \
    Documentation/Selections.md tells it all.
    """

  private static let examples: [CommandDescription.Example] = [
    .init("select 1bna 'resn DG and chain A'", "counts atoms and residues"),
    .init("select 4hhb.cif 'byres protein within 4 of resn HEM'", "what lies about the haem groups"),
    .init("select 4hhb.cif 'site and name CA' --set 'site=byres within 4 of resn HEM'", "by a named set"),
  ]
}
