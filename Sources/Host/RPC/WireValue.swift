import PluginAPI

/// Values in messages of programs: JSON that keeps kinds and type names; dates to the millisecond.
///
/// Nothing, Booleans, finite numbers, texts, lists and records are plain JSON. Other kinds are an object whose first
/// name begins with `$`, such as `{"$date":"2026-11-20T06:30:00Z"}`. Documentation/Plugins.md lists them.
enum WireValue {
  /// An object that is not a value of its kind.
  struct Problem: Error, Equatable {
    /// The name of the kind, such as `$date`.
    var kind: String
    /// A description of the accepted content.
    var expected: String

    /// The problem in words.
    var message: String { "'\(kind)' is not \(expected)" }
  }

  /// The nesting depth of JSON that holds values of ``Value/maximumDepth``, each with a type name.
  static let deepest = 2 * Value.maximumDepth

  /// Returns the value as plain JSON.
  static func json(_ value: Value) -> Value {
    let plain = plain(value.content)
    return value.typeName.map { ["$type": .text($0), "$value": plain] } ?? plain
  }

  private static func plain(_ content: Value.Content) -> Value {
    switch content {
    case .null, .bool, .integer, .text: return Value(content)
    case .number(let number): return number.isFinite ? Value(content) : ["$number": .text(number.description)]
    case .decimal(let text): return ["$decimal": .text(text)]
    case .bytes(let bytes): return ["$bytes": base64(bytes)]
    case .date(let instant): return ["$date": .text(instant.description)]
    case .quantity(let quantity): return ["$quantity": [json(Value.number(quantity.value)), .text(quantity.unit)]]
    case .list(let values): return .list(values.map(json))
    case .record(let record): return plain(record)
    case .table(let table): return ["$table": .list(table.columns.map(plain))]
    case .picture(let picture):
      return [
        "$picture": [
          "width": .integer(picture.width), "height": .integer(picture.height), "pixels": base64(picture.pixels),
        ]
      ]
    case .array(let array):
      return [
        "$array": [
          "type": .text(array.elementType.rawValue), "shape": .list(array.shape.map(Value.integer)),
          "data": base64(array.bytes),
        ]
      ]
    @unknown default: return .null
    }
  }

  private static func plain(_ record: Record) -> Value {
    let fields = record.fields.map { Record.Field($0.name, json($0.value)) }
    guard fields.first?.name.hasPrefix("$") == true else { return .record(Record(fields)) }
    return ["$record": .list(fields.map { [.text($0.name), $0.value] })]
  }

  private static func plain(_ column: Table.Column) -> Value {
    var record: Record = [
      "name": .text(column.name), "title": .text(column.title), "unit": .optional(column.unit),
    ]
    let kind: String
    switch column.values {
    case .integers: kind = "integers"
    case .numbers(let numbers):
      kind = "numbers"
      record["decimals"] = .optional(numbers.decimals)
    case .texts: kind = "texts"
    case .values: kind = "values"
    @unknown default: kind = "values"
    }
    record["kind"] = .text(kind)
    record["values"] = .list((0..<column.values.count).map { json(column.values[$0]) })
    return .record(record)
  }

  private static func base64(_ bytes: [UInt8]) -> Value {
    .text(String(decoding: Base64.encoded(bytes), as: UTF8.self))
  }
}

extension WireValue {
  /// Returns the value that JSON represents.
  ///
  /// - Parameter json: A value of ``JSONReader``.
  static func value(_ json: Value) throws(Problem) -> Value {
    switch json.content {
    case .list(let values): return .list(try elements(values))
    case .record(let record):
      guard let first = record.fields.first, first.name.hasPrefix("$") else { return .record(try fields(record)) }
      return try special(first.name, first.value, record)
    case .decimal(let text) where json.typeName == JSONReader.rawNumberType:
      guard let number = Double(text) else { throw Problem(kind: text, expected: "a number") }
      return .number(number)
    default: return json
    }
  }

  private static func elements(_ values: [Value]) throws(Problem) -> [Value] {
    var result: [Value] = []
    result.reserveCapacity(values.count)
    for element in values { result.append(try value(element)) }
    return result
  }

  private static func fields(_ record: Record) throws(Problem) -> Record {
    var fields: [Record.Field] = []
    fields.reserveCapacity(record.fields.count)
    for field in record.fields { fields.append(Record.Field(field.name, try value(field.value))) }
    return Record(fields)
  }

