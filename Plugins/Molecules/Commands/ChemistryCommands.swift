import PluginAPI

/// Commands on derived data of a molecule: secondary structure, assemblies, symmetry.
enum ChemistryCommands {
  static let all = [secondaryStructure, assemblies, symmetry]

  static let secondaryStructure = CommandPart(
    CommandDescription(
      "secondary-structure", "finds helices, strands and turns as DSSP does",
      output: .init(.record(structureFields), typeName: MoleculeValueType.secondaryStructure)
    ).taking(MoleculeInputs.molecule, MoleculeInputs.model, SelectionOptions.select, SelectionOptions.set).explained(
      """
      One letter for each residue of a model that has a full backbone: H alpha helix, G 3-10 helix, I pi helix, P \
      polyproline helix, E strand, B bridge, T turn, S bend, - none. The letters are those of mkdssp 4, and so are \
      accessibility, phi and psi, which '--json' and '--csv' give for each residue. A selection leaves out residues; the \
      others are found with all of the model there.
      """,
      examples: [
        .init("secondary-structure 1crn.pdb", "the letters of each chain"),
        .init("secondary-structure 4hhb.cif.gz --csv", "a row for each residue"),
      ])
  ) { call in
    let library = try MoleculeLibrary(call)
    let (selection, model) = (try SelectionOptions.selection(call), call[MoleculeInputs.model])
    let molecule = try await library.molecule(call[MoleculeInputs.molecule])
    try MoleculeInputs.check(model, in: molecule)
    let wanted = try await SelectionOptions.atoms(selection, of: molecule.structure, models: [model], library)
    let structure = molecule.structure
    let (letters, residues) = try await library.computed("secondary structure") { progress in
      let assignment = SecondaryStructureAssignment.dssp(structure, model: model)
      let letters = assignment.letters(of: structure) { residue in
        wanted?.intersects(structure.residues[residue].atoms) ?? true
      }
      let table = SecondaryStructureTable.table(assignment, of: structure, selection: wanted) { share in
        progress.report(Progress("secondary structure", fraction: share))
        return !progress.isCancelled
      }
      guard let table else { throw CancellationError() }
      return (letters, table)
    }
    var chains = Record()
    for (chain, text) in letters { chains[chain] = .text((chains[chain]?.text ?? "") + text) }
    let value: Value = ["chains": .record(chains), "residues": .table(residues)]
    try await call.emit(value.typed(MoleculeValueType.secondaryStructure))
  }

  private static let structureFields: [ValueSchema.Field] = [
    .init("chains", .map(.text), "letters by author name of the chain"),
    .init(
      "residues",
      .table([
        .init("chain", .text, "author name of the chain"),
        .init("number", .integer, "author residue number"),
        .init("insertionCode", .text, "insertion code"),
        .init("name", .text, "residue name"),
        .init("state", .choice(SecondaryStructureKind.allCases.map { String($0.letter) }), "its letter in 'chains'"),
        .init(
          "accessibility", .optional(.integer),
          "area that water can reach in square angstrom, as DSSP measures it; null where atoms lie on each other"),
        .init("phi", .optional(.number), "C, N, CA, C in degrees; null at the start of a chain and behind a break"),
        .init("psi", .optional(.number), "N, CA, C, N in degrees; null at the end of a chain and before a break"),
      ]), "a row per letter, in file order"),
  ]

  static let assemblies = CommandPart(
    CommandDescription(
      "assemblies", "lists the biological assemblies of a molecule", output: .init(.table(assemblyFields))
    ).taking(MoleculeInputs.molecule).explained(
      """
      What the file says of how chains of model 1 are copied to build each assembly (REMARK 350, \
      pdbx_struct_assembly). Chains and atoms count all copies.
      """,
      examples: [.init("assemblies 4hhb.cif.gz", "of a file"), .init("assemblies 1crn.pdb --json", "for scripts")])
  ) { call in
    let library = try MoleculeLibrary(call)
    let molecule = try await library.molecule(call[MoleculeInputs.molecule])
    let table = try await library.computed("assemblies") { _ in AssemblyTable.table(of: molecule.structure) }
    try await call.emit(.table(table))
  }

  private static let assemblyFields: [ValueSchema.Field] = [
    .init("name", .text, "its name in the file"),
    .init("details", .text, "what the file says of it"),
    .init("operators", .integer, "operators over all its parts"),
    .init("chains", .integer, "chains of all copies"),
    .init("atoms", .integer, "atoms of all copies"),
  ]

  static let symmetry = CommandPart(
    CommandDescription(
      "symmetry", "lists the symmetry operators of a molecule's crystal", output: .init(.table(symmetryFields))
    ).taking(MoleculeInputs.molecule).explained(
      """
      As the file writes them out, else from the name of its space group. A molecule that is no crystal has none.
      """,
      examples: [.init("symmetry 4hhb.cif.gz", "of a file"), .init("symmetry 1crn.pdb --json", "for scripts")])
  ) { call in
    let molecule = try await MoleculeLibrary(call).molecule(call[MoleculeInputs.molecule])
    try await call.emit(.table(AssemblyTable.symmetry(of: molecule.structure)))
  }

  private static let symmetryFields: [ValueSchema.Field] = [
    .init("number", .integer, "place in the list, from 1"),
    .init("operator", .text, "in fractions of the cell edges, as -x,y+1/2,-z"),
    .init("stated", .bool, "whether the file writes it out"),
  ]
}
