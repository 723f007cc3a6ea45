import PluginAPI

/// Parts of values, and comparisons between values, as scripts see them.
enum ScriptValue {
  /// The name of the number of elements of a list or rows of a table.
  static let count = "count"

  /// Returns the part of a variable's value that a reference names.
  ///
  /// - Throws: ``ScriptError/unknownPart(_:of:known:)`` or ``ScriptError/noValue(_:)``.
  static func part(of value: Value, _ reference: ScriptReference) throws(ErrorReport) -> Value {
    var part = value
    for (index, step) in reference.steps.enumerated() {
      guard let next = try self.part(of: part, step) else {
        let whole = reference.beginning(index)
        if part.isNull { throw ScriptError.noValue(whole) }
        throw ScriptError.unknownPart(step.text, of: whole, known: names(of: part))
      }
      part = next
    }
    return part
  }

  private static func part(of value: Value, _ step: ScriptReference.Step) throws(ErrorReport) -> Value? {
    switch (step, value.content) {
    case (.field(let name), .record(let record)): return record[name]
    case (.field(count), .list(let values)): return .integer(values.count)
    case (.field(count), .table(let table)): return .integer(table.rowCount)
    case (.field(let name), .table(let table)):
      guard let column = table[name] else { return nil }
      return .list((0..<table.rowCount).map { column.values[$0] })
    case (.field(let name), .list(let values)):
      var parts: [Value] = []
      parts.reserveCapacity(values.count)
      for value in values {
        guard let part = value.record?[name] else { return nil }
        parts.append(part)
      }
      return .list(parts)
    case (.field("value"), .quantity(let quantity)): return .number(quantity.value)
    case (.field("unit"), .quantity(let quantity)): return .text(quantity.unit)
    case (.index(let index), .list(let values)):
      let index = index < 0 ? index + values.count : index
      // In '? :' beside a value, 'nil' would be the value null.
      guard values.indices.contains(index) else { return nil }
      return values[index]
    case (.index(let index), .table(let table)):
      let index = index < 0 ? index + table.rowCount : index
      guard (0..<table.rowCount).contains(index) else { return nil }
      return .record(table.row(index))
    default: return nil
    }
  }

  private static func names(of value: Value) -> [String] {
    switch value.content {
    case .record(let record): record.names
    case .table(let table): table.columns.map(\.name) + [count]
    case .list(let values): (values.first?.record?.names ?? []) + [count]
    case .quantity: ["value", "unit"]
    default: []
    }
  }

  /// Returns the text that a value has within a word.
  ///
  /// - Parameter name: The reference, for errors.
  /// - Throws: ``ScriptError/noValue(_:)`` for null, ``ScriptError/unfitting(_:advice:)`` for anything but one value.
  static func text(of value: Value, named name: String) throws(ErrorReport) -> String {
    switch value.content {
    case .null: throw ScriptError.noValue(name)
    case .bool, .integer, .number, .decimal, .text, .date, .quantity: return GenericText.inline(value)
    case .bytes, .list, .record, .table, .picture, .array:
      throw ScriptError.unfitting(
        "'\(name)' is \(kind(of: value)), which cannot be part of a word",
        advice: "use one of its parts, or the whole reference as a word of its own")
    @unknown default: throw ScriptError.unfitting("'\(name)' cannot be part of a word")
    }
  }

  /// Returns the kind of a value with its article, for messages.
  static func kind(of value: Value) -> String {
    switch value.content {
    case .null: "null"
    case .bool: "true or false"
    case .integer, .number, .decimal: "a number"
    case .text: "text"
    case .bytes: "binary data"
    case .date: "a date"
    case .quantity: "a quantity"
    case .list: "a list"
    case .record: "a record"
    case .table: "a table"
    case .picture: "a picture"
    case .array: "an array"
    @unknown default: "a value of another kind"
    }
  }

