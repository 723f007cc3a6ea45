/// A row of an observation file, before it is checked.
struct ObservationRow: Sendable, Hashable {
  /// The content of an observation.
  enum Content: Sendable, Hashable {
    /// The letters of levels, such as `A` and `C`.
    case labels([String])
    /// A concentration.
    case value(Double)
    /// A concentration between two values, inclusive.
    case interval(Double, Double)
    /// A concentration below the detection limit.
    case belowDetection
    /// A concentration below the given detection limit.
    case below(Double)
    /// No value: the sample is missing.
    case missing
  }

  /// The position of the row, such as `line 3`.
  var place: String
  var pool: Identifier
  var content: Content
  /// The unit of the concentration; empty if none is given.
  var unit = ""
  /// The thresholds given in the row itself.
  var thresholds: LevelThresholds?
}
