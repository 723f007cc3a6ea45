/// The visible surface of a drawn scene: its colour in the light, sample by sample.
///
/// The memory it looks at belongs to a rasteriser and lives only as long as the closure the surface is given to.
struct Surface {
  let width: Int
  let height: Int
  let stride: Int
  let aspect: Float
  let lighting: Lighting
  let scene: Scene
  let depth: UnsafeBufferPointer<Float>
  let owner: UnsafeBufferPointer<UInt32>
  let balls: UnsafeBufferPointer<SIMD4<Float>>
  let sticks: UnsafeBufferPointer<PlacedCylinder>
  let mesh: TriangleMesh
  let corners: [SIMD3<Float>]
  let projection: Projection
  /// Distances in the buffers to one sample of every pair looked at for hollows; four or a multiple of four.
  let pairOffsets: UnsafeBufferPointer<Int>

  /// The colour of a sample with 1 as alpha, the background's where nothing is; all zero where that is transparent.
  @inline(__always)
  func color(x: Int, y: Int) -> SIMD4<Float> {
    let place = y * stride + x
    let name = owner[place]
    guard name != Owner.none else {
      return lighting.isTransparent ? .zero : lighting.background + SIMD4(0, 0, 0, 1)
    }
    let z = depth[place]
    let material = material(of: name, at: SIMD3(Float(x) + 0.5, (Float(y) + 0.5) * aspect, z))
    let lambert = max(0, (material.normal * lighting.light).sum())
    let open = 1 - lighting.occlusion * hollowness(x: x, y: y, place: place, z: z)
    let edge = 1 - lighting.outline(step: step(x: x, y: y, place: place, z: z), radius: material.radius)
    let fog = lighting.fog(atDepth: z)
    let second = lambert * lambert
    let fourth = second * second
    let sixteenth = fourth * fourth * fourth * fourth
    let highlight = lighting.highlight(radius: material.radius) * sixteenth * sixteenth * fourth * open * open * edge
    let brightness = (lighting.ambient + lighting.diffuse * lambert) * open * edge
    var color = material.color * brightness + highlight
    color += (lighting.fade - color) * fog
    color.clamp(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
    color.w = 1
    return color
  }

  /// What a primitive looks like at a point of it: the way its surface faces (y up), its colour and its radius.
  @inline(__always)
  private func material(of name: UInt32, at point: SIMD3<Float>) -> Material {
    if name & (Owner.stickBit | Owner.triangleBit) == 0 {
      let index = Int(name) - 1
      let ball = balls[index]
      let color = scene.spheres[index].color.channels
      guard ball.w >= 0.75 else { return Material(normal: SIMD3(0, 0, 1), color: color, radius: ball.w) }
      let outwards = (point - SIMD3(ball.x, ball.y, ball.z)) / ball.w
      return Material(normal: SIMD3(outwards.x, -outwards.y, outwards.z), color: color, radius: ball.w)
    }
    let index = Owner.index(name)
    if name & Owner.triangleBit != 0 { return triangleMaterial(index, at: point) }
    let stick = sticks[index]
    let normal = stick.normal(at: point)
    let isFirstHalf = stick.distanceAlongAxis(of: point) < stick.length / 2
    let color = isFirstHalf ? scene.cylinders[index].startColor : scene.cylinders[index].endColor
    return Material(
      normal: SIMD3(normal.x, -normal.y, normal.z), color: color.channels, radius: stick.radius)
  }

  /// The same for a triangle: normal and colour between those of its corners.
  private func triangleMaterial(_ index: Int, at point: SIMD3<Float>) -> Material {
    let triangle = mesh.triangles[index]
    let (first, second, third) = (Int(triangle.x), Int(triangle.y), Int(triangle.z))
    let start = corners[first]
    let plane = TrianglePlane(start, corners[second], corners[third])
    let shares = plane.shares(x: point.x - start.x, y: point.y - start.y)
    let rest = 1 - shares.x - shares.y
    let normal = mesh.normals[first] * rest + mesh.normals[second] * shares.x + mesh.normals[third] * shares.y
    let turned = projection.turned(normal).normalized
    let color =
      mesh.colors[first].channels * rest + mesh.colors[second].channels * shares.x
      + mesh.colors[third].channels * shares.y
    return Material(
      normal: turned.z < 0 ? -turned : turned, color: color, radius: Self.meshRadius * projection.scale)
  }

  /// Triangles get highlights and outlines like balls of this radius, in ångström.
  private static let meshRadius: Float = 1.7

  private struct Material {
    let normal: SIMD3<Float>
    let color: SIMD4<Float>
    let radius: Float
  }

  /// The largest drop in depth to one of the four neighbours.
  @inline(__always)
  private func step(x: Int, y: Int, place: Int, z: Float) -> Float {
    let step = lighting.outlineStep
    var lowest = z
    if x >= step { lowest = min(lowest, depth[place - step]) }
    if x + step < width { lowest = min(lowest, depth[place + step]) }
    if y >= step { lowest = min(lowest, depth[place - step * stride]) }
    if y + step < height { lowest = min(lowest, depth[place + step * stride]) }
    return z - lowest
  }

  /// How much a sample lies in a hollow, 0 to 1, from pairs of opposite samples around it.
  @inline(__always)
  private func hollowness(x: Int, y: Int, place: Int, z: Float) -> Float {
    let reach = lighting.occlusionReach
    guard x >= reach, y >= reach, x + reach < width, y + reach < height else {
      return hollownessAtBorder(x: x, y: y, z: z)
    }
    var sum = SIMD4<Float>.zero
    var index = 0
    while index + 3 < pairOffsets.count {
      let offsets = (pairOffsets[index], pairOffsets[index + 1], pairOffsets[index + 2], pairOffsets[index + 3])
      let ahead = SIMD4(
        depth[place + offsets.0], depth[place + offsets.1], depth[place + offsets.2], depth[place + offsets.3])
      let behind = SIMD4(
        depth[place - offsets.0], depth[place - offsets.1], depth[place - offsets.2], depth[place - offsets.3])
      sum += lighting.hollow(ahead - z, behind - z)
      index += 4
    }
    return min(sum.sum() / Float(max(1, pairOffsets.count)), 1)
  }

  /// The same near the border of the picture, where samples outside count as being as deep as the one in question.
  private func hollownessAtBorder(x: Int, y: Int, z: Float) -> Float {
    var sum: Float = 0
    for offset in lighting.occlusionPairs {
      let first = depth(x: x + Int(offset.x), y: y + Int(offset.y)) ?? z
      let second = depth(x: x - Int(offset.x), y: y - Int(offset.y)) ?? z
      sum += lighting.hollow(SIMD4(repeating: first - z), SIMD4(repeating: second - z)).x
    }
    return min(sum / Float(max(1, pairOffsets.count)), 1)
  }

  private func depth(x: Int, y: Int) -> Float? {
    guard x >= 0, y >= 0, x < width, y < height else { return nil }
    return depth[y * stride + x]
  }
}