  /// Returns a value for messages: short, on one line.
  static func summary(of value: Value) -> String {
    switch value.content {
    case .text(let text): "'\(text.count > 60 ? String(text.prefix(60)) + "…" : text)'"
    case .null, .bool: JSONWriter.text(of: value)
    case .integer, .number, .decimal, .date, .quantity: GenericText.inline(value)
    case .bytes, .list, .record, .table, .picture, .array: kind(of: value)
    @unknown default: kind(of: value)
    }
  }

  /// Returns the size of a value in bytes, roughly; counting stops above the limit.
  static func size(of value: Value, limit: Int = ScriptLimits.value) -> Int {
    var size = 0
    add(value, to: &size, limit)
    return size
  }

  private static func add(_ value: Value, to size: inout Int, _ limit: Int) {
    size += 16
    if size > limit { return }
    switch value.content {
    case .null, .bool, .integer, .number, .date, .quantity: break
    case .decimal(let text), .text(let text): size += text.utf8.count
    case .bytes(let data): size += data.count
    case .list(let values): for value in values where size <= limit { add(value, to: &size, limit) }
    case .record(let record):
      for field in record.fields where size <= limit {
        size += field.name.utf8.count
        add(field.value, to: &size, limit)
      }
    case .table(let table):
      for column in table.columns where size <= limit {
        switch column.values {
        case .integers(let values): size += 8 * values.count
        case .numbers(let numbers): size += 8 * numbers.values.count
        case .texts(let texts): for text in texts { size += 16 + text.utf8.count }
        case .values(let values): for value in values where size <= limit { add(value, to: &size, limit) }
        @unknown default: break
        }
      }
    case .picture(let picture): size += picture.pixels.count
    case .array(let array): size += array.bytes.count
    @unknown default: break
    }
  }
}

extension ScriptValue {
  /// Returns true if a comparison is true.
  ///
  /// Numbers are compared by their value, whatever their kind; a text that is written as a number or a date compares
  /// with one as such. Texts are compared by their characters. Order comparisons with null are false.
  /// - Throws: ``ScriptError/unfitting(_:advice:)`` for values that have no order.
  static func holds(_ left: Value, _ comparison: ScriptComparison, _ right: Value) throws(ErrorReport) -> Bool {
    switch comparison {
    case .equal: return equal(left, right)
    case .unequal: return !equal(left, right)
    case .less: return try order(left, right).map { $0 < 0 } ?? false
    case .atMost: return try order(left, right).map { $0 <= 0 } ?? false
    case .greater: return try order(left, right).map { $0 > 0 } ?? false
    case .atLeast: return try order(left, right).map { $0 >= 0 } ?? false
    case .contains: return try contains(left, right)
    case .isIn: return try contains(right, left)
    }
  }

  private static func equal(_ left: Value, _ right: Value) -> Bool {
    if let left = left.integer, let right = right.integer { return left == right }
    if let (left, right) = numbers(left, right) { return left == right }
    if let (left, right) = dates(left, right) { return left == right }
    if let left = left.list, let right = right.list {
      return left.count == right.count && zip(left, right).allSatisfy { equal($0, $1) }
    }
    return left.content == right.content
  }

  /// Returns a negative number, zero or a positive number; nil if one of the values is null or not a number.
  private static func order(_ left: Value, _ right: Value) throws(ErrorReport) -> Int? {
    if left.isNull || right.isNull { return nil }
    if let left = left.integer, let right = right.integer { return left < right ? -1 : left > right ? 1 : 0 }
    if let (left, right) = numbers(left, right) {
      return left < right ? -1 : left > right ? 1 : left == right ? 0 : nil
    }
    if let (left, right) = dates(left, right) { return left < right ? -1 : left > right ? 1 : 0 }
    if let left = left.text, let right = right.text { return left < right ? -1 : left > right ? 1 : 0 }
    throw ScriptError.unfitting(
      "\(summary(of: left)) and \(summary(of: right)) have no order", advice: "compare two numbers, texts or dates")
  }

