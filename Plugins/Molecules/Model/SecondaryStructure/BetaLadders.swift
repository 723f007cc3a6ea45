/// Bridges between strands, joined into ladders.
struct BetaLadders {
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
        for place in side where kinds[place] != .strand { kinds[place] = kind }
      }
    }
  }

  /// Makes a ladder of each run of neighboring bridges.
  private mutating func findBridges() {
    // Only ladders that end at the previous residue can grow.
    var growing: [Int] = []
    var current: [Int] = []
    var place = -1
    for (a, b) in bonds.pairs {
      let (first, second) = (Int(a), Int(b))
      if first != place {
        growing = first == place + 1 ? current : []
        current = []
        place = first
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

extension BackboneResidue {
  /// Returns true if the chain runs without a break from one residue to another, a given number of residues later.
  @inline(__always)
  static func isUnbroken(_ first: BackboneResidue, _ last: BackboneResidue, steps: Int) -> Bool {
    first.chain == last.chain && last.number - first.number == steps
  }
}
