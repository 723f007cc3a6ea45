import PluginAPI

/// Commands on derived data of a molecule: secondary structure, assemblies, symmetry.
enum ChemistryCommands {
  static let all = [secondaryStructure, assemblies, symmetry]

  static let secondaryStructure = CommandPart(
    CommandDescription(
      "secondary-structure", "finds helices, strands and turns as DSSP does",
      output: .model(SecondaryStructureReport.self)
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
    let part = try await CalledModel(call, bonds: .firstModel)
    let report = try await part.library.computed("secondary structure") { progress in
      let report = SecondaryStructureReport(
        .dssp(part.structure, model: part.model), of: part.structure, selection: part.atoms
      ) { share in
        progress.report(Progress("secondary structure", fraction: share))
        return !progress.isCancelled
      }
      guard let report else { throw CancellationError() }
      return report
    }
    try await call.emit(report)
  }

  static let assemblies = CommandPart(
    CommandDescription(
      "assemblies", "lists the biological assemblies of a molecule", output: .table(of: AssemblySummary.self)
    ).taking(MoleculeInputs.molecule).explained(
      """
      What the file says of how chains of model 1 are copied to build each assembly (REMARK 350, \
      pdbx_struct_assembly). Chains and atoms count all copies.
      """,
      examples: [.init("assemblies 4hhb.cif.gz", "of a file"), .init("assemblies 1crn.pdb --json", "for scripts")])
  ) { call in
    let library = try MoleculeLibrary(call)
    let molecule = try await library.molecule(call[MoleculeInputs.molecule])
    let assemblies = try await library.computed("assemblies") { _ in
      molecule.structure.assemblies.map { AssemblySummary($0, of: molecule.structure) }
    }
    try await call.emit(table: assemblies)
  }

  static let symmetry = CommandPart(
    CommandDescription(
      "symmetry", "lists the symmetry operators of a molecule's crystal", output: .table(of: SymmetryEntry.self)
    ).taking(MoleculeInputs.molecule).explained(
      """
      As the file writes them out, else from the name of its space group. A molecule that is no crystal has none.
      """,
      examples: [.init("symmetry 4hhb.cif.gz", "of a file"), .init("symmetry 1crn.pdb --json", "for scripts")])
  ) { call in
    let molecule = try await MoleculeLibrary(call).molecule(call[MoleculeInputs.molecule])
    try await call.emit(table: SymmetryEntry.all(of: molecule.structure))
  }
}
