/// The parameters of a style precomputed for one picture; lengths are in widths of a sample.
///
/// Everything is computed for four samples at a time.
struct Lighting: Sendable {
  /// Samples per ångström.
  let scale: Float
  let light: SIMD3<Float>
  let ambient: Float
  let diffuse: Float
  private let specular: Float
  let background: SIMD4<Float>
  let isTransparent: Bool
  let fade: SIMD4<Float>
  private let fogPerDepth: Float
  private let fogAtMiddle: Float
  private let outline: Float
  let outlineStep: Int
  private let outlinePerStep: Float
  private let outlinePerLargeStep: Float
  private let outlineFromRadius: Float
  private let outlinePerRadius: Float
  /// The least fall in depth with an outline; infinite if there are no outlines.
  let outlineFall: Float
  /// Half the width of the narrowest feature that gets an outline.
  let featureStep: Int
  let occlusion: Float
  /// The largest distance along x or y of samples examined for occlusion.
  let occlusionReach: Int
  /// One sample of every pair of opposite samples examined for occlusion, as x and y relative to the shaded sample.
  let occlusionPairs: [SIMD2<Int32>]
  /// The measure of occlusion between atoms.
  let atomOcclusion: OcclusionMeasure
  private let occlusionPerPair: Float
  /// The samples examined for occlusion between larger parts, four pairs; the first is horizontal, the second vertical.
  let shapeX: SIMD4<Int32>
  let shapeY: SIMD4<Int32>
  let shapeReach: Float
  /// The number of these pairs in use: the first two are enough during motion.
  let shapePairCount: Int
  /// The measure of occlusion between larger parts.
  let partOcclusion: OcclusionMeasure
  private let partPerPair: Float
  private let shapeFromRadius: Float
  private let mostShape: Float

  /// Precomputes the parameters.
  ///
  /// - Parameter isSolid: True if the scene has larger parts with a surface of their own. Sticks have none: neighbors
  ///   in the picture are seldom one part.
  init(_ style: RenderStyle, projection: Projection, samples: Int, isSolid: Bool = true) {
    let direction = style.light.normalized
    light = direction == .zero ? SIMD3(0, 0, 1) : direction
    scale = projection.scale
    ambient = style.ambient
    diffuse = style.diffuse
    specular = style.specular * 255
    isTransparent = style.background == nil
    background = style.background?.channels ?? .zero
    fade = (style.background ?? style.fadeColor).channels
    fogPerDepth = style.fog / max(2 * projection.depthReach, 1e-6)
    fogAtMiddle = style.fog / 2
    outline = style.outline
    outlineStep = samples
    outlinePerStep = 1 / max(style.outlineDepth * projection.scale, Float(samples))
    outlinePerLargeStep = 1 / max(Self.largeStep * projection.scale, 4 * Float(samples))
    outlineFall = style.outline > 0 ? max(style.outlineDepth * projection.scale, Float(samples)) : .infinity
    featureStep = Self.featureWidth * samples / 2
    outlineFromRadius = 2 * Float(samples)
    outlinePerRadius = 1 / (2.2 * Float(samples))
    let reach = min(max(Self.occlusionRadius * projection.scale, 2 * Float(samples)), 24 * Float(samples))
    occlusion = style.occlusion
    occlusionReach = Int(reach)
    occlusionPairs = style.occlusion > 0 ? Self.pairs(reach: Int32(reach), isFine: style.hasFineOcclusion) : []
    atomOcclusion = OcclusionMeasure(reach: reach)
    let wide = min(max(Self.shapeRadius * projection.scale, 4 * Float(samples)), 32 * Float(samples)).rounded(.down)
    shapeReach = wide
    partOcclusion = OcclusionMeasure(reach: wide)
    shapePairCount = !isSolid ? 0 : style.hasFineOcclusion ? 4 : 2
    partPerPair = Self.partShare / Float(max(1, shapePairCount))
    mostShape = isSolid ? 0.75 : 0
    let (far, slant) = (Int32(wide), Int32(wide * 0.7))
    shapeX = SIMD4(far, 0, slant, -slant)
    shapeY = SIMD4(0, far, slant, slant)
    shapeFromRadius = 1 / (2.4 * Float(samples))
    occlusionPerPair = 1 / Float(max(1, occlusionPairs.count))
  }

  /// The least width of a feature that gets an outline, in pixels along a row or column.
  ///
  /// Across a slanting feature this is at least 4 pixels; narrower ones would be all outline.
  private static let featureWidth = 6
  /// A step in depth between larger parts, in ångström.
  private static let largeStep: Float = 12
  /// The search distance for occlusion, in ångström: about the radius of an atom.
  private static let occlusionRadius: Float = 1.8

  /// The search distance for occlusion between larger parts, in ångström.
  private static let shapeRadius: Float = 9

