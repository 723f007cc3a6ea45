import PluginAPI

/// A message of JSON-RPC 2.0, one JSON document on a line.
///
/// - Source: JSON-RPC 2.0 specification, sections 4 and 5, without batches.
enum RPCMessage: Sendable, Equatable {
  /// A call that is answered with a result or a failure of the same id.
  case request(id: Value, method: String, parameters: Value)
  /// A call without an answer.
  case notification(method: String, parameters: Value)
  /// The answer to a request.
  case result(id: Value, Value)
  /// The failure of a request; the id is null if the request could not be read.
  case failure(id: Value, RPCFailure)

  /// Text that is not a message.
  struct Problem: Error, Equatable {
    /// The kind of a problem.
    enum Kind: Equatable {
      /// The text is not JSON, or nested too deeply.
      case notJSON
      /// The JSON is not a message, or not one that is allowed here.
      case notAMessage
    }

    var kind = Kind.notAMessage
    /// The problem in words.
    var message: String
    /// The id of the message; null if it has none that can be used.
    var id: Value = nil
  }

  private static let longestID = 64

  /// Reads a line.
  init(line: [UInt8]) throws(Problem) {
    let document: Value
    do throws(JSONError) {
      document = try JSONReader.read(line, deepest: WireValue.deepest)
    } catch {
      throw Problem(kind: .notJSON, message: "a line is not JSON: \(error.problem) in column \(error.column)")
    }
    let id = try Self.id(document["id"])
    guard document["jsonrpc"].text == "2.0" else {
      let isBatch = document.list != nil
      throw Problem(message: isBatch ? "batches are not supported" : "a line is not a message of JSON-RPC 2.0", id: id)
    }
    let parameters = document["params"]
    if let method = document["method"].text {
      self =
        id.isNull
        ? .notification(method: method, parameters: parameters)
        : .request(id: id, method: method, parameters: parameters)
    } else if let error = document.record?["error"] {
      self = .failure(id: id, RPCFailure(json: error))
    } else if let result = document.record?["result"], !id.isNull {
      self = .result(id: id, result)
    } else {
      throw Problem(message: "a message has neither method, result nor error", id: id)
    }
  }

  /// Checks the id of a message: null, a whole number or a short text.
  static func id(_ id: Value) throws(Problem) -> Value {
    switch id.content {
    case .null, .integer: return id
    case .text(let text) where text.utf8.count <= longestID: return id
    default: throw Problem(message: "the id of a message is neither a whole number nor a short text")
    }
  }

  /// The line of the message, with its line feed.
  var line: [UInt8] {
    var document: Record = ["jsonrpc": "2.0"]
    switch self {
    case .request(let id, let method, let parameters):
      document["id"] = id
      document["method"] = .text(method)
      document["params"] = parameters
    case .notification(let method, let parameters):
      document["method"] = .text(method)
      document["params"] = parameters
    case .result(let id, let result):
      document["id"] = id
      document["result"] = result
    case .failure(let id, let failure):
      document["id"] = id
      document["error"] = failure.json
    }
    return JSONWriter.bytes(of: .record(document)) + [UInt8(ascii: "\n")]
  }

  /// The part of a response that holds its outcome.
  enum Outcome: String {
    case result, error
  }

  /// Returns the line of a response whose outcome is JSON already, with its line feed.
  static func line(answering id: Value, _ outcome: Outcome, json: [UInt8]) -> [UInt8] {
    let number = JSONWriter.bytes(of: id)
    var line: [UInt8] = []
    line.reserveCapacity(json.count + number.count + 64)
    line += #"{"jsonrpc":"2.0","id":"#.utf8
    line += number
    line += ",\"\(outcome.rawValue)\":".utf8
    line += json
    line += "}\n".utf8
    return line
  }
}
