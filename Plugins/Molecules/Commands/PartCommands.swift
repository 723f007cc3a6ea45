import PluginAPI

/// The command that shows the metadata and counts of a molecule.
enum InfoCommand {
  static let command = CommandPart(
    CommandDescription(
      "info", "Show the metadata and counts of a molecule", output: .model(MoleculeInfo.self)
    ).taking(MoleculeInputs.molecule).explained(
      """
      Counts and sums are those of the first model unless the key says otherwise. Chains are counted by author name. \
      Values missing in the file are null. A file with errors is read as far as possible; the diagnostics list the errors.
      """,
      examples: [
        .init("info 1bna", "A molecule in the library"),
        .init("info 4hhb.cif.gz --json", "A file, as JSON for scripts"),
      ])
  ) { call in
    let word = call[MoleculeInputs.molecule]
    var molecule = try await MoleculeLibrary(call).molecule(word)
    // For a file the path as given, so that an editor finds the positions of the diagnostics.
    if molecule.id == nil { molecule.file = word }
    try await call.emit(MoleculeInfo(molecule))
  }
}

/// Commands whose result is a table of parts of a molecule: bonds, chains, atoms, sequence.
enum TableCommands {
  static let all = [
    command(
      "bonds", "List the bonds of a molecule", .table(PartTables.bondFields),
      "Bonds come from residue templates, polymer links, disulfides, links stated in the file and CONECT records. Where "
        + "these are missing, they come from distances. With a selection, only bonds between selected atoms are listed."
    ) { PartTables.bonds(of: $0.molecule, model: $0.model, selection: $0.atoms) },
    command(
      "chains", "List the chains of a molecule", .table(ChainSummary.fields.columns),
      "With a selection, only chains with selected atoms are listed, and only their selected residues are counted."
    ) { ChainSummary.fields.table(of: ChainSummary.all(of: $0.structure, model: $0.model, selection: $0.atoms)) },
    command("atoms", "List the atoms of a molecule", .table(PartTables.atomFields), "") {
      PartTables.atoms(of: $0.molecule, model: $0.model, selection: $0.atoms)
    },
    sequence,
  ]

  private static let sequence = CommandPart(
    CommandDescription(
      "sequence", "Show the sequences of a molecule's chains",
      output: .init(.table(ChainSequence.fields.columns), typeName: ChainSequence.typeName)
    ).taking(MoleculeInputs.molecule, SelectionOptions.select, SelectionOptions.set).explained(
      """
      The sequences are those stated in the file, or else those of the residues with coordinates. With a selection they \
      always come from the coordinates.
      """,
      examples: [
        .init("sequence 1bna", "One letter for each residue, chain by chain"),
        .init("sequence 4hhb.cif --select helix", "Only the residues of helices"),
      ])
  ) { call in
    let selection = try SelectionOptions.selection(call)
    let library = try MoleculeLibrary(call)
    let structure = try await library.molecule(call[MoleculeInputs.molecule]).structure
    let atoms = try await SelectionOptions.atoms(selection, of: structure, models: [0], library)
    let sequences = atoms.map { ChainSequence.selected($0, of: structure) } ?? ChainSequence.all(of: structure)
    try await call.emit(Value.table(ChainSequence.fields.table(of: sequences)).typed(ChainSequence.typeName))
  }

  private static func command(
    _ name: String, _ summary: String, _ schema: @autoclosure @escaping @Sendable () -> ValueSchema,
    _ discussion: String,
    _ table: @escaping @Sendable (CalledModel) -> Table
  ) -> CommandPart {
    CommandPart(
      CommandDescription(name, summary, output: .init(schema()))
        .taking(MoleculeInputs.molecule, MoleculeInputs.model, SelectionOptions.select, SelectionOptions.set)
        .explained(
          discussion,
          examples: [
            .init("\(name) 1bna", "A molecule in the library"), .init("\(name) 1crn.pdb --csv", "A file, as CSV"),
            .init("\(name) 1bna --select 'chain A and not water'", "Part of a molecule"),
          ])
    ) { call in
      let part = try await CalledModel(call)
      try await call.emit(.table(part.library.computed("listing \(name)") { _ in table(part) }))
    }
  }
}

/// The command that shows the atoms of a selection.
enum SelectCommand {
  static let command = CommandPart(
    CommandDescription(
      "select", "Show the atoms of a selection",
      output: .model(SelectionSummary.self)
    ).taking(MoleculeInputs.molecule, expression, MoleculeInputs.model, SelectionOptions.set)
      .explained(discussion, examples: examples)
  ) { call in
    let selection = try SelectionOptions.selection(call[expression], SelectionOptions.sets(call))
    let whole = try await CalledModel(wholeOf: call, bonds: .firstModel)
    SelectionOptions.checkConfidence([selection], of: whole.structure, model: whole.model, whole.library)
    let result = try await whole.library.computed("selecting") { _ in
      let atoms = selection.atoms(of: whole.structure, model: whole.model)
      return SelectionSummary(selection.text, atoms, of: whole.structure, model: whole.model)
    }
    try await call.emit(result)
  }

  private static let expression = Argument(
    "selection", String.self, "Selection of atoms, such as 'chain A and not water'")

  private static let discussion = """
    Properties: chain A,B · resi 5-10+52A · resn ALA+GLY · name CA · element FE · altloc A · segi A · model 2 · serial 1-100 · \
    index 7 · b > 30 · occ < 1 · charge != 0 · x, y, z. In names, * and ? are wildcards; in quotes they are literal.

    Classes: all, none, polymer, protein, nucleic, dna, rna, ligand, organic, water, backbone, sidechain, hydrogen, \
    metal, hetero, helix, sheet, loop, inorganic, guide, donors, acceptors. Paths: A/50/CA, /1ake//A/50/CA; A/50/CA@B \
    is conformer B.

    Join selections with and, or, not and parentheses. 'within 5 of', 'beyond 5 of', 'around 5' and 'expand 5' select by \
    distance in angstrom. 'byres', 'bychain' and 'same chain as' extend everything to their right to whole residues and \
    chains. 'extend 2', 'neighbor', 'bound_to' and 'bymolecule' follow bonds. 'in', 'like', 'first', 'last' and pepseq \
    AGW mean the same as in PyMOL. Documentation/Selections.md describes the whole language.
    """

  private static let examples: [CommandDescription.Example] = [
    .init("select 1bna 'resn DG and chain A'", "Count atoms and residues"),
    .init("select 4hhb.cif 'byres protein within 4 of resn HEM'", "The surroundings of the heme groups"),
    .init("select 4hhb.cif 'site and name CA' --set 'site=byres within 4 of resn HEM'", "With a named set"),
  ]
}
