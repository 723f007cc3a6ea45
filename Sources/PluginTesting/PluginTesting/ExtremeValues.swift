import PluginAPI

/// Values at the limits of their types, as faulty plugins emit them.
///
/// A renderer gets every value with its type name, whichever plugin emits it.
enum ExtremeValues {
  private static let integers: [Value] = [.integer(.min), -1, .integer(.max), .number(1e300), 0]
  private static let numbers: [Value] = [.number(.nan), .number(.infinity), .number(-1e300), .integer(.max), -1]
  private static let texts: [Value] = [
    "", "\u{1B}[31m\n\t\u{202E}\u{0}", .text(String(repeating: "W", count: 5000)), "-1", .null,
  ]

  /// Values that fit hardly any schema.
  static let others: [Value] = [.null, 3, "text", [], [:], [nil, 5, [:]]]

  /// Returns values of a schema, of which each leaf is at another limit.
  static func of(_ schema: ValueSchema) -> [Value] { integers.indices.map { value(schema, $0) } }

  private static func value(_ schema: ValueSchema, _ round: Int) -> Value {
    switch schema {
    case .integer: integers[round]
    case .number, .quantity: numbers[round]
    case .text, .date: texts[round]
    case .choice(let words): round < words.count ? .text(words[round]) : texts[round]
    case .bool: .bool(round.isMultiple(of: 2))
    case .bytes: round == 0 ? .bytes([]) : .bytes([UInt8](repeating: 0xFF, count: 300))
    case .optional(let content): round == 0 ? .null : value(content, round)
    case .list(let element): round == 0 ? [] : [value(element, round), value(element, (round + 1) % integers.count)]
    case .map(let content): ["": value(content, round), "a": value(content, round)]
    case .record(let fields): record(fields, round)
    case .table(let columns): round == 0 ? [] : [record(columns, round)]
    case .any, .array, .picture: .null
    @unknown default: .null
    }
  }

  private static func record(_ fields: [ValueSchema.Field], _ round: Int) -> Value {
    var record = Record()
    // Fields have different limits, so that one round mixes them.
    for (index, field) in fields.enumerated() {
      record[field.name] = value(field.schema, (round + index) % integers.count)
    }
    return .record(record)
  }
}
