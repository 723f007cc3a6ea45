import PluginAPI

/// Commands that measure: distance, angle, dihedral, torsions.
enum MeasureCommands {
  static let all = MeasuredQuantity.allCases.map(measure) + [phiPsi, torsions]

  // MARK: Points

  private static let points = ["first", "second", "third", "fourth"].map {
    Argument($0, String.self, "Selection of the \($0) point, such as A/50/CA or 'resn HEM'")
  }

  private static let nearest = Option(
    flag: "nearest", "Measure between the two nearest atoms instead of the centers")

  private static func measure(_ measurement: MeasuredQuantity) -> CommandPart {
    CommandPart(declaration(of: measurement)) { call in
      try await run(
        measurement, call, points.prefix(measurement.pointCount).map { call[$0] },
        isNearest: measurement == .distance && call[nearest])
    }
  }

  private static func declaration(of measurement: MeasuredQuantity) -> CommandDescription {
    let points = points.prefix(measurement.pointCount)
    let ends: [any CommandInput] = [MoleculeInputs.model, SelectionOptions.set]
    let places = ["A/50/CA", "A/60/CA", "A/70/CA", "A/80/CA"].prefix(measurement.pointCount).joined(separator: " ")
    let parts = "measure distance 1ake.cif 'chain A and resi 50' 'chain A and resi 60' --nearest"
    return CommandDescription(
      "measure \(measurement.rawValue)", summary(measurement), output: .model(Measurement.self)
    ).taking([MoleculeInputs.molecule] + points + (measurement == .distance ? [nearest] + ends : ends)).explained(
      """
      A selection of several atoms counts as one point, the mean position of its atoms without mass weights.

      For alternate locations, the most occupied conformer of each residue is used; in a tie, the first by letter. \
      '@B' after a path selects conformer B, as in A/51/CA@B. A conformer selected for one point is also used for \
      the others, if they have it.
      """,
      examples: [.init("measure \(measurement.rawValue) 1ake.cif \(places)", "Between single atoms")]
        + (measurement == .distance ? [.init(parts, "Between the nearest atoms of two parts")] : [])
    ).findable(by: synonyms(measurement))
  }

  private static func summary(_ measurement: MeasuredQuantity) -> String {
    switch measurement {
    case .distance: "Measure the distance between two atoms or parts of a molecule"
    case .angle: "Measure the angle at the second of three atoms or parts"
    case .dihedral: "Measure the dihedral angle of four atoms or parts"
    }
  }

  private static func synonyms(_ measurement: MeasuredQuantity) -> [String] {
    switch measurement {
    case .distance: ["length", "bond length"]
    case .angle: ["bond angle"]
    case .dihedral: ["torsion"]
    }
  }

  private static func run(
    _ measurement: MeasuredQuantity, _ call: CommandCall, _ points: [String], isNearest: Bool
  ) async throws {
    let sets = try SelectionOptions.sets(call)
    let selections = try points.map { try SelectionOptions.selection($0, sets) }
    let whole = try await CalledModel(wholeOf: call, bonds: .firstModel)
    SelectionOptions.checkConfidence(selections, of: whole.structure, model: whole.model, whole.library)
    let result = try await whole.library.computed("measuring") { _ in
      try measured(measurement, selections, whole.structure, whole.model, isNearest: isNearest)
    }
    try await call.emit(result)
  }

  private static func measured(
    _ measurement: MeasuredQuantity, _ selections: [Selection], _ structure: Structure, _ model: Int, isNearest: Bool
  ) throws -> Measurement {
    var sets: [AtomSelection] = []
    for selection in selections {
      let atoms = selection.atoms(of: structure, model: model)
      guard !atoms.isEmpty else { throw MoleculeError.emptySelection(text: selection.text) }
      sets.append(atoms)
    }
    let letters = Set(sets.flatMap { Conformers(structure, model: model, within: $0).selectedLetters })
    sets = sets.map { Conformers(structure, model: model, within: $0, preferring: letters).restricting($0) }
    if isNearest, let pair = sets[0].nearestPair(to: sets[1], of: structure) {
      let count = structure.atoms.count
      sets = [pair.first, pair.second].map { AtomSelection(atomCount: count, range: $0..<$0 + 1) }
    }
    let places = sets.compactMap { $0.centroid(of: structure) }
    guard let value = measurement.value(places) else {
      throw MoleculeError.undefinedAngle(
        "the \(measurement.rawValue) of these points is undefined",
        advice: "choose distinct points; for a dihedral, points that are not on a line")
    }
    let points = zip(selections, zip(sets, places)).map { selection, point in
      let only = point.0.count == 1 ? point.0.first : nil
      return Measurement.Point(
        selection: selection.text, atoms: point.0.count, label: only.map(structure.label(ofAtom:)),
        conformers: structure.alternateLocations(of: point.0), place: point.1)
    }
    return Measurement(value: value, unit: measurement.unit, points: points)
  }

  // MARK: Torsions

  private static let phiPsi = table(
    "phi-psi", "List the backbone angles phi, psi and omega of proteins",
    "Omega belongs to the bond to the next residue. Angles are null at chain ends and chain breaks. "
      + SelectionOptions.conformers,
    synonyms: ["ramachandran"]
  ) { BackboneAngles.all(of: $0, model: $1, selection: $2) }

  private static let torsions = table(
    "torsions", "List the named torsions of proteins and nucleic acids",
    "Amino acids have phi, psi, omega and chi; nucleotides have alpha to zeta and chi. "
      + SelectionOptions.conformers
  ) { Torsions.all(of: $0, model: $1, selection: $2) }

  private static func table<Item: StructureItem>(
    _ name: String, _ summary: String, _ discussion: String, synonyms: [String] = [],
    _ list: @escaping @Sendable (Structure, Int, AtomSelection?) -> [Item]
  ) -> CommandPart {
    CommandPart(
      CommandDescription("measure \(name)", summary, output: .table(of: StructureRow<Item>.self))
        .taking(MoleculeInputs.molecule, MoleculeInputs.model, SelectionOptions.select, SelectionOptions.set)
        .explained(
          discussion,
          examples: [.init("measure \(name) 1crn.pdb --csv", "A file, as CSV")]
        ).findable(by: synonyms)
    ) { call in
      let selection = try SelectionOptions.selection(call)
      let whole = try await CalledModel(wholeOf: call, bonds: .firstModel)
      SelectionOptions.checkConfidence([selection], of: whole.structure, model: whole.model, whole.library)
      let result = try await whole.library.computed("measuring") { _ in
        let (structure, model) = (whole.structure, whole.model)
        let items = list(structure, model, selection?.atoms(of: structure, model: model))
        return StructureRow<Item>.table(of: items, in: structure)
      }
      try await call.emit(.table(result))
    }
  }
}
