import PluginAPI

/// Commands about what a molecule's coordinates say beyond what is written: secondary structure, assemblies.
enum ChemistryCommands {
  static let all = [secondaryStructure, assemblies]

  static let secondaryStructure = MoleculeCommand(
    CommandDescription(
      "secondary-structure", "finds helices, strands and turns as DSSP does",
      output: .init(.record(structureFields), typeName: MoleculeValueType.secondaryStructure)
    ).taking([MoleculeCommand.molecule]).explained(
      """
      One letter for each residue of model 1 that has a full backbone: H alpha helix, G 3-10 helix, I pi helix, P \
      polyproline helix, E strand, B bridge, T turn, S bend, - none. The letters are those of mkdssp 4.
      """,
      examples: [
        .init("secondary-structure 1trz", "the letters of each chain"),
        .init("secondary-structure 4hhb.cif.gz --json", "a file, for scripts"),
      ])
  ) { call in
    let library = try MoleculeLibrary(call)
    let molecule = try await library.molecule(call.text("molecule"))
    let letters = try await library.computed("secondary structure") { _ in
      SecondaryStructureAssignment.dssp(molecule.structure).letters(of: molecule.structure)
    }
    var chains = Record()
    for (chain, text) in letters { chains[chain] = .text((chains[chain]?.text ?? "") + text) }
    try await call.emit(Value.record(["chains": .record(chains)]).typed(MoleculeValueType.secondaryStructure))
  }

  private static let structureFields: [ValueSchema.Field] = [
    .init("chains", .map(.text), "letters by author name of the chain")
  ]

  static let assemblies = MoleculeCommand(
    CommandDescription(
      "assemblies", "lists the biological assemblies of a molecule", output: .init(.table(assemblyFields))
    ).taking([MoleculeCommand.molecule]).explained(
      """
      What the file says of how chains of model 1 are copied to build each assembly (REMARK 350, \
      pdbx_struct_assembly). Chains and atoms count all copies.
      """,
      examples: [.init("assemblies 4hhb.cif.gz", "of a file"), .init("assemblies 1trz --json", "for scripts")])
  ) { call in
    let library = try MoleculeLibrary(call)
    let molecule = try await library.molecule(call.text("molecule"))
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
}
