/// Derives the states of DSSP from hydrogen bonds: ladders first, then helices, turns, bends and polyproline helices.
struct DSSPStates {
  private let residues: [BackboneResidue]
  private let bonds: BackboneBonds
  private var kinds: [SecondaryStructureKind]

  init(_ residues: [BackboneResidue], _ bonds: BackboneBonds) {
    self.residues = residues
    self.bonds = bonds
    kinds = Array(repeating: .coil, count: residues.count)
  }

  /// Computes the states; earlier ones take precedence over later ones.
  mutating func finish() -> [SecondaryStructureKind] {
    BetaLadders(residues, bonds).mark(&kinds)
    let turns = [3, 4, 5].map(turnStarts)
    addAlphaHelices(turns[1])
    addHelices(.helix310, turns[0], length: 3)
    addHelices(.piHelix, turns[2], length: 5)
    addTurnsAndBends(turns)
    addPolyproline()
    return kinds
  }

  private func isUnbroken(_ first: Int, _ last: Int) -> Bool {
    BackboneResidue.isUnbroken(residues[first], residues[last], steps: last - first)
  }

  /// Returns for each index whether a turn of a number of residues begins there.
  private func turnStarts(_ stride: Int) -> [Bool] {
    residues.indices.map { index in
      index + stride < residues.count && isUnbroken(index, index + stride) && bonds.isBond(index + stride, index)
    }
  }

  /// Marks two consecutive turns of four residues as a helix, overwriting earlier states.
  private mutating func addAlphaHelices(_ starts: [Bool]) {
    for index in kinds.indices.dropFirst().dropLast(4) where starts[index] && starts[index - 1] {
      for inner in index..<index + 4 { kinds[inner] = .alphaHelix }
    }
  }

  /// Marks two consecutive turns as a helix where no other state is set; a pi helix takes precedence over an alpha
  /// helix.
  private mutating func addHelices(_ kind: SecondaryStructureKind, _ starts: [Bool], length: Int) {
    for index in kinds.indices.dropFirst().dropLast(length) where starts[index] && starts[index - 1] {
      let range = index..<index + length
      let isFree = kinds[range].allSatisfy {
        $0 == .coil || $0 == kind || kind == .piHelix && $0 == .alphaHelix
      }
      guard isFree else { continue }
      for inner in range { kinds[inner] = kind }
    }
  }

  /// Marks residues within a turn, and those where the chain bends; never the first or the last.
  private mutating func addTurnsAndBends(_ turns: [[Bool]]) {
    for index in kinds.indices.dropFirst().dropLast() where kinds[index] == .coil {
      let isInTurn = zip(turns, 3...5).contains { starts, stride in
        (1..<stride).contains { index >= $0 && starts[index - $0] }
      }
      if isInTurn {
        kinds[index] = .turn
      } else if isBend(index) {
        kinds[index] = .bend
      }
    }
  }

  /// Returns true if the angle between the directions from two residues before and to two residues after is above 70°.
  private func isBend(_ index: Int) -> Bool {
    guard index >= 2, index + 2 < residues.count, isUnbroken(index - 2, index + 2) else { return false }
    let incoming = SIMD3<Double>(residues[index].alphaCarbon - residues[index - 2].alphaCarbon)
    let outgoing = SIMD3<Double>(residues[index + 2].alphaCarbon - residues[index].alphaCarbon)
    let lengths = ((incoming * incoming).sum() * (outgoing * outgoing).sum()).squareRoot()
    // cos 70°
    return lengths > 0 && (incoming * outgoing).sum() / lengths < 0.342_020_143_325_668_7
  }

  /// Marks three consecutive residues with polyproline angles as a helix where no other state is set.
  private mutating func addPolyproline() {
    guard residues.count > 4 else { return }
    let fits = residues.indices.map(hasPolyprolineAngles)
    for index in 1..<residues.count - 3 where fits[index] && fits[index + 1] && fits[index + 2] {
      for inner in index...index + 2 where kinds[inner] == .coil { kinds[inner] = .polyproline }
    }
  }

  /// Returns true if φ is within 29° of -75° and ψ within 29° of 145°.
  private func hasPolyprolineAngles(_ index: Int) -> Bool {
    guard index > 0, index + 1 < residues.count, isUnbroken(index - 1, index + 1) else { return false }
    let own = residues[index]
    // Cosine and sine of -75° and of 145°.
    let phi = SIMD2(0.258_819_045_102_520_76, -0.965_925_826_289_068_3)
    let psi = SIMD2(-0.819_152_044_288_991_8, 0.573_576_436_351_046_1)
    return Self.isDihedral(residues[index - 1].carbon, own.nitrogen, own.alphaCarbon, own.carbon, near: phi)
      && Self.isDihedral(own.nitrogen, own.alphaCarbon, own.carbon, residues[index + 1].nitrogen, near: psi)
  }

  /// Returns true if the dihedral angle of four points is within 29° of a direction given as cosine and sine.
  private static func isDihedral(
    _ a: SIMD3<Float>, _ b: SIMD3<Float>, _ c: SIMD3<Float>, _ d: SIMD3<Float>, near direction: SIMD2<Double>
  ) -> Bool {
    let axis = SIMD3<Double>(c - b)
    let left = SIMD3<Double>(a - b).cross(axis)
    let right = SIMD3<Double>(d - c).cross(axis)
    let cosine = (left * right).sum()
    let sine = (left.cross(right) * axis).sum() / axis.length
    let length = (cosine * cosine + sine * sine).squareRoot()
    // cos 29°
    return length > 0 && cosine * direction.x + sine * direction.y >= length * 0.874_619_707_139_395_7
  }
}

