import PluginAPI

/// The script form of a superposition.
enum SuperpositionValue {
  static let fields: [ValueSchema.Field] = [
    .init("rmsd", .number, "root of the mean square distance in angstrom; of an ensemble, from its mean"),
    .init("atoms", .integer, "atoms of each structure that counted to the end"),
    .init("rotation", .optional(.list(.list(.number))), "rows of R in x' = R x + t; null for an ensemble"),
    .init("translation", .optional(.list(.number)), "t in angstrom; null for an ensemble"),
    .init("rejected", .integer, "atoms that were left out as too far apart"),
    .init("cycles", .integer, "how often some were left out"),
    .init("identity", .optional(.number), "part of the paired residues that have the same name, 0 to 1"),
    .init(
      "pairs",
      .table([
        .init("firstChain", .text, "chain of the first molecule"),
        .init("first", .text, "its residue, as CYS3"),
        .init("secondChain", .text, "chain of the second molecule"),
        .init("second", .text, "its residue"),
        .init("atoms", .integer, "atoms of the two that were laid on each other and kept"),
        .init("distance", .optional(.number), "root of their mean square distance in angstrom; null if none was kept"),
      ]), "the residues that correspond"),
    .init(
      "models",
      .table([
        .init("model", .integer, "model, counted from 1"),
        .init("rmsdToFirst", .number, "root of the mean square distance from the first model in angstrom"),
        .init("rmsdToMean", .number, "the same from the mean of all"),
      ]), "of an ensemble, its models"),
  ]

  /// Returns a row of a rotation matrix.
  private static func row(_ row: SIMD3<Double>) -> Value {
    .list([.number(row.x, .rotation), .number(row.y, .rotation), .number(row.z, .rotation)])
  }

  /// Returns the value of two superposed structures.
  static func value(_ result: Superposition, _ moving: Structure, _ fixed: Structure) -> Value {
    let motion = result.fit.motion
    let residues = result.pairing.chains.flatMap(\.residues)
    let same = residues.count { moving.residueName(Int($0.x)) == fixed.residueName(Int($0.y)) }
    return [
      "rmsd": .number(result.fit.rmsd, .single), "atoms": .integer(result.keptCount),
      "rotation": .list([motion.row0, motion.row1, motion.row2].map(row)),
      "translation": .coordinates(motion.translation),
      "rejected": .integer(result.pairs.count - result.keptCount), "cycles": .integer(result.cycles),
      "identity": residues.isEmpty ? .null : .number(Double(same) / Double(residues.count), .single),
      "pairs": .table(pairs(result, moving, fixed)), "models": .table(models([])),
    ]
  }

  /// Returns the value of superposed models of one structure.
  static func value(_ result: EnsembleAlignment, _ structure: Structure) -> Value {
    [
      "rmsd": .number(result.rmsd, .single), "atoms": .integer(result.atomCount), "rotation": .null,
      "translation": .null,
      "rejected": 0, "cycles": 0, "identity": .null, "pairs": .table(pairs([], structure, structure, [:])),
      "models": .table(models(result.rows)),
    ]
  }

  private static func models(_ rows: [EnsembleAlignment.Row]) -> Table {
    Table(columns: [
      .init("model", title: "Model", .integers(rows.map { $0.model + 1 })),
      .init("rmsdToFirst", title: "To first", unit: "angstrom", .numbers(rows.map(\.rmsdToFirst), .length)),
      .init("rmsdToMean", title: "To mean", unit: "angstrom", .numbers(rows.map(\.rmsdToMean), .length)),
    ])
  }

  private static func pairs(_ result: Superposition, _ moving: Structure, _ fixed: Structure) -> Table {
    var squares: [Int32: (sum: Double, count: Int)] = [:]
    for pair in result.pairs where pair.isKept {
      let place = result.fit.motion.apply(moving.atoms.position(pair.first))
      let distance = Superposition.distance(place, fixed.atoms.position(pair.second))
      let residue = moving.atoms.residue[pair.first]
      let before = squares[residue] ?? (0, 0)
      squares[residue] = (before.sum + distance * distance, before.count + 1)
    }
    return pairs(result.pairing.chains.flatMap(\.residues), moving, fixed, squares)
  }

  private static func pairs(
    _ residues: [SIMD2<Int32>], _ moving: Structure, _ fixed: Structure, _ squares: [Int32: (sum: Double, count: Int)]
  ) -> Table {
    let kept = residues.map { squares[$0.x] ?? (0, 0) }
    let distances = kept.map { $0.count == 0 ? Double.nan : ($0.sum / Double($0.count)).squareRoot() }
    return Table(columns: [
      .init("firstChain", title: "Chain", .texts(residues.map { moving.chainName(ofResidue: Int($0.x)) })),
      .init("first", title: "Residue", .texts(residues.map { moving.label(ofResidue: Int($0.x)) })),
      .init("secondChain", title: "Chain", .texts(residues.map { fixed.chainName(ofResidue: Int($0.y)) })),
      .init("second", title: "Residue", .texts(residues.map { fixed.label(ofResidue: Int($0.y)) })),
      .init("atoms", title: "Atoms", .integers(kept.map(\.count))),
      .init("distance", title: "Distance", unit: "angstrom", .numbers(distances, .length)),
    ])
  }
}
