import PluginAPI
import PluginNet
import PluginText

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

extension SensorFault {
  /// Creates a fault from an error of the transfer.
  init(_ error: any Error, _ operation: SensorOperation, address: String) {
    let (kind, reach): (Kind, Reach) =
      switch error {
      case let kind as Kind: (kind, .answered)
      case is CancellationError: (.cancelled, .unknown)
      case let error as HTTPError: Self.parts(error)
      default: (.failed(reason: "it was not carried out"), .unknown)
      }
    self.init(kind, reach, operation, address: address)
  }

  private static func parts(_ error: HTTPError) -> (Kind, Reach) {
    switch error {
    case .offline: (.offline, .notSent)
    case .badAddress: (.unaskable(reason: "its address is none of the web"), .notSent)
    case .unknownHost: (.unreachable(reason: "the name of its host is not known"), .notSent)
    case .notConnected(_, let reason): (.unreachable(reason: reason), .notSent)
    case .notTrusted(_, let reason): (.notTrusted(reason: reason), .notSent)
    case .otherKey: (.otherKey, .notSent)
    case .libraryMissing: (.failed(reason: error.report.message), .notSent)
    case .timedOut(_, let seconds): (.timedOut(seconds: seconds), .unknown)
    case .cutShort(_, let reason): (.cut(reason: reason), .unknown)
    case .protocolRefused: (.redirected(target: ""), .answered)
    case .redirectedElsewhere(_, let target): (.redirected(target: target), .answered)
    case .tooManyRedirects: (.redirected(target: ""), .answered)
    case .tooLarge(_, let limit): (.tooLarge(limitInBytes: limit), .answered)
    case .damaged(_, let reason): (.malformed(reason: reason), .answered)
    case .status(let status, _, _): (.status(status), .answered)
    case .failed(_, let reason): (.failed(reason: reason), .unknown)
    }
  }
}

// MARK: - Reports

extension SensorFault: ReportableError {
  private static let offline = DeclaredError(
    "wsabi.sensor-offline", .refused, "a sensor needs the network, which is switched off")
  private static let forbidden = DeclaredError(
    "wsabi.sensor-forbidden", .refused, "the host of a sensor is none of those that are allowed")
  private static let unreachable = DeclaredError(
    "wsabi.sensor-unreachable", .network, "no sensor is reached at the address")
  private static let notTrusted = DeclaredError(
    "wsabi.sensor-not-trusted", .refused, "the certificate of a sensor is not trusted")
  private static let otherKey = DeclaredError(
    "wsabi.sensor-other-key", .refused, "a sensor has another key than the one pinned")
  private static let timedOut = DeclaredError("wsabi.sensor-timed-out", .timedOut, "a sensor did not answer in time")
  private static let tooSlow = DeclaredError(
    "wsabi.sensor-too-slow", .network, "a sensor answers slower than is allowed")
  private static let cut = DeclaredError(
    "wsabi.sensor-cut", .network, "the connection to a sensor ended before its answer")
  private static let status = DeclaredError("wsabi.sensor-status", .network, "HTTP answered in place of a sensor")
  private static let redirected = DeclaredError(
    "wsabi.sensor-redirected", .refused, "a sensor's answer leads to another address, which is not followed")
  private static let tooLarge = DeclaredError(
    "wsabi.sensor-too-large", .network, "a sensor's answer is larger than allowed")
  private static let noService = DeclaredError(
    "wsabi.sensor-no-service", .network, "the answer is not from a service of WS-BD")
  private static let otherNamespace = DeclaredError(
    "wsabi.sensor-other-namespace", .network, "a sensor's document is of a namespace that is not known")
  private static let malformed = DeclaredError("wsabi.sensor-malformed", .network, "a sensor's document is broken")
  private static let refused = DeclaredError(
    "wsabi.sensor-refused", .network, "a sensor refuses what has to be known of it")
  private static let incomplete = DeclaredError(
    "wsabi.sensor-incomplete", .network, "a sensor reports success without what was asked for")
  private static let brokenData = DeclaredError(
    "wsabi.sensor-broken-data", .network, "captured data came damaged; nothing was kept")
  /// The kind of an occurrence is that of the error of the destination.
  private static let notKept = DeclaredError(
    "wsabi.not-kept", .failure, "captured data came, but cannot be kept here")
  private static let cancelled = DeclaredError(
    "wsabi.sensor-cancelled", .interrupted, "a request to a sensor was cancelled")
  private static let unaskable = DeclaredError(
    "wsabi.sensor-unaskable", .usage, "a request to a sensor lacks something it needs")
  private static let failed = DeclaredError(
    "wsabi.sensor-failed", .network, "a request to a sensor failed in another way")

  /// The stable codes.
  static let errorCodes = [
    offline, forbidden, unreachable, notTrusted, otherKey, timedOut, tooSlow, cut, status, redirected, tooLarge,
    noService, otherNamespace, malformed, refused, incomplete, brokenData, notKept, cancelled, unaskable, failed,
  ].map(\.catalogueEntry)

