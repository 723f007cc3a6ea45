/// Decodes fingerprints that are compressed by wavelets and scalar quantization (WSQ).
///
/// - Source: FBI, "WSQ Gray-Scale Fingerprint Image Compression Specification" IAFIS-IC-0110 (V3): sections 2.3
///   (quantization), 2.4 (wavelet transform) and 3.
enum WSQDecoder {
  /// Returns the grays of a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - mostPixels: The largest image for which room is made.
  /// - Returns: Row by row from the top, 0 black … 255 white.
  /// - Throws: ``WSQError``.
  static func decode(_ bytes: [UInt8], mostPixels: Int) throws(WSQError) -> (width: Int, height: Int, grays: [UInt8]) {
    let file = try WSQFile(bytes, mostPixels: mostPixels)
    let subbands = WSQSubbands(width: file.width, height: file.height)
    var plane = try plane(of: file, subbands)
    var synthesis = WSQSynthesis(lowPass: file.lowPass, highPass: file.highPass)
    for region in subbands.joints { synthesis.join(region, in: &plane, width: file.width) }
    let grays = plane.map { UInt8(max(0, min(255, ($0 * file.scale + file.shift + 0.5)))) }
    return (file.width, file.height, grays)
  }

  /// Returns the coefficients of all subbands, each in its region.
  ///
  /// - Source: IAFIS-IC-0110 (V3), section 2.3: a coefficient is (|p| - C) · Q + Z / 2 with the sign of p.
  private static func plane(of file: WSQFile, _ subbands: WSQSubbands) throws(WSQError) -> [Float] {
    var plane = [Float](repeating: 0, count: file.width * file.height)
    var index = 0
    for (number, band) in subbands.bands.enumerated() {
      let (bin, zero) = (file.binWidths[number], file.zeroBinWidths[number] / 2)
      guard bin > 0 else { continue }
      guard index + band.width * band.height <= file.coefficients.count else {
        throw .truncated(reason: "coefficients of subband \(number) are missing")
      }
      for y in band.y..<(band.y + band.height) {
        for x in band.x..<(band.x + band.width) {
          let value = Float(file.coefficients[index])
          index += 1
          if value > 0 { plane[y * file.width + x] = bin * (value - file.binCenter) + zero }
          if value < 0 { plane[y * file.width + x] = bin * (value + file.binCenter) - zero }
        }
      }
    }
    guard index == file.coefficients.count else {
      throw .damaged(reason: "\(file.coefficients.count - index) coefficients belong to no subband")
    }
    return plane
  }
}

/// The synthesis that joins the halves of a decomposition.
///
/// Signals are extended by reflection at their first and last sample. Samples at even indices come from the low-pass
/// half, those at odd indices from the high-pass half.
/// - Source: IAFIS-IC-0110 (V3), section 2.4: the synthesis filters are the analysis filters of the other half with
///   alternating signs.
private struct WSQSynthesis {
  /// From the center on: for samples of the low-pass half, and of the high-pass half.
  private let (low, high): ([Float], [Float])
  /// The samples beyond each end that a filter reaches.
  private let margin: Int
  private var (lowSamples, highSamples, line): ([Float], [Float], [Float]) = ([], [], [])

  /// - Parameters:
  ///   - lowPass: The analysis filter from its center on.
  ///   - highPass: The same of the other half.
  init(lowPass: [Float], highPass: [Float]) {
    low = highPass.enumerated().map { $0 % 2 == 0 ? $1 : -$1 }
    high = lowPass.enumerated().map { $0 % 2 == 0 ? $1 : -$1 }
    margin = max(low.count, high.count) / 2 + 1
  }

  /// Makes one region of its four parts.
  mutating func join(_ region: WSQRegion, in plane: inout [Float], width: Int) {
    plane.withUnsafeMutableBufferPointer { plane in
      for column in region.x..<(region.x + region.width) {
        join(plane, from: region.y * width + column, region.height, stride: width, isTurned: region.turnsRows)
      }
      for row in region.y..<(region.y + region.height) {
        join(plane, from: row * width + region.x, region.width, stride: 1, isTurned: region.turnsColumns)
      }
    }
  }

