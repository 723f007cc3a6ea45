import PluginAPI

/// The command that shows everything about one molecule.
enum InfoCommand {
  static let command = CommandPart(
    CommandDescription(
      "info", "tells everything about a molecule of the library or a file",
      output: .init(.record(fields), typeName: MoleculeValueType.info)
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
    try await call.emit(value(of: molecule).typed(MoleculeValueType.info))
  }

  /// Returns all data of a molecule.
  static func value(of molecule: Molecule) -> Value {
    let structure = molecule.structure
    let metadata = structure.metadata
    let counts = StructureCounts(structure)
    var record: Record = [
      "id": .optional(molecule.id), "code": text(metadata.entryID), "title": text(metadata.title),
      "method": text(metadata.method), "resolution": .optional(metadata.resolution), "format": .text(molecule.format),
    ]
    for (name, value) in numbers(counts) { record[name] = value }
    let bonds = molecule.bonds.first ?? []
    record["bonds"] = .integer(bonds.count)
    record["bondsByOrigin"] = bondsByOrigin(bonds)
    record["assemblies"] = .list(
      structure.assemblies.map { ["name": .text($0.id), "operators": .integer($0.operatorCount)] })
    record["spaceGroup"] = text(metadata.spaceGroup)
    record["cell"] = metadata.cell.map(cell) ?? .null
    record["metadata"] = InfoMetadata.value(of: structure)
    record["diagnostics"] = structure.diagnostics.fieldValue
    record["file"] = .text(molecule.file)
    return .record(record)
  }

  private static func numbers(_ counts: StructureCounts) -> [(String, Value)] {
    let sum = counts.coordinateSum
    return [
      ("models", .integer(counts.models)), ("chains", .integer(counts.chains)),
      ("residues", .integer(counts.residues)), ("atoms", .integer(counts.atoms)),
      ("atomsAllModels", .integer(counts.atomsInAllModels)), ("waters", .integer(counts.waters)),
      ("heteroAtoms", .integer(counts.heteroAtoms)), ("altlocAtoms", .integer(counts.atomsWithAltloc)),
      ("insertionCodeResidues", .integer(counts.residuesWithInsertionCode)),
      ("anisotropicAtoms", .integer(counts.anisotropicAtoms)),
      ("elements", .record(Record(counts.elements.map { .init($0.symbol, .integer($0.count)) }))),
      ("coordinateSum", .list([.number(sum.x), .number(sum.y), .number(sum.z)])),
      ("occupancySum", .number(counts.occupancySum)), ("bFactorSum", .number(counts.bFactorSum)),
      ("helices", .integer(counts.helices)), ("sheets", .integer(counts.sheets)),
      ("strands", .integer(counts.strands)),
    ]
  }

  private static func bondsByOrigin(_ bonds: [Bond]) -> Value {
    var counts = [Int](repeating: 0, count: BondOrigin.allCases.count)
    for bond in bonds { counts[Int(bond.origin.rawValue)] += 1 }
    return .record(
      Record(BondOrigin.allCases.map { .init($0.name, .integer(counts[Int($0.rawValue)])) }))
  }

  private static func cell(_ cell: UnitCell) -> Value {
    [
      "a": .number(cell.a), "b": .number(cell.b), "c": .number(cell.c), "alpha": .number(cell.alpha),
      "beta": .number(cell.beta), "gamma": .number(cell.gamma),
    ]
  }

  /// Returns a text, or null if the file does not state it.
  static func text(_ text: String) -> Value { text.isEmpty ? .null : .text(text) }
}

extension InfoCommand {
  private static let number = ValueSchema.optional(.number)
  private static let optionalText = ValueSchema.optional(.text)

  private static let fields: [ValueSchema.Field] = headFields + countFields + tailFields

  private static let headFields: [ValueSchema.Field] = [
    .init("id", .optional(.integer), "number in the library; null for a file"),
    .init("code", optionalText, "entry code"),
    .init("title", optionalText, "title as the file writes it"),
    .init("method", optionalText, "experimental method; several are joined by '; '"),
    .init("resolution", number, "resolution in angstrom"),
    .init("format", .text, "PDB, mmCIF, BinaryCIF, SDF or XYZ"),
  ]

  private static let countFields: [ValueSchema.Field] = [
    .init("models", .integer, "models"),
    .init("chains", .integer, "chains of model 1 by author name"),
    .init("residues", .integer, "residues of model 1, waters and ligands included"),
    .init("atoms", .integer, "atoms of model 1"),
    .init("atomsAllModels", .integer, "atoms of all models"),
    .init("waters", .integer, "water residues of model 1"),
    .init("heteroAtoms", .integer, "atoms of model 1 that came as HETATM"),
    .init("altlocAtoms", .integer, "atoms of model 1 with an alternate location mark"),
    .init("insertionCodeResidues", .integer, "residues of model 1 with an insertion code"),
    .init("anisotropicAtoms", .integer, "atoms of model 1 with an anisotropic displacement other than zero"),
    .init("elements", .map(.integer), "atoms of model 1 by element symbol"),
    .init("coordinateSum", .list(.number), "sums of x, y and z over model 1 in angstrom"),
    .init("occupancySum", .number, "sum of occupancies of model 1"),
    .init("bFactorSum", .number, "sum of B factors of model 1 in square angstrom"),
    .init("helices", .integer, "helices the file states"),
    .init("sheets", .integer, "sheets the file states"),
    .init("strands", .integer, "strands of these sheets"),
  ]

  private static let tailFields: [ValueSchema.Field] = [
    .init("bonds", .integer, "bonds of model 1"),
    .init(
      "bondsByOrigin", .record(BondOrigin.allCases.map { .init($0.name, .integer, $0.summary) }),
      "bonds of model 1 by what they are known from"),
    .init(
      "assemblies",
      .list(
        .record([
          .init("name", .text, "its name in the file"), .init("operators", .integer, "operators over all its parts"),
        ])), "biological assemblies"),
    .init("spaceGroup", optionalText, "space group as written"),
    .init(
      "cell",
      .optional(
        .record([
          .init("a", .number, "edge in angstrom"), .init("b", .number, "edge in angstrom"),
          .init("c", .number, "edge in angstrom"), .init("alpha", .number, "angle in degrees"),
          .init("beta", .number, "angle in degrees"), .init("gamma", .number, "angle in degrees"),
        ])), "unit cell"),
    .init("metadata", .record(InfoMetadata.fields), "what the header says"),
    .init("diagnostics", [StructureDiagnostic].schema, "what was wrong in the file"),
    .init("file", .text, "the file as it was named; of a molecule of the library the original's name"),
  ]
}
