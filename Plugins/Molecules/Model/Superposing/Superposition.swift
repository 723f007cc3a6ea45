import PluginAPI

/// The superposition of two structures.
struct Superposition: Equatable, Sendable {
  /// The superposed atoms of paired residues.
  enum Atoms: String, CaseIterable, ParameterValue {
    /// CA of amino acids, P of nucleotides.
    case trace
    /// N, CA, C, O; P, O5', C5', C4', C3', O3'.
    case backbone
    /// All atoms with the same name except hydrogens.
    case all
  }

  /// The options for choosing atoms.
  struct Options: Equatable, Sendable {
    var rule = ResiduePairing.Rule.sequence
    var atoms = Atoms.trace
    /// The number of cycles that reject distant pairs and fit the remaining ones again.
    var cycles = 0
    /// The cutoff for distant pairs, as a multiple of the RMSD.
    var cutoff = 2.0
  }

  /// Two superposed atoms.
  struct Pair: Equatable, Sendable {
    /// Atom indices, 0-based.
    var first: Int
    var second: Int
    /// A Boolean value indicating whether the pair was never rejected.
    var isKept = true
  }

  var fit: RigidFit
  var pairing: ResiduePairing
  var pairs: [Pair]
  /// The number of cycles that rejected pairs.
  var cycles = 0

  /// The number of atom pairs that were kept.
  var keptCount: Int { pairs.count(where: \.isKept) }

  /// Superposes a structure on another.
  ///
  /// - Parameters:
  ///   - moving: the structure that is moved.
  ///   - fixed: the structure it is moved onto.
  init(_ moving: SuperpositionPart, onto fixed: SuperpositionPart, _ options: Options) throws(SuperpositionError) {
    pairing = try ResiduePairing(moving, fixed, by: options.rule, isPolymer: options.atoms != .all)
    pairs = []
    for residues in pairing.chains.flatMap(\.residues) {
      for (first, second) in Self.atoms(moving, Int(residues.x), fixed, Int(residues.y), options.atoms) {
        pairs.append(Pair(first: first, second: second))
      }
    }
    guard !pairs.isEmpty else { throw .nothingInCommon }
    let first = pairs.map { moving.structure.atoms.position($0.first) }
    let second = pairs.map { fixed.structure.atoms.position($0.second) }
    fit = RigidFit(first, onto: second)
    for _ in 0..<options.cycles {
      let limit = options.cutoff * fit.rmsd
      let far = pairs.indices.filter {
        pairs[$0].isKept && Self.distance(fit.motion.apply(first[$0]), second[$0]) > limit
      }
      guard !far.isEmpty, keptCount - far.count >= 3 else { break }
      for index in far { pairs[index].isKept = false }
      let kept = pairs.indices.filter { pairs[$0].isKept }
      fit = RigidFit(kept.map { first[$0] }, onto: kept.map { second[$0] })
      cycles += 1
    }
  }

  static func distance(_ first: SIMD3<Double>, _ second: SIMD3<Double>) -> Double {
    MeasuredQuantity.length(first - second)
  }

  private static let backbone = ["N", "CA", "C", "O", "P", "O5'", "C5'", "C4'", "C3'", "O3'"]

  private static func atoms(
    _ moving: SuperpositionPart, _ first: Int, _ fixed: SuperpositionPart, _ second: Int, _ kind: Atoms
  ) -> [(Int, Int)] {
    func pair(_ name: String) -> (Int, Int)? {
      guard let a = moving.atom(name, ofResidue: first), let b = fixed.atom(name, ofResidue: second) else { return nil }
      return (a, b)
    }
    switch kind {
    case .trace: return (pair("CA") ?? pair("P")).map { [$0] } ?? []
    case .backbone: return backbone.compactMap(pair)
    case .all:
      var seen: Set<NameID> = []
      let table = moving.structure.atoms
      return moving.structure.residues[first].atoms.compactMap { atom in
        guard !table.element[atom].isHydrogen, seen.insert(table.name[atom]).inserted else { return nil }
        return pair(moving.structure.atomName(atom))
      }
    }
  }
}
