public import PluginAPI

extension Value {
  /// Reads a complete document; for large documents use ``JSONReader``.
  ///
  /// Objects become records in order; if keys are equal, the last value is used at the position of the first. Numbers
  /// become whole numbers if 64 bits suffice, floating-point numbers if up to 15 significant digits suffice, and
  /// decimal text otherwise. An unpaired surrogate becomes U+FFFD.
  /// - Parameters:
  ///   - json: The document, UTF-8.
  ///   - depth: The maximum nesting depth of objects and arrays; values of more than 256 levels have no byte form.
  ///   - sizeInBytes: The maximum size of the document.
  /// - Throws: ``JSONError``.
  public init(json: [UInt8], depth: Int = 256, sizeInBytes: Int = 64 << 20) throws(JSONError) {
    var options = JSONReader.Options()
    options.depth = depth
    options.sizeInBytes = sizeInBytes
    options.textInBytes = sizeInBytes
    let builder = ValueBuilder()
    let reader = try JSONReader(options) { event in
      builder.take(event)
      return .more
    }
    do {
      try reader.push(json)
      try reader.finish()
    } catch {
      // The builder does not throw, so there is no other error.
      throw error as? JSONError ?? .outOfMemory
    }
    self = builder.value
  }
}

/// A builder of a value from events.
private final class ValueBuilder {
  /// An open object or array.
  private enum Frame {
    case object([Record.Field])
    case list([Value])
  }

  private(set) var value = Value.null
  private var frames: [Frame] = []
  private var keys: [String] = []

  func take(_ event: JSONEvent) {
    switch event {
    case .beginObject: frames.append(.object([]))
    case .beginArray: frames.append(.list([]))
    case .key(let text): keys.append(text.string)
    case .endObject, .endArray: end()
    case .text(let text): add(.text(text.string))
    case .number(let text): add(number(text))
    case .bool(let flag): add(.bool(flag))
    case .null: add(.null)
    case .raw: break
    }
  }

  private func end() {
    switch frames.popLast() {
    case .object(let fields): add(.record(Record(fields)))
    case .list(let values): add(.list(values))
    case nil: break
    }
  }

  private func add(_ new: Value) {
    // Removed while it grows, so that it is not copied.
    switch frames.popLast() {
    case .object(var fields):
      fields.append(Record.Field(keys.removeLast(), new))
      frames.append(.object(fields))
    case .list(var values):
      values.append(new)
      frames.append(.list(values))
    case nil: value = new
    }
  }

  private func number(_ text: JSONText) -> Value {
    // A whole number has no negative zero.
    if let integer = text.integer, integer != 0 || text.bytes.count == 1 { return .integer(integer) }
    let isWhole = text.bytes.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
    if isWhole, text.bytes.count > 2 { return .decimal(text.string) }
    return JSONNumber.double(text).map(Value.number) ?? .decimal(text.string)
  }
}