  private static func contains(_ whole: Value, _ part: Value) throws(ErrorReport) -> Bool {
    switch whole.content {
    case .list(let values): return values.contains { equal($0, part) }
    case .record(let record): return part.text.map { record[$0] != nil } ?? false
    case .text(let text):
      guard part.content.isScalar else { break }
      let other = GenericText.inline(part)
      var remaining = Substring(text)
      while !remaining.hasPrefix(other) {
        if remaining.isEmpty { return false }
        remaining.removeFirst()
      }
      return true
    case .null: return false
    default: break
    }
    throw ScriptError.unfitting(
      "\(summary(of: whole)) cannot contain \(summary(of: part))", advice: "search a list, a record or text")
  }

  /// Returns two values as numbers, if one is a number and the other is one too or is written like one.
  private static func numbers(_ left: Value, _ right: Value) -> (Double, Double)? {
    guard isNumber(left) || isNumber(right), let first = number(left), let second = number(right) else { return nil }
    return (first, second)
  }

  private static func isNumber(_ value: Value) -> Bool {
    switch value.content {
    case .integer, .number, .decimal, .quantity: true
    case .null, .bool, .text, .bytes, .date, .list, .record, .table, .picture, .array: false
    @unknown default: false
    }
  }

  private static func number(_ value: Value) -> Double? {
    if case .text(let text) = value.content { return Double(text) }
    return value.number
  }

  private static func dates(_ left: Value, _ right: Value) -> (Instant, Instant)? {
    guard left.date != nil || right.date != nil else { return nil }
    guard let first = left.date ?? left.text.flatMap({ Instant(iso8601: $0) }),
      let second = right.date ?? right.text.flatMap({ Instant(iso8601: $0) })
    else { return nil }
    return (first, second)
  }
}

extension Value.Content {
  /// A Boolean value indicating whether the content is one value that has a text.
  fileprivate var isScalar: Bool {
    switch self {
    case .bool, .integer, .number, .decimal, .text, .date, .quantity: true
    case .null, .bytes, .list, .record, .table, .picture, .array: false
    @unknown default: false
    }
  }
}

extension ScriptReference {
  /// Returns the reference up to a step, as text.
  func beginning(_ count: Int) -> String {
    "$" + name
      + steps.prefix(count).map { step in
        if case .field = step { "." + step.text } else { step.text }
      }.joined()
  }
}

extension ScriptReference.Step {
  /// The step as text: `atoms`, `[0]`.
  var text: String {
    switch self {
    case .field(let name): name
    case .index(let index): "[\(index)]"
    }
  }
}

/// The elements that a loop goes through, made one by one.
struct ScriptRows: Sendable {
  private enum Source {
    case list([Value])
    case table(Table)
    case record(Record)
    case range(ClosedRange<Int>?)
  }

  private let source: Source

  /// Creates the elements of a list, the rows of a table, or the fields of a record as `{name, value}`.
  ///
  /// - Parameter name: The source as written, for errors.
  init(_ value: Value, named name: String) throws(ErrorReport) {
    switch value.content {
    case .list(let values): source = .list(values)
    case .table(let table): source = .table(table)
    case .record(let record): source = .record(record)
    case .null: throw ScriptError.noValue(name)
    case .bool, .integer, .number, .decimal, .text, .bytes, .date, .quantity, .picture, .array:
      throw ScriptError.unfitting(
        "'\(name)' is \(ScriptValue.kind(of: value)), which has no rows",
        advice: "loop over a list, a table or a record")
    @unknown default: throw ScriptError.unfitting("'\(name)' has no rows")
    }
  }

  /// Creates whole numbers; none if the last is below the first.
  init(first: Int, last: Int) { source = .range(first <= last ? first...last : nil) }

  /// The number of elements.
  var count: Int {
    switch source {
    case .list(let values): values.count
    case .table(let table): table.rowCount
    case .record(let record): record.fields.count
    case .range(let range): range.map { $0.upperBound - $0.lowerBound + 1 } ?? 0
    }
  }

  /// The element at an index below ``count``.
  subscript(index: Int) -> Value {
    switch source {
    case .list(let values): values[index]
    case .table(let table): .record(table.row(index))
    case .record(let record): ["name": .text(record.fields[index].name), "value": record.fields[index].value]
    case .range(let range): .integer((range?.lowerBound ?? 0) + index)
    }
  }
}
