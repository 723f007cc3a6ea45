/// The farthest depth in every square of 8 × 8 samples; objects entirely behind it are hidden.
struct CoarseDepth {
  let columns: Int
  let rows: Int
  let inverseAspect: Float
  private let farthest: UnsafeMutablePointer<Float>

  /// The number of samples along a side of a square.
  static let side = 8
  /// The tolerance added to compared depths, in widths of a sample, so that rounding hides nothing visible.
  private static let slack: Float = 0.02
  /// The largest object tested for visibility; larger ones are drawn without a test.
  private static let largestLook = 1024

  /// Returns the number of squares of a picture.
  static func count(width: Int, height: Int) -> Int {
    ((width + side - 1) / side) * ((height + side - 1) / side)
  }

  /// Creates the squares of a picture in memory that is large enough for them.
  init(width: Int, height: Int, aspect: Float, memory: UnsafeMutablePointer<Float>) {
    columns = (width + Self.side - 1) / Self.side
    rows = (height + Self.side - 1) / Self.side
    inverseAspect = 1 / aspect
    farthest = memory
  }

  /// Updates the squares that begin in the canvas's rows.
  func update(from canvas: DepthCanvas) {
    for row in stride(from: canvas.rows.lowerBound, to: canvas.rows.upperBound, by: Self.side) {
      let rows = row..<min(row + Self.side, canvas.rows.upperBound)
      let squares = farthest + row / Self.side * columns
      for column in 0..<columns { squares[column] = lowest(column, rows, canvas) }
    }
  }

  @inline(__always)
  private func lowest(_ column: Int, _ rows: Range<Int>, _ canvas: DepthCanvas) -> Float {
    let x = column * Self.side
    if x + Self.side > canvas.width {
      var lowest = Float.greatestFiniteMagnitude
      for row in rows {
        for place in x..<canvas.width { lowest = min(lowest, canvas.depth[row * canvas.stride + place]) }
      }
      return lowest
    }
    var lowest = SIMD4<Float>(repeating: .greatestFiniteMagnitude)
    for row in rows {
      let samples = UnsafeRawPointer(canvas.depth + row * canvas.stride + x)
      let (one, other) = (
        samples.loadUnaligned(as: SIMD4<Float>.self),
        samples.loadUnaligned(fromByteOffset: 16, as: SIMD4<Float>.self)
      )
      lowest = lowest.replacing(with: one, where: one .< lowest)
      lowest = lowest.replacing(with: other, where: other .< lowest)
    }
    return min(min(lowest.x, lowest.y), min(lowest.z, lowest.w))
  }

  /// Returns true if a ball certainly lies behind the drawn samples.
  @inline(__always)
  func hides(_ ball: SIMD4<Float>) -> Bool {
    let nearest = ball.z + ball.w + Self.slack
    let perSquare = 1 / Float(Self.side)
    let rise = ball.w * inverseAspect
    let middle = ball.y * inverseAspect
    let left = max((ball.x - ball.w - 1) * perSquare, 0)
    let right = min((ball.x + ball.w + 1) * perSquare, Float(columns) - 0.5)
    let top = max((middle - rise - 1) * perSquare, 0)
    let bottom = min((middle + rise + 1) * perSquare, Float(rows) - 0.5)
    guard left <= right, top <= bottom else { return false }
    let across = Int(left)...Int(right)
    let down = Int(top)...Int(bottom)
    if across.count * down.count > Self.largestLook { return false }
    for row in down {
      let squares = farthest + row * columns
      for column in across where squares[column] <= nearest { return false }
    }
    return true
  }
}
