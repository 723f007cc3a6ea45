/// Balls in an order in which neighbours lie together, as columns and in runs that can be passed over as a whole.
struct BallLevel: Sendable {
  /// Centre and radius of each ball, in ångström.
  private(set) var balls: [SIMD4<Float>] = []
  /// Colours as numbers of the form 0xBBGGRR.
  private(set) var colors: [UInt32] = []
  /// Indices of the atoms shown (0-based), -1 where there is none.
  private(set) var atoms: [Int32] = []
  /// A ball around each run.
  private(set) var runs: [SIMD4<Float>] = []
  /// Where each run begins, and the end of the last one.
  private var starts: [Int] = [0]
  /// The mean radius of the groups of atoms that one ball stands for, in ångström; 0 where it stands for one.
  private(set) var extent: Float = 0

  /// The most balls in a run.
  private static let runLength = 64

  /// Makes the finest level: every ball that can be drawn, in the order of its place in space.
  ///
  /// - Returns: The level and, where there are more than a run of balls, the groups they stand in.
  static func finest(_ spheres: [Sphere]) -> (level: BallLevel, order: SpatialOrder?) {
    let drawable = spheres.allSatisfy(\.isDrawable) ? spheres : spheres.filter(\.isDrawable)
    let places = drawable.map { SIMD4($0.center, $0.radius) }
    var level = BallLevel()
    guard drawable.count > runLength else {
      level.balls = places
      level.colors = drawable.map(\.color.packed)
      level.atoms = drawable.map(\.atom)
      level.makeRuns(places.isEmpty ? [0] : [0, places.count])
      return (level, nil)
    }
    let order = SpatialOrder(places)
    level.balls = order.order.map { places[Int($0)] }
    level.colors = order.order.map { drawable[Int($0)].color.packed }
    level.atoms = order.order.map { drawable[Int($0)].atom }
    level.makeRuns(order.blocks(of: runLength / SpatialOrder.groupLength))
    return (level, order)
  }

  private init() {}

  /// Makes a coarser level in which one ball stands for some neighbours of a finer one.
  ///
  /// It has their mean place and colour and the volume of all of them together.
  init(_ finer: BallLevel, merging groups: [Range<Int>]) {
    var spread = 0.0
    balls.reserveCapacity(groups.count)
    colors.reserveCapacity(groups.count)
    atoms.reserveCapacity(groups.count)
    for group in groups {
      var (sum, cubes, color) = (SIMD4<Float>.zero, Float(0), SIMD4<UInt32>.zero)
      for index in group {
        let ball = finer.balls[index]
        sum += ball
        cubes += ball.w * ball.w * ball.w
        color &+= RGBColor.channels(ofPacked: finer.colors[index])
      }
      let center = sum / Float(group.count)
      var squares: Float = 0
      for index in group {
        var way = finer.balls[index] - center
        way.w = 0
        squares += (way * way).sum()
      }
      spread += Double(squares)
      balls.append(SIMD4(center.x, center.y, center.z, Self.cubeRoot(cubes)))
      colors.append(RGBColor.packed(color / UInt32(truncatingIfNeeded: max(1, group.count))))
      atoms.append(finer.atoms[group.lowerBound])
    }
    // A filled ball whose points have this mean square distance from the middle has √(5/3) of it as radius.
    extent = Float((spread / Double(max(1, finer.balls.count))).squareRoot() * 1.291)
    makeRuns(Array(stride(from: 0, to: balls.count, by: Self.runLength)) + [balls.count])
  }

  /// The balls of a run.
  @inline(__always)
  func range(ofRun run: Int) -> Range<Int> {
    starts[run]..<starts[run + 1]
  }

  private mutating func makeRuns(_ starts: [Int]) {
    self.starts = starts
    runs = zip(starts, starts.dropFirst()).map { start, end in BoundingBall.around(balls[start..<end]) }
  }

  /// The third root of a number above zero, by Newton's method; the same on every machine.
  private static func cubeRoot(_ number: Float) -> Float {
    guard number > 0, number.isFinite else { return 0 }
    // A third of the exponent is a first guess within a factor of two.
    var root = Float(sign: .plus, exponent: number.exponent / 3, significand: 1)
    for _ in 0..<8 { root = (2 * root + number / (root * root)) / 3 }
    return root
  }
}

/// Balls around balls.
enum BoundingBall {
  /// A ball around others: about the middle of the box around them, a little too large rather than too small.
  static func around(_ balls: ArraySlice<SIMD4<Float>>) -> SIMD4<Float> {
    guard let start = balls.first else { return .zero }
    var (low, high) = (start - start.w, start + start.w)
    for ball in balls {
      let (from, to) = (ball - ball.w, ball + ball.w)
      low.replace(with: from, where: from .< low)
      high.replace(with: to, where: to .> high)
    }
    var result = (low + high) / 2
    result.w = 0
    var radius: Float = 0
    for ball in balls {
      var way = ball - result
      way.w = 0
      radius = max(radius, (way * way).sum().squareRoot() + ball.w)
    }
    result.w = radius * 1.0001
    return result
  }

  /// The same around points.
  static func around(_ points: ArraySlice<SIMD3<Float>>) -> SIMD4<Float> {
    guard let start = points.first else { return .zero }
    var (low, high) = (start, start)
    for point in points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    let middle = (low + high) / 2
    var square: Float = 0
    for point in points {
      let way = point - middle
      square = max(square, (way * way).sum())
    }
    return SIMD4(middle, square.squareRoot() * 1.0001)
  }
}

extension RGBColor {
  /// The colour as a number of the form 0xBBGGRR.
  var packed: UInt32 { UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 }

  /// Red, green and blue of a packed colour, 0 to 255 each.
  @inline(__always)
  static func channels(ofPacked color: UInt32) -> SIMD4<UInt32> {
    (SIMD4(repeating: color) &>> SIMD4(0, 8, 16, 24)) & 0xFF
  }

  /// The packed colour of red, green and blue, 0 to 255 each.
  static func packed(_ channels: SIMD4<UInt32>) -> UInt32 { channels.x | channels.y << 8 | channels.z << 16 }
}
