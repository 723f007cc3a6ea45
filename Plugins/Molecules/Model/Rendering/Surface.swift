/// The visible surface of a drawn scene with its lit colors, four samples of a row at a time.
///
/// Its memory belongs to a rasterizer and is not changed while the surface is in use.
struct Surface {
  let width: Int
  let height: Int
  let stride: Int
  let aspect: Float
  let lighting: Lighting
  let depth: UnsafePointer<Float>
  let owner: UnsafePointer<UInt32>
  let balls: UnsafePointer<SIMD4<Float>>
  let ballColors: UnsafePointer<UInt32>
  let sticks: UnsafePointer<PlacedCylinder>
  let stickColors: UnsafePointer<SIMD2<UInt32>>
  let triangles: UnsafePointer<SIMD4<UInt32>>
  let corners: UnsafeMutablePointer<PlacedColumns.Corner>
  let patchStarts: UnsafePointer<SIMD2<UInt32>>
  let meshRadius: Float
  /// The openness of each sample, 0 to 1; nil if it is estimated from the depths around it.
  let openness: UnsafePointer<Float>?
  /// The offsets in the buffers to one sample of every pair examined for occlusion.
  let pairOffsets: UnsafeBufferPointer<Int>

  /// The radius in ångström of balls whose highlights and outlines triangles share.
  static let meshRadiusInAngstroms: Float = 1.7

  /// The colors of four samples: red, green and blue from 0 to 255, and 1 if there is a color, else 0.
  struct Colors {
    var red: SIMD4<Float>
    var green: SIMD4<Float>
    var blue: SIMD4<Float>
    var alpha: SIMD4<Float>
  }

  /// The appearance of primitives at four samples: normal (y up), color and radius.
  private struct Material {
    var x = SIMD4<Float>.zero
    var y = SIMD4<Float>.zero
    var z = SIMD4<Float>(repeating: 1)
    var red = SIMD4<Float>.zero
    var green = SIMD4<Float>.zero
    var blue = SIMD4<Float>.zero
    var radius = SIMD4<Float>.zero
  }

  /// Returns the colors of four samples of a row from one on; values beyond the row's end are meaningless.
  @inline(__always)
  func colors(x: Int, y: Int) -> Colors {
    let sample = y * stride + x
    let z = load(sample)
    let isCovered = z .> SIMD4(repeating: Self.leastDepth)
    let blank = background
    guard isCovered.isAnySet else { return blank }
    let lit = lit(x: x, y: y, sample: sample, z: z)
    if isCovered.isAllSet { return lit }
    return Colors(
      red: blank.red.replacing(with: lit.red, where: isCovered),
      green: blank.green.replacing(with: lit.green, where: isCovered),
      blue: blank.blue.replacing(with: lit.blue, where: isCovered),
      alpha: blank.alpha.replacing(with: 1, where: isCovered))
  }

  /// The least depth of a covered sample.
  private static let leastDepth: Float = -1e37

  @inline(__always)
  private var background: Colors {
    Colors(
      red: SIMD4(repeating: lighting.background.x), green: SIMD4(repeating: lighting.background.y),
      blue: SIMD4(repeating: lighting.background.z), alpha: SIMD4(repeating: lighting.isTransparent ? 0 : 1))
  }

  @inline(__always)
  private func lit(x: Int, y: Int, sample: Int, z: SIMD4<Float>) -> Colors {
    let material = material(x: x, y: y, sample: sample, z: z)
    let around = around(x: x, y: y, sample: sample, z: z)
    let lambert = lambert(material, around)
    let size = lighting.size(radius: material.radius)
    let open = openness(sample, around)
    let edge = 1 - lighting.outline(step: around.fall, size: size, edges: around.edges)
    let second = lambert * lambert
    let fourth = second * second
    let sixteenth = fourth * fourth * fourth * fourth
    let highlight = lighting.highlight(size: size) * sixteenth * sixteenth * fourth * open * open * edge
    let brightness = (lighting.ambient + lighting.diffuse * lambert) * open * edge
    let fog = lighting.fog(atDepth: z)
    @inline(__always)
    func shade(_ color: SIMD4<Float>, _ fade: Float) -> SIMD4<Float> {
      let bright = color * brightness + highlight
      return (bright + (fade - bright) * fog).limited(to: 255)
    }
    return Colors(
      red: shade(material.red, lighting.fade.x), green: shade(material.green, lighting.fade.y),
      blue: shade(material.blue, lighting.fade.z), alpha: SIMD4(repeating: 1))
  }

