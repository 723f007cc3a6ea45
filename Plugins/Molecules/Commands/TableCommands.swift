import PluginAPI

/// Commands whose result is a table of parts of a molecule: bonds, chains, atoms, sequence.
enum TableCommands {
  static let all = [
    command(
      "bonds", "lists the bonds of a molecule", bondFields,
      "A model's bonds come from residue templates, polymer links, disulfides, stated links, CONECT and, where nothing "
        + "else is known, distances. With a selection those are listed both of whose atoms are in it."
    ) { PartTables.bonds(of: $0, model: $1, selection: $2) },
    command(
      "chains", "lists the chains of a molecule", chainFields,
      "With a selection those chains are listed that it touches, and what it touches of them is counted."
    ) { PartTables.chains(of: $0, model: $1, selection: $2) },
    command("atoms", "lists the atoms of a molecule", atomFields, "") {
      PartTables.atoms(of: $0, model: $1, selection: $2)
    },
    sequence,
  ]

  private static let sequence = CommandPart(
    CommandDescription(
      "sequence", "shows the sequences of a molecule's chains",
      output: .init(.table(InfoMetadata.sequenceFields), typeName: MoleculeValueType.sequences)
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
    let table = PartTables.sequences(of: structure, selection: atoms)
    try await call.emit(Value.table(table).typed(MoleculeValueType.sequences))
  }

  private static func command(
    _ name: String, _ summary: String, _ fields: [ValueSchema.Field], _ discussion: String,
    _ table: @escaping @Sendable (Molecule, Int, AtomSelection?) -> Table
  ) -> CommandPart {
    CommandPart(
      CommandDescription(name, summary, output: .init(.table(fields)))
        .taking(MoleculeInputs.molecule, MoleculeInputs.model, SelectionOptions.select, SelectionOptions.set)
        .explained(
          discussion,
          examples: [
            .init("\(name) 1bna", "of a molecule of the library"), .init("\(name) 1crn.pdb --csv", "of a file, as CSV"),
            .init("\(name) 1bna --select 'chain A and not water'", "of a part of it"),
          ])
    ) { call in
      let selection = try SelectionOptions.selection(call)
      let model = call[MoleculeInputs.model]
      let library = try MoleculeLibrary(call)
      let molecule = try await library.molecule(
        call[MoleculeInputs.molecule], bonds: model == 0 ? .firstModel : .allModels)
      try MoleculeInputs.check(model, in: molecule)
      let atoms = try await SelectionOptions.atoms(selection, of: molecule.structure, models: [model], library)
      try await call.emit(.table(try await library.computed("listing \(name)") { _ in table(molecule, model, atoms) }))
    }
  }
}

extension TableCommands {
  private static let bondFields: [ValueSchema.Field] = [
    .init("first", .integer, "first atom, counted from 1 within the model"),
    .init("firstName", .text, "its chain, residue and name, as A/CYS3/SG"),
    .init("second", .integer, "second atom"),
    .init("secondName", .text, "its chain, residue and name"),
    .init("order", .choice(PartTables.orderNames), "bond order"),
    .init("origin", .choice(BondOrigin.allCases.map(\.name)), "what it is known from"),
    .init("length", .number, "distance in angstrom"),
  ]

  private static let chainFields: [ValueSchema.Field] = [
    .init("chain", .text, "author name"),
    .init("labels", .text, "label names of its parts, empty for PDB files"),
    .init("residues", .integer, "residues, waters and ligands included"),
    .init("polymerResidues", .integer, "residues of the polymer"),
    .init("ligands", .integer, "other residues but water"),
    .init("waters", .integer, "water residues"),
    .init("atoms", .integer, "atoms"),
    .init("compound", .text, "what it is, if the file says"),
  ]

  private static let atomFields: [ValueSchema.Field] = [
    .init("atom", .integer, "place within the model, from 1"),
    .init("serial", .optional(.integer), "serial number in the file"),
    .init("name", .text, "atom name"),
    .init("element", .text, "element symbol, X if unknown"),
    .init("alternate", .text, "alternate location mark"),
    .init("residue", .text, "residue name"),
    .init("chain", .text, "author name of the chain"),
    .init("number", .integer, "author residue number"),
    .init("insertionCode", .text, "insertion code"),
    .init("x", .number, "x in angstrom"),
    .init("y", .number, "y in angstrom"),
    .init("z", .number, "z in angstrom"),
    .init("occupancy", .number, "occupancy"),
    .init("bFactor", .number, "isotropic displacement factor in square angstrom"),
    .init("charge", .integer, "formal charge"),
    .init("hetero", .bool, "whether it came as HETATM"),
  ]
}
