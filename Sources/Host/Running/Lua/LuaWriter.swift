import PluginAPI

/// Writes values as the bytes that the interpreter makes tables of; `chost_lua.h` has their form.
struct LuaWriter {
  /// The bytes so far.
  private(set) var bytes: [UInt8] = []
  /// Keeps a picture and returns the handle by which the script names it.
  private let keep: (Picture) -> UInt64

  private enum Tag: UInt8 {
    case nothing, no, yes, integer, float, string, list, record, handle, table, object, null
  }

  /// Creates a writer.
  ///
  /// - Parameter keep: Keeps a picture and returns its handle.
  init(keep: @escaping (Picture) -> UInt64) {
    self.keep = keep
  }

  /// Adds the number of results, or of elements.
  mutating func add(count: Int) { add(bits: UInt64(count)) }

  /// Adds a handle.
  mutating func add(handle: UInt64) {
    add(tag: .handle)
    add(bits: handle)
  }

  /// Adds an error, which the script catches as a table.
  mutating func add(_ error: ErrorReport) {
    let fields: [(String, Value)] = [
      ("code", .text(error.code)), ("message", .text(error.message)), ("advice", .optional(error.advice)),
      ("details", .record(error.details)), ("kind", .text(error.kind.rawValue)),
      ("status", .integer(Int(error.exitStatus))), ("retryable", .bool(error.isRetryable)),
    ]
    add(tag: .object)
    add(name: "error")
    add(Record(fields.map { Record.Field($0.0, $0.1) }))
  }

  /// Adds a value; null is nil to the script, but `wb.null` in a list, which otherwise would end there.
  mutating func add(_ value: Value) {
    switch value.content {
    case .null: add(tag: .nothing)
    case .bool(let flag): add(tag: flag ? .yes : .no)
    case .integer(let number):
      add(tag: .integer)
      add(bits: UInt64(bitPattern: Int64(number)))
    case .number(let number): add(number)
    case .decimal(let text), .text(let text): add(text)
    case .bytes(let content):
      add(tag: .string)
      add(count: content.count)
      bytes += content
    case .date(let instant): add(instant.description)
    case .quantity(let quantity): add(["value": .number(quantity.value), "unit": .text(quantity.unit)] as Record)
    case .list(let values): add(list: values)
    case .record(let record): add(record)
    case .table(let table): add(table)
    case .picture(let picture): add(picture)
    case .array(let array): add(array)
    @unknown default: add(tag: .nothing)
    }
  }

  /// Adds the elements of a list.
  mutating func add(list values: some Collection<Value>) {
    add(tag: .list)
    add(count: values.count)
    for value in values {
      if value.isNull { add(tag: .null) } else { add(value) }
    }
  }

  private mutating func add(_ record: Record) {
    add(tag: .record)
    add(count: record.fields.count)
    for field in record.fields {
      add(name: field.name)
      add(field.value)
    }
  }

  private mutating func add(_ table: Table) {
    add(tag: .table)
    add(count: table.columns.count)
    for column in table.columns { add(name: column.name) }
    add(count: table.rowCount)
    for row in 0..<table.rowCount {
      for column in table.columns { add(column.values[row]) }
    }
  }

  private mutating func add(_ picture: Picture) {
    add(tag: .object)
    add(name: "picture")
    add(tag: .record)
    add(count: 3)
    add(name: "width")
    add(Value.integer(picture.width))
    add(name: "height")
    add(Value.integer(picture.height))
    add(name: "handle")
    add(handle: keep(picture))
  }

  /// Adds an array as lists of lists, a level per dimension.
  private mutating func add(_ array: NumericArray) {
    let numbers = array.values
    var offset = 0
    add(numbers, shape: array.shape[...], &offset)
  }

  private mutating func add(_ numbers: [Value], shape: ArraySlice<Int>, _ offset: inout Int) {
    guard let count = shape.first else {
      if offset < numbers.count { add(numbers[offset]) } else { add(tag: .nothing) }
      offset += 1
      return
    }
    add(tag: .list)
    add(count: count)
    for _ in 0..<count { add(numbers, shape: shape.dropFirst(), &offset) }
  }

  private mutating func add(_ number: Double) {
    add(tag: .float)
    add(bits: number.bitPattern)
  }

  private mutating func add(_ text: String) {
    add(tag: .string)
    add(name: text)
  }

  private mutating func add(name: String) {
    add(count: name.utf8.count)
    bytes += name.utf8
  }

  private mutating func add(bits: UInt64) {
    withUnsafeBytes(of: bits.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func add(tag: Tag) { bytes.append(tag.rawValue) }
}

extension LuaWriter {
  /// Adds an object of a file: its content, or its handle.
  mutating func add(file: LuaOpenedFile) {
    add(tag: .object)
    add(name: "file")
    add(tag: .record)
    switch file {
    case .contents(let bytes):
      add(count: 2)
      add(name: "contents")
      add(Value.bytes(bytes))
      add(name: "position")
      add(Value.integer(1))
    case .handle(let handle):
      add(count: 1)
      add(name: "handle")
      add(handle: handle)
    }
  }
}

extension NumericArray {
  /// The numbers as values.
  fileprivate var values: [Value] {
    func integers<Number: NumericArrayElement & BinaryInteger>(_ type: Number.Type) -> [Value] {
      (numbers(as: type) ?? []).map { .integer(Int(clamping: $0)) }
    }
    switch elementType {
    case .int8: return integers(Int8.self)
    case .int16: return integers(Int16.self)
    case .int32: return integers(Int32.self)
    case .int64: return integers(Int64.self)
    case .uint8: return integers(UInt8.self)
    case .uint16: return integers(UInt16.self)
    case .uint32: return integers(UInt32.self)
    case .uint64: return integers(UInt64.self)
    case .float32: return (numbers(as: Float.self) ?? []).map { .number(Double($0)) }
    case .float64: return (numbers(as: Double.self) ?? []).map { .number($0) }
    @unknown default: return []
    }
  }
}
