public import PluginAPI

extension Value {
  /// Reads a whole document; for large ones there is ``JSONReader``.
  ///
  /// Objects become records in their order; of equal keys the last one counts, in the place of the first. Numbers become
  /// whole numbers where 64 bits are enough, floating-point numbers where up to 15 significant digits tell all, and
  /// decimal text otherwise. One half of a surrogate pair becomes U+FFFD.
  /// - Parameters:
  ///   - json: The document, UTF-8.
  ///   - depth: How deep objects and lists may be nested; values of more than 256 levels have no byte form.
  ///   - sizeInBytes: How large the document may be.
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
      // The builder throws nothing, so there is no other error.
      throw error as? JSONError ?? .outOfMemory
    }
    self = builder.value
  }
}

/// Makes a value of events.
private final class ValueBuilder {
  /// An object or a list that is open.
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
    // Taken out while it grows, so that it is not copied.
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
    // A whole number has no zero below zero.
    if let integer = text.integer, integer != 0 || text.bytes.count == 1 { return .integer(integer) }
    let isWhole = text.bytes.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
    if isWhole, text.bytes.count > 2 { return .decimal(text.string) }
    return JSONNumber.double(text).map(Value.number) ?? .decimal(text.string)
  }
}
