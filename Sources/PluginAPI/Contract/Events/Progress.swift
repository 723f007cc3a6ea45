/// The progress of a piece of work.
public struct Progress: Sendable, Hashable {
  /// The completed fraction, 0…1; nil if it is unknown.
  public var fraction: Double?
  /// A description of the current step for users.
  public var label: String

  /// Creates a progress.
  public init(_ label: String, fraction: Double? = nil) {
    self.fraction = fraction
    self.label = label
  }
}
