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
    let (kind, reach) = Self.parts(error)
    self.init(kind, reach, operation, address: address)
  }

  private static func parts(_ error: any Error) -> (Kind, Reach) {
    switch error {
    case let kind as Kind: (kind, .answered)
    case is CancellationError: (.cancelled, .unknown)
    case let error as HTTPError: parts(error)
    default: (.failed(reason: "it was not carried out"), .unknown)
    }
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

extension SensorFault: ReportableError {
  var report: ErrorReport {
    let what = "'\(operation.words)' at '\(SanitizedText.line(address, limit: 2000))'"
    return switch kind {
    case .offline:
      make("offline", "\(what) needs the network, which is switched off", "leave out --offline", kind: .refused)
    case .forbidden:
      make(
        "forbidden", "\(what) was not asked: the host is none of those allowed by the setting 'allowed-sensors'",
        "ask who runs this station", kind: .refused)
    case .unreachable(let reason):
      make("unreachable", "\(what) failed: no sensor is reached: \(reason)", "look at the sensor and its address", true)
    case .notTrusted(let reason):
      make(
        "not-trusted", "\(what) was not asked: the connection is not safe: \(reason)",
        "pin the sensor's key or name its certificates", kind: .refused)
    case .otherKey:
      make(
        "other-key", "\(what) was not asked: the host has another key than the one pinned",
        "somebody may be in between; ask who runs the sensor", kind: .refused)
    case .timedOut(let seconds):
      make(
        "timed-out", "\(what) was not answered in time" + (seconds.map { " (\(Self.words($0)) s)" } ?? ""),
        "look at the sensor, or allow more time", true, kind: .timedOut)
    case .tooSlow(let rate):
      make("too-slow", "\(what) is answered with only \(rate) bytes a second", "look at the network", true)
    case .cut(let reason): make("cut", "\(what) lost its answer: \(reason)", "look at the sensor", true)
    case .status(let status): make(status, what)
    case .redirected(let target):
      make(
        "redirected",
        "\(what) is redirected elsewhere" + (target.isEmpty ? "" : " ('\(SanitizedText.line(target, limit: 2000))')")
          + ", which is not followed", "use the address the sensor has now, if you trust it", kind: .refused)
    default: documentReport(what)
    }
  }

  /// Returns the report of a response that was received but is of no use.
  private func documentReport(_ what: String) -> ErrorReport {
    switch kind {
    case .tooLarge(let limit):
      make("too-large", "\(what) is answered with more than the allowed \(limit) bytes", tooLargeAdvice(limit))
    case .notAService(let found):
      make(
        "no-service",
        "\(what) is answered with \(SanitizedText.line(found, limit: 2000)), not with a document of WS-BD",
        "look at the address: it is that of the service, as 'http://host:8000/Service'")
    case .otherNamespace(let name):
      make(
        "other-namespace",
        name.isEmpty
          ? "\(what) is answered with a document without a namespace"
          : "\(what) is answered in the namespace '\(SanitizedText.line(name, limit: 2000))', which is not known",
        "ask who runs the sensor for a service of WS-BD 1.0")
    case .malformed(let reason):
      make(
        "malformed", "\(what) is answered with a broken document: \(SanitizedText.line(reason, limit: 2000))",
        "report it to the sensor's maker")
    case .refused(let status):
      make("refused", "\(what) is answered with '\(SanitizedText.line(status.word, limit: 100))'", "look at the sensor")
    case .incomplete(let missing):
      make("incomplete", "\(what) is answered with success, but without \(missing)", "report it to the sensor's maker")
    case .brokenData(let reason):
      make("broken-data", "\(what) brought data that is damaged: \(reason)", "nothing was kept; fetch it again", true)
    case .notKept(let report):
      ErrorReport(
        code: "wsabi.not-kept", kind: report.kind, "\(what) brought data that cannot be kept: \(report.message)",
        advice: report.advice, details: details, isRetryable: true)
    case .cancelled: make("cancelled", "\(what) was cancelled", nil, kind: .interrupted)
    case .unaskable(let reason): make("unaskable", "\(what) cannot be asked: \(reason)", nil, kind: .usage)
    case .failed(let reason): make("failed", "\(what) failed: \(SanitizedText.line(reason, limit: 2000))", nil)
    default: make("failed", "\(what) failed", nil)
    }
  }

  /// Returns the advice for a response that is too large; only a response with data can be legitimate.
  private func tooLargeAdvice(_ limit: Int) -> String {
    operation.bringsData && limit != SensorLimits().documentInBytes
      ? "raise the setting 'largest-capture' and fetch it again" : "report it to the sensor's maker"
  }

  private var details: Record {
    let host = (try? SensorAddress(parsing: address))?.host ?? address
    return [
      "operation": .text(operation.rawValue), "host": .text(SanitizedText.line(host, limit: 2000)),
      "address": .text(SanitizedText.line(address, limit: 2000)),
    ]
  }

  private func make(
    _ name: String, _ message: String, _ advice: String?, _ isRetryable: Bool = false,
    kind: ErrorReport.Kind = .network
  ) -> ErrorReport {
    ErrorReport(
      code: "wsabi.sensor-" + name, kind: kind, message, advice: advice, details: details, isRetryable: isRetryable)
  }

  private func make(_ status: Int, _ what: String) -> ErrorReport {
    var report = make(
      "status", "\(what) is answered by HTTP with status \(status)",
      status == 404 ? "look at the address; a sensor that was started anew has forgotten its sessions" : nil,
      status >= 500)
    report.details["status"] = .integer(status)
    return report
  }

  /// Returns seconds to a tenth, without a decimal point for whole ones, as remaining times are not round numbers.
  private static func words(_ seconds: Double) -> String {
    let tenths = (seconds * 10).rounded() / 10
    return tenths == tenths.rounded() && abs(tenths) < 1e15 ? "\(Int(tenths))" : "\(tenths)"
  }

  /// The stable codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("wsabi.sensor-offline", "a sensor needs the network, which is switched off"),
    .init("wsabi.sensor-forbidden", "the host of a sensor is none of those that are allowed"),
    .init("wsabi.sensor-unreachable", "no sensor is reached at the address"),
    .init("wsabi.sensor-not-trusted", "the certificate of a sensor is not trusted"),
    .init("wsabi.sensor-other-key", "a sensor has another key than the one pinned"),
    .init("wsabi.sensor-timed-out", "a sensor did not answer in time"),
    .init("wsabi.sensor-too-slow", "a sensor answers slower than is allowed"),
    .init("wsabi.sensor-cut", "the connection to a sensor ended before its answer"),
    .init("wsabi.sensor-status", "HTTP answered in place of a sensor"),
    .init("wsabi.sensor-redirected", "a sensor's answer leads to another address, which is not followed"),
    .init("wsabi.sensor-too-large", "a sensor's answer is larger than allowed"),
    .init("wsabi.sensor-no-service", "what answers is no service of WS-BD"),
    .init("wsabi.sensor-other-namespace", "a sensor's document is of a namespace that is not known"),
    .init("wsabi.sensor-malformed", "a sensor's document is broken"),
    .init("wsabi.sensor-refused", "a sensor refuses what has to be known of it"),
    .init("wsabi.sensor-incomplete", "a sensor reports success without what was asked for"),
    .init("wsabi.sensor-broken-data", "captured data came damaged; nothing was kept"),
    .init("wsabi.not-kept", "captured data came, but cannot be kept here"),
    .init("wsabi.sensor-cancelled", "a request to a sensor was cancelled"),
    .init("wsabi.sensor-unaskable", "a request to a sensor lacks something it needs"),
    .init("wsabi.sensor-failed", "a request to a sensor failed in another way"),
  ]
}
