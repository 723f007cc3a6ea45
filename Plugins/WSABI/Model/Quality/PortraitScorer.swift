/// Scores pictures of faces and irises by sharpness, contrast and exposure.
///
/// - Source: ISO/IEC 29794-5 names these three for faces and ISO/IEC 29794-6 for irises; sharpness by the spread of
///   Laplace's operator: Pech-Pacheco et al., "Diatom autofocusing in brightfield microscopy", ICPR 2000.
struct PortraitScorer: CaptureScorer {
  /// The subject of a portrait.
  enum Kind: String, Sendable {
    case face
    case iris
  }

  let kind: Kind

  var name: String { "\(kind.rawValue)-1" }

  func score(_ image: GreyImage) -> Int? {
    // The same scale for every camera: details below the picture's scale are noise.
    let small = image.reduced(toLongestEdge: 480)
    guard small.width >= 32, small.height >= 32 else { return nil }
    let (mean, spread, clipped) = Self.greys(small)
    let sharpness = min(1, Self.sharpness(small) / (kind == .face ? 6 : 5))
    let contrast = min(1, spread / 40)
    // Best in the middle; 0 at the ends.
    let exposure = max(0, min(1, (1 - abs(mean - 128) / 128) * 2)) * max(0, 1 - 4 * clipped)
    // The worst counts most: a sharp picture in the dark is useless.
    let product = sharpness * contrast * exposure
    return Int((SynthesisMath.cubeRoot(product) * 100).rounded())
  }

  /// Returns the mean and the spread of the gray values, and the share of black or white pixels.
  private static func greys(_ image: GreyImage) -> (mean: Float, spread: Float, clipped: Float) {
    var (sum, squares, clipped) = (0, 0, 0)
    for grey in image.pixels {
      sum += Int(grey)
      squares += Int(grey) * Int(grey)
      if grey <= 2 || grey >= 253 { clipped += 1 }
    }
    let count = Float(image.pixels.count)
    let mean = Float(sum) / count
    return (mean, max(0, Float(squares) / count - mean * mean).squareRoot(), Float(clipped) / count)
  }

  /// Returns the spread of the Laplacian.
  private static func sharpness(_ image: GreyImage) -> Float {
    var (sum, squares) = (0, 0)
    let (width, height) = (image.width, image.height)
    image.pixels.withUnsafeBufferPointer { pixels in
      for row in 1..<(height - 1) {
        for place in (row * width + 1)..<(row * width + width - 1) {
          let around =
            Int(pixels[place - 1]) + Int(pixels[place + 1]) + Int(pixels[place - width]) + Int(pixels[place + width])
          let value = around - 4 * Int(pixels[place])
          sum += value
          squares += value * value
        }
      }
    }
    let count = Float((width - 2) * (height - 2))
    let mean = Float(sum) / count
    return max(0, Float(squares) / count - mean * mean).squareRoot()
  }
}

extension SynthesisMath {
  /// Returns the cube root of a number from 0 to 1, by Newton's method.
  static func cubeRoot(_ number: Float) -> Float {
    guard number > 0 else { return 0 }
    var root: Float = 1
    for _ in 0..<40 { root -= (root * root * root - number) / (3 * root * root) }
    return root
  }
}
