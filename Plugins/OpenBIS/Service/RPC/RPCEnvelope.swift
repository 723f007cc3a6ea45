import PluginAPI
import PluginJSON

/// Reads an answer of JSON-RPC as it arrives and hands the events of its result on.
///
/// - Source: JSON-RPC 2.0, section 5; `"error":null` beside a result is accepted, as of version 1.
// Its variables belong to the thread of all transfers while an answer arrives.
final class RPCEnvelope {
  /// What the member `error` says.
  struct Fault: Equatable {
    var code = 0
    var message = ""
    /// Of the server's own kind; "" if it does not say.
    var exception = ""
  }

  private enum Member {
    case none, result, error, id
  }

  private let reader: any RPCResultReader
  private var member = Member.none
  /// How many objects and lists are open within the result.
  private var depth = 0
  private var isOpen = false
  /// Whether all of the object was read.
  private(set) var isComplete = false
  /// Whether a result that is not null began; what the reader has seen cannot be unseen.
  private(set) var hasResult = false
  private var hasNullResult = false
  private(set) var fault: Fault?
  /// The id as it is written; nil if there was none.
  private var id: [UInt8]?

  init(_ reader: any RPCResultReader) {
    self.reader = reader
  }

  /// Whether anything but blanks came that an answer begins with.
  var hasBegun: Bool { isOpen || isComplete }

  /// Takes an event of the answer.
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
      // Of what is passed over, or comes as one raw value, no end is told.
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

  /// Looks at the answer as a whole.
  ///
  /// - Throws: ``UselessResult`` with what is against the protocol.
  func check(id expected: Int) throws(UselessResult) {
    guard isComplete else { throw UselessResult("it has no content") }
    let text = id.map { String(decoding: $0, as: UTF8.self) }
    if fault != nil {
      // What could not even be read is answered with null.
      if text == nil || text == "null" { return }
    } else if !hasResult, !hasNullResult {
      throw UselessResult("it has neither a result nor an error")
    }
    guard text == "\(expected)" || text == "\"\(expected)\"" else {
      throw UselessResult(text == nil ? "it does not say to which call it belongs" : "it belongs to another call")
    }
  }

  /// What the text of `error` says; nil for null.
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
