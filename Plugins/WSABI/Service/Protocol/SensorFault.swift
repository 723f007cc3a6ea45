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
    case failed(reason: String, advice: String? = nil)
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
      default: (.failed(reason: "unknown failure"), .unknown)
      }
    self.init(kind, reach, operation, address: address)
  }

  private static func parts(_ error: HTTPError) -> (Kind, Reach) {
    switch error {
    case .offline: (.offline, .notSent)
    case .badAddress: (.unaskable(reason: "its address is not an http address"), .notSent)
    case .unknownHost: (.unreachable(reason: "unknown host name"), .notSent)
    case .notConnected(_, let reason): (.unreachable(reason: reason), .notSent)
    case .notTrusted(_, let reason): (.notTrusted(reason: reason), .notSent)
    case .otherKey: (.otherKey, .notSent)
    case .libraryMissing: (.failed(reason: error.report.message, advice: error.report.advice), .notSent)
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
    "wsabi.sensor-forbidden", .refused, "the host of a sensor is not allowed")
  private static let unreachable = DeclaredError(
    "wsabi.sensor-unreachable", .network, "cannot reach a sensor at the address")
  private static let notTrusted = DeclaredError(
    "wsabi.sensor-not-trusted", .refused, "the certificate of a sensor is not trusted")
  private static let otherKey = DeclaredError(
    "wsabi.sensor-other-key", .refused, "the key of a sensor differs from its pin")
  private static let timedOut = DeclaredError("wsabi.sensor-timed-out", .timedOut, "a sensor did not respond in time")
  private static let tooSlow = DeclaredError(
    "wsabi.sensor-too-slow", .network, "a sensor responds too slowly")
  private static let cut = DeclaredError(
    "wsabi.sensor-cut", .network, "the connection to a sensor ended before the response")
  private static let status = DeclaredError(
    "wsabi.sensor-status", .network, "a sensor responded with an HTTP error")
  private static let redirected = DeclaredError(
    "wsabi.sensor-redirected", .refused, "a sensor redirects to another address, which is not followed")
  private static let tooLarge = DeclaredError(
    "wsabi.sensor-too-large", .network, "a response of a sensor is larger than allowed")
  private static let noService = DeclaredError(
    "wsabi.sensor-no-service", .network, "the response is not from a WS-BD service")
  private static let otherNamespace = DeclaredError(
    "wsabi.sensor-other-namespace", .network, "a response of a sensor has an unknown XML namespace")
  private static let malformed = DeclaredError(
    "wsabi.sensor-malformed", .network, "a response of a sensor is malformed")
  private static let refused = DeclaredError(
    "wsabi.sensor-refused", .network, "a sensor refuses to describe itself")
  private static let incomplete = DeclaredError(
    "wsabi.sensor-incomplete", .network, "a sensor reports success without the requested data")
  private static let brokenData = DeclaredError(
    "wsabi.sensor-broken-data", .network, "captured data arrived damaged; nothing was stored")
  /// The kind of an occurrence is that of the error of the destination.
  private static let notKept = DeclaredError(
    "wsabi.not-kept", .failure, "captured data was received but cannot be stored")
  private static let cancelled = DeclaredError(
    "wsabi.sensor-cancelled", .interrupted, "a request to a sensor was canceled")
  private static let unaskable = DeclaredError(
    "wsabi.sensor-unaskable", .usage, "a request to a sensor lacks a required value")
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
    case .offline: make(Self.offline, "\(what) needs the network, which is switched off", "omit '--offline'")
    case .forbidden:
      make(
        Self.forbidden, "\(what) was not sent: the setting 'allowed-sensors' does not allow the host",
        "ask the administrator of this station")
    case .unreachable(let reason):
      make(
        Self.unreachable, "\(what) failed: cannot reach the sensor: \(reason)", "check the sensor and its address",
        isRetryable: true)
    case .notTrusted(let reason):
      make(
        Self.notTrusted, "\(what) was not sent: the connection is not trusted: \(reason)",
        "compare the key with 'sensor certificate', then pin it with '--pin', or give its authorities")
    case .otherKey:
      make(
        Self.otherKey, "\(what) was not sent: the key of the host differs from the pin",
        "another machine may intercept the connection; ask the administrator of the sensor")
    case .timedOut(let seconds):
      make(
        Self.timedOut, "\(what) got no response in time" + (seconds.map { " (\(Self.text($0)) s)" } ?? ""),
        "check the sensor, or allow more time", isRetryable: true)
    case .tooSlow(let rate):
      make(
        Self.tooSlow, "\(what) receives only \(rate) bytes per second", "check the network", isRetryable: true)
    case .cut(let reason):
      make(Self.cut, "\(what) lost the response: \(reason)", "check the sensor", isRetryable: true)
    case .status(let status):
      make(
        Self.status, "\(what) failed with HTTP status \(status)",
        status == 404 ? "check the address; a restarted sensor has lost its sessions" : nil,
        isRetryable: status >= 500)
    case .redirected(let target):
      make(
        Self.redirected,
        "\(what) was redirected to another address\(target.isEmpty ? "" : " ('\(Self.line(target))')"), which is not followed",
        "use the new address if you trust it")
    case .tooLarge(let limit):
      // Only a response with data can be legitimate.
      make(
        Self.tooLarge, "\(what) returned more than the allowed \(limit) bytes",
        operation.bringsData && limit != SensorLimits().documentInBytes
          ? "raise the setting 'largest-capture' and download it again" : "report it to the sensor's maker")
    case .notAService(let found):
      make(
        Self.noService, "\(what) returned \(Self.line(found)) instead of a WS-BD document",
        "check the address of the service, such as 'http://host:8000/Service'")
    case .otherNamespace(let name):
      make(
        Self.otherNamespace,
        name.isEmpty
          ? "\(what) returned a document without a namespace"
          : "\(what) returned the unknown namespace '\(Self.line(name))'",
        "ask the administrator of the sensor for a WS-BD 1.0 service")
    case .malformed(let reason):
      make(
        Self.malformed, "\(what) returned a malformed document: \(Self.line(reason))",
        "report it to the sensor's maker")
    case .refused(let status):
      make(
        Self.refused, "\(what) returned '\(SanitizedText.line(status.word, limit: 100))'", "check the sensor")
    case .incomplete(let missing):
      make(
        Self.incomplete, "\(what) returned success without \(missing)", "report it to the sensor's maker")
    case .brokenData(let reason):
      make(
        Self.brokenData, "\(what) returned damaged data: \(reason)", "nothing was stored; download it again",
        isRetryable: true)
    case .notKept(let report):
      ErrorReport(
        code: Self.notKept.code, kind: report.kind, "\(what) returned data that cannot be stored: \(report.message)",
        advice: report.advice, details: details, isRetryable: true)
    case .cancelled: make(Self.cancelled, "\(what) was canceled", nil)
    case .unaskable(let reason): make(Self.unaskable, "\(what) cannot be sent: \(reason)", nil)
    case .failed(let reason, let advice): make(Self.failed, "\(what) failed: \(Self.line(reason))", advice)
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
  private static func text(_ seconds: Double) -> String {
    let tenths = (seconds * 10).rounded() / 10
    return tenths == tenths.rounded() && abs(tenths) < 1e15 ? "\(Int(tenths))" : "\(tenths)"
  }
}
