import PluginAPI

/// A fault that kept a service from responding in terms of the protocol.
///
/// A status other than success is a response, not a fault.
struct SensorFault: Error, Equatable, Sendable {
  /// The kind of a fault.
  enum Kind: Error, Equatable, Sendable {
    /// The user asked for no network.
    case offline
    /// The host is none of those that the deployer allows.
    case forbidden
    /// The service cannot be reached: its name is not known, or nobody listens.
    case unreachable(reason: String)
    /// The certificate is not trusted.
    case notTrusted(reason: String)
    /// The host shows another key than the one pinned.
    case otherKey
    /// It took longer than allowed.
    case timedOut(seconds: Double?)
    /// The answer came slower than allowed.
    case tooSlow(bytesPerSecond: Int)
    /// The connection ended before the answer did.
    case cut(reason: String)
    /// HTTP answered for the service.
    case status(Int)
    /// The answer leads elsewhere, where nothing is asked; empty if it does not say where.
    case redirected(target: String)
    /// The answer is larger than allowed.
    case tooLarge(limitInBytes: Int)
    /// The received content is not a document of the protocol; the payload describes it.
    case notAService(found: String)
    /// The document is of a namespace that is not known; empty for none.
    case otherNamespace(String)
    /// The document is broken.
    case malformed(reason: String)
    /// The service answered with a status that leaves nothing to go on with.
    case refused(OperationStatus)
    /// The service reports success without what the operation is about.
    case incomplete(missing: String)
    /// The data of the sensor is no base64, or there is none.
    case brokenData(reason: String)
    /// The place the data goes to did not take it.
    case notKept(ErrorReport)
    /// The task was cancelled.
    case cancelled
    /// The request itself cannot be sent: something it needs is missing.
    case unaskable(reason: String)
    /// Anything else, in words.
    case failed(reason: String)
  }

  /// The progress of the request before the fault.
  enum Reach: Sendable {
    /// The service never saw it.
    case notSent
    /// It was sent, and there is no whole answer: nobody knows whether it was carried out.
    case unknown
    /// HTTP answered, but not with how the operation ended.
    case answered
  }

  var kind: Kind
  var reach: Reach
  var operation: SensorOperation
  /// The address of the service, for messages: several may be at one host.
  var address: String
  /// The first bytes of an answer that could not be read, 256 at most and never of a sensor's data; for diagnosis only,
  /// as ids of sessions may stand there.
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
