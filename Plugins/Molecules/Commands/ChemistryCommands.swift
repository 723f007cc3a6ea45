import PluginAPI

/// Commands on derived data of a molecule: secondary structure, assemblies, symmetry.
enum ChemistryCommands {
  static let all = [secondaryStructure, assemblies, symmetry]

  private static let secondaryStructure = CommandPart(
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

  private static let assemblies = CommandPart(
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

  private static let symmetry = CommandPart(
    CommandDescription(
      "symmetry", "lists the symmetry operators of a molecule's crystal", output: .table(of: SymmetryEntry.self)
    ).taking(MoleculeInputs.molecule).explained(
      """
      As the file writes them out, else from the name of its space group. A molecule that is not a crystal has none.
      """,
      examples: [.init("symmetry 4hhb.cif.gz", "of a file"), .init("symmetry 1crn.pdb --json", "for scripts")])
  ) { call in
    let molecule = try await MoleculeLibrary(call).molecule(call[MoleculeInputs.molecule])
    try await call.emit(table: SymmetryEntry.all(of: molecule.structure))
  }
}

/// Commands on interactions: surface area, contacts, hydrogen bonds, salt bridges, disulfides.
enum InteractionCommands {
  static let all = [surfaceArea, contacts, hydrogenBonds, saltBridges, disulfides]

  private static let surfaceArea = command(
    ResidueArea.self, "surface-area", "measures how much of each residue's surface a solvent can reach",
    """
    By rolling a sphere over the molecule (Shrake and Rupley), water and hydrogens left out. Relative areas are parts of \
    what the residue has in an extended chain (Tien et al. 2013).
    """,
    options: [probe, points], synonyms: ["sasa", "accessible surface area", "buried"]
  ) { call, part, progress in
    let probe = SurfaceArea.Probe(radius: call[probe], pointCount: call[points])
    let area = SurfaceArea(part.structure, model: part.model, probe: probe) { share in
      progress.report(Progress("surface area", fraction: share))
      return !progress.isCancelled
    }
    guard let area else { throw CancellationError() }
    return ResidueArea.all(area, of: part.structure, selection: part.atoms)
  }

  private static let probe = Option("probe", in: 0...10, "radius of the sphere in angstrom", default: 1.4)
  private static let points = Option(
    "points", in: 10...10_000, "points on each atom: more are more exact and slower", default: 960)

  private static let contacts = command(
    ResidueContact.self, "contacts", "lists residues that touch",
    "Each pair of residues stands once, with its two nearest atoms; hydrogens and residues bonded to each other do not count.",
    options: [within, water, betweenChains]
  ) { call, part, _ in
    if let crowd = AtomCrowd(part.structure, model: part.model) {
      let atom = part.structure.label(ofAtom: crowd.atom)
      throw MoleculeError.crowded(
        "\(crowd.count) atoms lie within \(Int(AtomCrowd.radius)) angstrom of atom '\(atom)', more than matter can hold",
        advice: "the coordinates are not a structure; draw it or see 'workbench molecules atoms' to find the fault",
        details: ["atom": .text(atom), "atoms": .integer(crowd.count)])
    }
    return ResidueContact.all(
      of: part.structure, bonds: part.bonds, model: part.model, within: call[within], includesWater: call[water],
      isBetweenChains: call[betweenChains]
    ).filter { part.atoms.touches($0.firstAtom, $0.secondAtom) }
  }

  private static let within = Option(
    "within", in: 0.1...50, "farthest distance of two atoms in angstrom", default: 4)
  private static let water = Option(flag: "water", "with those of water")
  private static let betweenChains = Option(flag: "between-chains", "only residues of different chains")

  private static let hydrogenBonds = command(
    HydrogenBond.self, "hydrogen-bonds", "lists hydrogen bonds between residues",
    """
    Between backbones by their energy as in DSSP; others by distance, at most 3.5 angstrom, and angles, at the hydrogen \
    where the file has it.
    """, options: [water], synonyms: ["h-bonds"]
  ) { call, part, _ in
    var finder = HydrogenBondFinder(part.structure, bonds: part.bonds, model: part.model)
    return finder.all(includesWater: call[water]).filter { part.atoms.touches($0.donor, $0.acceptor) }
  }

  private static let saltBridges = command(
    SaltBridge.self, "salt-bridges", "lists side chains of opposite charge that are close",
    "A nitrogen of ARG, LYS or HIS and an oxygen of ASP or GLU within 4 angstrom; each pair of residues once.",
    synonyms: ["ionic"]
  ) { _, part, _ in
    SaltBridge.all(of: part.structure, model: part.model).filter { part.atoms.touches($0.positive, $0.negative) }
  }

  private static let disulfides = command(
    Disulfide.self, "disulfides", "lists cysteines joined by their sulfurs",
    "As the file states them, and those it leaves out though the sulfurs are within 2.5 angstrom."
  ) { _, part, _ in
    Disulfide.all(of: part.structure, bonds: part.bonds, model: part.model)
      .filter { part.atoms.touches($0.first, $0.second) }
  }

  private static let selectionNote =
    " With a selection only what has an atom in it is listed; the rest of the molecule still counts as surroundings."

  /// Returns a command that lists items of one model; its body finds those that the selection touches, on a thread of
  /// its own.
  private static func command<Item: StructureItem>(
    _ type: Item.Type, _ name: String, _ summary: String, _ discussion: String, options: [any CommandInput] = [],
    synonyms: [String] = [],
    _ find: @escaping @Sendable (CommandCall, CalledModel, any WorkProgress) throws -> [Item]
  ) -> CommandPart {
    CommandPart(
      CommandDescription(name, summary, output: .table(of: StructureRow<Item>.self))
        .taking(
          [MoleculeInputs.molecule] + options
            + [MoleculeInputs.model, SelectionOptions.select, SelectionOptions.set]
        ).explained(
          discussion + selectionNote,
          examples: [
            .init("\(name) 1crn.pdb", "of a file"),
            .init("\(name) 4hhb.cif.gz --csv", "as CSV"),
          ]
        ).findable(by: synonyms)
    ) { call in
      let part = try await CalledModel(call)
      let table = try await part.library.computed(name) {
        StructureRow<Item>.table(of: try find(call, part, $0), in: part.structure)
      }
      try await call.emit(.table(table))
    }
  }
}

extension AtomSelection? {
  /// Returns true if one of two atoms is in the selection, or if there is no selection.
  fileprivate func touches(_ first: Int, _ second: Int) -> Bool {
    map { $0[first] || $0[second] } ?? true
  }
}
