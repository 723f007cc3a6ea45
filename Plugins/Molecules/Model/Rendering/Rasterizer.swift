/// Draws scenes into pixels on one thread; its buffers are kept from one picture to the next.
///
/// The same scene, camera, size and style always give the same bytes.
struct Rasterizer: Sendable {
  /// The size of the buffers in samples, before they are averaged to pixels.
  private(set) var width = 0
  private(set) var height = 0
  private(set) var stride = 0
  /// Samples along each side of a pixel.
  private(set) var samples = 1
  private(set) var depth: [Float] = []
  private(set) var owner: [UInt32] = []
  private(set) var spheres: [SIMD4<Float>] = []
  private(set) var cylinders: [PlacedCylinder] = []
  /// The places of the corners of triangles in the picture.
  private(set) var corners: [SIMD3<Float>] = []
  /// The mesh last drawn; empty if it was not whole.
  private(set) var mesh = TriangleMesh()
  private var ends: [AtomPair] = []
  private var atoms: [Int32] = []

  /// The atoms at the two ends of a stick.
  private struct AtomPair {
    var start: Int32
    var end: Int32
  }

  /// Primitives between two calls of the progress closure.
  private static let primitivesPerReport = 4096
  /// The share of the work done when everything has its depth and only the light is missing.
  private static let geometryShare = 0.8

  init() {}

  /// Draws a scene and gives its pixels: red, green, blue and alpha, row by row from the top, alpha not multiplied in.
  ///
  /// - Parameters:
  ///   - scene: what to draw, in ångström.
  ///   - camera: from where.
  ///   - viewport: the size of the picture; at most 2²⁶ samples, larger ones lose their smoothing first.
  ///   - style: light and effects.
  ///   - progress: called every few thousand primitives with the share done (0 to 1); answers whether to go on.
  /// - Returns: 4 × width × height bytes, or nil when the closure asked to stop.
  /// - Complexity: O(primitives + pixels they cover).
  mutating func draw(
    _ scene: Scene, from camera: Camera, onto viewport: Viewport, style: RenderStyle = RenderStyle(),
    progress: ((Double) -> Bool)? = nil
  ) -> [UInt8]? {
    prepare(viewport, samples: style.samples)
    let enlarged = Viewport(width: width, height: height, pixelAspect: viewport.pixelAspect)
    let projection = Projection(camera, onto: enlarged)
    guard drawSpheres(scene, projection: projection, aspect: enlarged.pixelAspect, progress: progress),
      drawCylinders(scene, projection: projection, aspect: enlarged.pixelAspect, progress: progress),
      drawTriangles(scene, projection: projection, aspect: enlarged.pixelAspect, progress: progress)
    else { return nil }
    let lighting = Lighting(style, projection: projection, samples: samples)
    return shade(scene, lighting: lighting, projection: projection, aspect: enlarged.pixelAspect) { share in
      progress?(Self.geometryShare + share * (1 - Self.geometryShare)) ?? true
    }
  }

  /// The index of the atom seen at a pixel of the last picture, or nil where there is none.
  func atom(x: Int, y: Int) -> Int? {
    guard let place = sample(x: x, y: y) else { return nil }
    let name = owner[place]
    guard name != Owner.none else { return nil }
    let atom: Int32
    if name & Owner.triangleBit != 0 {
      let triangle = mesh.triangles[Owner.index(name)]
      let place = SIMD2(Float(place % stride) + 0.5, Float(place / stride) + 0.5)
      let (first, second, third) = (Int(triangle.x), Int(triangle.y), Int(triangle.z))
      let plane = TrianglePlane(corners[first], corners[second], corners[third])
      let shares = plane.shares(x: place.x - corners[first].x, y: place.y - corners[first].y)
      let isNearSecond = shares.x >= shares.y
      atom = shares.sum() < 0.5 ? mesh.atoms[first] : isNearSecond ? mesh.atoms[second] : mesh.atoms[third]
    } else if name & Owner.stickBit == 0 {
      atom = atoms[Int(name) - 1]
    } else {
      let index = Int(name & ~Owner.stickBit)
      let stick = cylinders[index]
      let point = SIMD3(Float(place % stride) + 0.5, Float(place / stride) + 0.5, depth[place])
      let isFirstHalf = stick.distanceAlongAxis(of: point) < stick.length / 2
      atom = isFirstHalf ? ends[index].start : ends[index].end
    }
    return atom >= 0 ? Int(atom) : nil
  }

  /// The place in the buffers of the sample in the middle of a pixel.
  private func sample(x: Int, y: Int) -> Int? {
    guard x >= 0, y >= 0, x < width / samples, y < height / samples else { return nil }
    return (y * samples + samples / 2) * stride + x * samples + samples / 2
  }

