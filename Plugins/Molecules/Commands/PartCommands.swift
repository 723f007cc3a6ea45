import PluginAPI

/// The command that shows everything about one molecule.
enum InfoCommand {
  static let command = CommandPart(
    CommandDescription(
      "info", "tells everything about a molecule of the library or a file", output: .model(MoleculeInfo.self)
    ).taking(MoleculeInputs.molecule).explained(
      """
      Counts and sums are of the first model unless the key says otherwise; chains are counted by author name. What a \
      file does not say is null. Files are read as far as they make sense; what was wrong stands in the diagnostics.
      """,
      examples: [
        .init("info 1bna", "a molecule of the library"), .init("info 4hhb.cif.gz --json", "a file, for scripts"),
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
      "bonds", "lists the bonds of a molecule", .table(PartTables.bondFields),
      "A model's bonds come from residue templates, polymer links, disulfides, stated links, CONECT and, where nothing "
        + "else is known, distances. With a selection those are listed both of whose atoms are in it."
    ) { PartTables.bonds(of: $0.molecule, model: $0.model, selection: $0.atoms) },
    command(
      "chains", "lists the chains of a molecule", .table(ChainSummary.fields.columns),
      "With a selection those chains are listed that it touches, and what it touches of them is counted."
    ) { ChainSummary.fields.table(of: ChainSummary.all(of: $0.structure, model: $0.model, selection: $0.atoms)) },
    command("atoms", "lists the atoms of a molecule", .table(PartTables.atomFields), "") {
      PartTables.atoms(of: $0.molecule, model: $0.model, selection: $0.atoms)
    },
    sequence,
  ]

  private static let sequence = CommandPart(
    CommandDescription(
      "sequence", "shows the sequences of a molecule's chains",
      output: .init(.table(ChainSequence.fields.columns), typeName: ChainSequence.typeName)
    ).taking(MoleculeInputs.molecule, SelectionOptions.select, SelectionOptions.set).explained(
      "As the file states them, else from the residues that have coordinates; with a selection always from these.",
      examples: [
        .init("sequence 1bna", "one letter for each residue, chain by chain"),
        .init("sequence 4hhb.cif --select helix", "the residues of helices only"),
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
    _ name: String, _ summary: String, _ schema: ValueSchema, _ discussion: String,
    _ table: @escaping @Sendable (CalledModel) -> Table
  ) -> CommandPart {
    CommandPart(
      CommandDescription(name, summary, output: .init(schema))
        .taking(MoleculeInputs.molecule, MoleculeInputs.model, SelectionOptions.select, SelectionOptions.set)
        .explained(
          discussion,
          examples: [
            .init("\(name) 1bna", "of a molecule of the library"), .init("\(name) 1crn.pdb --csv", "of a file, as CSV"),
            .init("\(name) 1bna --select 'chain A and not water'", "of a part of it"),
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
      "select", "tells which atoms a selection means",
      output: .model(SelectionSummary.self)
    ).taking(MoleculeInputs.molecule, expression, MoleculeInputs.model, SelectionOptions.set)
      .explained(discussion, examples: examples)
  ) { call in
    let selection = try SelectionOptions.selection(call[expression], SelectionOptions.sets(call))
    let whole = try await CalledModel(wholeOf: call, bonds: .firstModel)
    let result = try await whole.library.computed("selecting") { _ in
      let atoms = selection.atoms(of: whole.structure, model: whole.model)
      return SelectionSummary(selection.text, atoms, of: whole.structure, model: whole.model)
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
