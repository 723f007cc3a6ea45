/// The ridges of one finger, from which each impression is taken.
struct FingerMaster: Sendable {
  /// In cells of a 250th of an inch: enough for a rolled finger.
  static let width = 300
  static let height = 380

  /// The strength of the ridge at each cell, -1 … 1, row by row from the top.
  let cells: [Float]
  let kind: FingerPattern.Kind
  let position: Int
  let person: Int

  /// Returns the growth that makes a master; the caller decides how to run it.
  static func growth(seed: UInt64, person: Int, position: Int) -> RidgeGrowth {
    let pattern = FingerPattern(seed: seed, person: person, position: position)
    return RidgeGrowth(
      pattern, seed: seed &+ UInt64(truncatingIfNeeded: person &* 4096 &+ position), width: width, height: height)
  }

  init(_ growth: RidgeGrowth, seed: UInt64, person: Int, position: Int) {
    cells = growth.cells
    kind = FingerPattern(seed: seed, person: person, position: position).kind
    (self.person, self.position) = (person, position)
  }

  /// Returns the strength of the ridge at a point, in cells to the right and down from the center; 0 outside.
  func ridge(_ x: Float, _ y: Float) -> Float {
    let (column, row) = (x + Float(Self.width) / 2, y + Float(Self.height) / 2)
    let (left, top) = (Int(column.rounded(.down)), Int(row.rounded(.down)))
    guard left >= 1, top >= 1, left < Self.width - 2, top < Self.height - 2 else { return 0 }
    let (fractionX, fractionY) = (column - Float(left), row - Float(top))
    var sum: Float = 0
    for dy in -1...2 {
      let line = (top + dy) * Self.width + left
      let across =
        Self.weight(fractionX + 1) * cells[line - 1] + Self.weight(fractionX) * cells[line]
        + Self.weight(1 - fractionX) * cells[line + 1] + Self.weight(2 - fractionX) * cells[line + 2]
      sum += Self.weight(abs(fractionY - Float(dy))) * across
    }
    return sum
  }

  /// - Source: Keys, "Cubic convolution interpolation for digital image processing", IEEE ASSP-29 (1981), a = -1/2.
  private static func weight(_ distance: Float) -> Float {
    distance < 1
      ? (1.5 * distance - 2.5) * distance * distance + 1
      : distance < 2 ? ((-0.5 * distance + 2.5) * distance - 4) * distance + 2 : 0
  }
}
