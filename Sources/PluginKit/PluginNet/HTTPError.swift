public import PluginAPI

/// An error of a request to a server.
@frozen
public enum HTTPError: Error, Equatable, Sendable {
  /// The user disabled the network.
  case offline(address: String)
  /// The address is not a web address.
  case badAddress(String)
  /// A redirect leads to a protocol that is not allowed.
  case protocolRefused(address: String)
  /// The host name cannot be resolved.
  case unknownHost(String)
  /// The host cannot be reached; the reason is the system's message.
  case notConnected(host: String, reason: String)
  /// The connection is not trusted, because of the certificate or the handshake.
  case notTrusted(host: String, reason: String)
  /// The host's public key is not among those pinned.
  case otherKey(host: String)
  /// The request exceeded its time limit.
  case timedOut(host: String, seconds: Double?)
  /// More redirects than allowed.
  case tooManyRedirects(address: String, limit: Int)
  /// A response redirects to another host or port, which the client's settings forbid.
  case redirectedElsewhere(host: String, target: String)
  /// The body is larger than allowed.
  case tooLarge(address: String, limitInBytes: Int)
  /// The connection ended before the response did.
  case cutShort(host: String, reason: String)
  /// The body does not match the encoding in its header.
  case damaged(host: String, reason: String)
  /// The server responded with an unexpected status.
  case status(Int, address: String, retryAfterInSeconds: Double?)
  /// The system's libcurl is missing or unsuitable.
  case libraryMissing(reason: String)
  /// Any other failure, with libcurl's message.
  case failed(host: String, reason: String)
}

extension HTTPError: ReportableError, CustomStringConvertible {
  /// The error as users and scripts see it; the exit status is 6, network.
  public var report: ErrorReport {
    switch self {
    case .offline(let address):
      Self.report(
        "offline", "'\(address)' was not requested: the network is turned off",
        "omit '--offline', or run 'workbench config unset offline'")
    case .badAddress(let text):
      Self.report("bad-address", "'\(text)' is not a web address", "write it as https://host/path")
    case .protocolRefused(let address):
      Self.report("protocol-refused", "'\(address)' redirects to an address that is not http or https", nil)
    case .unknownHost(let host):
      Self.report("unknown-host", "the host '\(host)' is unknown", "check the address and your network", true)
    case .notConnected(let host, let reason):
      Self.report("not-connected", "cannot reach '\(host)': \(reason)", "check your network, or try later", true)
    case .notTrusted(let host, let reason):
      Self.report(
        "not-trusted", "the connection to '\(host)' is not secure: \(reason)",
        "specify the right certificates, or do not use this server", kind: .refused)
    case .otherKey(let host):
      Self.report(
        "other-key", "the key of '\(host)' differs from the pinned key",
        "someone may intercept the connection; ask the operators of the server", kind: .refused)
    case .timedOut(let host, let seconds):
      Self.report(
        "timed-out", "'\(host)' did not respond in time" + (seconds.map { " (\(Self.words($0)) s)" } ?? ""),
        "try later, or allow more time", true)
    case .tooManyRedirects(let address, let limit):
      Self.report("too-many-redirects", "'\(address)' redirects more than \(limit) times", "check the address")
    case .redirectedElsewhere(let host, let target):
      Self.report(
        "redirected", "'\(host)' redirects to another host, '\(target)', which is not followed",
        "check the address; a network that requires a login redirects too")
    case .tooLarge(let address, let limit):
      Self.report(
        "too-large", "the response from '\(address)' is larger than the allowed \(limit) bytes", "raise the limit")
    case .cutShort(let host, let reason):
      Self.report(
        "cut-short", "'\(host)' ended the connection before the end of its response: \(reason)", "try again", true)
    case .damaged(let host, let reason):
      Self.report("damaged", "the response from '\(host)' is damaged: \(reason)", "try again", true)
    case .status(let status, let address, let wait): Self.report(status, address, wait)
    case .libraryMissing(let reason):
      Self.report(
        "library-missing", "cannot use libcurl: \(reason)", "install it with 'sudo apt-get install libcurl4'")
    case .failed(let host, let reason):
      Self.report("failed", "the request to '\(host)' failed: \(reason)", nil)
    }
  }

  /// The error in words.
  public var description: String { report.description }

  /// A Boolean value indicating whether a retry may help at once or soon.
  public var isRetryable: Bool { report.isRetryable }

  /// The stable codes.
  public static let errorCodes: [ErrorCodeDescription] = [
    .init("net.offline", "the network is turned off by --offline or the setting"),
    .init("net.bad-address", "the text is not a web address"),
    .init("net.protocol-refused", "a redirect leads to a protocol other than http and https, or from https to http"),
    .init("net.redirected", "a redirect leads to another host and is not followed"),
    .init("net.unknown-host", "the host name is unknown"),
    .init("net.not-connected", "the host cannot be reached"),
    .init("net.not-trusted", "the host's certificate is not trusted, or the connection is not secure"),
    .init("net.other-key", "the host's key differs from the pinned key"),
    .init("net.timed-out", "the host did not respond in time"),
    .init("net.too-many-redirects", "the address redirects in a cycle or too often"),
    .init("net.too-large", "the response is larger than allowed"),
    .init("net.cut-short", "the connection ended before the response did"),
    .init("net.damaged", "the response is not encoded as its header says"),
    .init("net.status", "the server responded with an error"),
    .init("net.busy", "the server is busy; try again later"),
    .init("net.library-missing", "the system library libcurl is missing or too old"),
    .init("net.failed", "another network error occurred"),
  ]

  private static func report(
    _ name: String, _ message: String, _ advice: String?, _ isRetryable: Bool = false,
    kind: ErrorReport.Kind = .network
  ) -> ErrorReport {
    ErrorReport(code: "net." + name, kind: kind, message, advice: advice, isRetryable: isRetryable)
  }

  private static func report(_ status: Int, _ address: String, _ wait: Double?) -> ErrorReport {
    let isBusy = HTTPClient.busyStatuses.contains(status)
    let advice = wait.map { "try again in \(words($0)) s" } ?? (isBusy ? "try later" : nil)
    var report = report(
      isBusy ? "busy" : "status", "'\(address)' responded with status \(status)", advice, isBusy)
    report.details = ["status": .integer(status), "address": .text(address)]
    return report
  }

  /// Returns the seconds as text, without decimals if they are whole.
  private static func words(_ seconds: Double) -> String {
    seconds == seconds.rounded() && abs(seconds) < 1e15 ? "\(Int(seconds))" : "\(seconds)"
  }
}
