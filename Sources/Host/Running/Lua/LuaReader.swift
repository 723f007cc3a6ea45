import PluginAPI

/// A value that a script passes.
enum LuaArgument {
  /// Nil, or nothing.
  case nothing
  case value(Value)
  /// A table: its elements and its named fields.
  case table([Value], Record)
  /// The name of something that the host keeps for the script.
  case handle(UInt64)
}

/// Reads the bytes of a request; `chost_lua.h` has their form.
struct LuaReader {
  private let bytes: UnsafeRawBufferPointer
  /// Returns the value that a handle in a table stands for; nil if it is none.
  private let value: (UInt64) -> Value?
  private var offset = 0

  private enum Tag: UInt8 {
    case nothing = 0
    case no, yes, integer, float, string, table
    case handle = 8
    case null = 11
  }

  /// Returns the values of a request.
  ///
  /// - Parameter value: Returns the value that a handle in a table stands for.
  /// - Throws: ``LuaError/mixedTable`` or ``LuaError/unusableHandle``.
  static func arguments(
    _ bytes: UnsafeRawBufferPointer, value: @escaping (UInt64) -> Value?
  ) throws(ErrorReport) -> [LuaArgument] {
    var reader = LuaReader(bytes: bytes, value: value)
    var arguments: [LuaArgument] = []
    for _ in 0..<reader.readCount() { arguments.append(try reader.readArgument()) }
    return arguments
  }

  private init(bytes: UnsafeRawBufferPointer, value: @escaping (UInt64) -> Value?) {
    self.bytes = bytes
    self.value = value
  }

  private mutating func readArgument() throws(ErrorReport) -> LuaArgument {
    let tag = readTag()
    switch tag {
    case .nothing, .null: return .nothing
    case .table:
      let (list, fields) = try readTable()
      return .table(list, fields)
    case .handle: return .handle(readBits())
    case .no, .yes, .integer, .float, .string: return .value(try readValue(tag))
    }
  }

  private mutating func readValue(_ tag: Tag) throws(ErrorReport) -> Value {
    switch tag {
    case .nothing, .null: return .null
    case .no: return false
    case .yes: return true
    case .integer: return .integer(Int(Int64(bitPattern: readBits())))
    case .float: return .number(Double(bitPattern: readBits()))
    case .string: return readString()
    case .table:
      let (list, fields) = try readTable()
      if fields.isEmpty { return .list(list) }
      guard list.isEmpty else { throw LuaError.mixedTable }
      return .record(fields)
    case .handle:
      guard let value = value(readBits()) else { throw LuaError.unusableHandle }
      return value
    }
  }

  private mutating func readTable() throws(ErrorReport) -> ([Value], Record) {
    var list: [Value] = []
    let count = readCount()
    list.reserveCapacity(count)
    for _ in 0..<count { list.append(try readValue(readTag())) }
    var fields: [Record.Field] = []
    for _ in 0..<readCount() {
      let name = String(decoding: readBytes(), as: UTF8.self)
      fields.append(Record.Field(name, try readValue(readTag())))
    }
    // Tables of Lua have no order, and another one in each run.
    fields.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return (list, Record(fields))
  }

  /// Reads a string: text, or bytes if it is not UTF-8.
  private mutating func readString() -> Value {
    let content = readBytes()
    return String(validating: content, as: UTF8.self).map(Value.text) ?? .bytes(Array(content))
  }

  private mutating func readBytes() -> Slice<UnsafeRawBufferPointer> {
    let count = readCount()
    defer { offset += count }
    return bytes[offset..<offset + count]
  }

  private mutating func readCount() -> Int { Int(readBits()) }

  private mutating func readBits() -> UInt64 {
    defer { offset += 8 }
    return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private mutating func readTag() -> Tag {
    defer { offset += 1 }
    return Tag(rawValue: bytes[offset]) ?? .nothing
  }
}

extension LuaArgument {
  /// The text, if it is one.
  var text: String? {
    if case .value(let value) = self { value.text } else { nil }
  }

  /// The handle: the argument itself.
  var handle: UInt64? {
    if case .handle(let handle) = self { handle } else { nil }
  }

  /// The bytes of a string.
  var bytes: [UInt8]? {
    guard case .value(let value) = self else { return nil }
    return value.bytes ?? value.text.map { Array($0.utf8) }
  }
}
