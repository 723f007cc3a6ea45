/// Computes the light from all sides that reaches a surface, by views from many directions.
extension Rasterizer {
  /// The side in samples of the picture drawn from each direction: that of the picture itself, within bounds.
  private var sideOfMap: Int { min(max(width, height, 256), 1024) }
  /// The depth difference in ångström from which a nearer object hides a surface.
  private static let slackInAngstroms: Float = 0.6

  /// Returns for every sample drawn last the fraction of the light from all sides that reaches it, 0 to 1.
  ///
  /// From each direction the scene is drawn as depths; a sample gets light from it, by the cosine of the angle of
  /// incidence, unless something nearer lies in front of it. The directions belong to the molecule, not to the camera.
  ///
  /// - Parameter directions: The number of evenly spread directions; version 2.x of the original application used 44.
  /// - Returns: Rows as those of the depths; nil if `progress` returned false.
  /// - Complexity: O(directions × (primitives + samples)).
  /// - Source: the ambient occlusion of Molecules 2.x; directions on a Fibonacci lattice after R. Swinbank and
  ///   R. J. Purser, Q. J. R. Meteorol. Soc. 132 (2006) 1769.
  func openness(
    _ lighting: Lighting, _ projection: Projection, directions: Int, _ work: ParallelWork, _ report: inout RenderReport
  ) -> RawColumn<Float>? {
    let reached = RawColumn(filling: Float(0))
    let possible = RawColumn(filling: Float(0))
    reached.reserve(stride * height)
    possible.reserve(stride * height)
    var map = Rasterizer()
    let side = sideOfMap
    let viewport = Viewport(width: side, height: side)
    for number in 0..<directions {
      guard report.shouldContinue(at: Double(number) / Double(directions)) else { return nil }
      let direction = Self.direction(number, of: directions)
      let camera = Camera(showing: scene.bounds, orientation: Rotation(layingAlongZ: direction))
      let mapped = map.drawDepths(of: scene, camera, onto: viewport, detail: 1, work)
      let light = DirectedLight(
        direction: projection.turned(SIMD3<Float>(direction)).normalized, from: projection, to: mapped,
        depth: UnsafePointer(map.depth.base), stride: map.stride, side: side,
        slack: Self.slackInAngstroms * mapped.scale)
      let surface = surface(lighting, openness: nil, UnsafeBufferPointer(start: nil, count: 0))
      work((height + 15) / 16) { piece in
        for y in piece * 16..<min(piece * 16 + 16, height) {
          light.add(y, of: surface, to: reached.base + y * stride, possible: possible.base + y * stride)
        }
      }
    }
    for index in 0..<stride * height {
      let most = possible.base[index]
      reached.base[index] = most > 0 ? reached.base[index] / most : 1
    }
    return reached
  }

  /// Returns one of several evenly spread directions.
  private static func direction(_ number: Int, of count: Int) -> SIMD3<Double> {
    let height = 1 - (2 * Double(number) + 1) / Double(count)
    let turn = Rotation(about: SIMD3(0, 0, 1), degrees: 137.507_764 * Float(number)).matrix
    let around = SIMD3<Double>(turn * SIMD3(Float((1 - height * height).squareRoot()), 0, 0))
    return SIMD3(around.x, around.y, height)
  }
}

/// Light from one direction, and the objects in its way.
private struct DirectedLight {
  /// The unit direction toward the light, in camera space (y up).
  let direction: SIMD3<Float>
  let depth: UnsafePointer<Float>
  let stride: Int
  let side: Int
  let slack: Float
  /// The picture's origin and its steps of one sample along x, y and z, as seen from the light.
  private let origin: SIMD3<Float>
  private let alongX: SIMD3<Float>
  private let alongY: SIMD3<Float>
  private let alongZ: SIMD3<Float>

  init(
    direction: SIMD3<Float>, from picture: Projection, to map: Projection, depth: UnsafePointer<Float>, stride: Int,
    side: Int, slack: Float
  ) {
    self.direction = direction
    self.depth = depth
    self.stride = stride
    self.side = side
    self.slack = slack
    func seen(_ position: SIMD3<Float>) -> SIMD3<Float> { map(picture.point(of: position)) }
    origin = seen(.zero)
    // Steps of many samples, since differences of close positions lose digits.
    let step: Float = 1024
    alongX = (seen(SIMD3(step, 0, 0)) - origin) / step
    alongY = (seen(SIMD3(0, step, 0)) - origin) / step
    alongZ = (seen(SIMD3(0, 0, step)) - origin) / step
  }

  /// Adds the light that reaches the samples of a row, and the light that would reach them unobstructed.
  func add(
    _ y: Int, of surface: Surface, to reached: UnsafeMutablePointer<Float>, possible: UnsafeMutablePointer<Float>
  ) {
    let start = origin + alongY * ((Float(y) + 0.5) * surface.aspect)
    for x in Swift.stride(from: 0, to: surface.width, by: 4) {
      let normals = surface.normals(x: x, y: y)
      let cosines = normals.x * direction.x + normals.y * direction.y + normals.z * direction.z
      for lane in 0..<min(4, surface.width - x) where cosines[lane] > 0 {
        let z = surface.depth[y * surface.stride + x + lane]
        guard z > -1e37 else { continue }
        possible[x + lane] += cosines[lane]
        if reaches(start + alongX * (Float(x + lane) + 0.5) + alongZ * z) { reached[x + lane] += cosines[lane] }
      }
    }
  }

  @inline(__always)
  private func reaches(_ position: SIMD3<Float>) -> Bool {
    guard position.x >= 0, position.y >= 0, position.x < Float(side), position.y < Float(side) else { return true }
    return depth[Int(position.y) * stride + Int(position.x)] <= position.z + slack
  }
}

extension Rotation {
  /// Creates a rotation that turns a unit direction toward the viewer.
  init(layingAlongZ direction: SIMD3<Double>) {
    let helper: SIMD3<Double> = abs(direction.x) < 0.7 ? SIMD3(1, 0, 0) : SIMD3(0, 1, 0)
    let across = helper.cross(direction)
    let first = across / across.length
    self.init(layingAlongX: first, alongY: direction.cross(first))
  }
}
