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
