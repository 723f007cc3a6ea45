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
    var message: String
  }

  private static let longestID = 64

  /// Reads a line.
  init(line: [UInt8]) throws(Problem) {
    let document: Value
    do throws(JSONError) {
      document = try JSONReader.read(line, deepest: WireValue.deepest)
    } catch {
      throw Problem(message: "it wrote a line that is not JSON: \(error.problem) in column \(error.column)")
    }
    guard document["jsonrpc"].text == "2.0" else {
      throw Problem(message: "it wrote a line that is not a message of JSON-RPC 2.0")
    }
    let parameters = document["params"]
    let id = document["id"]
    switch id.content {
    case .null, .integer: break
    case .text(let text) where text.utf8.count <= Self.longestID: break
    default: throw Problem(message: "the id of a message is neither a whole number nor a short text")
    }
    if let method = document["method"].text {
      self =
        id.isNull
        ? .notification(method: method, parameters: parameters)
        : .request(
          id: id, method: method, parameters: parameters)
    } else if let error = document.record?["error"] {
      self = .failure(id: id, RPCFailure(json: error))
    } else if let result = document.record?["result"], !id.isNull {
      self = .result(id: id, result)
    } else {
      throw Problem(message: "a message has neither method, result nor error")
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
}

/// The failure of a request.
struct RPCFailure: Error, Sendable, Equatable {
  /// The number of the kind of failure.
  var code: Int
  /// A sentence for people.
  var message: String
  /// The error as users and scripts see it; nil if the other side made none.
  var report: ErrorReport?

  /// The code of a method that the receiver does not have.
  static let unknownMethod = -32_601
  /// The code of parameters that the receiver cannot use.
  static let badParameters = -32_602
  /// The code of an error that is described by its report.
  static let reported = -32_000
  /// The code of a request that was canceled.
  ///
  /// - Source: Language Server Protocol 3.17, `RequestCancelled`.
  static let canceled = -32_800

  /// Creates a failure.
  init(code: Int, _ message: String, report: ErrorReport? = nil) {
    (self.code, self.message, self.report) = (code, message, report)
  }

  /// Creates the failure for an error of the host or of another plugin.
  init(_ error: any Error) {
    if error is CancellationError {
      self.init(code: Self.canceled, "canceled")
    } else {
      let report = ErrorReport(error)
      self.init(code: Self.reported, report.message, report: report)
    }
  }

  /// Reads the failure; missing parts get defaults.
  init(json: Value) {
    self.init(
      code: json["code"].integer ?? Self.reported, json["message"].text ?? "unknown error",
      report: (try? WireValue.value(json["data"])).flatMap { try? ErrorReport(value: $0) })
  }

  var json: Value {
    var record: Record = ["code": .integer(code), "message": .text(message)]
    record["data"] = report.map { WireValue.json($0.value) }
    return .record(record)
  }
}

/// Cuts the bytes of a stream into lines.
struct LineSplitter {
  /// The longest line in bytes.
  let limit: Int
  private var pending: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  /// A Boolean value indicating whether the stream ended, or exceeded the limit, inside a line.
  var isInsideLine: Bool { !pending.isEmpty }

  /// Adds bytes of the stream.
  ///
  /// - Returns: The lines that they complete, without line feeds; nil if a line exceeds the limit.
  mutating func add(_ chunk: [UInt8]) -> [[UInt8]]? {
    var lines: [[UInt8]] = []
    var start = 0
    while let end = chunk[start...].firstIndex(of: UInt8(ascii: "\n")) {
      guard pending.count + end - start <= limit else { return nil }
      lines.append(pending + chunk[start..<end])
      pending = []
      start = end + 1
    }
    guard pending.count + chunk.count - start <= limit else { return nil }
    pending += chunk[start...]
    return lines
  }
}
