/// The measure of ambient occlusion: the degree to which pairs of opposite neighbors hide the sample between them.
///
/// Heights above a sample are fractions of the search distance. A surface far in front on one side is another part and
/// throws no shade. Samples between walls on both sides are dark, less so if the walls are high and may not belong to
/// the hollow.
struct HollowMeasure: Sendable {
  private let perDepth: Float

  /// Creates a measure for neighbors within a distance, in widths of a sample.
  init(reach: Float) {
    perDepth = 1 / reach
  }

  /// Returns the degree to which neighbors at some heights above four samples, on opposite sides, hide them: 0 to 2.
  @inline(__always)
  func callAsFunction(_ first: SIMD4<Float>, _ second: SIMD4<Float>) -> SIMD4<Float> {
    let one = (first * perDepth).atLeast(-1)
    let other = (second * perDepth).atLeast(-1)
    let lower = one.lower(other)
    // Twice the lower wall up to 1, falling from 2 at height 2 to 0.8.
    let least = lower.atMost(1)
    let between = (least + least).lower((4 - lower).atLeast(0.8))
    return (Self.faded(one) + Self.faded(other)).higher(between).atLeast(0)
  }

  /// Returns fractions up to 1 unchanged, falling to 0 at 3.
  @inline(__always)
  private static func faded(_ shares: SIMD4<Float>) -> SIMD4<Float> {
    shares.lower((1.5 - 0.5 * shares).atLeast(0))
  }
}
