import PluginAPI

/// The corresponding residues of two structures.
struct ResiduePairing: Equatable, Sendable {
  /// The rule for pairing residues.
  enum Rule: String, CaseIterable, ParameterValue {
    /// By an alignment of the sequences.
    case sequence
    /// By chain name, number and insertion code.
    case number
  }

  /// The corresponding residues of two chains.
  struct ChainPair: Equatable, Sendable {
    /// Chain indices, 0-based.
    var first: Int
    var second: Int
    /// Residue indices, 0-based, of the first and the second structure.
    var residues: [SIMD2<Int32>]
  }

  var chains: [ChainPair]

  /// Pairs residues.
  ///
  /// - Parameter isPolymer: true to pair only residues of polymers by number; pairing by sequence always does.
  init(
    _ first: SuperpositionPart, _ second: SuperpositionPart, by rule: Rule, isPolymer: Bool
  ) throws(SuperpositionError) {
    switch rule {
    case .sequence: chains = try Self.bySequence(first, second)
    case .number: chains = try Self.byNumber(first, second, isPolymer: isPolymer)
    }
    if chains.isEmpty { throw .nothingInCommon }
  }

  // MARK: By number

  private static func byNumber(
    _ first: SuperpositionPart, _ second: SuperpositionPart, isPolymer: Bool
  ) throws(SuperpositionError) -> [ChainPair] {
    let (ours, theirs) = (try first.chains(isPolymer: isPolymer), try second.chains(isPolymer: isPolymer))
    let isGiven = first.chain != nil && second.chain != nil
    return ours.compactMap { chain, residues in
      let name = first.structure.chains[chain].name
      let match = theirs.first { isGiven || second.structure.chains[$0.chain].name.utf8.elementsEqual(name.utf8) }
      guard let match else { return nil }
      var places: [Int64: Int] = [:]
      for residue in match.residues { places[key(second.structure.residues[residue])] = residue }
      let pairs = residues.compactMap { residue in
        places[key(first.structure.residues[residue])].map { SIMD2(Int32(residue), Int32($0)) }
      }
      return pairs.isEmpty ? nil : ChainPair(first: chain, second: match.chain, residues: pairs)
    }
  }

  private static func key(_ residue: Residue) -> Int64 { Int64(residue.number) << 8 | Int64(residue.insertionCode) }

  // MARK: By sequence

  /// The largest total size of alignment tables over all pairs of chains; beyond it, only chains of one name are
  /// compared.
  private static let largestWork = 400_000_000

  /// A chain to be aligned.
  private struct Candidate {
    var chain: Int
    var name: String
    var residues: [Int]
    var codes: [UInt8]
  }

  private struct Alignments {
    private var known: [[[UInt8]]: SequenceAlignment] = [:]

    /// Returns the alignment of two chains; cached, since many chains have the same sequence.
    mutating func alignment(_ first: Candidate, _ second: Candidate) throws(SuperpositionError) -> SequenceAlignment {
      if let alignment = known[[first.codes, second.codes]] { return alignment }
      guard SequenceAlignment.isPossible(first.codes.count, second.codes.count) else {
        throw .tooLong(first.codes.count, second.codes.count)
      }
      let alignment = SequenceAlignment(first.codes, second.codes)
      known[[first.codes, second.codes]] = alignment
      return alignment
    }
  }

  /// Aligns the chains and takes the pairs of chains with the best scores, each chain once; of equal ones those with
  /// the same name, then the first ones.
  private static func bySequence(
    _ first: SuperpositionPart, _ second: SuperpositionPart
  ) throws(SuperpositionError) -> [ChainPair] {
    let (ours, theirs) = (try candidates(first), try candidates(second))
    let work = Double(ours.reduce(0) { $0 + $1.codes.count }) * Double(theirs.reduce(0) { $0 + $1.codes.count })
    let isManyFold = work > Double(largestWork)
    var alignments = Alignments()
    var found: [(first: Int, second: Int, score: Int32, isNamesake: Bool)] = []
    for (i, mine) in ours.enumerated() {
      for (j, other) in theirs.enumerated() {
        let isNamesake = mine.name == other.name
        if isManyFold, !isNamesake, ours.count > 1 || theirs.count > 1 { continue }
        found.append((i, j, try alignments.alignment(mine, other).score, isNamesake))
      }
    }
    found.sort {
      ($1.score, $0.isNamesake ? 0 : 1, $0.first, $0.second) < ($0.score, $1.isNamesake ? 0 : 1, $1.first, $1.second)
    }
    var (isTaken, isGiven) = (
      [Bool](repeating: false, count: ours.count), [Bool](repeating: false, count: theirs.count)
    )
    var pairs: [ChainPair] = []
    for match in found where match.score > 0 && !isTaken[match.first] && !isGiven[match.second] {
      (isTaken[match.first], isGiven[match.second]) = (true, true)
      let (mine, other) = (ours[match.first], theirs[match.second])
      let residues = try alignments.alignment(mine, other).pairs.map {
        SIMD2(Int32(mine.residues[Int($0.x)]), Int32(other.residues[Int($0.y)]))
      }
      if !residues.isEmpty { pairs.append(ChainPair(first: mine.chain, second: other.chain, residues: residues)) }
    }
    return pairs.sorted { $0.first < $1.first }
  }

  private static func candidates(_ part: SuperpositionPart) throws(SuperpositionError) -> [Candidate] {
    let codes = part.structure.names.texts.map { SubstitutionScores.code(ofResidue: $0) }
    return try part.chains(isPolymer: true).map { chain, residues in
      Candidate(
        chain: chain, name: part.structure.chains[chain].name, residues: residues,
        codes: residues.map { codes[Int(part.structure.residues[$0].name)] })
    }
  }
}
