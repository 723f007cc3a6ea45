extension Rasterizer {
  /// The number of sample rows lit in one piece of work.
  private static let rowsPerPiece = 16

  /// Lights every sample and averages the samples to pixels; returns nil if `progress` returned false.
  ///
  /// - Parameter openness: The openness of each sample; nil to estimate it from the depths around it.
  func shade(
    _ lighting: Lighting, openness: RawColumn<Float>?, _ work: ParallelWork, _ report: inout RenderReport
  ) -> [UInt8]? {
    let columns = width / samples
    let rows = height / samples
    let step = max(1, Self.rowsPerPiece / samples)
    let offsets = lighting.occlusionPairs.map { Int($0.y) * stride + Int($0.x) }
    var goesOn = true
    let pixels = [UInt8](unsafeUninitializedCapacity: 4 * columns * rows) { bytes, count in
      offsets.withUnsafeBufferPointer { offsets in
        let surface = surface(lighting, openness: openness, offsets)
        goesOn = report.perform((rows + step - 1) / step, work) { piece in
          shade(piece * step..<min((piece + 1) * step, rows), of: surface, into: bytes)
        }
      }
      count = goesOn ? 4 * columns * rows : 0
    }
    return goesOn ? pixels : nil
  }

  /// Returns the surface to light, valid until something else is drawn.
  func surface(
    _ lighting: Lighting, openness: RawColumn<Float>?, _ offsets: UnsafeBufferPointer<Int>
  ) -> Surface {
    Surface(
      width: width, height: height, stride: stride, aspect: aspect, lighting: lighting,
      depth: UnsafePointer(depth.base), owner: UnsafePointer(owner.base), balls: UnsafePointer(placed.balls.base),
      ballColors: UnsafePointer(placed.ballColors.base), sticks: UnsafePointer(placed.sticks.base),
      stickColors: UnsafePointer(placed.stickColors.base), triangles: UnsafePointer(placed.triangles.base),
      corners: placed.corners.base, patchStarts: UnsafePointer(placed.patchStarts.base),
      meshRadius: Surface.meshRadiusInAngstroms * lighting.scale,
      openness: openness.map { UnsafePointer($0.base) }, pairOffsets: offsets)
  }

  /// Lights a range of rows of pixels.
  private func shade(_ rows: Range<Int>, of surface: Surface, into bytes: UnsafeMutableBufferPointer<UInt8>) {
    let columns = width / samples
    guard samples > 1 else {
      for row in rows { store(row, of: surface, into: bytes) }
      return
    }
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: columns + 1) { line in
      for row in rows {
        line.initialize(repeating: .zero)
        for y in row * samples..<(row + 1) * samples { addUp(y, of: surface, to: line) }
        store(line, into: bytes, at: 4 * row * columns)
      }
    }
  }

  /// Lights one row of samples that are pixels, four at a time.
  @inline(__always)
  private func store(_ row: Int, of surface: Surface, into bytes: UnsafeMutableBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress.map({ UnsafeMutableRawPointer($0 + 4 * row * width) }) else { return }
    for x in Swift.stride(from: 0, to: width, by: 4) {
      let colors = surface.colors(x: x, y: row)
      let pixels =
        Self.byte(colors.red) | Self.byte(colors.green) &<< 8 | Self.byte(colors.blue) &<< 16
        | Self.byte(colors.alpha * 255) &<< 24
      if x + 4 <= width {
        (start + 4 * x).storeBytes(of: pixels, as: SIMD4<UInt32>.self)
      } else {
        for lane in 0..<width - x { (start + 4 * (x + lane)).storeBytes(of: pixels[lane], as: UInt32.self) }
      }
    }
  }

  /// Returns numbers from 0 to 255 rounded to integers: they fall into the mantissa of 2²³.
  @inline(__always)
  private static func byte(_ numbers: SIMD4<Float>) -> SIMD4<UInt32> {
    unsafeBitCast(numbers + 8_388_608, to: SIMD4<UInt32>.self) & 0xFF
  }

  /// Accumulates the samples of one row into their pixels, colors weighted by their alpha.
  @inline(__always)
  private func addUp(_ y: Int, of surface: Surface, to line: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    var (column, sample) = (0, 0)
    for x in Swift.stride(from: 0, to: width, by: 4) {
      let colors = surface.colors(x: x, y: y)
      for lane in 0..<min(4, width - x) {
        line[column] += SIMD4(colors.red[lane], colors.green[lane], colors.blue[lane], 1) * colors.alpha[lane]
        sample += 1
        if sample == samples { (column, sample) = (column + 1, 0) }
      }
    }
  }

  /// Writes a row of sums as bytes: the mean color of the covered samples, and their number as alpha.
  @inline(__always)
  private func store(
    _ line: UnsafeMutableBufferPointer<SIMD4<Float>>, into bytes: UnsafeMutableBufferPointer<UInt8>, at start: Int
  ) {
    let share = 1 / Float(samples * samples)
    for column in 0..<width / samples {
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
