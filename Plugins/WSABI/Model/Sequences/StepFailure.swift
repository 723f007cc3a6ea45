/// Why there is no answer, and whether the service may have done it all the same.
struct StepFailure: Sendable, Hashable {
  /// How far the request came.
  enum Reach: Sendable, Hashable {
    /// It never left, or the service refused it as a document of HTTP: nothing was done.
    case notSent
    /// Nobody knows.
    case unknown
    /// The service does not know the id in the address (status 404, which some give for a session they dropped).
    case unknownAddress
  }

  var reach: Reach
  /// In words, for people and the audit log.
  var reason: String
}