  var report: ErrorReport {
    let what = "'\(operation.words)' at '\(Self.line(address))'"
    return switch kind {
    case .offline: make(Self.offline, "\(what) needs the network, which is switched off", "leave out --offline")
    case .forbidden:
      make(
        Self.forbidden, "\(what) was not asked: the host is none of those allowed by the setting 'allowed-sensors'",
        "ask who runs this station")
    case .unreachable(let reason):
      make(
        Self.unreachable, "\(what) failed: no sensor is reached: \(reason)", "look at the sensor and its address",
        isRetryable: true)
    case .notTrusted(let reason):
      make(
        Self.notTrusted, "\(what) was not asked: the connection is not safe: \(reason)",
        "pin the sensor's key or name its certificates")
    case .otherKey:
      make(
        Self.otherKey, "\(what) was not asked: the host has another key than the one pinned",
        "somebody may be in between; ask who runs the sensor")
    case .timedOut(let seconds):
      make(
        Self.timedOut, "\(what) was not answered in time" + (seconds.map { " (\(Self.words($0)) s)" } ?? ""),
        "look at the sensor, or allow more time", isRetryable: true)
    case .tooSlow(let rate):
      make(
        Self.tooSlow, "\(what) is answered with only \(rate) bytes a second", "look at the network", isRetryable: true)
    case .cut(let reason):
      make(Self.cut, "\(what) lost its answer: \(reason)", "look at the sensor", isRetryable: true)
    case .status(let status):
      make(
        Self.status, "\(what) is answered by HTTP with status \(status)",
        status == 404 ? "look at the address; a restarted sensor has forgotten its sessions" : nil,
        isRetryable: status >= 500)
    case .redirected(let target):
      make(
        Self.redirected,
        "\(what) is redirected elsewhere\(target.isEmpty ? "" : " ('\(Self.line(target))')"), which is not followed",
        "use the address the sensor has now, if you trust it")
    case .tooLarge(let limit):
      // Only a response with data can be legitimate.
      make(
        Self.tooLarge, "\(what) is answered with more than the allowed \(limit) bytes",
        operation.bringsData && limit != SensorLimits().documentInBytes
          ? "raise the setting 'largest-capture' and fetch it again" : "report it to the sensor's maker")
    case .notAService(let found):
      make(
        Self.noService, "\(what) is answered with \(Self.line(found)), not with a document of WS-BD",
        "look at the address: it is that of the service, as 'http://host:8000/Service'")
    case .otherNamespace(let name):
      make(
        Self.otherNamespace,
        name.isEmpty
          ? "\(what) is answered with a document without a namespace"
          : "\(what) is answered in the namespace '\(Self.line(name))', which is not known",
        "ask who runs the sensor for a service of WS-BD 1.0")
    case .malformed(let reason):
      make(
        Self.malformed, "\(what) is answered with a broken document: \(Self.line(reason))",
        "report it to the sensor's maker")
    case .refused(let status):
      make(
        Self.refused, "\(what) is answered with '\(SanitizedText.line(status.word, limit: 100))'", "look at the sensor")
    case .incomplete(let missing):
      make(
        Self.incomplete, "\(what) is answered with success, but without \(missing)", "report it to the sensor's maker")
    case .brokenData(let reason):
      make(
        Self.brokenData, "\(what) brought data that is damaged: \(reason)", "nothing was kept; fetch it again",
        isRetryable: true)
    case .notKept(let report):
      ErrorReport(
        code: Self.notKept.code, kind: report.kind, "\(what) brought data that cannot be kept: \(report.message)",
        advice: report.advice, details: details, isRetryable: true)
    case .cancelled: make(Self.cancelled, "\(what) was cancelled", nil)
    case .unaskable(let reason): make(Self.unaskable, "\(what) cannot be asked: \(reason)", nil)
    case .failed(let reason): make(Self.failed, "\(what) failed: \(Self.line(reason))", nil)
    }
  }

  private func make(
    _ error: DeclaredError, _ message: String, _ advice: String?, isRetryable: Bool = false
  ) -> ErrorReport {
    error(message, advice: advice, details: details, isRetryable: isRetryable)
  }

  private var details: Record {
    let host = (try? SensorAddress(parsing: address))?.host ?? address
    var details: Record = [
      "operation": .text(operation.rawValue), "host": .text(Self.line(host)), "address": .text(Self.line(address)),
    ]
    if case .status(let status) = kind { details["status"] = .integer(status) }
    return details
  }

  private static func line(_ text: String) -> String { SanitizedText.line(text, limit: 2000) }

  /// Returns seconds to a tenth, without a decimal point for whole ones, as remaining times are not round numbers.
  private static func words(_ seconds: Double) -> String {
    let tenths = (seconds * 10).rounded() / 10
    return tenths == tenths.rounded() && abs(tenths) < 1e15 ? "\(Int(tenths))" : "\(tenths)"
  }
}