  private mutating func prepare(_ viewport: Viewport, samples wanted: Int) {
    samples = min(max(wanted, 1), 4)
    while samples > 1, viewport.width * viewport.height * samples * samples > 1 << 26 { samples -= 1 }
    width = viewport.width * samples
    height = viewport.height * samples
    stride = width + 4
    let count = stride * height
    if depth.count == count {
      depth.withUnsafeMutableBufferPointer { $0.update(repeating: DepthCanvas.emptyDepth) }
      owner.withUnsafeMutableBufferPointer { $0.update(repeating: Owner.none) }
    } else {
      depth = Array(repeating: DepthCanvas.emptyDepth, count: count)
      owner = Array(repeating: Owner.none, count: count)
    }
  }

  /// Gives the canvas of the current buffers to a closure.
  private mutating func withCanvas<Result>(aspect: Float, _ body: (DepthCanvas) -> Result) -> Result? {
    depth.withUnsafeMutableBufferPointer { depths in
      owner.withUnsafeMutableBufferPointer { owners in
        guard let depth = depths.baseAddress, let owner = owners.baseAddress else { return nil }
        return body(
          DepthCanvas(width: width, height: height, stride: stride, aspect: aspect, depth: depth, owner: owner))
      }
    }
  }
}

// MARK: - Placing and drawing primitives

extension Rasterizer {
  /// Places and draws every ball; false when the progress closure asked to stop.
  private mutating func drawSpheres(
    _ scene: Scene, projection: Projection, aspect: Float, progress: ((Double) -> Bool)?
  ) -> Bool {
    let total = Double(max(1, scene.primitiveCount))
    var placed = spheres
    var shown = atoms
    placed.removeAll(keepingCapacity: true)
    shown.removeAll(keepingCapacity: true)
    spheres = []
    atoms = []
    defer {
      spheres = placed
      atoms = shown
    }
    let count = min(scene.spheres.count, Owner.capacity)
    placed.reserveCapacity(count)
    shown.reserveCapacity(count)
    return withCanvas(aspect: aspect) { canvas in
      for index in 0..<count {
        if index % Self.primitivesPerReport == 0, let progress,
          !progress(Self.geometryShare * Double(index) / total)
        {
          return false
        }
        let sphere = scene.spheres[index]
        let ball = SIMD4(projection(sphere.center), sphere.radius * projection.scale)
        placed.append(ball)
        shown.append(sphere.atom)
        if sphere.isDrawable { canvas.drawSphere(ball, name: Owner.sphere(index)) }
      }
      return true
    } ?? true
  }

  /// Places and draws every stick; false when the progress closure asked to stop.
  private mutating func drawCylinders(
    _ scene: Scene, projection: Projection, aspect: Float, progress: ((Double) -> Bool)?
  ) -> Bool {
    let total = Double(max(1, scene.primitiveCount))
    var placed = cylinders
    var shown = ends
    placed.removeAll(keepingCapacity: true)
    shown.removeAll(keepingCapacity: true)
    cylinders = []
    ends = []
    defer {
      cylinders = placed
      ends = shown
    }
    let thinnest = Self.thinnestStick * Float(samples)
    let count = min(scene.cylinders.count, Owner.capacity)
    return withCanvas(aspect: aspect) { canvas in
      for index in 0..<count {
        if index % Self.primitivesPerReport == 0, let progress,
          !progress(Self.geometryShare * Double(scene.spheres.count + index) / total)
        {
          return false
        }
        let cylinder = scene.cylinders[index]
        let radius = max(cylinder.radius * projection.scale, thinnest)
        let stick = PlacedCylinder(from: projection(cylinder.start), to: projection(cylinder.end), radius: radius)
        placed.append(stick)
        shown.append(AtomPair(start: cylinder.startAtom, end: cylinder.endAtom))
        if cylinder.isDrawable { canvas.drawCylinder(stick, name: Owner.cylinder(index)) }
      }
      return true
    } ?? true
  }

  /// Places and draws every triangle; false when the progress closure asked to stop.
  private mutating func drawTriangles(
    _ scene: Scene, projection: Projection, aspect: Float, progress: ((Double) -> Bool)?
  ) -> Bool {
    mesh = scene.mesh.isComplete ? scene.mesh : TriangleMesh()
    let total = Double(max(1, scene.primitiveCount))
    let before = scene.spheres.count + scene.cylinders.count
    corners = mesh.positions.map { projection($0) }
    let count = min(mesh.triangles.count, Owner.capacity)
    let (mesh, corners) = (mesh, corners)
    return withCanvas(aspect: aspect) { canvas in
      for index in 0..<count {
        if index % Self.primitivesPerReport == 0, let progress,
          !progress(Self.geometryShare * Double(before + index) / total)
        {
          return false
        }
        let triangle = mesh.triangles[index]
        let (first, second, third) = (Int(triangle.x), Int(triangle.y), Int(triangle.z))
        guard mesh.positions[first].isDrawable, mesh.positions[second].isDrawable, mesh.positions[third].isDrawable
        else { continue }
        canvas.drawTriangle(corners[first], corners[second], corners[third], name: Owner.triangle(index))
      }
      return true
    } ?? true
  }

  /// Sticks are drawn with at least this radius, in pixels, so that they do not fall apart into dots.
  private static let thinnestStick: Float = 0.6
}
