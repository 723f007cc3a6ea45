/// A scorer of captures.
protocol CaptureScorer: Sendable {
  /// The name and version stored beside the score, as scores of different scorers differ.
  var name: String { get }
  /// Returns the quality, 0 (useless) … 100; nil if it cannot be determined.
  func score(_ image: GreyImage) -> Int?
}

/// The qualities of captures by the scorers that come with the plugin.
enum CaptureQuality {
  /// Returns the scorer for a submodality; nil if none can score it.
  static func scorer(for submodality: Submodality) -> (any CaptureScorer)? {
    switch submodality.modality {
    case .finger: RidgeScorer(fingers: submodality.parts.count)
    case .face: PortraitScorer(kind: .face)
    case .iris: PortraitScorer(kind: .iris)
    default: nil
    }
  }

  /// Returns the quality of a picture; nil if no scorer can determine it.
  static func quality(of image: GreyImage, _ submodality: Submodality) -> CaptureRecord.Quality? {
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
    default: 0
    }
  }
}
