import PluginAPI

/// Commands on interactions: surface area, contacts, hydrogen bonds, salt bridges, disulfides.
enum InteractionCommands {
  static let all = [surfaceArea, contacts, hydrogenBonds, saltBridges, disulfides]

  static let surfaceArea = command(
    "surface-area", "measures how much of each residue's surface a solvent can reach",
    """
    By rolling a sphere over the molecule (Shrake and Rupley), water and hydrogens left out. Relative areas are parts of \
    what the residue has in an extended chain (Tien et al. 2013).
    """,
    surfaceFields,
    options: [probe, points], synonyms: ["sasa", "accessible surface area", "buried"]
  ) { call, molecule, model in
    let probe = SurfaceArea.Probe(radius: call[probe], pointCount: call[points])
    return { progress, selection in
      let area = SurfaceArea(molecule.structure, model: model, probe: probe) { share in
        progress.report(Progress("surface area", fraction: share))
        return !progress.isCancelled
      }
      guard let area else { throw CancellationError() }
      return InteractionTables.surface(area, of: molecule.structure, selection: selection)
    }
  }

  private static let probe = Option("probe", in: 0...10, "radius of the sphere in angstrom", default: 1.4)
  private static let points = Option(
    "points", in: 10...10_000, "points on each atom: more are more exact and slower", default: 960)

  static let contacts = command(
    "contacts", "lists residues that touch",
    "Each pair of residues stands once, with its two nearest atoms; hydrogens and residues bonded to each other do not count.",
    contactFields,
    options: [within, water, betweenChains]
  ) { call, molecule, model in
    let (limit, includesWater, isBetweenChains) = (call[within], call[water], call[betweenChains])
    return { _, selection in
      if let crowd = AtomCrowd(molecule.structure, model: model) {
        throw MoleculeError.crowded(atom: PartTables.label(crowd.atom, molecule.structure), count: crowd.count)
      }
      let contacts = ResidueContact.all(
        of: molecule.structure, bonds: molecule.bonds(ofModel: model), model: model, within: limit,
        includesWater: includesWater, isBetweenChains: isBetweenChains)
      return InteractionTables.contacts(
        contacts.filter { selection.touches($0.firstAtom, $0.secondAtom) }, of: molecule.structure)
    }
  }

  private static let within = Option(
    "within", in: 0.1...50, "farthest distance of two atoms in angstrom", default: 4)
  private static let water = Option(flag: "water", "with those of water")
  private static let betweenChains = Option(flag: "between-chains", "only residues of different chains")

  static let hydrogenBonds = command(
    "hydrogen-bonds", "lists hydrogen bonds between residues",
    """
    Between backbones by their energy as in DSSP; others by distance, at most 3.5 angstrom, and angles, at the hydrogen \
    where the file has it.
    """, hydrogenBondFields, options: [water], synonyms: ["h-bonds"]
  ) { call, molecule, model in
    let includesWater = call[water]
    return { _, selection in
      var finder = HydrogenBondFinder(molecule.structure, bonds: molecule.bonds(ofModel: model), model: model)
      let bonds = finder.all(includesWater: includesWater).filter { selection.touches($0.donor, $0.acceptor) }
      return InteractionTables.hydrogenBonds(bonds, of: molecule.structure)
    }
  }

  static let saltBridges = command(
    "salt-bridges", "lists side chains of opposite charge that are close",
    "A nitrogen of ARG, LYS or HIS and an oxygen of ASP or GLU within 4 angstrom; each pair of residues once.",
    saltBridgeFields, synonyms: ["ionic"]
  ) { _, molecule, model in
    { _, selection in
      let bridges = SaltBridge.all(of: molecule.structure, model: model)
        .filter { selection.touches($0.positive, $0.negative) }
      return InteractionTables.saltBridges(bridges, of: molecule.structure)
    }
  }

