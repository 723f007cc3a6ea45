/// An image for parts without their own generator, such as a palm or a retina: tissue with darker vessels.
struct SyntheticTissue: GradualPicture {
  private let noise: SmoothNoise
  private let shift: (x: Float, y: Float)
  private let middle: (x: Float, y: Float)

  /// - Parameter part: Distinguishes the captured parts of one person.
  init(seed: UInt64, person: Int, part: Int, impression: Int, width: Int, height: Int) {
    noise = SmoothNoise(seed, person &* 53 &+ part)
    var now = SeededChance(seed, person &* 10_037 &+ part &* 101 &+ impression)
    shift = (now.between(-8, 8), now.between(-8, 8))
    middle = (Float(width) / 2, Float(height) / 2)
  }

  func grey(_ x: Float, _ y: Float) -> Float {
    let (u, v) = ((x + shift.x) / 70, (y + shift.y) / 70)
    let (dx, dy) = ((x - middle.x) / middle.x, (y - middle.y) / middle.y)
    let fall = (dx * dx + dy * dy) * 50
    // A vessel runs where the smooth noise crosses zero.
    let wide = 1 - SynthesisMath.step(0.02, 0.12, abs(noise.sum(u, v, octaves: 2)))
    let fine = 1 - SynthesisMath.step(0.01, 0.09, abs(noise.sum(u * 2.3 + 40, v * 2.3, octaves: 2)))
    return 176 - fall - wide * 66 - fine * 26 + noise.sum(u * 9, v * 9, octaves: 2) * 10
  }
}
