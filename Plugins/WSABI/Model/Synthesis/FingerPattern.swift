/// The ridge flow of one finger: its singular points and its directions.
///
/// Coordinates are in units of half the width of a finger, x to the right, y upwards, from the center of its last
/// joint.
///
/// - Source: Sherlock and Monro, "A model for interpreting fingerprint topology", Pattern Recognition 26 (1993), 1047:
///   half the angles to the cores, less half the angles to the deltas; the arch after Cappelli, Maio and Maltoni,
///   "Synthetic fingerprint-image generation", ICPR 2000.
struct FingerPattern: Sendable, Hashable {
  /// The classes of Galton and Henry.
  enum Kind: String, CaseIterable, Sendable {
    case arch
    case tentedArch
    /// Its ridges leave to the left, as seen in the picture.
    case leftLoop
    case rightLoop
    case whorl
  }

  struct Point: Sendable, Hashable {
    var x: Float
    var y: Float
  }

  let kind: Kind
  private let cores: [Point]
  private let deltas: [Point]
  /// The rise of the ridges in the middle of an arch, in radians.
  private let rise: Float

  /// Creates the pattern of a person's finger.
  ///
  /// - Parameter position: 1 (right thumb) to 10 (left little finger).
  init(seed: UInt64, person: Int, position: Int) {
    var chance = SeededChance(seed, person &* 64 &+ position)
    let part = chance.below(100)
    // About as often as in people: whorls 30 %, loops 64 %, most of them towards the little finger, arches 6 %.
    let isRightHand = position <= 5
    let kind: Kind =
      part < 30
      ? .whorl
      : part < 89
        ? (isRightHand ? .rightLoop : .leftLoop)
        : part < 94 ? (isRightHand ? .leftLoop : .rightLoop) : part < 98 ? .arch : .tentedArch
    self.init(kind, &chance)
  }

  /// Creates a pattern of a kind, with random positions.
  init(_ kind: Kind, _ chance: inout SeededChance) {
    self.kind = kind
    rise = chance.between(0.6, 0.9)
    let core = Point(x: chance.between(-0.08, 0.08), y: chance.between(0.0, 0.2))
    let side = chance.between(0.55, 0.75)
    let depth = chance.between(0.6, 0.85)
    switch kind {
    case .arch: (cores, deltas) = ([], [])
    case .tentedArch:
      (cores, deltas) = ([core], [Point(x: core.x + chance.between(-0.04, 0.04), y: core.y - 0.55)])
    case .rightLoop: (cores, deltas) = ([core], [Point(x: core.x - side, y: core.y - depth)])
    case .leftLoop: (cores, deltas) = ([core], [Point(x: core.x + side, y: core.y - depth)])
    case .whorl:
      let height = chance.between(0.12, 0.3)
      let lean = chance.between(-0.1, 0.1)
      cores = [Point(x: core.x - lean, y: core.y + height / 2), Point(x: core.x + lean, y: core.y - height / 2)]
      deltas = [
        Point(x: core.x - side - 0.1, y: core.y - depth),
        Point(x: core.x + side + 0.1, y: core.y - depth + chance.between(-0.12, 0.12)),
      ]
    }
  }

  /// Returns the direction of the ridges at a point, in radians from the x axis; directions that differ by π are the
  /// same.
  func direction(_ x: Float, _ y: Float) -> Float {
    // Around the tip ridges follow its outline; near the joint they run across.
    let side = SynthesisMath.sin(SynthesisMath.pi / 2 * min(1, max(-1, x)))
    let around = -side * SynthesisMath.step(0.1, 1.5, y) * 0.75
    if kind == .arch {
      let strength = rise * SynthesisMath.step(-1.5, -0.3, y) * (1 - SynthesisMath.step(0.2, 1.4, y) * 0.6)
      return -strength * SynthesisMath.sin(SynthesisMath.pi * min(1, max(-1, x))) + around / 2
    }
    // A single core leaves the far sides too level.
    let fall: Float =
      kind == .whorl ? 0 : 0.55 * SynthesisMath.step(-1.3, -0.1, y) * (1 - SynthesisMath.step(0.3, 1.4, y) * 0.6)
    var direction = around - side * fall
    for core in cores { direction += SynthesisMath.angle(y - core.y, x - core.x) / 2 }
    for delta in deltas { direction -= SynthesisMath.angle(y - delta.y, x - delta.x) / 2 }
    return direction
  }
}