  /// Returns the cosine of the angle of incidence: on the primitives, or on their larger part if they are too small for
  /// their shape to be visible.
  @inline(__always)
  private func lambert(_ material: Material, _ around: Around) -> SIMD4<Float> {
    let light = lighting.light
    let own = (material.x * light.x + material.y * light.y + material.z * light.z).atLeast(0)
    let length = (around.slopeX * around.slopeX + around.slopeY * around.slopeY + 1).squareRoot()
    let shape = ((light.z - around.slopeX * light.x + around.slopeY * light.y) / length).atLeast(0)
    return own + (shape - own) * lighting.shapeShare(radius: material.radius)
  }

  /// Returns the openness of samples, by views from other directions or by the occlusion around them.
  @inline(__always)
  private func openness(_ sample: Int, _ around: Around) -> SIMD4<Float> {
    guard let openness else { return lighting.openness(atoms: around.atomOcclusion, parts: around.partOcclusion) }
    let open = UnsafeRawPointer(openness + sample).loadUnaligned(as: SIMD4<Float>.self)
    return 1 - lighting.occlusion * (1 - open)
  }

  /// Returns the normals (y up) at four samples of a row; meaningless at empty samples.
  func normals(x: Int, y: Int) -> (x: SIMD4<Float>, y: SIMD4<Float>, z: SIMD4<Float>) {
    let sample = y * stride + x
    let material = material(x: x, y: y, sample: sample, z: load(sample))
    return (material.x, material.y, material.z)
  }

  @inline(__always)
  private func load(_ sample: Int) -> SIMD4<Float> {
    UnsafeRawPointer(depth + sample).loadUnaligned(as: SIMD4<Float>.self)
  }

  // MARK: Materials

  @inline(__always)
  private func material(x: Int, y: Int, sample: Int, z: SIMD4<Float>) -> Material {
    let names = UnsafeRawPointer(owner + sample).loadUnaligned(as: SIMD4<UInt32>.self)
    let across = SIMD4<Float>(0.5, 1.5, 2.5, 3.5) + Float(x)
    let down = (Float(y) + 0.5) * aspect
    if (names.x | names.y | names.z | names.w) & Owner.kindBits == 0 {
      let isOne = (names .== SIMD4(repeating: names.x)).isAllSet
      return isOne ? ballMaterial(names.x, across, down, z) : ballMaterial(names, across, down, z)
    }
    var material = Material()
    for lane in 0..<4 {
      let point = SIMD3(across[lane], down, z[lane])
      let (normal, color, radius) = mixedMaterial(names[lane], at: point)
      (material.x[lane], material.y[lane], material.z[lane]) = (normal.x, normal.y, normal.z)
      (material.red[lane], material.green[lane], material.blue[lane]) = (color.x, color.y, color.z)
      material.radius[lane] = radius
    }
    return material
  }

  /// Returns the material of four samples that all show one ball, as most do in large pictures.
  @inline(__always)
  private func ballMaterial(
    _ name: UInt32, _ across: SIMD4<Float>, _ down: Float, _ z: SIMD4<Float>
  ) -> Material {
    let ball = balls[Int(name)]
    let color = RGBColor.shades(ofPacked: ballColors[Int(name)])
    var material = Material(
      red: SIMD4(repeating: color.x), green: SIMD4(repeating: color.y), blue: SIMD4(repeating: color.z),
      radius: SIMD4(repeating: ball.w))
    if ball.w >= 0.75 {
      let perRadius = 1 / ball.w
      material.x = (across - ball.x) * perRadius
      material.y = SIMD4(repeating: (ball.y - down) * perRadius)
      material.z = (z - ball.z) * perRadius
    }
    return material
  }

