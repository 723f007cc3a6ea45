import PluginAPI
import PluginNet

/// Why a call of a server has no result.
enum RPCError: Error, Equatable {
  /// The server knows no such user with that password.
  case loginFailed(server: String, user: String)
  /// The session is over and nothing is known by which a new one could begin, or the new one was over at once.
  case sessionEnded(RPCPlace, wasRenewed: Bool)
  /// The server's program says no.
  case remote(RPCPlace, exception: String, message: String)
  /// The server does not know the method, or nothing answers at the address of the whole interface.
  case methodMissing(RPCPlace)
  /// The server does not understand the call.
  case refused(RPCPlace, message: String)
  /// Something else answered: often a page of a proxy.
  case notJSON(RPCPlace, status: Int, type: String, beginning: String)
  /// The answer begins well and then breaks a rule of JSON.
  case unreadable(RPCPlace, reason: String)
  /// The answer is no answer to the call.
  case protocolBroken(RPCPlace, reason: String)
  /// The answer is one, but what it says is of no use.
  case useless(RPCPlace, reason: String)
  /// The answer's objects contradict each other.
  case graph(RPCPlace, GraphError)
  /// The server stays too busy to answer.
  case busy(RPCPlace, status: Int, attempts: Int)
  /// The server was not reached.
  case unreached(RPCPlace, HTTPError)
  /// The server was reached, but the answer did not come or not to its end.
  case interrupted(RPCPlace, HTTPError)
  /// The token would go out unprotected.
  case unsafe(RPCPlace)
  /// No data store of the server offers the tables.
  case noTables(server: String)
}

extension RPCError {
  /// Whether another dialect may know what this one does not.
  var isMissingMethod: Bool {
    if case .methodMissing = self { return true }
    return false
  }

  /// A Boolean value indicating whether the user has no right to what was asked for.
  ///
  /// - Source: openBIS, `AuthorizationFailureException`, `UnauthorizedObjectAccessException`; V3 wraps the first one into
  ///   a `UserFailureException` and keeps its message.
  var isNotAllowed: Bool {
    guard case .remote(_, let exception, let message) = self else { return false }
    let name = exception.split(separator: ".").last ?? ""
    return name == "AuthorizationFailureException" || name == "UnauthorizedObjectAccessException"
      || message.hasPrefix("Authorization failure")
  }

  /// Whether the server itself said no, which shows that it can be reached.
  var isServersWord: Bool {
    switch self {
    case .loginFailed, .sessionEnded, .remote, .methodMissing, .refused: true
    default: false
    }
  }

  /// True if a search failed because what it found was deleted before it was read; the next one may succeed.
  ///
  /// - Source: openBIS, `AbstractSearchObjectsOperationExecutor`.
  var isOfConcurrentChange: Bool {
    if case .remote(_, _, let message) = self { return message.hasPrefix("Number of results after translation") }
    return false
  }

  /// Whether an error means that the server cannot be reached at all, so that one goes offline.
  ///
  /// A page for people, or the way to one, is what networks answer in which one has to log in first.
  static func meansOffline(_ error: any Error) -> Bool {
    switch error {
    case HTTPError.offline, HTTPError.unknownHost, HTTPError.notConnected: true
    // A data store is another server: without it only files are missing.
    case RPCError.unreached(let place, _): !place.isOfDataStore
    case RPCError.notJSON(let place, 200..<300, let type, _): type.hasPrefix("text/html") && !place.isOfDataStore
    default: false
    }
  }
}

extension RPCError {
  /// True if a data store, and not the application server, could not be reached or did not answer properly.
  var isOfDataStore: Bool {
    switch self {
    case .unreached(let place, _), .interrupted(let place, _), .busy(let place, _, _), .notJSON(let place, _, _, _),
      .methodMissing(let place), .unreadable(let place, _), .protocolBroken(let place, _):
      place.isOfDataStore
    default: false
    }
  }
}

/// What a reader of a result throws when the result is of no use; the call names method and server.
struct UselessResult: Error, Equatable, ReportableError {
  /// What is wrong, as the end of a sentence.
  var reason: String

  init(_ reason: String) {
    self.reason = reason
  }

  /// For answers that were not called for over a connection.
  var report: ErrorReport {
    ErrorReport(code: "openbis.unusable-answer", kind: .network, "an answer cannot be used: \(reason)")
  }
}