  private static func special(_ kind: String, _ content: Value, _ record: Record) throws(Problem) -> Value {
    func require<Content>(_ read: Content?, _ expected: String) throws(Problem) -> Content {
      guard let read else { throw Problem(kind: kind, expected: expected) }
      return read
    }
    switch kind {
    case "$type", "$value":
      guard let name = record["$type"]?.text, let typed = record["$value"] else {
        throw Problem(kind: kind, expected: "one of '$type', the name of a type, and '$value'")
      }
      return try value(typed).typed(name)
    case "$number": return .number(try require(content.text.flatMap(Double.init), "the text of a number"))
    case "$decimal": return .decimal(try require(content.text.flatMap(decimal), "the text of a decimal number"))
    case "$bytes": return .bytes(try require(content.text.flatMap(Base64.decoded), "base64"))
    case "$date": return .date(try require(content.text.flatMap(Instant.init(iso8601:)), "a date of ISO 8601"))
    case "$quantity":
      let pair = try elements(content.list ?? [])
      guard pair.count == 2, let number = pair[0].number, let unit = pair[1].text else {
        throw Problem(kind: kind, expected: "a number and its unit")
      }
      return .quantity(number, unit: unit)
    case "$record": return .record(try namedValues(content))
    case "$table": return .table(try table(content))
    case "$picture": return .picture(try require(picture(content), "a picture with its pixels"))
    case "$array": return .array(try require(array(content), "an array of numbers with its data"))
    default: throw Problem(kind: kind, expected: "a kind of values")
    }
  }

  private static func decimal(_ text: String) -> String? {
    Double(text) == nil || text.utf8.contains(where: { $0 >= 0x41 }) ? nil : text
  }

  private static func namedValues(_ content: Value) throws(Problem) -> Record {
    var fields: [Record.Field] = []
    for pair in content.list ?? [] {
      guard let parts = pair.list, parts.count == 2, let name = parts[0].text else {
        throw Problem(kind: "$record", expected: "a list of names and values")
      }
      fields.append(Record.Field(name, try value(parts[1])))
    }
    return Record(fields)
  }

  private static func table(_ content: Value) throws(Problem) -> Table {
    var columns: [Table.Column] = []
    for column in content.list ?? [] {
      guard let name = column["name"].text, let values = column["values"].list else {
        throw Problem(kind: "$table", expected: "a list of columns with name and values")
      }
      columns.append(
        Table.Column(
          name, title: column["title"].text, unit: column["unit"].text, try columnValues(column, try elements(values))))
    }
    guard columns.allSatisfy({ $0.values.count == columns[0].values.count }) else {
      throw Problem(kind: "$table", expected: "a list of columns of the same length")
    }
    return Table(columns: columns)
  }

  private static func columnValues(_ column: Value, _ values: [Value]) throws(Problem) -> Table.Values {
    func all<Element>(_ read: (Value) -> Element?, _ expected: String) throws(Problem) -> [Element] {
      let elements = values.compactMap(read)
      guard elements.count == values.count else {
        throw Problem(kind: "$table", expected: "a table whose column '\(column["name"].text ?? "")' has \(expected)")
      }
      return elements
    }
    switch column["kind"].text {
    case "integers": return .integers(try all(\.integer, "whole numbers only"))
    case "numbers":
      let numbers = try all({ $0.isNull ? .nan : $0.number }, "numbers and nulls only")
      return .numbers(numbers, decimals: column["decimals"].integer)
    case "texts": return .texts(try all(\.text, "texts only"))
    default: return .values(values)
    }
  }

  private static func picture(_ content: Value) -> Picture? {
    guard let width = content["width"].integer, let height = content["height"].integer, width >= 0, height >= 0,
      let pixels = content["pixels"].text.flatMap(Base64.decoded)
    else { return nil }
    let (area, isTooLarge) = width.multipliedReportingOverflow(by: height)
    guard !isTooLarge, pixels.count % 4 == 0, pixels.count / 4 == area else { return nil }
    return Picture(width: width, height: height, pixels: pixels)
  }

  private static func array(_ content: Value) -> NumericArray? {
    guard let type = content["type"].text.flatMap(NumericArray.ElementType.init(rawValue:)),
      let shape = content["shape"].list?.map(\.integer), let data = content["data"].text.flatMap(Base64.decoded)
    else { return nil }
    let lengths = shape.compactMap { $0 }
    return lengths.count == shape.count ? NumericArray(type, shape: lengths, bytes: data) : nil
  }
}