  @inline(__always)
  private func ballMaterial(
    _ names: SIMD4<UInt32>, _ across: SIMD4<Float>, _ down: Float, _ z: SIMD4<Float>
  ) -> Material {
    let (a, b) = (balls[Int(names.x)], balls[Int(names.y)])
    let (c, d) = (balls[Int(names.z)], balls[Int(names.w)])
    let radius = SIMD4(a.w, b.w, c.w, d.w)
    let packed = SIMD4(
      ballColors[Int(names.x)], ballColors[Int(names.y)], ballColors[Int(names.z)], ballColors[Int(names.w)])
    let isTiny = radius .< 0.75
    let perRadius = 1 / radius
    let outX = (across - SIMD4(a.x, b.x, c.x, d.x)) * perRadius
    let outY = (SIMD4(a.y, b.y, c.y, d.y) - down) * perRadius
    let outZ = (z - SIMD4(a.z, b.z, c.z, d.z)) * perRadius
    return Material(
      x: outX.replacing(with: 0, where: isTiny), y: outY.replacing(with: 0, where: isTiny),
      z: outZ.replacing(with: 1, where: isTiny), red: Self.float(packed & 0xFF),
      green: Self.float(packed &>> 8 & 0xFF), blue: Self.float(packed &>> 16 & 0xFF), radius: radius)
  }

  /// Returns small integers as floating-point numbers: they are put into the mantissa of 2²³.
  @inline(__always)
  private static func float(_ numbers: SIMD4<UInt32>) -> SIMD4<Float> {
    unsafeBitCast(numbers | 0x4B00_0000, to: SIMD4<Float>.self) - 8_388_608
  }

  /// Returns normal, color and radius of one sample of any kind.
  private func mixedMaterial(
    _ name: UInt32, at point: SIMD3<Float>
  ) -> (normal: SIMD3<Float>, color: SIMD4<Float>, radius: Float) {
    let index = Owner.index(name)
    switch name & Owner.kindBits {
    case Owner.stickBit:
      let stick = sticks[index]
      let normal = stick.normal(at: point)
      let colors = stickColors[index]
      let isFirstHalf = stick.distanceAlongAxis(of: point) < stick.length / 2
      return (
        SIMD3(normal.x, -normal.y, normal.z), RGBColor.shades(ofPacked: isFirstHalf ? colors.x : colors.y),
        stick.radius
      )
    case Owner.triangleBit:
      let triangle = triangles[Int(patchStarts[Owner.patch(name)].x) + Owner.placeInPatch(name)]
      let look = PlacedTriangle(triangle, corners).look(x: point.x, y: point.y)
      return (look.normal, look.color, meshRadius)
    default:
      let ball = balls[index]
      let color = RGBColor.shades(ofPacked: ballColors[index])
      guard ball.w >= 0.75 else { return (SIMD3(0, 0, 1), color, ball.w) }
      let outwards = (point - SIMD3(ball.x, ball.y, ball.z)) / ball.w
      return (SIMD3(outwards.x, -outwards.y, outwards.z), color, ball.w)
    }
  }

  // MARK: Surroundings

  /// The surroundings of four samples of a row.
  private struct Around {
    /// The fall of the surface beside samples on the edge of a wide feature, else 0.
    var fall = SIMD4<Float>.zero
    /// The occlusion between atoms, summed over all pairs.
    var atomOcclusion = SIMD4<Float>.zero
    /// The occlusion between larger parts, summed over all pairs.
    var partOcclusion = SIMD4<Float>.zero
    /// The slope of larger parts to the right and downward.
    var slopeX = SIMD4<Float>.zero
    var slopeY = SIMD4<Float>.zero
    /// The degree to which the samples are an edge of larger parts, 0 to 1: they continue on one side and end on the
    /// other.
    var edges = SIMD4<Float>.zero
  }

  @inline(__always)
  private func around(x: Int, y: Int, sample: Int, z: SIMD4<Float>) -> Around {
    let reach = max(lighting.occlusionReach, Int(lighting.shapeReach), 2 * lighting.featureStep)
    guard isInside(x: x, y: y, reach: reach) else { return aroundAtBorder(x: x, y: y, z: z) }
    var around = Around()
    if lighting.outlineFall < .infinity {
      around.fall = fall(z) { across, down in load(sample + down * stride + across) }
    }
    let atomOcclusion = lighting.atomOcclusion
    for offset in pairOffsets {
      around.atomOcclusion += atomOcclusion(load(sample + offset) - z, load(sample - offset) - z)
    }
    let partOcclusion = lighting.partOcclusion
    for index in 0..<lighting.shapePairCount {
      let offset = Int(lighting.shapeY[index]) * stride + Int(lighting.shapeX[index])
      let (ahead, behind) = (load(sample + offset) - z, load(sample - offset) - z)
      around.partOcclusion += partOcclusion(ahead, behind)
      addShape(index, ahead, behind, to: &around)
    }
    return around
  }

