import PluginAPI
import PluginJSON

/// A reader of a JSON-RPC response while it arrives, which forwards the events of its result.
///
/// - Source: JSON-RPC 2.0, section 5; `"error":null` beside a result is accepted, as of version 1.
// Its variables belong to the thread of all transfers while a response arrives.
final class RPCEnvelope {
  /// The content of the member `error`.
  struct Fault: Equatable {
    var code = 0
    var message = ""
    /// The class of the server's exception; "" if it is not reported.
    var exception = ""
  }

  private enum Member {
    case none, result, error, id
  }

  private let reader: any RPCResultReader
  private var member = Member.none
  /// The number of open objects and lists within the result.
  private var depth = 0
  private var isOpen = false
  /// A Boolean value indicating whether the whole object was read.
  private(set) var isComplete = false
  /// A Boolean value indicating whether a result other than null has begun, which the reader cannot undo.
  private(set) var hasResult = false
  private var hasNullResult = false
  private(set) var fault: Fault?
  /// The id as written in the response; nil if there was none.
  private var id: [UInt8]?

  init(_ reader: any RPCResultReader) {
    self.reader = reader
  }

  /// A Boolean value indicating whether a response has begun, ignoring leading blanks.
  var hasBegun: Bool { isOpen || isComplete }

  /// Processes an event of the response.
  func take(_ event: JSONEvent) throws -> JSONFlow {
    if member == .result { return try takeResult(event) }
    switch event {
    case .beginObject where !isOpen: isOpen = true
    case .endObject: (isOpen, isComplete) = (false, true)
    case .key("result"):
      if hasResult || hasNullResult { throw UselessResult("it has two results") }
      member = .result
    case .key("error"):
      member = .error
      return .raw
    case .key("id"):
      member = .id
      return .raw
    case .key: return .skip
    case .raw(let text):
      if member == .error { fault = Self.fault(Array(text.bytes)) } else { id = Array(text.bytes) }
      member = .none
    default: throw UselessResult("it is no object")
    }
    return .more
  }

  private func takeResult(_ event: JSONEvent) throws -> JSONFlow {
    switch event {
    case .beginObject, .beginArray:
      hasResult = true
      let flow = try reader.take(event)
      // Skipped values and raw values do not report an end.
      if flow == .more { depth += 1 } else if flow == .skip, depth == 0 { member = .none }
      return flow
    case .endObject, .endArray: depth -= 1
    case .null where depth == 0: hasNullResult = true
    case .key: break
    default: hasResult = true
    }
    let flow = try reader.take(event)
    if depth == 0 { member = .none }
    return flow
  }

  /// Checks the response as a whole.
  ///
  /// - Throws: ``UselessResult`` with the violation of the protocol.
  func check(id expected: Int) throws(UselessResult) {
    guard isComplete else { throw UselessResult("it has no content") }
    let text = id.map { String(decoding: $0, as: UTF8.self) }
    if fault != nil {
      // Requests that could not be parsed are answered with null.
      if text == nil || text == "null" { return }
    } else if !hasResult, !hasNullResult {
      throw UselessResult("it has neither a result nor an error")
    }
    guard text == "\(expected)" || text == "\"\(expected)\"" else {
      throw UselessResult(text == nil ? "it does not say to which call it belongs" : "it belongs to another call")
    }
  }

  /// Returns the content of `error`; nil for null.
  private static func fault(_ json: [UInt8]) -> Fault? {
    guard let value = try? Value(json: json, depth: 64) else { return Fault(message: "it cannot be told why") }
    if value.isNull { return nil }
    if let text = value.text { return Fault(message: text) }
    var fault = Fault(code: value["code"].integer ?? 0, message: value["message"].text ?? "")
    fault.exception = value["data"]["exceptionTypeName"].text ?? ""
    if fault.message.isEmpty { fault.message = value["data"]["message"].text ?? "it does not say why" }
    return fault
  }
}