  /// Returns four pairs, or six or twelve on rings if they are so far apart that their pattern would be visible.
  private static func pairs(reach: Int32, isFine: Bool) -> [SIMD2<Int32>] {
    guard reach > 6 else {
      let near = (reach + 1) / 2
      let slant = (reach * 3 + 2) / 4
      return [SIMD2(reach, 0), SIMD2(0, near), SIMD2(slant, slant), SIMD2(-slant, slant)]
    }
    guard isFine else {
      // Unit directions 60° apart in hundredths, the inner ring rotated by 30°.
      let outer = [SIMD2<Int32>(97, 26), SIMD2(26, 97), SIMD2(-71, 71)].map { $0 &* reach / 100 }
      let inner = [SIMD2<Int32>(71, 71), SIMD2(-26, 97), SIMD2(-97, 26)].map { $0 &* reach &* 55 / 10_000 }
      return outer + inner
    }
    // Unit directions 45° apart in hundredths, each ring rotated by 15° against the previous one.
    let directions: [[SIMD2<Int32>]] = [
      [SIMD2(100, 0), SIMD2(71, 71), SIMD2(0, 100), SIMD2(-71, 71)],
      [SIMD2(97, 26), SIMD2(50, 87), SIMD2(-26, 97), SIMD2(-87, 50)],
      [SIMD2(87, 50), SIMD2(26, 97), SIMD2(-50, 87), SIMD2(-97, 26)],
    ]
    return zip(directions, [100, 72, 42] as [Int32]).flatMap { ring, share in
      ring.map { SIMD2(($0.x * share * reach) / 10_000, ($0.y * share * reach) / 10_000) }
    }
  }

  /// Returns the degree to which surfaces at some depths have faded into the background, 0 to 1.
  @inline(__always)
  func fog(atDepth z: SIMD4<Float>) -> SIMD4<Float> {
    (fogAtMiddle - z * fogPerDepth).limited(to: 1)
  }

  /// Returns the strength of highlight and outline for primitives of some radii; on tiny ones they would be noise.
  @inline(__always)
  func size(radius: SIMD4<Float>) -> SIMD4<Float> {
    ((radius - outlineFromRadius) * outlinePerRadius).limited(to: 1)
  }

  /// Returns the brightness of highlights on primitives of some sizes.
  @inline(__always)
  func highlight(size: SIMD4<Float>) -> SIMD4<Float> { size.atLeast(0.15) * specular }

  /// Returns the darkness of the outline at some steps in depth, for primitives of some sizes; edges of larger parts
  /// get one regardless of their primitives.
  @inline(__always)
  func outline(step: SIMD4<Float>, size: SIMD4<Float>, edges: SIMD4<Float>) -> SIMD4<Float> {
    let small = size * (step * outlinePerStep - 1).limited(to: 1)
    return outline * small.higher(edges * (step * outlinePerLargeStep - 1).limited(to: 1))
  }

  /// Returns the degree to which larger parts with some heights on two sides have an edge there, 0 to 1.
  ///
  /// A part that ends on both sides is a thin thread and has no edge: an outline would hide all of it.
  @inline(__always)
  func edge(_ first: SIMD4<Float>, _ second: SIMD4<Float>) -> SIMD4<Float> {
    let continues = (first.higher(second) * outlinePerLargeStep + 2).limited(to: 1)
    return continues * (-1 - first.lower(second) * outlinePerLargeStep).limited(to: 1)
  }

  /// Returns the openness of samples, 0 to 1, from the occlusion between atoms and between larger parts.
  @inline(__always)
  func openness(atoms: SIMD4<Float>, parts: SIMD4<Float>) -> SIMD4<Float> {
    let sum = (atoms * occlusionPerPair) * Self.atomShare + parts * partPerPair
    return 1 - occlusion * sum.atMost(1)
  }

  private static let atomShare: Float = 0.75
  private static let partShare: Float = 0.8

  /// Returns the weight of larger parts' shape, rather than that of primitives of some radii, in the lighting.
  @inline(__always)
  func shapeShare(radius: SIMD4<Float>) -> SIMD4<Float> {
    (1.25 - radius * shapeFromRadius).limited(to: mostShape)
  }
}

extension SIMD4<Float> {
  /// Returns the lower of two numbers in each lane.
  @inline(__always)
  func lower(_ other: SIMD4<Float>) -> SIMD4<Float> { replacing(with: other, where: other .< self) }

  /// Returns the higher of two numbers in each lane.
  @inline(__always)
  func higher(_ other: SIMD4<Float>) -> SIMD4<Float> { replacing(with: other, where: other .> self) }

  @inline(__always)
  func atLeast(_ bound: Float) -> SIMD4<Float> { higher(SIMD4(repeating: bound)) }

  @inline(__always)
  func atMost(_ bound: Float) -> SIMD4<Float> { lower(SIMD4(repeating: bound)) }

  /// Returns the numbers clamped between 0 and a bound.
  @inline(__always)
  func limited(to bound: Float) -> SIMD4<Float> { atLeast(0).atMost(bound) }
}

/// The measure of ambient occlusion: the degree to which pairs of opposite neighbors hide the sample between them.
///
/// Heights above a sample are fractions of the search distance. A surface far in front on one side is a different part
/// and casts no shadow. Samples between walls on both sides are dark, less so if the walls are high and may not belong
/// to the same hollow.
struct OcclusionMeasure: Sendable {
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

/// Light from one direction, and the objects in its way.
struct DirectedLight {
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
