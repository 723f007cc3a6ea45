/// What a file says of one pool, before anybody looked whether it can be.
struct ObservationRow: Sendable, Hashable {
  /// What was observed.
  enum Content: Sendable, Hashable {
    /// Letters of levels, such as `A` and `C`.
    case labels([String])
    /// A concentration.
    case value(Double)
    /// A concentration somewhere between two, these included.
    case interval(Double, Double)
    /// Less than the method can see.
    case belowDetection
    /// Less than a concentration, which is the least that the method can see.
    case below(Double)
    /// Nothing: the sample is missing.
    case missing
  }

  /// Where it stands, such as `line 3`.
  var place: String
  var pool: Identifier
  var content: Content
  /// The unit of the concentration; empty if none is said.
  var unit = ""
  /// Thresholds that stand in the row itself.
  var thresholds: LevelThresholds?
}
