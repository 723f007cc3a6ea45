import PluginAPI
import PluginNet

/// Errors of calls to a server.
enum RPCError: Error, Equatable {
  /// The server rejected the user or the password.
  case loginFailed(server: String, user: String)
  /// The session expired and cannot be renewed, or the new one expired at once.
  case sessionEnded(RPCPlace, wasRenewed: Bool)
  /// The server's program reported an error.
  case remote(RPCPlace, exception: String, message: String)
  /// The server does not know the method, or the address of the whole interface is missing.
  case methodMissing(RPCPlace)
  /// The server does not understand the call.
  case refused(RPCPlace, message: String)
  /// The response is not JSON; often it is the page of a proxy.
  case notJSON(RPCPlace, status: Int, type: String, beginning: String)
  /// The response begins correctly and then violates the syntax of JSON.
  case unreadable(RPCPlace, reason: String)
  /// The response does not belong to the call.
  case protocolBroken(RPCPlace, reason: String)
  /// The response is well-formed, but its result is useless.
  case useless(RPCPlace, reason: String)
  /// The objects of the response contradict each other.
  case graph(RPCPlace, GraphError)
  /// The server remains too busy to respond.
  case busy(RPCPlace, status: Int, attempts: Int)
  /// The server could not be reached.
  case unreached(RPCPlace, HTTPError)
  /// The server was reached, but the response was not received, or not completely.
  case interrupted(RPCPlace, HTTPError)
  /// The token would be sent unprotected.
  case unsafe(RPCPlace)
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
  var isServersWord: Bool {
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
    case RPCError.unreached(let place, _): !place.isOfDataStore
    case RPCError.notJSON(let place, 200..<300, let type, _): type.hasPrefix("text/html") && !place.isOfDataStore
    default: false
    }
  }
}

extension RPCError {
  /// True if a data store, and not the application server, was unreachable or did not respond properly.
  var isOfDataStore: Bool {
    switch self {
    case .unreached(let place, _), .interrupted(let place, _), .busy(let place, _, _), .notJSON(let place, _, _, _),
      .methodMissing(let place), .unreadable(let place, _), .protocolBroken(let place, _):
      place.isOfDataStore
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
