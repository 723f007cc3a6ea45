/// Two structures laid on each other.
struct Superposition: Equatable, Sendable {
  /// Which atoms of paired residues are laid on each other.
  enum Atoms: String, CaseIterable, Sendable {
    /// CA of amino acids, P of nucleotides.
    case trace
    /// N, CA, C, O; P, O5', C5', C4', C3', O3'.
    case backbone
    /// All of one name but hydrogens.
    case all
  }

  /// How atoms are chosen.
  struct Options: Equatable, Sendable {
    var rule = ResiduePairing.Rule.sequence
    var atoms = Atoms.trace
    /// How often pairs that lie too far apart are left out and the rest is fitted anew.
    var cycles = 0
    /// Too far: more than so many times the RMSD.
    var cutoff = 2.0
  }

  /// Two atoms that were laid on each other.
  struct Pair: Equatable, Sendable {
    /// Atom indices, 0-based.
    var first: Int
    var second: Int
    /// Whether it counted to the end.
    var isKept = true
  }

  var fit: RigidFit
  var pairing: ResiduePairing
  var pairs: [Pair]
  /// How many cycles left something out.
  var cycles = 0

  /// The number of pairs of atoms that counted.
  var keptCount: Int { pairs.count(where: \.isKept) }

  /// Lays a structure on another.
  ///
  /// - Parameters:
  ///   - moving: the structure that is moved.
  ///   - fixed: the one it is moved onto.
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
