import PluginAPI
import PluginNet

extension RPCError: ReportableError {
  /// The error for users and scripts, sanitized.
  var report: ErrorReport { wholeReport.harmless }

  private var wholeReport: ErrorReport {
    switch self {
    case .loginFailed(let server, let user):
      ErrorReport(
        code: "openbis.login-failed", kind: .refused, "login failed: '\(server)' does not let '\(user)' in",
        advice: "look at the user's name and the password", details: ["server": .text(server)])
    case .sessionEnded(let place, let wasRenewed):
      ErrorReport(
        code: "openbis.session-ended", kind: .refused,
        wasRenewed
          ? "the session ended before \(place), and so did the one that took its place"
          : "the session ended before \(place), and nothing is known by which to log in again",
        advice: wasRenewed ? "try later; the server ends sessions at once" : "log in again",
        details: Self.details(place))
    case .busy(let place, let status, let attempts):
      ErrorReport(
        code: "openbis.busy", kind: .network,
        "\(place) was answered with status \(status), \(attempts) times", advice: "try later",
        details: Self.details(place), isRetryable: true)
    case .unreached(let place, let error): Self.report(place, "has no answer", error)
    case .interrupted(let place, let error): Self.report(place, "has no whole answer", error)
    case .unsafe(let place):
      ErrorReport(
        code: "openbis.unsafe-address", kind: .refused, "\(place) is not called: the token would go out unprotected",
        advice: "ask who runs the server for an https address of its data store", details: Self.details(place))
    case .noTables(let server):
      ErrorReport(
        code: "openbis.no-tables", kind: .notFound, "no data store of '\(server)' offers 'ipad-read-service-v1'",
        advice: "nor does it have V3, whose objects could be shown instead: ask who runs it for the service",
        details: ["server": .text(server)])
    case .remote(let place, let exception, let message): remoteReport(place, exception, message)
    case .methodMissing(let place):
      Self.report(
        "no-method", place, "is not there: the method is not supported by the server",
        "the server may be older or newer: 'workbench openbis login' finds out anew what it speaks, and with '--native' "
          + "objects of V3 are asked for")
    case .refused(let place, let message):
      Self.report("call-refused", place, "was not understood by the server: \(message)", nil)
    case .notJSON(let place, let status, let type, let beginning):
      Self.report(
        "not-json", place,
        "was answered with status \(status) and something that is not JSON (\(type.isEmpty ? "no type" : type)): "
          + "'\(beginning)'", "a proxy or a login page may stand in between; open the address in a browser")
    case .unreadable(let place, let reason):
      Self.report("unreadable-answer", place, "was answered with damaged JSON: \(reason)", "try again")
    case .protocolBroken(let place, let reason):
      Self.report("protocol-broken", place, "was answered against the protocol: \(reason)", nil)
    case .useless(let place, let reason):
      Self.report("unusable-answer", place, "was answered with what cannot be used: \(reason)", nil)
    case .graph(let place, let error): error.report(on: place)
    }
  }

  /// Returns the report on an error of the server's program.
  private func remoteReport(_ place: RPCPlace, _ exception: String, _ message: String) -> ErrorReport {
    var report =
      isNotAllowed
      ? Self.report(
        "not-allowed", place, "is not allowed: \(message)", "ask who runs the server for the right to see it")
      : Self.report(
        "remote-error", place, "failed on the server: \(message)", "ask who runs the server if this is not expected")
    if isNotAllowed { report.kind = .refused }
    report.details["exception"] = .text(exception)
    return report
  }

  private static func report(_ name: String, _ place: RPCPlace, _ what: String, _ advice: String?) -> ErrorReport {
    ErrorReport(
      code: "openbis." + name, kind: .network, "\(place) \(what)", advice: advice, details: details(place))
  }

  /// Returns the network's own report, extended by the method.
  private static func report(_ place: RPCPlace, _ what: String, _ error: HTTPError) -> ErrorReport {
    var report = error.report
    report.message = "\(place) \(what): \(report.message)"
    for field in details(place).fields { report.details[field.name] = field.value }
    return report
  }

  private static func details(_ place: RPCPlace) -> Record {
    ["method": .text(place.method), "server": .text(place.server)]
  }

  /// The stable error codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("openbis.login-failed", "the server knows no such user with that password"),
    .init("openbis.session-ended", "the session is over and cannot be renewed: log in again"),
    .init("openbis.busy", "the server answered several times that it is too busy, or a proxy said so"),
    .init("openbis.unsafe-address", "a server reached by https named an http address for its data store"),
    .init("openbis.no-tables", "no data store of the server offers the service for tables"),
    .init("openbis.remote-error", "the server's program failed or refused; the message is the server's"),
    .init("openbis.not-allowed", "the user has no right to what was asked for"),
    .init("openbis.no-method", "the server does not know the method that is needed"),
    .init("openbis.call-refused", "the server does not understand the parameters of a call"),
    .init("openbis.not-json", "something other than the server's interface answered, such as a login page"),
    .init("openbis.unreadable-answer", "an answer is damaged: it breaks a rule of JSON or of UTF-8"),
    .init("openbis.protocol-broken", "an answer is none of JSON-RPC, or belongs to another call"),
    .init("openbis.unusable-answer", "an answer lacks what is needed, such as the column PERM_ID"),
  ]
}
