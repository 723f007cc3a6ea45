/// A scorer of captures.
protocol CaptureScorer: Sendable {
  /// The name and version stored beside the score, as scores of different scorers differ.
  var name: String { get }
  /// Returns the quality, 0 (useless) … 100; nil if it cannot be determined.
  func score(_ image: GrayImage) -> Int?
}

/// The qualities of captures by the scorers that come with the plugin.
enum CaptureQuality {
  /// Returns the scorer for a submodality; nil if none can score it.
  static func scorer(for submodality: Submodality) -> (any CaptureScorer)? {
    switch submodality.modality {
    case .finger: RidgeScorer(fingers: submodality.parts.count)
    case .face: PortraitScorer(kind: .face)
    case .iris: PortraitScorer(kind: .iris)
    case .ear, .vein, .retina, .foot, .other, nil: nil
    }
  }

  /// Returns the quality of a picture; nil if no scorer can determine it.
  static func quality(of image: GrayImage, _ submodality: Submodality) -> CaptureRecord.Quality? {
    guard let scorer = scorer(for: submodality), let score = scorer.score(image) else { return nil }
    return CaptureRecord.Quality(score: score, scorer: scorer.name)
  }

  /// Returns the default minimum quality.
  ///
  /// - Source: the thresholds that MOSIP's registration client begins with: slaps and thumbs 40, irises 60; faces by our
  ///   own scorer.
  static func usualMinimum(_ submodality: Submodality) -> Int {
    switch submodality.modality {
    case .finger: 40
    case .iris: 60
    case .face: 40
    case .ear, .vein, .retina, .foot, .other, nil: 0
    }
  }
}

/// The rule that decides whether a capture is repeated, and which of several is kept.
struct KeepBest: Sendable, Hashable {
  /// The action to take after a capture.
  enum Advice: Sendable, Hashable {
    /// Capture again.
    case again
    /// Keep the capture at this index, from 0, and stop.
    case keep(Int)
    /// All tries are used up: the best, at this index, is not good enough, or cannot be scored.
    case settle(Int)
  }

  /// The lowest acceptable quality, 0 … 100; nil to accept the first capture in any case.
  var minimumQuality: Int?
  /// The largest number of captures, the first included: 1 or more.
  var mostTries: Int

  init(minimumQuality: Int?, mostTries: Int) {
    self.minimumQuality = minimumQuality
    self.mostTries = max(1, mostTries)
  }

  /// Returns the action to take after some captures.
  ///
  /// - Parameter scores: The scores of the captures so far, in order; nil for an unknown score. At least one.
  func advice(_ scores: [Int?]) -> Advice {
    guard let best = Self.best(scores) else { return .again }
    guard let minimumQuality else { return .keep(best) }
    if let score = scores[best], score >= minimumQuality { return .keep(best) }
    // Captures that cannot be scored do not get better by repetition.
    if scores.allSatisfy({ $0 == nil }) || scores.count >= mostTries { return .settle(best) }
    return .again
  }

  /// Returns the index of the best capture: the highest score, the first of equal ones; nil without captures.
  static func best(_ scores: [Int?]) -> Int? {
    scores.indices.max { (scores[$0] ?? -1, -$0) < (scores[$1] ?? -1, -$1) }
  }
}

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

  func score(_ image: GrayImage) -> Int? {
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
  private static func clarity(_ image: GrayImage, left: Int, top: Int, edge: Int) -> Float? {
    var (sum, squares): (Float, Float) = (0, 0)
    var (xx, yy, xy): (Float, Float, Float) = (0, 0, 0)
    let width = image.width
    image.pixels.withUnsafeBufferPointer { pixels in
      for row in top..<(top + edge) {
        for column in left..<(left + edge) {
          let index = row * width + column
          let gray = Float(pixels[index])
          sum += gray
          squares += gray * gray
          // Sobel's gradient: noise of single pixels counts less.
          let east = Int(pixels[index + 1 - width]) + 2 * Int(pixels[index + 1]) + Int(pixels[index + 1 + width])
          let west = Int(pixels[index - 1 - width]) + 2 * Int(pixels[index - 1]) + Int(pixels[index - 1 + width])
          let south = Int(pixels[index + width - 1]) + 2 * Int(pixels[index + width]) + Int(pixels[index + width + 1])
          let north = Int(pixels[index - width - 1]) + 2 * Int(pixels[index - width]) + Int(pixels[index - width + 1])
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

  func score(_ image: GrayImage) -> Int? {
    // The same scale for every camera: details below the picture's scale are noise.
    let small = image.reduced(toLongestEdge: 480)
    guard small.width >= 32, small.height >= 32 else { return nil }
    let (mean, spread, clipped) = Self.grays(small)
    let sharpness = min(1, Self.sharpness(small) / (kind == .face ? 6 : 5))
    let contrast = min(1, spread / 40)
    // Best in the middle; 0 at the ends.
    let exposure = max(0, min(1, (1 - abs(mean - 128) / 128) * 2)) * max(0, 1 - 4 * clipped)
    // The worst counts most: a sharp picture in the dark is useless.
    let product = sharpness * contrast * exposure
    return Int((Self.cubeRoot(product) * 100).rounded())
  }

  /// Returns the mean and the spread of the gray values, and the share of black or white pixels.
  private static func grays(_ image: GrayImage) -> (mean: Float, spread: Float, clipped: Float) {
    var (sum, squares, clipped) = (0, 0, 0)
    for gray in image.pixels {
      sum += Int(gray)
      squares += Int(gray) * Int(gray)
      if gray <= 2 || gray >= 253 { clipped += 1 }
    }
    let count = Float(image.pixels.count)
    let mean = Float(sum) / count
    return (mean, max(0, Float(squares) / count - mean * mean).squareRoot(), Float(clipped) / count)
  }

  /// Returns the spread of the Laplacian.
  private static func sharpness(_ image: GrayImage) -> Float {
    var (sum, squares) = (0, 0)
    let (width, height) = (image.width, image.height)
    image.pixels.withUnsafeBufferPointer { pixels in
      for row in 1..<(height - 1) {
        for index in (row * width + 1)..<(row * width + width - 1) {
          let around =
            Int(pixels[index - 1]) + Int(pixels[index + 1]) + Int(pixels[index - width]) + Int(pixels[index + width])
          let value = around - 4 * Int(pixels[index])
          sum += value
          squares += value * value
        }
      }
    }
    let count = Float((width - 2) * (height - 2))
    let mean = Float(sum) / count
    return max(0, Float(squares) / count - mean * mean).squareRoot()
  }

  /// Returns the cube root of a number from 0 to 1, by Newton's method, the same on every machine.
  private static func cubeRoot(_ number: Float) -> Float {
    guard number > 0 else { return 0 }
    var root: Float = 1
    for _ in 0..<40 { root -= (root * root * root - number) / (3 * root * root) }
    return root
  }
}
