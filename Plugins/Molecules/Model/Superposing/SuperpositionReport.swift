import PluginAPI

/// The result of `superpose`: the fit of two structures, or of the models of one.
struct SuperpositionReport: Model {
  let rmsd: Double
  let atoms: Int
  /// The motion of the first structure onto the second; nil for an ensemble.
  private(set) var motion: Transform?
  private(set) var rejected = 0
  private(set) var cycles = 0
  private(set) var identity: Double?
  let pairs: ModelTable<PairedResidues>
  let models: ModelTable<EnsembleAlignment.Row>

  /// Reports two superposed structures.
  init(_ result: Superposition, _ moving: Structure, _ fixed: Structure) {
    let residues = result.pairing.chains.flatMap(\.residues)
    let same = residues.count { moving.residueName(Int($0.x)) == fixed.residueName(Int($0.y)) }
    (rmsd, atoms, motion) = (result.fit.rmsd, result.keptCount, result.fit.motion)
    (rejected, cycles) = (result.pairs.count - result.keptCount, result.cycles)
    identity = residues.isEmpty ? nil : Double(same) / Double(residues.count)
    pairs = ModelTable(rows: PairedResidues.all(result, moving, fixed))
    models = ModelTable(rows: [])
  }

  /// Reports the superposed models of one structure.
  init(_ result: EnsembleAlignment) {
    (rmsd, atoms) = (result.rmsd, result.atomCount)
    (pairs, models) = (ModelTable(rows: []), ModelTable(rows: result.rows))
  }

  /// The rows of the rotation matrix; nil for an ensemble.
  var rotation: [[Double]]? {
    motion.map { motion in
      [motion.row0, motion.row1, motion.row2].map { $0.components.map(ReportedDigits.rotation.rounded) }
    }
  }

  static let typeName = MoleculeValueType.superposition
  static let fields = Fields<SuperpositionReport> {
    Field(
      "rmsd", \.rmsd, .single, "Root-mean-square deviation in angstrom; for an ensemble, from its mean")
    Field("atoms", \.atoms, "Number of superposed atoms of each structure, without rejected ones")
    Field("rotation", \.rotation, "Rows of R in x' = R x + t; null for an ensemble")
    Field("translation", \.motion?.translation.coordinates, "Vector t in angstrom; null for an ensemble")
    Field("rejected", \.rejected, "Number of atoms rejected as too far apart")
    Field("cycles", \.cycles, "Number of cycles that rejected atoms")
    Field(
      "identity", optional: \.identity, .single, "Fraction of the paired residues with the same name, 0 to 1")
    Field("pairs", \.pairs, "Paired residues")
    Field("models", \.models, "Models of an ensemble")
  }
}

/// Two residues that correspond in a superposition.
struct PairedResidues: Model {
  let firstChain: String
  let first: String
  let secondChain: String
  let second: String
  /// The number of pairs of atoms that were kept.
  let atoms: Int
  /// The root mean square distance of these atoms in Å; nil if there are none.
  let distance: Double?

  static func all(_ result: Superposition, _ moving: Structure, _ fixed: Structure) -> [PairedResidues] {
    var squares: [Int32: (sum: Double, count: Int)] = [:]
    for pair in result.pairs where pair.isKept {
      let position = result.fit.motion.apply(moving.atoms.position(pair.first))
      let distance = (position - fixed.atoms.position(pair.second)).length
      let residue = moving.atoms.residue[pair.first]
      let before = squares[residue] ?? (0, 0)
      squares[residue] = (before.sum + distance * distance, before.count + 1)
    }
    return result.pairing.chains.flatMap(\.residues).map { pair in
      let kept = squares[pair.x]
      return PairedResidues(
        firstChain: moving.chainName(ofResidue: Int(pair.x)), first: moving.label(ofResidue: Int(pair.x)),
        secondChain: fixed.chainName(ofResidue: Int(pair.y)), second: fixed.label(ofResidue: Int(pair.y)),
        atoms: kept?.count ?? 0, distance: kept.map { ($0.sum / Double($0.count)).squareRoot() })
    }
  }

  static let typeName = "molecules.paired-residues"
  static let fields = Fields<PairedResidues> {
    Field("firstChain", \.firstChain, "Chain of the first molecule", heading: "Chain")
    Field("first", \.first, "Residue of the first molecule, such as CYS3", heading: "Residue")
    Field("secondChain", \.secondChain, "Chain of the second molecule", heading: "Chain")
    Field("second", \.second, "Residue of the second molecule", heading: "Residue")
    Field("atoms", \.atoms, "Number of superposed atom pairs, without rejected ones", heading: "Atoms")
    Field(
      "distance", optional: \.distance, .length,
      "Root-mean-square distance of these atoms in angstrom; null if all were rejected", heading: "Distance",
      unit: "angstrom")
  }
}

extension EnsembleAlignment.Row: Model {
  /// The number of the model, from 1.
  var number: Int { model + 1 }

