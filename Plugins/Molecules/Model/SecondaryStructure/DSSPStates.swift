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
    residues.indices.map { place in
      place + stride < residues.count && isUnbroken(place, place + stride) && bonds.isBond(place + stride, place)
    }
  }

  /// Marks two consecutive turns of four residues as a helix, overwriting earlier states.
  private mutating func addAlphaHelices(_ starts: [Bool]) {
    for place in kinds.indices.dropFirst().dropLast(4) where starts[place] && starts[place - 1] {
      for inner in place..<place + 4 { kinds[inner] = .alphaHelix }
    }
  }

  /// Marks two consecutive turns as a helix where no other state is set; a pi helix takes precedence over an alpha
  /// helix.
  private mutating func addHelices(_ kind: SecondaryStructureKind, _ starts: [Bool], length: Int) {
    for place in kinds.indices.dropFirst().dropLast(length) where starts[place] && starts[place - 1] {
      let range = place..<place + length
      let isFree = kinds[range].allSatisfy {
        $0 == .coil || $0 == kind || kind == .piHelix && $0 == .alphaHelix
      }
      guard isFree else { continue }
      for inner in range { kinds[inner] = kind }
    }
  }

  /// Marks residues within a turn, and those where the chain bends; never the first or the last.
  private mutating func addTurnsAndBends(_ turns: [[Bool]]) {
    for place in kinds.indices.dropFirst().dropLast() where kinds[place] == .coil {
      let isInTurn = zip(turns, 3...5).contains { starts, stride in
        (1..<stride).contains { place >= $0 && starts[place - $0] }
      }
      if isInTurn {
        kinds[place] = .turn
      } else if isBend(place) {
        kinds[place] = .bend
      }
    }
  }

  /// Returns true if the angle between the directions from two residues before and to two residues after is above 70°.
  private func isBend(_ place: Int) -> Bool {
    guard place >= 2, place + 2 < residues.count, isUnbroken(place - 2, place + 2),
      residues[place + 2].position - residues[place - 2].position == 4
    else { return false }
    let before = SIMD3<Double>(residues[place].alphaCarbon - residues[place - 2].alphaCarbon)
    let behind = SIMD3<Double>(residues[place + 2].alphaCarbon - residues[place].alphaCarbon)
    let lengths = ((before * before).sum() * (behind * behind).sum()).squareRoot()
    // cos 70°
    return lengths > 0 && (before * behind).sum() / lengths < 0.342_020_143_325_668_7
  }

  /// Marks three consecutive residues with polyproline angles as a helix where no other state is set.
  private mutating func addPolyproline() {
    guard residues.count > 4 else { return }
    let fits = residues.indices.map(hasPolyprolineAngles)
    for place in 1..<residues.count - 3 where fits[place] && fits[place + 1] && fits[place + 2] {
      for inner in place...place + 2 where kinds[inner] == .coil { kinds[inner] = .polyproline }
    }
  }

  /// Returns true if φ is within 29° of -75° and ψ within 29° of 145°.
  private func hasPolyprolineAngles(_ place: Int) -> Bool {
    guard place > 0, place + 1 < residues.count, isUnbroken(place - 1, place + 1) else { return false }
    let own = residues[place]
    // Cosine and sine of -75° and of 145°.
    let phi = SIMD2(0.258_819_045_102_520_76, -0.965_925_826_289_068_3)
    let psi = SIMD2(-0.819_152_044_288_991_8, 0.573_576_436_351_046_1)
    return Self.isDihedral(residues[place - 1].carbon, own.nitrogen, own.alphaCarbon, own.carbon, near: phi)
      && Self.isDihedral(own.nitrogen, own.alphaCarbon, own.carbon, residues[place + 1].nitrogen, near: psi)
  }

  /// Returns true if the dihedral angle of four points is within 29° of a direction given as cosine and sine.
  private static func isDihedral(
    _ a: SIMD3<Float>, _ b: SIMD3<Float>, _ c: SIMD3<Float>, _ d: SIMD3<Float>, near direction: SIMD2<Double>
  ) -> Bool {
    let axis = SIMD3<Double>(c - b)
    let left = cross(SIMD3<Double>(a - b), axis)
    let right = cross(SIMD3<Double>(d - c), axis)
    let cosine = (left * right).sum()
    let sine = (cross(left, right) * axis).sum() / (axis * axis).sum().squareRoot()
    let length = (cosine * cosine + sine * sine).squareRoot()
    // cos 29°
    return length > 0 && cosine * direction.x + sine * direction.y >= length * 0.874_619_707_139_395_7
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
