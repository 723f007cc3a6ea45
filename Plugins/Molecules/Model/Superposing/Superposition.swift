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
        pairs[$0].isKept && (fit.motion.apply(first[$0]) - second[$0]).length > limit
      }
      guard !far.isEmpty, keptCount - far.count >= 3 else { break }
      for index in far { pairs[index].isKept = false }
      let kept = pairs.indices.filter { pairs[$0].isKept }
      fit = RigidFit(kept.map { first[$0] }, onto: kept.map { second[$0] })
      cycles += 1
    }
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

/// One of the structures to be superposed, and its relevant part.
struct SuperpositionPart: Sendable {
  let structure: Structure
  /// Model index, 0-based.
  let model: Int
  /// The name in messages.
  let name: String
  /// The selected atoms; nil for all.
  let selection: AtomSelection?
  /// The author name of the only chain to use; nil for all.
  let chain: String?
  private let conformers: Conformers

  /// Creates a part of an existing model.
  init(
    structure: Structure, model: Int = 0, name: String, selection: AtomSelection? = nil, chain: String? = nil
  ) {
    self.structure = structure
    self.model = model
    self.name = name
    self.selection = selection
    self.chain = chain
    conformers = Conformers(structure, model: model, within: selection)
  }

  /// Returns the chains to use, by index, with their residues that can be paired.
  ///
  /// Only the most occupied residue of a position is used.
  /// - Parameter isPolymer: true to use only residues of polymers; else all but water.
  func chains(isPolymer: Bool) throws(SuperpositionError) -> [(chain: Int, residues: [Int])] {
    var result: [(chain: Int, residues: [Int])] = []
    var known: [String] = []
    for index in structure.models[model].chains {
      let residues = residues(of: index, isPolymer: isPolymer)
      if residues.isEmpty { continue }
      let name = structure.chains[index].name
      known.append(name)
      if let chain, !chain.utf8.elementsEqual(name.utf8) { continue }
      result.append((index, residues))
    }
    if let chain, result.isEmpty, !known.isEmpty { throw .unknownChain(chain, name: name, known: known) }
    if result.isEmpty { throw .nothingToPair(name: name) }
    return result
  }

  private func residues(of chain: Int, isPolymer: Bool) -> [Int] {
    var residues: [Int] = []
    for index in structure.chains[chain].residueRuns.joined() {
      let row = structure.residues[index]
      guard isPolymer ? row.kind == .polymer : row.kind != .water else { continue }
      if let selection, !selection.intersects(row.atoms) { continue }
      if conformers.isAlternative(index) { continue }
      residues.append(index)
    }
    return residues
  }

  /// Returns an atom of a residue's conformer by name, if it is selected.
  func atom(_ name: String, ofResidue residue: Int) -> Int? {
    guard let atom = conformers.atom(name, ofResidue: residue), selection?[atom] ?? true else { return nil }
    return atom
  }
}

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
      var residueOfKey: [Int64: Int] = [:]
      for residue in match.residues { residueOfKey[key(second.structure.residues[residue])] = residue }
      let pairs = residues.compactMap { residue in
        residueOfKey[key(first.structure.residues[residue])].map { SIMD2(Int32(residue), Int32($0)) }
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

/// A reason why two structures cannot be superposed.
enum SuperpositionError: Error, Equatable {
  /// One of them has nothing to pair: no polymer, or a selection without atoms of it.
  case nothingToPair(name: String)
  /// A requested chain does not exist.
  case unknownChain(String, name: String, known: [String])
  /// No atoms correspond.
  case nothingInCommon
  /// Two chains are too long for an alignment.
  case tooLong(Int, Int)

  var message: String {
    switch self {
    case .nothingToPair(let name): "'\(name)' has no residues to superpose"
    case .unknownChain(let chain, let name, _): "'\(name)' has no polymer chain '\(chain)'"
    case .nothingInCommon: "the structures have no atoms in common"
    case .tooLong(let first, let second): "chains of \(first) and \(second) residues are too long to align"
    }
  }

  var advice: String {
    switch self {
    case .nothingToPair: "extend the selection, or include residues outside polymers with '--pair number --atoms all'"
    case .unknownChain(_, _, let known):
      known.isEmpty
        ? "list the chains with 'workbench molecules chains'" : "choose one of: " + known.joined(separator: ", ")
    case .nothingInCommon: "choose other atoms with '--atoms', or another pairing with '--pair'"
    case .tooLong: "pair the residues by number with '--pair number'"
    }
  }
}