/// Bridges between strands, joined into ladders.
private struct BetaLadders {
  private enum Sense {
    case parallel, antiparallel
  }

  /// Consecutive bridges of one sense, by the indices of their residues on both sides, ascending.
  private struct Ladder {
    var sense: Sense
    var chain: Int32
    var first: ClosedRange<Int>
    var second: ClosedRange<Int>
    var bridges = 1
  }

  /// The least separation along the chain of the residues of one bridge.
  private static let leastSeparation = 3

  private let residues: [BackboneResidue]
  private let bonds: BackboneBonds
  private var ladders: [Ladder] = []

  /// Finds the ladders.
  init(_ residues: [BackboneResidue], _ bonds: BackboneBonds) {
    self.residues = residues
    self.bonds = bonds
    findBridges()
    ladders = ladders.enumerated()
      .sorted { left, right in
        (left.element.chain, left.element.first.lowerBound, left.offset)
          < (right.element.chain, right.element.first.lowerBound, right.offset)
      }.map(\.element)
    joinAcrossBulges()
  }

  /// Writes strands and bridges into the states; a strand never becomes a bridge.
  func mark(_ kinds: inout [SecondaryStructureKind]) {
    for ladder in ladders {
      let kind: SecondaryStructureKind = ladder.bridges > 1 ? .strand : .bridge
      for side in [ladder.first, ladder.second] {
        for index in side where kinds[index] != .strand { kinds[index] = kind }
      }
    }
  }

  /// Makes a ladder of each run of neighboring bridges.
  private mutating func findBridges() {
    // Only ladders that end at the previous residue can grow.
    var growing: [Int] = []
    var current: [Int] = []
    var index = -1
    for (a, b) in bonds.pairs {
      let (first, second) = (Int(a), Int(b))
      if first != index {
        growing = first == index + 1 ? current : []
        current = []
        index = first
      }
      guard let sense = sense(first, second) else { continue }
      let row = growing.first { extends(ladders[$0], sense, first, second) }
      if let row {
        ladders[row].first = ladders[row].first.lowerBound...first
        let side = ladders[row].second
        ladders[row].second = min(side.lowerBound, second)...max(side.upperBound, second)
        ladders[row].bridges += 1
        current.append(row)
      } else {
        current.append(ladders.count)
        ladders.append(
          Ladder(sense: sense, chain: residues[first].chain, first: first...first, second: second...second))
      }
    }
  }

  private func extends(_ ladder: Ladder, _ sense: Sense, _ first: Int, _ second: Int) -> Bool {
    guard ladder.sense == sense, ladder.first.upperBound + 1 == first else { return false }
    return sense == .parallel ? ladder.second.upperBound + 1 == second : ladder.second.lowerBound - 1 == second
  }

  /// Returns the sense of the bridge between two residues; nil if there is none.
  private func sense(_ b: Int, _ e: Int) -> Sense? {
    guard b > 0, e - b >= Self.leastSeparation, e + 1 < residues.count else { return nil }
    let (a, c, d, f) = (b - 1, b + 1, e - 1, e + 1)
    guard isUnbroken(a, c), isUnbroken(d, f) else { return nil }
    if bonds.isBond(c, e) && bonds.isBond(e, a) || bonds.isBond(f, b) && bonds.isBond(b, d) { return .parallel }
    if bonds.isBond(c, d) && bonds.isBond(f, a) || bonds.isBond(e, b) && bonds.isBond(b, e) { return .antiparallel }
    return nil
  }

  private func isUnbroken(_ first: Int, _ last: Int) -> Bool {
    BackboneResidue.isUnbroken(residues[first], residues[last], steps: last - first)
  }

  /// Joins ladders of one sense that are separated by a bulge.
  private mutating func joinAcrossBulges() {
    var first = 0
    while first < ladders.count {
      var second = first + 1
      while second < ladders.count {
        // Sorted by chain and start: ladders that begin six or more after the end can no longer be joined.
        if ladders[second].chain != ladders[first].chain
          || ladders[second].first.lowerBound - ladders[first].first.upperBound >= 6
        {
          break
        }
        if isBulge(ladders[first], ladders[second]) {
          let joined = ladders.remove(at: second)
          ladders[first].first = ladders[first].first.lowerBound...joined.first.upperBound
          ladders[first].second = Self.union(ladders[first].second, joined.second)
          ladders[first].bridges += joined.bridges
        } else {
          second += 1
        }
      }
      first += 1
    }
  }

  private static func union(_ a: ClosedRange<Int>, _ b: ClosedRange<Int>) -> ClosedRange<Int> {
    min(a.lowerBound, b.lowerBound)...max(a.upperBound, b.upperBound)
  }

  /// Returns true if the second ladder continues the first, with at most one extra residue on one side and four on the
  /// other.
  private func isBulge(_ one: Ladder, _ two: Ladder) -> Bool {
    let gap = two.first.lowerBound - one.first.upperBound
    guard one.sense == two.sense, gap > 0, gap < 6 else { return false }
    let firsts = Self.union(one.first, two.first)
    let seconds = Self.union(one.second, two.second)
    guard isUnbroken(firsts.lowerBound, firsts.upperBound), isUnbroken(seconds.lowerBound, seconds.upperBound) else {
      return false
    }
    let other =
      one.sense == .parallel
      ? two.second.lowerBound - one.second.upperBound : one.second.lowerBound - two.second.upperBound
    guard other >= 0 else { return false }
    return other < 6 && gap < 3 || other < 3
  }
}
