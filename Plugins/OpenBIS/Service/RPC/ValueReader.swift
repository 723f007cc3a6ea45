import PluginAPI
import PluginJSON

/// A reader of a small result as a whole.
// Its value belongs to the thread of all transfers until the call has ended.
final class ValueReader: RPCResultReader, @unchecked Sendable {
  /// The result; null before it is received.
  private(set) var value = Value.null
  private let depth: Int

  /// Creates a reader of values with a maximum nesting depth.
  init(depth: Int = 256) {
    self.depth = depth
  }

  func take(_ event: JSONEvent) throws -> JSONFlow {
    switch event {
    case .beginObject, .beginArray: return .raw
    case .raw(let text): value = try Value(json: Array(text.bytes), depth: depth, sizeInBytes: text.bytes.count)
    case .text(let text): value = .text(text.string)
    case .bool(let flag): value = .bool(flag)
    case .number(let text):
      value = text.integer.map(Value.integer) ?? text.number.map(Value.number) ?? .decimal(text.string)
    default: value = .null
    }
    return .more
  }
}

extension RPCCaller {
  /// Calls a method with a small result, and returns that as a value.
  ///
  /// - Throws: Errors of the call.
  func callForValue(_ call: RPCCall) async throws -> Value {
    let reader = ValueReader()
    _ = try await self.call(call, reader)
    return reader.value
  }
}

/// The parameters of calls, encoded as JSON.
enum RPCParameter {
  /// Returns a text as JSON.
  static func text(_ text: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(text)
    return writer.take()
  }

  /// Returns a value as JSON.
  static func value(_ value: Value) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(value)
    return writer.take()
  }
}