  /// Makes one line of its two halves.
  private mutating func join(
    _ plane: UnsafeMutableBufferPointer<Float>, from start: Int, _ length: Int, stride: Int, isTurned: Bool
  ) {
    if length == 0 { return }
    let first = WSQRegion.first(of: length, isTurned: isTurned)
    let lowStart = isTurned ? start + first * stride : start
    let highStart = isTurned ? start : start + first * stride
    let count = (length + 1) / 2 + 2 * margin
    if lowSamples.count < count {
      lowSamples = [Float](repeating: 0, count: count)
      highSamples = lowSamples
    }
    if line.count < length { line = [Float](repeating: 0, count: length) }
    for index in 0..<count {
      let even = Self.reflected(2 * (index - margin), in: length)
      lowSamples[index] = plane[lowStart + even / 2 * stride]
      let odd = Self.reflected(2 * (index - margin) + 1, in: length)
      highSamples[index] = odd % 2 == 1 ? plane[highStart + odd / 2 * stride] : 0
    }
    lowSamples.withUnsafeBufferPointer { lows in
      highSamples.withUnsafeBufferPointer { highs in
        for index in 0..<length {
          let center = index / 2 + margin
          line[index] = index % 2 == 0 ? even(center, lows, highs) : odd(center, lows, highs)
        }
      }
    }
    for index in 0..<length { plane[start + index * stride] = line[index] }
  }

  private func even(
    _ center: Int, _ lows: UnsafeBufferPointer<Float>, _ highs: UnsafeBufferPointer<Float>
  ) -> Float {
    var sum = low[0] * lows[center]
    for tap in Swift.stride(from: 2, to: low.count, by: 2) {
      sum += low[tap] * (lows[center - tap / 2] + lows[center + tap / 2])
    }
    for tap in Swift.stride(from: 1, to: high.count, by: 2) {
      sum += high[tap] * (highs[center - (tap + 1) / 2] + highs[center + tap / 2])
    }
    return sum
  }

  private func odd(_ center: Int, _ lows: UnsafeBufferPointer<Float>, _ highs: UnsafeBufferPointer<Float>) -> Float {
    var sum = high[0] * highs[center]
    for tap in Swift.stride(from: 2, to: high.count, by: 2) {
      sum += high[tap] * (highs[center - tap / 2] + highs[center + tap / 2])
    }
    for tap in Swift.stride(from: 1, to: low.count, by: 2) {
      sum += low[tap] * (lows[center - tap / 2] + lows[center + (tap + 1) / 2])
    }
    return sum
  }

  /// Returns the index of the sample mirrored for one beyond an end.
  private static func reflected(_ index: Int, in length: Int) -> Int {
    if length == 1 { return 0 }
    let period = 2 * (length - 1)
    let remainder = ((index % period) + period) % period
    return remainder < length ? remainder : period - remainder
  }
}

/// A rectangle of the coefficient plane, and its derivation from the one that contains it.
///
/// - Source: IAFIS-IC-0110 (V3), figure of the 64 subbands.
private struct WSQRegion: Equatable {
  var (x, y, width, height): (Int, Int, Int, Int)
  /// True if the high-pass half of the columns, or rows, comes first.
  ///
  /// The right and the lower half of each decomposition hold high frequencies, in which a further decomposition turns
  /// the order of frequencies round.
  var (turnsColumns, turnsRows) = (false, false)

  init(x: Int = 0, y: Int = 0, width: Int, height: Int, turnsColumns: Bool = false, turnsRows: Bool = false) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
    (self.turnsColumns, self.turnsRows) = (turnsColumns, turnsRows)
  }

  /// Returns the length of the first part; for an odd length the low-pass half has one more.
  static func first(of length: Int, isTurned: Bool) -> Int { isTurned ? length / 2 : (length + 1) / 2 }

  /// Its four parts: upper left and right, then lower left and right.
  var parts: [WSQRegion] {
    let left = Self.first(of: width, isTurned: turnsColumns)
    let upper = Self.first(of: height, isTurned: turnsRows)
    return [false, true].flatMap { isLower in
      [false, true].map { isRight in
        WSQRegion(
          x: isRight ? x + left : x, y: isLower ? y + upper : y, width: isRight ? width - left : left,
          height: isLower ? height - upper : upper, turnsColumns: isRight, turnsRows: isLower)
      }
    }
  }
}

/// The regions of all subbands in the plane, and the order in which regions are joined.
private struct WSQSubbands {
  /// The coded subbands in the order in which they are coded.
  private(set) var bands: [WSQRegion] = []
  /// The regions whose four parts are joined, smallest first.
  private(set) var joints: [WSQRegion] = []

  init(width: Int, height: Int) {
    let image = WSQRegion(width: width, height: height)
    let halves = image.parts
    let quarters = halves[0].parts
    let eighths = quarters[0].parts
    let sixteenths = eighths[0].parts
    // 0–3, 4–6, 7–18.
    bands = sixteenths[0].parts + sixteenths[1...] + eighths[1...].flatMap(\.parts)
    // 19–34, 35–50, 51.
    bands += quarters[1...2].flatMap { $0.parts.flatMap(\.parts) } + [quarters[3]]
    // 52–55, 56–59; the lower right half, 60–63, is not coded.
    bands += halves[1...2].flatMap(\.parts)
    joints = [sixteenths[0]] + eighths + quarters[1...2].flatMap(\.parts)
    joints += quarters[0...2] + halves[0...2] + [image]
  }
}
