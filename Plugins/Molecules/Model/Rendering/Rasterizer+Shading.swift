extension Rasterizer {
  /// Lights every sample and averages the samples to pixels; nil when the progress closure asked to stop.
  func shade(
    _ scene: Scene, lighting: Lighting, projection: Projection, aspect: Float, progress: (Double) -> Bool
  ) -> [UInt8]? {
    let columns = width / samples
    let rows = height / samples
    guard columns > 0, rows > 0 else { return [] }
    var goesOn = true
    let pixels = [UInt8](unsafeUninitializedCapacity: 4 * columns * rows) { bytes, count in
      var line = [SIMD4<Float>](repeating: .zero, count: columns)
      withSurface(of: scene, lighting: lighting, projection: projection, aspect: aspect) { surface in
        for row in 0..<rows where goesOn {
          if row % 64 == 0 { goesOn = progress(Double(row) / Double(rows)) }
          addUp(row, of: surface, into: &line)
          store(line, into: bytes, at: 4 * row * columns)
        }
      }
      count = goesOn ? 4 * columns * rows : 0
    }
    return goesOn ? pixels : nil
  }

  /// Gives a closure the drawn surface, whose memory lives as long as the closure runs.
  private func withSurface(
    of scene: Scene, lighting: Lighting, projection: Projection, aspect: Float, _ body: (Surface) -> Void
  ) {
    let offsets = lighting.occlusionPairs.map { Int($0.y) * stride + Int($0.x) }
    depth.withUnsafeBufferPointer { depth in
      owner.withUnsafeBufferPointer { owner in
        spheres.withUnsafeBufferPointer { balls in
          cylinders.withUnsafeBufferPointer { sticks in
            offsets.withUnsafeBufferPointer { offsets in
              body(
                Surface(
                  width: width, height: height, stride: stride, aspect: aspect, lighting: lighting, scene: scene,
                  depth: depth, owner: owner, balls: balls, sticks: sticks, mesh: mesh, corners: corners,
                  projection: projection, pairOffsets: offsets))
            }
          }
        }
      }
    }
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
