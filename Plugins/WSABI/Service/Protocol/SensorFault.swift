import PluginAPI

/// A fault that kept a service from responding in terms of the protocol.
///
/// A status other than success is a response, not a fault.
struct SensorFault: Error, Equatable, Sendable {
  /// The kind of a fault.
  enum Kind: Error, Equatable, Sendable {
    /// The user asked for no network.
    case offline
    /// The deployer does not allow the host.
    case forbidden
    /// The service cannot be reached: its name is unknown, or no program listens.
    case unreachable(reason: String)
    /// The certificate is not trusted.
    case notTrusted(reason: String)
    /// The host shows another key than the one pinned.
    case otherKey
    /// The operation took longer than allowed.
    case timedOut(seconds: Double?)
    /// The response arrived more slowly than allowed.
    case tooSlow(bytesPerSecond: Int)
    /// The connection ended before the response did.
    case cut(reason: String)
    /// HTTP answered for the service.
    case status(Int)
    /// The response redirects elsewhere, where no request is sent; empty if it does not say where.
    case redirected(target: String)
    /// The response is larger than allowed.
    case tooLarge(limitInBytes: Int)
    /// The received content is not a document of the protocol; the payload describes it.
    case notAService(found: String)
    /// The document's namespace is unknown; empty for none.
    case otherNamespace(String)
    /// The document is broken.
    case malformed(reason: String)
    /// The service responded with a status that prevents continuing.
    case refused(OperationStatus)
    /// The service reports success without the operation's result.
    case incomplete(missing: String)
    /// The sensor data is not base64, or is missing.
    case brokenData(reason: String)
    /// The destination did not accept the data.
    case notKept(ErrorReport)
    /// The task was canceled.
    case cancelled
    /// The request itself cannot be sent: something it needs is missing.
    case unaskable(reason: String)
    /// Any other fault, as text.
    case failed(reason: String)
  }

  /// The progress of the request before the fault.
  enum Reach: Sendable {
    /// The service never saw it.
    case notSent
    /// It was sent, without a complete response: it is unknown whether it was carried out.
    case unknown
    /// There was an HTTP response, but without the outcome of the operation.
    case answered
  }

  var kind: Kind
  var reach: Reach
  var operation: SensorOperation
  /// The address of the service, for messages: several may be at one host.
  var address: String
  /// The first bytes of a response that could not be read, 256 at most and never sensor data; for diagnosis only, as
  /// they may contain ids of sessions.
  var start: [UInt8] = []

  init(_ kind: Kind, _ reach: Reach, _ operation: SensorOperation, address: String, start: [UInt8] = []) {
    self.kind = kind
    self.reach = reach
    self.operation = operation
    self.address = address
    self.start = start
  }

  /// True if the service may have carried out the request.
  ///
  /// An HTTP status from 400 to 499 means that it was not carried out.
  var mayHaveHappened: Bool {
    if case .status(let status) = kind, (400..<500).contains(status) { return false }
    return reach != .notSent
  }
}