  static let disulfides = command(
    "disulfides", "lists cysteines joined by their sulfurs",
    "As the file states them, and those it leaves out though the sulfurs are within 2.5 angstrom.", disulfideFields
  ) { _, molecule, model in
    { _, selection in
      let found = Disulfide.all(of: molecule.structure, bonds: molecule.bonds(ofModel: model), model: model)
        .filter { selection.touches($0.first, $0.second) }
      return InteractionTables.disulfides(found, of: molecule.structure)
    }
  }

  private static let selectionNote =
    " With a selection only what has an atom in it is listed; the rest of the molecule still counts as surroundings."

  private typealias Work = @Sendable (any WorkProgress, AtomSelection?) throws -> Table

  /// Returns a command whose result is a table of one model; its body receives the options and returns the work.
  private static func command(
    _ name: String, _ summary: String, _ discussion: String, _ fields: [ValueSchema.Field],
    options: [any CommandInput] = [],
    synonyms: [String] = [],
    _ body: @escaping @Sendable (CommandCall, Molecule, Int) -> Work
  ) -> CommandPart {
    var declaration = CommandDescription(name, summary, output: .init(.table(fields))).taking(MoleculeInputs.molecule)
    for option in options { declaration = declaration.taking(option) }
    return CommandPart(
      declaration.taking(MoleculeInputs.model, SelectionOptions.select, SelectionOptions.set)
        .explained(
          discussion + selectionNote,
          examples: [
            .init("\(name) 1crn.pdb", "of a file"),
            .init("\(name) 4hhb.cif.gz --csv", "as CSV"),
          ]
        ).findable(by: synonyms)
    ) { call in
      let selection = try SelectionOptions.selection(call)
      let model = call[MoleculeInputs.model]
      let library = try MoleculeLibrary(call)
      let molecule = try await library.molecule(
        call[MoleculeInputs.molecule], bonds: model == 0 ? .firstModel : .allModels)
      try MoleculeInputs.check(model, in: molecule)
      let work = body(call, molecule, model)
      let atoms = try await SelectionOptions.atoms(selection, of: molecule.structure, models: [model], library)
      try await call.emit(.table(try await library.computed(name) { try work($0, atoms) }))
    }
  }
}

extension InteractionCommands {
  private static let surfaceFields: [ValueSchema.Field] = [
    .init("chain", .text, "author name of the chain"),
    .init("residue", .text, "residue name"),
    .init("number", .integer, "author residue number"),
    .init("insertionCode", .text, "insertion code"),
    .init("area", .number, "accessible area in square angstrom"),
    .init("relative", .optional(.number), "part of the largest area it can have; null for other than amino acids"),
  ]

  private static let contactFields: [ValueSchema.Field] = [
    .init("first", .text, "atom of the first residue, as A/CYS3/SG"),
    .init("second", .text, "atom of the second residue"),
    .init("distance", .number, "their distance in angstrom, the shortest of the two residues"),
    .init("atomPairs", .integer, "pairs of atoms within the limit"),
  ]

  private static let hydrogenBondFields: [ValueSchema.Field] = [
    .init("donor", .text, "atom that bears the hydrogen, as A/GLY12/N"),
    .init("acceptor", .text, "atom that the hydrogen points at"),
    .init("distance", .number, "their distance in angstrom"),
    .init("evidence", .choice(HydrogenBond.Evidence.allCases.map(\.rawValue)), "what tells it"),
    .init("energy", .optional(.number), "in kcal/mol, between backbones; else null"),
  ]

  private static let saltBridgeFields: [ValueSchema.Field] = [
    .init("positive", .text, "nitrogen, as A/LYS7/NZ"),
    .init("negative", .text, "oxygen"),
    .init("distance", .number, "their distance in angstrom"),
  ]

  private static let disulfideFields: [ValueSchema.Field] = [
    .init("first", .text, "sulfur, as A/CYS3/SG"),
    .init("second", .text, "sulfur it is bonded to"),
    .init("distance", .number, "their distance in angstrom"),
    .init("stated", .bool, "whether the file states the bond"),
  ]
}

extension AtomSelection? {
  /// Returns true if one of two atoms is in the selection, or if there is no selection.
  fileprivate func touches(_ first: Int, _ second: Int) -> Bool {
    map { $0[first] || $0[second] } ?? true
  }
}
