/// Sticks in runs that can be skipped as a whole.
struct StickColumn: Sendable {
  private(set) var sticks: [Cylinder] = []
  /// A bounding ball of each run of ``runLength`` sticks, in ångström.
  private(set) var runs: [SIMD4<Float>] = []
  /// The mean length of a stick including its ends, in ångström.
  private(set) var meanLength: Float = 0

  static let runLength = 64

  init(_ cylinders: [Cylinder]) {
    sticks = cylinders.filter(\.isDrawable)
    var length: Double = 0
    for stick in sticks { length += Double((stick.end - stick.start).length + 2 * stick.radius) }
    meanLength = Float(length / Double(max(1, sticks.count)))
    runs = stride(from: 0, to: sticks.count, by: Self.runLength).map { start in
      let ends = sticks[start..<min(start + Self.runLength, sticks.count)].flatMap { stick in
        [SIMD4(stick.start, stick.radius), SIMD4(stick.end, stick.radius)]
      }
      return BoundingBall.around(ends[...])
    }
  }

  /// Returns the sticks of a run.
  func range(ofRun run: Int) -> Range<Int> {
    run * Self.runLength..<min((run + 1) * Self.runLength, sticks.count)
  }
}
