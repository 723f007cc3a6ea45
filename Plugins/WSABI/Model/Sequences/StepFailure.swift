/// The reason there is no response, and whether the service may have carried out the step nevertheless.
struct StepFailure: Sendable, Hashable {
  /// The progress of the request before it failed.
  enum Reach: Sendable, Hashable {
    /// The request was never sent, or the service rejected it at the HTTP level: nothing was done.
    case notSent
    /// Unknown.
    case unknown
    /// The service does not know the id in the address (status 404, which some give for a session they dropped).
    case unknownAddress
  }

  var reach: Reach
  /// The reason, for people and the audit log.
  var reason: String
}
