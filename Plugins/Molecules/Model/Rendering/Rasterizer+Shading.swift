extension Rasterizer {
  /// Lights every sample and averages the samples to pixels; nil when the progress closure asked to stop.
  func shade(
    _ scene: Scene, lighting: Lighting, aspect: Float, progress: (Double) -> Bool
  ) -> [UInt8]? {
    let columns = width / samples
    let rows = height / samples
    guard columns > 0, rows > 0 else { return [] }
    var goesOn = true
    let pixels = [UInt8](unsafeUninitializedCapacity: 4 * columns * rows) { bytes, count in
      var line = [SIMD4<Float>](repeating: .zero, count: columns)
      depth.withUnsafeBufferPointer { depths in
        owner.withUnsafeBufferPointer { owners in
          let surface = Surface(
            of: self, scene: scene, lighting: lighting, aspect: aspect, depth: depths, owner: owners)
          for row in 0..<rows where goesOn {
            if row % 64 == 0 { goesOn = progress(Double(row) / Double(rows)) }
            addUp(row, of: surface, into: &line)
            store(line, into: bytes, at: 4 * row * columns)
          }
        }
      }
      count = goesOn ? 4 * columns * rows : 0
    }
    return goesOn ? pixels : nil
  }

  /// Adds up the samples of one row of pixels, colours weighted by their alpha.
  @inline(__always)
  private func addUp(_ row: Int, of surface: Surface, into line: inout [SIMD4<Float>]) {
    line.withUnsafeMutableBufferPointer { line in
      line.update(repeating: .zero)
      for y in row * samples..<(row + 1) * samples {
        var x = 0
        for column in 0..<line.count {
          for _ in 0..<samples {
            line[column] += surface.color(x: x, y: y)
            x += 1
          }
        }
      }
    }
  }

  /// Writes a row of sums as bytes: the mean colour of the covered samples, and how many there are as alpha.
  @inline(__always)
  private func store(_ line: [SIMD4<Float>], into bytes: UnsafeMutableBufferPointer<UInt8>, at start: Int) {
    let share = 1 / Float(samples * samples)
    for column in 0..<line.count {
      let sum = line[column]
      let mean = sum.w > 0 ? sum / sum.w : .zero
      let place = start + 4 * column
      bytes[place] = UInt8(min(max(mean.x + 0.5, 0), 255))
      bytes[place + 1] = UInt8(min(max(mean.y + 0.5, 0), 255))
      bytes[place + 2] = UInt8(min(max(mean.z + 0.5, 0), 255))
      bytes[place + 3] = UInt8(min(max(sum.w * share * 255 + 0.5, 0), 255))
    }
  }
}

/// The visible surface of a drawn scene: its colour in the light, sample by sample.
private struct Surface {
  let raster: Rasterizer
  let scene: Scene
  let lighting: Lighting
  let aspect: Float
  let depth: UnsafeBufferPointer<Float>
  let owner: UnsafeBufferPointer<UInt32>
  /// Distances in the buffers to one sample of every pair looked at for hollows.
  let pairOffsets: [Int]
  let pairShare: Float

  init(
    of raster: Rasterizer, scene: Scene, lighting: Lighting, aspect: Float, depth: UnsafeBufferPointer<Float>,
    owner: UnsafeBufferPointer<UInt32>
  ) {
    self.raster = raster
    self.scene = scene
    self.lighting = lighting
    self.aspect = aspect
    self.depth = depth
    self.owner = owner
    pairOffsets = lighting.occlusionPairs.map { Int($0.y) * raster.stride + Int($0.x) }
    pairShare = 1 / Float(max(1, pairOffsets.count))
  }

  /// The colour of a sample with 1 as alpha, the background's where nothing is; all zero where that is transparent.
  @inline(__always)
  func color(x: Int, y: Int) -> SIMD4<Float> {
    let place = y * raster.stride + x
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
    let highlight = lighting.highlight(radius: material.radius) * sixteenth * sixteenth * fourth * open * edge
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
    if name & Owner.stickBit == 0 {
      let index = Int(name) - 1
      let ball = raster.spheres[index]
      let color = scene.spheres[index].color.channels
      guard ball.w >= 0.75 else { return Material(normal: SIMD3(0, 0, 1), color: color, radius: ball.w) }
      let outwards = (point - SIMD3(ball.x, ball.y, ball.z)) / ball.w
      return Material(normal: SIMD3(outwards.x, -outwards.y, outwards.z), color: color, radius: ball.w)
    }
    let index = Int(name & ~Owner.stickBit)
    let stick = raster.cylinders[index]
    let normal = stick.normal(at: point)
    let isFirstHalf = stick.distanceAlongAxis(of: point) < stick.length / 2
    let color = isFirstHalf ? scene.cylinders[index].startColor : scene.cylinders[index].endColor
    return Material(
      normal: SIMD3(normal.x, -normal.y, normal.z), color: color.channels, radius: stick.radius)
  }

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
    if x + step < raster.width { lowest = min(lowest, depth[place + step]) }
    if y >= step { lowest = min(lowest, depth[place - step * raster.stride]) }
    if y + step < raster.height { lowest = min(lowest, depth[place + step * raster.stride]) }
    return z - lowest
  }

  /// How much a sample lies in a hollow, 0 to 1, from pairs of opposite samples around it.
  @inline(__always)
  private func hollowness(x: Int, y: Int, place: Int, z: Float) -> Float {
    let reach = lighting.occlusionReach
    guard x >= reach, y >= reach, x + reach < raster.width, y + reach < raster.height else {
      return hollownessAtBorder(x: x, y: y, z: z)
    }
    var sum: Float = 0
    for offset in pairOffsets {
      sum += lighting.hollow(depth[place + offset] - z, depth[place - offset] - z)
    }
    return min(sum * pairShare, 1)
  }

  /// The same near the border of the picture, where samples outside count as being as deep as the one in question.
  private func hollownessAtBorder(x: Int, y: Int, z: Float) -> Float {
    var sum: Float = 0
    for offset in lighting.occlusionPairs {
      let first = depth(x: x + Int(offset.x), y: y + Int(offset.y)) ?? z
      let second = depth(x: x - Int(offset.x), y: y - Int(offset.y)) ?? z
      sum += lighting.hollow(first - z, second - z)
    }
    return min(sum * pairShare, 1)
  }

  private func depth(x: Int, y: Int) -> Float? {
    guard x >= 0, y >= 0, x < raster.width, y < raster.height else { return nil }
    return depth[y * raster.stride + x]
  }
}
