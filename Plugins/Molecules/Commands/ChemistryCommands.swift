import PluginAPI

/// Commands on derived data of a molecule: secondary structure, assemblies, symmetry.
enum ChemistryCommands {
  static let all = [secondaryStructure, assemblies, symmetry]

  private static let secondaryStructure = CommandPart(
    CommandDescription(
      "secondary-structure", "Assign helices, strands and turns by the DSSP method",
      output: .model(SecondaryStructureReport.self)
    ).taking(MoleculeInputs.molecule, MoleculeInputs.model, SelectionOptions.select, SelectionOptions.set).explained(
      """
      Each residue with a full backbone has one letter: H alpha helix, G 3-10 helix, I pi helix, P polyproline helix, \
      E strand, B bridge, T turn, S bend, - none. '--json' and '--csv' also list the accessibility, phi and psi of each \
      residue. A selection limits the list only; the method uses the whole model. \(SelectionOptions.conformers) The \
      results agree with mkdssp 4 for a file with these conformers only; mkdssp itself uses the last location of an \
      atom.
      """,
      examples: [
        .init("secondary-structure 1crn.pdb", "The letters of each chain"),
        .init("secondary-structure 4hhb.cif.gz --csv", "A row for each residue, as CSV"),
      ])
  ) { call in
    let part = try await CalledModel(call, bonds: .onDemand)
    let report = try await part.library.computed("secondary structure") { progress in
      let report = SecondaryStructureReport(
        of: part.structure, model: part.model, selection: part.atoms
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
      "assemblies", "List the biological assemblies of a molecule", output: .table(of: AssemblySummary.self)
    ).taking(MoleculeInputs.molecule).explained(
      """
      The file states how to copy the chains of model 1 for each assembly (REMARK 350, pdbx_struct_assembly). Counts \
      of chains and atoms include all copies.
      """,
      examples: [
        .init("assemblies 4hhb.cif.gz", "A file"), .init("assemblies 1crn.pdb --json", "As JSON, for scripts"),
      ])
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
      "symmetry", "List the symmetry operators of a molecule's crystal", output: .table(of: SymmetryEntry.self)
    ).taking(MoleculeInputs.molecule).explained(
      """
      The operators are those in the file, or else those of its space group. A molecule without a crystal has none.
      """,
      examples: [
        .init("symmetry 4hhb.cif.gz", "A file"), .init("symmetry 1crn.pdb --json", "As JSON, for scripts"),
      ])
  ) { call in
    let molecule = try await MoleculeLibrary(call).molecule(call[MoleculeInputs.molecule])
    try await call.emit(table: SymmetryEntry.all(of: molecule.structure))
  }
}

/// Commands on interactions: surface area, contacts, hydrogen bonds, salt bridges, disulfides.
enum InteractionCommands {
  static let all = [surfaceArea, contacts, hydrogenBonds, saltBridges, disulfides]

  private static let surfaceArea = command(
    ResidueArea.self, "surface-area", "Measure the solvent-accessible surface of each residue",
    """
    A probe sphere rolls over the molecule without water and hydrogens (method of Shrake and Rupley). Relative areas are \
    fractions of the residue's area in an extended chain (Tien et al. 2013).
    """,
    options: [probe, points], synonyms: ["sasa", "accessible surface area", "buried"]
  ) { call, part, progress in
    try refuseCrowd(part, includesWater: false)
    let probe = SurfaceArea.Probe(radius: call[probe], pointCount: call[points])
    let area = SurfaceArea(part.structure, model: part.model, selection: part.atoms, probe: probe) { share in
      progress.report(Progress("surface area", fraction: share))
      return !progress.isCancelled
    }
    guard let area else { throw CancellationError() }
    return ResidueArea.all(area, of: part.structure, selection: part.atoms)
  }

  private static let probe = Option("probe", in: 0...10, "Radius of the probe", unit: "angstrom", default: 1.4)
  private static let points = Option(
    "points", in: 10...10_000, "Points per atom; more are slower and more accurate", default: 960)

  private static let contacts = command(
    ResidueContact.self, "contacts", "List residues that touch",
    """
    Each pair of residues is listed once, with its two nearest atoms. Hydrogens and pairs of bonded residues are left \
    out.
    """,
    options: [within, water, betweenChains]
  ) { call, part, _ in
    try refuseCrowd(part, includesWater: call[water])
    return ResidueContact.all(
      of: part.structure, bonds: part.bonds, model: part.model, within: call[within], includesWater: call[water],
      isBetweenChains: call[betweenChains], selection: part.atoms
    ).filter { part.atoms.touches($0.firstAtom, $0.secondAtom) }
  }

  /// Throws if more atoms are close together than is possible.
  private static func refuseCrowd(_ part: CalledModel, includesWater: Bool) throws {
    let crowd = AtomCrowd(part.structure, model: part.model, includesWater: includesWater, selection: part.atoms)
    guard let crowd else { return }
    let atom = part.structure.label(ofAtom: crowd.atom)
    throw MoleculeError.crowded(
      "\(crowd.count) atoms are within \(Int(AtomCrowd.radius)) angstrom of atom '\(atom)', more than is possible",
      advice: "check the coordinates: draw the molecule, or list them with 'workbench molecules atoms'",
      details: ["atom": .text(atom), "atoms": .integer(crowd.count)])
  }

  private static let within = Option(
    "within", in: 0.1...50, "Largest distance between two atoms", unit: "angstrom", default: 4)
  private static let water = Option(flag: "water", "Include water")
  private static let betweenChains = Option(flag: "between-chains", "List only pairs from different chains")

  private static let hydrogenBonds = command(
    HydrogenBond.self, "hydrogen-bonds", "List hydrogen bonds between residues",
    """
    Bonds between backbones are found by their energy, as in DSSP. Others are found by distance, at most 3.5 angstrom, \
    and by angles, which use the hydrogen if the file has it.
    """, options: [water], synonyms: ["h-bonds"]
  ) { call, part, _ in
    var finder = HydrogenBondFinder(part.structure, bonds: part.bonds, model: part.model, selection: part.atoms)
    return finder.all(includesWater: call[water]).filter { part.atoms.touches($0.donor, $0.acceptor) }
  }

  private static let saltBridges = command(
    SaltBridge.self, "salt-bridges", "List salt bridges between side chains",
    """
    A salt bridge is a nitrogen of ARG, LYS or HIS within 4 angstrom of an oxygen of ASP or GLU. Each pair of residues is \
    listed once.
    """,
    synonyms: ["ionic"]
  ) { _, part, _ in
    SaltBridge.all(of: part.structure, model: part.model, selection: part.atoms)
      .filter { part.atoms.touches($0.positive, $0.negative) }
  }

  private static let disulfides = command(
    Disulfide.self, "disulfides", "List the disulfide bonds of cysteines",
    "The list has the disulfides stated in the file, and other pairs of sulfurs within 2.5 angstrom."
  ) { _, part, _ in
    Disulfide.all(of: part.structure, bonds: part.bonds, model: part.model, selection: part.atoms)
      .filter { part.atoms.touches($0.first, $0.second) }
  }

  private static let selectionNote =
    " With a selection, only entries with a selected atom are listed; all atoms are still taken into account. "
    + SelectionOptions.conformers

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
            .init("\(name) 1crn.pdb", "A file"),
            .init("\(name) 4hhb.cif.gz --csv", "As CSV"),
          ]
        ).findable(by: synonyms)
    ) { call in
      let part = try await CalledModel(call, bonds: .onDemand)
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
