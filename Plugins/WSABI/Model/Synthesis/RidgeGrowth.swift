/// The growth of ridges from noise until they follow a pattern, one step at a time.
///
/// Each step filters the image at every point with a wave of the local direction and width. Where the waves of
/// neighbors do not meet, ridges end or fork: the minutiae.
///
/// - Source: Cappelli, Maio and Maltoni, "Synthetic fingerprint-image generation", ICPR 2000: Gabor filters applied again
///   and again; here from noise instead of single spots.
struct RidgeGrowth: Sendable {
  /// In cells of a 250th of an inch.
  let width: Int
  let height: Int
  /// The number of growth steps.
  static let stepCount = 22
  private(set) var steps = 0
  /// From -1 (valley) to 1 (ridge), row by row from the top.
  private(set) var cells: [Float]
  /// The filter of each cell.
  private var filterOfCell: [Int16]
  private let filters: [[SIMD16<Float>]]

  /// The reach of a filter, in cells.
  private static let reach = 6
  private static let directionCount = 36
  private static let widths: [Float] = [4.1, 4.4, 4.7, 5.0]

  init(_ pattern: FingerPattern, seed: UInt64, width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    var chance = SeededChance(seed, 1)
    cells = (0..<(width * height)).map { _ in chance.between(-1, 1) }
    filters = Self.widths.flatMap { width in
      (0..<Self.directionCount).map { Self.filter(Float($0) * SynthesisMath.pi / Float(Self.directionCount), width) }
    }
    filterOfCell = [Int16](repeating: 0, count: width * height)
    let noise = SmoothNoise(seed, 2)
    let half = Float(width) / 2
    for row in 0..<height {
      for column in 0..<width {
        let (x, y) = ((Float(column) + 0.5) / half - 1, (Float(height) * 0.52 - Float(row)) / half)
        // Ridges are wider near the joint and finer above the core.
        let wide = 1.4 - y * 0.5 + noise.value(Float(column) / 60, Float(row) / 60) * 1.3
        let size = min(Self.widths.count - 1, max(0, Int(wide.rounded())))
        var turns = pattern.direction(x, y) / SynthesisMath.pi
        turns -= turns.rounded(.down)
        let direction = Int(turns * Float(Self.directionCount)) % Self.directionCount
        filterOfCell[row * width + column] = Int16(size * Self.directionCount + direction)
      }
    }
  }

  /// True if the ridges are fully grown.
  var isDone: Bool { steps >= Self.stepCount }

  /// Lets them grow by one step.
  ///
  /// - Complexity: O(*cells*), some hundred multiplications for each.
  mutating func step() {
    // A border of zeros around the cells, so that filters need no bounds checks.
    let (reach, stride) = (Self.reach, width + 2 * Self.reach + 4)
    var framed = [Float](repeating: 0, count: stride * (height + 2 * reach))
    for row in 0..<height {
      framed.replaceSubrange(
        (row + reach) * stride + reach..<(row + reach) * stride + reach + width,
        with: cells[row * width..<(row + 1) * width])
    }
    framed.withUnsafeBytes { framed in
      for row in 0..<height {
        for column in 0..<width {
          let filter = filters[Int(filterOfCell[row * width + column])]
          var sum = SIMD16<Float>()
          var place = (row * stride + column) * MemoryLayout<Float>.stride
          for line in 0...(2 * reach) {
            sum += framed.loadUnaligned(fromByteOffset: place, as: SIMD16<Float>.self) * filter[line]
            place += stride * MemoryLayout<Float>.stride
          }
          cells[row * width + column] = min(1, max(-1, sum.sum()))
        }
      }
    }
    steps += 1
  }

  /// Returns a wave across a direction, fading outwards, that maps a uniform image to zero.
  ///
  /// - Parameter width: From ridge to ridge, in cells.
  /// - Returns: 13 lines of 13 weights, each with three more that are 0.
  private static func filter(_ direction: Float, _ width: Float) -> [SIMD16<Float>] {
    let (cosine, sine) = (SynthesisMath.cos(direction), SynthesisMath.sin(direction))
    var weights: [Float] = []
    for dy in -reach...reach {
      for dx in -reach...reach {
        // Rows go down, the pattern's y goes up.
        let across = Float(dx) * sine + Float(dy) * cosine
        let along = Float(dx) * cosine - Float(dy) * sine
        let fading = SynthesisMath.exp(-across * across / (2 * 2.0 * 2.0) - along * along / (2 * 2.6 * 2.6))
        weights.append(fading * SynthesisMath.cos(2 * SynthesisMath.pi * across / width))
      }
    }
    let mean = weights.reduce(0, +) / Float(weights.count)
    weights = weights.map { $0 - mean }
    let total = weights.reduce(0) { $0 + abs($1) }
    let side = 2 * reach + 1
    return (0..<side).map { line in
      var row = SIMD16<Float>()
      for column in 0..<side { row[column] = weights[line * side + column] * 2.4 / total }
      return row
    }
  }
}
