public import PluginAPI

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
        "the connection may be intercepted; ask the operator of the server", kind: .refused)
    case .timedOut(let host, let seconds):
      Self.report(
        "timed-out", "'\(host)' did not respond in time" + (seconds.map { " (\(Self.words($0)) s)" } ?? ""),
        "try later, or allow more time", true)
    case .tooManyRedirects(let address, let limit):
      Self.report("too-many-redirects", "'\(address)' redirects more than \(limit) times", "check the address")
    case .redirectedElsewhere(let host, let target):
      Self.report(
        "redirected", "'\(host)' redirects to another host, '\(target)', which is not followed",
        "check the address, or log in to your network first")
    case .tooLarge(let address, let limit):
      Self.report(
        "too-large", "the response from '\(address)' is larger than the limit of \(limit) bytes", "raise the limit")
    case .cutShort(let host, let reason):
      Self.report("cut-short", "'\(host)' closed the connection before responding: \(reason)", "try again", true)
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
    .init("net.protocol-refused", "a redirect is not to http or https, or is from https to http"),
    .init("net.redirected", "a response redirects to another host, which is not followed"),
    .init("net.unknown-host", "the host name is unknown"),
    .init("net.not-connected", "the host cannot be reached"),
    .init("net.not-trusted", "the host's certificate is not trusted, or the connection is not secure"),
    .init("net.other-key", "the host's key differs from the pinned key"),
    .init("net.timed-out", "the host did not respond in time"),
    .init("net.too-many-redirects", "the address redirects in a circle or too often"),
    .init("net.too-large", "the response is too large"),
    .init("net.cut-short", "the connection closed before the response"),
    .init("net.damaged", "the encoding of the response differs from its header"),
    .init("net.status", "the server responded with an error"),
    .init("net.busy", "the server asked to retry later"),
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
