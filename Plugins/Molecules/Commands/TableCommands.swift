import PluginAPI

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
