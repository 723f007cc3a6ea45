import PluginAPI
import PluginNet

/// Errors of calls to a server.
enum RPCError: Error, Equatable {
  /// The server rejected the user or the password.
  case loginFailed(server: String, user: String)
  /// The session expired and cannot be renewed, or the new one expired at once.
  case sessionEnded(RPCTarget, wasRenewed: Bool)
  /// The server's program reported an error.
  case remote(RPCTarget, exception: String, message: String)
  /// The server does not know the method, or the address of the whole interface is missing.
  case methodMissing(RPCTarget)
  /// The server does not understand the call.
  case refused(RPCTarget, message: String)
  /// The response is not JSON; often it is the page of a proxy.
  case notJSON(RPCTarget, status: Int, type: String, beginning: String)
  /// The response begins correctly and then violates the syntax of JSON.
  case unreadable(RPCTarget, reason: String)
  /// The response does not belong to the call.
  case protocolBroken(RPCTarget, reason: String)
  /// The response is well-formed, but its result is useless.
  case useless(RPCTarget, reason: String)
  /// The objects of the response contradict each other.
  case graph(RPCTarget, GraphError)
  /// The server remains too busy to respond.
  case busy(RPCTarget, status: Int, attempts: Int)
  /// The server could not be reached.
  case unreached(RPCTarget, HTTPError)
  /// The server was reached, but the response was not received, or not completely.
  case interrupted(RPCTarget, HTTPError)
  /// The token would be sent unprotected.
  case unsafe(RPCTarget)
  /// No data store of the server offers the tables.
  case noTables(server: String)
}

extension RPCError {
  /// A Boolean value indicating whether another dialect may know the missing method.
  var isMissingMethod: Bool {
    if case .methodMissing = self { return true }
    return false
  }

  /// A Boolean value indicating whether the user lacks the rights for the request.
  ///
  /// - Source: openBIS, `AuthorizationFailureException`, `UnauthorizedObjectAccessException`; V3 wraps the first one
  ///   into a `UserFailureException` and keeps its message.
  var isNotAllowed: Bool {
    guard case .remote(_, let exception, let message) = self else { return false }
    let name = exception.split(separator: ".").last ?? ""
    return name == "AuthorizationFailureException" || name == "UnauthorizedObjectAccessException"
      || message.hasPrefix("Authorization failure")
  }

  /// A Boolean value indicating whether the error comes from the server itself, which is therefore reachable.
  var isFromServer: Bool {
    switch self {
    case .loginFailed, .sessionEnded, .remote, .methodMissing, .refused: true
    case .notJSON, .unreadable, .protocolBroken, .useless, .graph, .busy, .unreached, .interrupted, .unsafe, .noTables:
      false
    }
  }

  /// True if a search failed because a match was deleted before it was read; the next search may succeed.
  ///
  /// - Source: openBIS, `AbstractSearchObjectsOperationExecutor`.
  var isOfConcurrentChange: Bool {
    if case .remote(_, _, let message) = self { return message.hasPrefix("Number of results after translation") }
    return false
  }

  /// Returns true if an error means that the server is unreachable, so that the client goes offline.
  ///
  /// Networks that require a login respond with an HTML page, or a redirect to one.
  static func meansOffline(_ error: any Error) -> Bool {
    switch error {
    case HTTPError.offline, HTTPError.unknownHost, HTTPError.notConnected: true
    // A data store is a different server: without it only files are missing.
    case RPCError.unreached(let target, _): !target.isOfDataStore
    case RPCError.notJSON(let target, 200..<300, let type, _): type.hasPrefix("text/html") && !target.isOfDataStore
    default: false
    }
  }
}

extension RPCError {
  /// True if a data store, and not the application server, was unreachable or did not respond properly.
  var isOfDataStore: Bool {
    switch self {
    case .unreached(let target, _), .interrupted(let target, _), .busy(let target, _, _), .notJSON(let target, _, _, _),
      .methodMissing(let target), .unreadable(let target, _), .protocolBroken(let target, _):
      target.isOfDataStore
    case .loginFailed, .sessionEnded, .remote, .refused, .useless, .graph, .unsafe, .noTables: false
    }
  }
}

/// The error of a reader whose result is useless; the call adds method and server.
struct UselessResult: Error, Equatable, ReportableError {
  /// The problem, as the end of a sentence.
  var reason: String

  init(_ reason: String) {
    self.reason = reason
  }

  /// The report for responses that were not received over a connection.
  var report: ErrorReport {
    ErrorReport(code: "openbis.unusable-answer", kind: .network, "an answer cannot be used: \(reason)")
  }
}

