/// A scorer of fingerprints by the clarity of ridge directions, the strength of the ridges, and the visible area.
///
/// - Source: Lim, Jiang and Yau, "Fingerprint quality and validity analysis", ICIP 2002 (orientation certainty by the
///   eigenvalues of the gradients' tensor); area after NIST, NFIQ 2 (NISTIR 8382), region of interest.
struct RidgeScorer: CaptureScorer {
  /// The number of fingers that must be present.
  let fingers: Int

  var name: String { "ridges-1" }

  /// The edge of a block, in inches: three ridges and more.
  private static let block = 0.032
  /// The smallest area that a plain finger covers, in square inches: about 0.35 × 0.35.
  private static let area = 0.12

  func score(_ image: GreyImage) -> Int? {
    let edge = max(8, Int((Self.block * image.pixelsPerInch).rounded()))
    guard image.width >= 2 * edge, image.height >= 2 * edge else { return nil }
    var (clarity, blocks): (Float, Int) = (0, 0)
    for top in stride(from: 1, through: image.height - edge - 1, by: edge) {
      for left in stride(from: 1, through: image.width - edge - 1, by: edge) {
        guard let value = Self.clarity(image, left: left, top: top, edge: edge) else { continue }
        clarity += value
        blocks += 1
      }
    }
    guard blocks > 0 else { return 0 }
    let squareInches = Double(blocks * edge * edge) / (image.pixelsPerInch * image.pixelsPerInch)
    let cover = Float(min(1, squareInches / (Self.area * Double(max(1, fingers)))))
    // A flow as clear as that of the best pictures, 0.8, is a hundred.
    return Int((min(1, clarity / Float(blocks) / 0.8) * cover * 100).rounded())
  }

  /// Returns the clarity of a block, 0 … 1; nil if no finger touches there.
  private static func clarity(_ image: GreyImage, left: Int, top: Int, edge: Int) -> Float? {
    var (sum, squares): (Float, Float) = (0, 0)
    var (xx, yy, xy): (Float, Float, Float) = (0, 0, 0)
    let width = image.width
    image.pixels.withUnsafeBufferPointer { pixels in
      for row in top..<(top + edge) {
        for column in left..<(left + edge) {
          let place = row * width + column
          let grey = Float(pixels[place])
          sum += grey
          squares += grey * grey
          // Sobel's gradient: noise of single pixels counts less.
          let east = Int(pixels[place + 1 - width]) + 2 * Int(pixels[place + 1]) + Int(pixels[place + 1 + width])
          let west = Int(pixels[place - 1 - width]) + 2 * Int(pixels[place - 1]) + Int(pixels[place - 1 + width])
          let south = Int(pixels[place + width - 1]) + 2 * Int(pixels[place + width]) + Int(pixels[place + width + 1])
          let north = Int(pixels[place - width - 1]) + 2 * Int(pixels[place - width]) + Int(pixels[place - width + 1])
          let (dx, dy) = (Float(east - west), Float(south - north))
          (xx, yy, xy) = (xx + dx * dx, yy + dy * dy, xy + dx * dy)
        }
      }
    }
    let count = Float(edge * edge)
    let spread = max(0, squares / count - (sum / count) * (sum / count)).squareRoot()
    // Glass shows little but noise.
    guard spread >= 16, xx + yy > 0 else { return nil }
    let certainty = ((xx - yy) * (xx - yy) + 4 * xy * xy).squareRoot() / (xx + yy)
    return certainty * min(1, spread / 48)
  }
}
