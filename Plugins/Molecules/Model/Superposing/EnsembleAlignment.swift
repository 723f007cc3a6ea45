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
  /// - Source: generalised Procrustes analysis, J. C. Gower, Psychometrika 40 (1975) 33, without scaling.
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
      let moved = zip(mean, next).map { MeasuredQuantity.length($0 - $1) }.max() ?? 0
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
