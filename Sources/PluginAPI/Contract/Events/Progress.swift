/// How far a piece of work is.
public struct Progress: Sendable, Hashable {
  /// The part done, 0…1; nil if it cannot be told.
  public var fraction: Double?
  /// What is being done, for people.
  public var label: String

  /// Creates a progress.
  public init(_ label: String, fraction: Double? = nil) {
    self.fraction = fraction
    self.label = label
  }
}
