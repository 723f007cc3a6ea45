/// Says how good a capture is.
protocol CaptureScorer: Sendable {
  /// The name that is kept beside the score, with the version: other scorers give other scores.
  var name: String { get }
  /// The quality, 0 (useless) … 100; nil if it cannot tell.
  func score(_ image: GreyImage) -> Int?
}

/// The qualities of captures by the scorers that come with the plugin.
enum CaptureQuality {
  /// The scorer for what is captured; nil for what none of them can judge.
  static func scorer(for submodality: Submodality) -> (any CaptureScorer)? {
    switch submodality.modality {
    case .finger: RidgeScorer(fingers: submodality.parts.count)
    case .face: PortraitScorer(kind: .face)
    case .iris: PortraitScorer(kind: .iris)
    default: nil
    }
  }

  /// The quality of a picture; nil if no scorer can tell.
  static func quality(of image: GreyImage, _ submodality: Submodality) -> CaptureRecord.Quality? {
    guard let scorer = scorer(for: submodality), let score = scorer.score(image) else { return nil }
    return CaptureRecord.Quality(score: score, scorer: scorer.name)
  }

  /// The least quality asked for where nobody says another.
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
