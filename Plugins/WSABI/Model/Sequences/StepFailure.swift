/// The reason there is no response, and whether the service may have carried out the step nevertheless.
struct StepFailure: Sendable, Hashable {
  /// The progress of the request before it failed.
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
