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
    RPCError.Code.unusableAnswer("a response cannot be used: \(reason)")
  }
}

extension RPCError: ReportableError {
  /// The error for users and scripts, sanitized.
  var report: ErrorReport { wholeReport.sanitized }

  private var wholeReport: ErrorReport {
    switch self {
    case .loginFailed(let server, let user):
      Code.loginFailed(
        "login failed: '\(server)' rejected the name or password of '\(user)'",
        advice: "check the name and the password", details: ["server": .text(server)])
    case .sessionEnded(let target, let wasRenewed):
      Code.sessionEnded(
        wasRenewed
          ? "the session expired before \(target), and so did the new one"
          : "the session expired before \(target), and no password is stored",
        advice: wasRenewed ? "try again later; the server ends new sessions immediately" : "log in again",
        details: Self.details(target))
    case .busy(let target, let status, let attempts):
      Code.busy(
        "\(target) got status \(status) in \(attempts) attempts", advice: "try again later",
        details: Self.details(target), isRetryable: true)
    case .unreached(let target, let error): Self.report(target, "got no response", error)
    case .interrupted(let target, let error): Self.report(target, "got an incomplete response", error)
    case .unsafe(let target):
      Code.unsafeAddress(
        "\(target) was not called: the token would be sent unencrypted",
        advice: "ask the server's administrator for an https address of the data store", details: Self.details(target))
    case .noTables(let server):
      Code.noTables(
        "no data store of '\(server)' offers 'ipad-read-service-v1'",
        advice: "ask the server's administrator for this service, or for V3, which needs none",
        details: ["server": .text(server)])
    case .remote(let target, let exception, let message): remoteReport(target, exception, message)
    case .methodMissing(let target):
      Self.report(
        Code.noMethod, target, "is not supported by the server",
        "the server may have changed: log in again, or use V3 with 'workbench openbis login --native'")
    case .refused(let target, let message):
      Self.report(Code.callRefused, target, "was rejected by the server: \(message)", nil)
    case .notJSON(let target, let status, let type, let beginning):
      Self.report(
        Code.notJSON, target,
        "got a response with status \(status) that is not JSON (\(type.isEmpty ? "no type" : type)): "
          + "'\(beginning)'", "a proxy or login page may have responded; open the address in a browser")
    case .unreadable(let target, let reason):
      Self.report(Code.unreadableAnswer, target, "got damaged JSON: \(reason)", "try again")
    case .protocolBroken(let target, let reason):
      Self.report(Code.protocolBroken, target, "got a response that violates the protocol: \(reason)", nil)
    case .useless(let target, let reason):
      Self.report(Code.unusableAnswer, target, "got an unusable response: \(reason)", nil)
    case .graph(let target, let error): error.report(on: target)
    }
  }

  /// Returns the report on an error of the server's program.
  private func remoteReport(_ target: RPCTarget, _ exception: String, _ message: String) -> ErrorReport {
    var report =
      isNotAllowed
      ? Self.report(
        Code.notAllowed, target, "is not allowed: \(message)",
        "ask the server's administrator for the right to read it")
      : Self.report(
        Code.remoteError, target, "failed on the server: \(message)",
        "ask the server's administrator if this is unexpected")
    report.details["exception"] = .text(exception)
    return report
  }

  private static func report(
    _ declared: DeclaredError, _ target: RPCTarget, _ what: String, _ advice: String?
  ) -> ErrorReport {
    declared("\(target) \(what)", advice: advice, details: details(target))
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

  fileprivate enum Code {
    static let loginFailed = DeclaredError(
      "openbis.login-failed", .refused, "the server rejected the user or the password")
    static let sessionEnded = DeclaredError(
      "openbis.session-ended", .refused, "the session expired and cannot be renewed")
    static let busy = DeclaredError("openbis.busy", .network, "the server or a proxy is too busy")
    static let unsafeAddress = DeclaredError(
      "openbis.unsafe-address", .refused, "the server uses HTTPS, but one of its data stores does not")
    static let noTables = DeclaredError(
      "openbis.no-tables", .notFound,
      "no data store of the server has a read service, and the server does not support V3")
    static let remoteError = DeclaredError(
      "openbis.remote-error", .network, "the server reported an error; the message is the server's")
    static let notAllowed = DeclaredError(
      "openbis.not-allowed", .refused, "the user has no right to the requested data")
    static let noMethod = DeclaredError("openbis.no-method", .network, "the server does not support a method")
    static let callRefused = DeclaredError(
      "openbis.call-refused", .network, "the server rejected the parameters of a call")
    static let notJSON = DeclaredError(
      "openbis.not-json", .network, "a response is not JSON, but for example a login page")
    static let unreadableAnswer = DeclaredError(
      "openbis.unreadable-answer", .network, "a response is not valid JSON or UTF-8")
    static let protocolBroken = DeclaredError(
      "openbis.protocol-broken", .network, "a response violates JSON-RPC or belongs to another call")
    static let unusableAnswer = DeclaredError(
      "openbis.unusable-answer", .network, "a response lacks required data, such as the column PERM_ID")
    static let all = [
      loginFailed, sessionEnded, busy, unsafeAddress, noTables, remoteError, notAllowed, noMethod, callRefused, notJSON,
      unreadableAnswer, protocolBroken, unusableAnswer,
    ]
  }

  /// The stable error codes.
  static let errorCodes = Code.all.map(\.catalogueEntry)
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
