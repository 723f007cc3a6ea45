/// The numbers of a style worked out for one picture; lengths are in widths of a sample.
struct Lighting: Sendable {
  let light: SIMD3<Float>
  let ambient: Float
  let diffuse: Float
  private let specular: Float
  let background: SIMD4<Float>
  let isTransparent: Bool
  let fade: SIMD4<Float>
  private let fogPerDepth: Float
  private let fogAtMiddle: Float
  let outline: Float
  let outlineStep: Int
  private let outlineThreshold: Float
  private let outlineFromRadius: Float
  private let outlinePerRadius: Float
  let occlusion: Float
  /// The farthest sample looked at for hollows, along x or y.
  let occlusionReach: Int
  /// One sample of every pair of opposite ones looked at for hollows, as x and y from the sample in question.
  let occlusionPairs: [SIMD2<Int32>]
  private let occlusionPerDepth: Float

  init(_ style: RenderStyle, projection: Projection, samples: Int) {
    let direction = style.light.normalized
    light = direction == .zero ? SIMD3(0, 0, 1) : direction
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
    outlineThreshold = max(style.outlineDepth * projection.scale, Float(samples))
    outlineFromRadius = 1.2 * Float(samples)
    outlinePerRadius = 1 / (3 * Float(samples))
    let reach = min(max(Self.occlusionRadius * projection.scale, 2 * Float(samples)), 24 * Float(samples))
    occlusion = style.occlusion
    occlusionReach = Int(reach)
    occlusionPairs = Self.pairs(reach: Int32(reach))
    occlusionPerDepth = 1 / reach
  }

  /// Hollows are looked for within this distance, in ångström: about the radius of an atom.
  private static let occlusionRadius: Float = 1.8

  /// Four pairs, or twelve on three rings where they lie so far apart that one could make out their pattern.
  private static func pairs(reach: Int32) -> [SIMD2<Int32>] {
    guard reach > 6 else {
      let near = (reach + 1) / 2
      let slant = (reach * 3 + 2) / 4
      return [SIMD2(reach, 0), SIMD2(0, near), SIMD2(slant, slant), SIMD2(-slant, slant)]
    }
    // Unit directions 45° apart in hundredths, each ring turned by 15° against the one before.
    let directions: [[SIMD2<Int32>]] = [
      [SIMD2(100, 0), SIMD2(71, 71), SIMD2(0, 100), SIMD2(-71, 71)],
      [SIMD2(97, 26), SIMD2(50, 87), SIMD2(-26, 97), SIMD2(-87, 50)],
      [SIMD2(87, 50), SIMD2(26, 97), SIMD2(-50, 87), SIMD2(-97, 26)],
    ]
    return zip(directions, [100, 72, 42] as [Int32]).flatMap { ring, share in
      ring.map { SIMD2(($0.x * share * reach) / 10_000, ($0.y * share * reach) / 10_000) }
    }
  }

  /// How far a surface at a depth has faded into the background, 0 to 1.
  @inline(__always)
  func fog(atDepth z: Float) -> Float {
    min(max(fogAtMiddle - z * fogPerDepth, 0), 1)
  }

  /// The brightness of the highlight on a primitive of a radius: on tiny ones it would be white noise.
  @inline(__always)
  func highlight(radius: Float) -> Float {
    specular * min(max((radius - outlineFromRadius) * outlinePerRadius, 0.15), 1)
  }

  /// How dark the outline is at a step in depth, for a primitive of a radius; thin ones get none, or all would be dark.
  @inline(__always)
  func outline(step: Float, radius: Float) -> Float {
    let size = min(max((radius - outlineFromRadius) * outlinePerRadius, 0), 1)
    let height = min(max(step / outlineThreshold - 1, 0), 1)
    return outline * size * height
  }

  /// How much pairs of opposite neighbours at given heights above a sample hide it: only hollows count.
  ///
  /// Heights count as shares of the search radius. What stands far in front on one side is another part and throws no
  /// shade; between walls on both sides it is dark, less so where they are high and may not belong to the hollow at all.
  @inline(__always)
  func hollow(_ first: SIMD4<Float>, _ second: SIMD4<Float>) -> SIMD4<Float> {
    let one = shares(first)
    let other = shares(second)
    let sum = faded(one) + faded(other)
    let lower = one.replacing(with: other, where: other .< one)
    var depth = 2 - 0.5 * lower
    depth.replace(with: 1, where: depth .> 1)
    depth.replace(with: 0.4, where: depth .< 0.4)
    let between = lower.replacing(with: 1, where: lower .> 1) * depth * 2
    let hollow = sum.replacing(with: between, where: between .> sum)
    return hollow.replacing(with: 0, where: hollow .< 0)
  }

  @inline(__always)
  private func shares(_ heights: SIMD4<Float>) -> SIMD4<Float> {
    let shares = heights * occlusionPerDepth
    return shares.replacing(with: -1, where: shares .< -1)
  }

  /// Shares up to 1 as they are, falling to 0 at 3.
  @inline(__always)
  private func faded(_ shares: SIMD4<Float>) -> SIMD4<Float> {
    var falling = 1.5 - 0.5 * shares
    falling.replace(with: 0, where: falling .< 0)
    return shares.replacing(with: falling, where: falling .< shares)
  }
}