  static let typeName = "molecules.ensemble-model"
  static let fields = Fields<EnsembleAlignment.Row> {
    Field("model", \.number, "Model, counted from 1", heading: "Model")
    Field(
      "rmsdToFirst", \.rmsdToFirst, .length, "Root-mean-square deviation from the first model in angstrom",
      heading: "To first", unit: "angstrom")
    Field(
      "rmsdToMean", \.rmsdToMean, .length, "Root-mean-square deviation from the mean of all models in angstrom",
      heading: "To mean", unit: "angstrom")
  }
}

/// The superposed models of one structure.
struct EnsembleAlignment: Equatable, Sendable {
  /// The fit of one model.
  struct Row: Equatable, Sendable {
    /// Model index, 0-based.
    var model: Int
    /// The root mean square distance from the first model, and from the mean of all, in Å.
    var rmsdToFirst: Double
    var rmsdToMean: Double
    /// The transformation that superposes it on the first model.
    var motion: Transform
  }

  var rows: [Row]
  /// The number of compared atoms, which are common to all models.
  var atomCount: Int
  /// The root mean square distance of all models from their mean, in Å.
  var rmsd: Double

  /// The tolerance of convergence: the largest motion of the mean in Å.
  private static let tolerance = 1e-9

  /// Superposes the models: each on the first, and all on their mean, which is refined until it converges.
  ///
  /// - Source: generalized Procrustes analysis, J. C. Gower, Psychometrika 40 (1975) 33, without scaling.
  init(_ structure: Structure, selection: AtomSelection?, atoms: Superposition.Atoms) throws(SuperpositionError) {
    let sets = Self.common(structure, selection, atoms)
    guard let first = sets.first, !first.isEmpty else { throw .nothingInCommon }
    atomCount = first.count
    let fits = sets.map { RigidFit($0, onto: first) }
    var placed = zip(sets, fits).map { set, fit in set.map { fit.motion.apply($0) } }
    var mean = Self.mean(placed)
    for _ in 0..<100 {
      placed = placed.map { set in
        let fit = RigidFit(set, onto: mean)
        return set.map { fit.motion.apply($0) }
      }
      let next = Self.mean(placed)
      let moved = zip(mean, next).map { ($0 - $1).length }.max() ?? 0
      mean = next
      if moved < Self.tolerance { break }
    }
    rows = sets.indices.map { model in
      Row(
        model: model, rmsdToFirst: fits[model].rmsd, rmsdToMean: RigidFit(sets[model], onto: mean).rmsd,
        motion: fits[model].motion)
    }
    rmsd = (rows.reduce(0) { $0 + $1.rmsdToMean * $1.rmsdToMean } / Double(rows.count)).squareRoot()
  }

  private static func mean(_ sets: [[SIMD3<Double>]]) -> [SIMD3<Double>] {
    var sums = sets[0]
    for set in sets.dropFirst() {
      for index in sums.indices { sums[index] += set[index] }
    }
    let count = Double(sets.count)
    return sums.map { $0 / count }
  }

  /// The identity of an atom in a model.
  private struct Key: Hashable {
    var residue: ResidueAddress
    var name: NameID
  }

  /// Returns the positions of the atoms common to all models, model by model, in the order of the first.
  private static func common(
    _ structure: Structure, _ selection: AtomSelection?, _ kind: Superposition.Atoms
  ) -> [[SIMD3<Double>]] {
    var tables: [[Key: Int]] = []
    var order: [Key] = []
    for (number, model) in structure.models.enumerated() {
      let conformers = Conformers(structure, model: number, within: selection)
      var table: [Key: Int] = [:]
      for index in model.residues {
        let row = structure.residues[index]
        guard kind == .all ? row.kind != .water : row.kind == .polymer else { continue }
        let address = structure.address(ofResidue: index)
        for atom in row.atoms where conformers.contains(atom) && counts(atom, structure, selection, kind) {
          let key = Key(residue: address, name: structure.atoms.name[atom])
          if table.updateValue(atom, forKey: key) == nil, tables.isEmpty { order.append(key) }
        }
      }
      tables.append(table)
    }
    let shared = order.filter { key in tables.allSatisfy { $0[key] != nil } }
    return tables.map { table in shared.compactMap { key in table[key].map { structure.atoms.position($0) } } }
  }

  private static let traceNames: Set<String> = ["CA", "P"]
  private static let backboneNames: Set<String> = [
    "N", "CA", "C", "O", "P", "O5'", "C5'", "C4'", "C3'", "O3'", "O5*", "C5*", "C4*", "C3*", "O3*",
  ]

  private static func counts(
    _ atom: Int, _ structure: Structure, _ selection: AtomSelection?, _ kind: Superposition.Atoms
  ) -> Bool {
    if let selection, !selection[atom] { return false }
    switch kind {
    case .trace: return traceNames.contains(structure.atomName(atom))
    case .backbone: return backboneNames.contains(structure.atomName(atom))
    case .all: return !structure.atoms.element[atom].isHydrogen
    }
  }
}
