/// The errors of a simulated server.
enum SimulatedFailure: Error, Equatable {
  /// An unknown session, in the server's words.
  case session(String)
  /// A wrong request of a user.
  case user(String)
  /// A failed script.
  case script(String)
  /// A request that the user is not allowed to make.
  case rights(String)
  case unknownMethod(String)
  case badParameters(String)
  /// An exception with its class.
  case exception(String, String)

  var status: Int {
    switch self {
    case .unknownMethod: 404
    case .badParameters: 500
    default: 200
    }
  }

  /// Writes the value of `error`.
  func write(to buffer: inout WireBuffer) {
    switch self {
    case .unknownMethod: buffer.add(#"{"code":-32601,"message":"method not found"}"#)
    case .badParameters:
      buffer.add(#"{"code":-32602,"message":"#)
      buffer.add(quoted: ServerWords.badParameters)
      buffer.add("}")
    case .session(let words): add(words, "ch.systemsx.cisd.common.exceptions.InvalidSessionException", &buffer)
    case .user(let words): add(words, Self.userFailure, &buffer)
    case .script(let words): add("Chosen plugin failed to create a report: " + words, Self.userFailure, &buffer)
    case .rights(let words):
      add(words, "ch.systemsx.cisd.common.exceptions.AuthorizationFailureException", &buffer)
    case .exception(let name, let words): add(words, name, &buffer)
    }
  }

  private static let userFailure = "ch.systemsx.cisd.common.exceptions.UserFailureException"

  private func add(_ words: String, _ name: String, _ buffer: inout WireBuffer) {
    buffer.add(#"{"code":0,"message":"#)
    buffer.add(quoted: words)
    buffer.add(#","data":{"exceptionTypeName":"#)
    buffer.add(quoted: name)
    buffer.add(#","message":"#)
    buffer.add(quoted: words)
    buffer.add("}}")
  }
}