  @inline(__always)
  private func isInside(x: Int, y: Int, reach: Int) -> Bool {
    x >= reach && y >= reach && x + 3 + reach < width && y + reach < height
  }

  /// Returns the surroundings of samples at the border: samples beyond it are replaced by the nearest ones inside.
  @inline(never)
  private func aroundAtBorder(x: Int, y: Int, z: SIMD4<Float>) -> Around {
    var around = Around()
    if lighting.outlineFall < .infinity { around.fall = fall(z) { across, down in load(x + across, y + down) } }
    for pair in lighting.occlusionPairs {
      let (dx, dy) = (Int(pair.x), Int(pair.y))
      around.atomOcclusion += lighting.atomOcclusion(load(x + dx, y + dy) - z, load(x - dx, y - dy) - z)
    }
    for index in 0..<lighting.shapePairCount {
      let (dx, dy) = (Int(lighting.shapeX[index]), Int(lighting.shapeY[index]))
      let (ahead, behind) = (load(x + dx, y + dy) - z, load(x - dx, y - dy) - z)
      around.partOcclusion += lighting.partOcclusion(ahead, behind)
      addShape(index, ahead, behind, to: &around)
    }
    return around
  }

  /// Returns the fall of the surface beside samples on the edge of a wide feature, 0 elsewhere.
  ///
  /// - Parameter depth: Returns the depths at an offset across and down from the samples.
  @inline(__always)
  private func fall(_ z: SIMD4<Float>, _ depth: (_ across: Int, _ down: Int) -> SIMD4<Float>) -> SIMD4<Float> {
    let step = lighting.outlineStep
    let (left, right, up, down) = (depth(-step, 0), depth(step, 0), depth(0, -step), depth(0, step))
    let least = SIMD4<Float>(repeating: lighting.outlineFall)
    // Few samples lie on an edge: the other side is examined only for those.
    guard (z - left.lower(right).lower(up.lower(down)) .> least).isAnySet else { return .zero }
    let (half, whole) = (lighting.featureStep, 2 * lighting.featureStep)
    @inline(__always)
    func fall(to neighbor: SIMD4<Float>, _ middle: SIMD4<Float>, _ end: SIMD4<Float>) -> SIMD4<Float> {
      // The other side may slope away by one sample per sample.
      let isWide = (z - middle .< least + Float(half)) .& (z - end .< least + Float(whole))
      return SIMD4<Float>.zero.replacing(with: z - neighbor, where: isWide)
    }
    return fall(to: left, depth(half, 0), depth(whole, 0))
      .higher(fall(to: right, depth(-half, 0), depth(-whole, 0)))
      .higher(fall(to: up, depth(0, half), depth(0, whole)))
      .higher(fall(to: down, depth(0, -half), depth(0, -whole)))
  }

  /// Adds the shape of larger parts derived from heights on two sides: horizontal pairs first, then vertical ones.
  @inline(__always)
  private func addShape(_ index: Int, _ ahead: SIMD4<Float>, _ behind: SIMD4<Float>, to around: inout Around) {
    if index > 1 { return }
    around.edges = around.edges.higher(lighting.edge(ahead, behind))
    if index == 0 {
      around.slopeX = slope(ahead, behind)
    } else {
      around.slopeY = slope(ahead, behind) / aspect
    }
  }

  /// Returns the slope of larger parts between two positions; steps to distant surfaces have little weight.
  @inline(__always)
  private func slope(_ ahead: SIMD4<Float>, _ behind: SIMD4<Float>) -> SIMD4<Float> {
    let reach = lighting.shapeReach
    let (low, high) = (SIMD4<Float>(repeating: -2 * reach), SIMD4<Float>(repeating: 2 * reach))
    return (ahead.higher(low).lower(high) - behind.higher(low).lower(high)) * (0.5 / reach)
  }

  /// Returns the depths of four samples of a row; beyond the border those of the nearest samples inside.
  @inline(__always)
  private func load(_ x: Int, _ y: Int) -> SIMD4<Float> {
    load(min(max(y, 0), height - 1) * stride + min(max(x, 0), max(width - 4, 0)))
  }
}