extension RPCError: ReportableError {
  /// The error for users and scripts, sanitized.
  var report: ErrorReport { wholeReport.sanitized }

  private var wholeReport: ErrorReport {
    switch self {
    case .loginFailed(let server, let user):
      ErrorReport(
        code: "openbis.login-failed", kind: .refused, "login failed: '\(server)' does not let '\(user)' in",
        advice: "look at the user's name and the password", details: ["server": .text(server)])
    case .sessionEnded(let target, let wasRenewed):
      ErrorReport(
        code: "openbis.session-ended", kind: .refused,
        wasRenewed
          ? "the session ended before \(target), and so did the one that took its place"
          : "the session ended before \(target), and nothing is known by which to log in again",
        advice: wasRenewed ? "try later; the server ends sessions at once" : "log in again",
        details: Self.details(target))
    case .busy(let target, let status, let attempts):
      ErrorReport(
        code: "openbis.busy", kind: .network,
        "\(target) was answered with status \(status), \(attempts) times", advice: "try later",
        details: Self.details(target), isRetryable: true)
    case .unreached(let target, let error): Self.report(target, "has no answer", error)
    case .interrupted(let target, let error): Self.report(target, "has no whole answer", error)
    case .unsafe(let target):
      ErrorReport(
        code: "openbis.unsafe-address", kind: .refused, "\(target) is not called: the token would go out unprotected",
        advice: "ask who runs the server for an https address of its data store", details: Self.details(target))
    case .noTables(let server):
      ErrorReport(
        code: "openbis.no-tables", kind: .notFound, "no data store of '\(server)' offers 'ipad-read-service-v1'",
        advice: "nor does it have V3, whose objects could be shown instead: ask who runs it for the service",
        details: ["server": .text(server)])
    case .remote(let target, let exception, let message): remoteReport(target, exception, message)
    case .methodMissing(let target):
      Self.report(
        "no-method", target, "is not there: the method is not supported by the server",
        "the server may be older or newer: 'workbench openbis login' finds out anew what it speaks, and with '--native' "
          + "objects of V3 are asked for")
    case .refused(let target, let message):
      Self.report("call-refused", target, "was not understood by the server: \(message)", nil)
    case .notJSON(let target, let status, let type, let beginning):
      Self.report(
        "not-json", target,
        "was answered with status \(status) and something that is not JSON (\(type.isEmpty ? "no type" : type)): "
          + "'\(beginning)'", "a proxy or a login page may stand in between; open the address in a browser")
    case .unreadable(let target, let reason):
      Self.report("unreadable-answer", target, "was answered with damaged JSON: \(reason)", "try again")
    case .protocolBroken(let target, let reason):
      Self.report("protocol-broken", target, "was answered against the protocol: \(reason)", nil)
    case .useless(let target, let reason):
      Self.report("unusable-answer", target, "was answered with what cannot be used: \(reason)", nil)
    case .graph(let target, let error): error.report(on: target)
    }
  }

  /// Returns the report on an error of the server's program.
  private func remoteReport(_ target: RPCTarget, _ exception: String, _ message: String) -> ErrorReport {
    var report =
      isNotAllowed
      ? Self.report(
        "not-allowed", target, "is not allowed: \(message)", "ask who runs the server for the right to see it")
      : Self.report(
        "remote-error", target, "failed on the server: \(message)", "ask who runs the server if this is not expected")
    if isNotAllowed { report.kind = .refused }
    report.details["exception"] = .text(exception)
    return report
  }

  private static func report(_ name: String, _ target: RPCTarget, _ what: String, _ advice: String?) -> ErrorReport {
    ErrorReport(
      code: "openbis." + name, kind: .network, "\(target) \(what)", advice: advice, details: details(target))
  }

  /// Returns the network's own report, extended by the method.
  private static func report(_ target: RPCTarget, _ what: String, _ error: HTTPError) -> ErrorReport {
    var report = error.report
    report.message = "\(target) \(what): \(report.message)"
    for field in details(target).fields { report.details[field.name] = field.value }
    return report
  }

  private static func details(_ target: RPCTarget) -> Record {
    ["method": .text(target.method), "server": .text(target.server)]
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

/// The method and server of a failed call.
struct RPCTarget: Sendable, Hashable, CustomStringConvertible {
  var method: String
  /// The server's address, without secrets.
  var server: String
  /// A Boolean value indicating whether the call went to a data store server, not to the application server.
  var isOfDataStore = false

  var description: String { "'\(method)' of '\(server)'" }
}
