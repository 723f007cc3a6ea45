/// The position and size of a scene, for placing a camera.
struct SceneBounds: Equatable, Sendable {
  /// The unweighted mean of the drawable centers, in ångström; the origin for a scene without any.
  var center: SIMD3<Float> = .zero
  /// The distance from the center to the farthest surface, in ångström; 0 for a scene without drawable primitives.
  var radius: Float = 0
  /// The rotation that maps the longest axis of the scene to x, the next to y and the shortest toward the viewer.
  var principalOrientation: Rotation = .identity
}

/// A box along the axes of the screen around a rotated scene, in ångström.
struct SceneBox: Equatable, Sendable {
  var low: SIMD3<Float>
  var high: SIMD3<Float>

  /// Half the width, height and depth.
  var halfSize: SIMD3<Float> { (high - low) / 2 }

  /// Returns the center of the box in the coordinates of the scene.
  func center(turnedBy orientation: Rotation) -> SIMD3<Float> { orientation.inverse.matrix * ((low + high) / 2) }
}

extension SceneBounds {
  /// Computes the position, size and principal axes of balls.
  ///
  /// - Parameter forEach: Calls its argument with the center and radius of every ball, each time in the same order.
  /// - Complexity: O(n) in the number of balls, three passes.
  init(_ forEach: ((SIMD3<Float>, Float) -> Void) -> Void) {
    var sum = SIMD3<Double>.zero
    var count = 0.0
    forEach { point, _ in
      sum += SIMD3<Double>(point)
      count += 1
    }
    guard count > 0 else { return }
    let center = SIMD3<Float>(sum / count)
    var moments = SymmetricMatrix()
    forEach { point, _ in moments.add(SIMD3<Double>(point - center)) }
    var radius: Float = 0
    forEach { point, reach in radius = max(radius, (point - center).length + reach) }
    (self.center, self.radius, principalOrientation) = (center, radius, moments.principalOrientation)
  }
}

extension Scene {
  /// The position, size and principal axes of the drawable primitives.
  ///
  /// The center is the mean of the balls, as in the original application, and of the corners of triangles, or of the
  /// ends of sticks if there are neither.
  ///
  /// - Complexity: O(n) in the number of primitives, three passes.
  var bounds: SceneBounds { SceneBounds(forEachAnchor) }

  /// Calls `body` with the position and radius of every drawable ball and corner of a triangle, or of the ends of
  /// sticks if there are neither.
  private func forEachAnchor(_ body: (SIMD3<Float>, Float) -> Void) {
    var hasSphere = false
    for sphere in spheres where sphere.isDrawable {
      body(sphere.center, sphere.radius)
      hasSphere = true
    }
    for corner in mesh.positions where corner.isDrawable {
      body(corner, 0)
      hasSphere = true
    }
    guard !hasSphere else { return }
    for cylinder in cylinders where cylinder.isDrawable {
      body(cylinder.start, cylinder.radius)
      body(cylinder.end, cylinder.radius)
    }
  }
}

/// The second moments of a cloud of points about its center.
private struct SymmetricMatrix: Sendable {
  /// The sums of the squared coordinates, and of the products of x with y, y with z and z with x.
  private var squares = SIMD3<Double>.zero
  private var products = SIMD3<Double>.zero

  init() {}

  /// Adds the moments of one point given relative to the center.
  mutating func add(_ point: SIMD3<Double>) {
    squares += point * point
    products += point * SIMD3(point.y, point.z, point.x)
  }

  /// The rotation that maps the axis of the largest moment to x and that of the smallest to z.
  ///
  /// - Source: Jacobi's method for symmetric matrices: Golub and Van Loan, Matrix Computations, section 8.5.
  var principalOrientation: Rotation {
    var matrix: [[Double]] = [
      [squares.x, products.x, products.z], [products.x, squares.y, products.y], [products.z, products.y, squares.z],
    ]
    var vectors: [[Double]] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    for _ in 0..<12 {
      for (p, q) in [(0, 1), (0, 2), (1, 2)] { Self.eliminate(p, q, in: &matrix, turning: &vectors) }
    }
    let moments: [Double] = [matrix[0][0], matrix[1][1], matrix[2][2]]
    let order: [Int] = [0, 1, 2].sorted { (one: Int, other: Int) in
      moments[one] == moments[other] ? one < other : moments[one] > moments[other]
    }
    func axis(_ index: Int) -> SIMD3<Double> {
      let vector: SIMD3<Double> = [vectors[0][index], vectors[1][index], vectors[2][index]]
      // Of the two directions of an axis, the one with the larger positive component along x, y or z is chosen.
      let largest: Int = [0, 1, 2].max { abs(vector[$0]) < abs(vector[$1]) } ?? 0
      return vector[largest] < 0 ? -vector : vector
    }
    return Rotation(layingAlongX: axis(order[0]), alongY: axis(order[1]))
  }

  /// Eliminates one off-diagonal element by a rotation in its plane, which is applied to the vectors too.
  private static func eliminate(_ p: Int, _ q: Int, in matrix: inout [[Double]], turning vectors: inout [[Double]]) {
    guard abs(matrix[p][q]) > 1e-30, matrix[p][q].isFinite else { return }
    let theta = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q])
    let tangent = (theta >= 0 ? 1.0 : -1.0) / (abs(theta) + (theta * theta + 1).squareRoot())
    let cosine = 1 / (tangent * tangent + 1).squareRoot()
    let sine = tangent * cosine
    for row in 0..<3 {
      let (a, b) = (matrix[row][p], matrix[row][q])
      (matrix[row][p], matrix[row][q]) = (cosine * a - sine * b, sine * a + cosine * b)
      let (c, d) = (vectors[row][p], vectors[row][q])
      (vectors[row][p], vectors[row][q]) = (cosine * c - sine * d, sine * c + cosine * d)
    }
    for column in 0..<3 {
      let (a, b) = (matrix[p][column], matrix[q][column])
      (matrix[p][column], matrix[q][column]) = (cosine * a - sine * b, sine * a + cosine * b)
    }
  }
}
