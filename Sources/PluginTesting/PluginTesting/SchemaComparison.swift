public import PluginAPI

/// A comparison of values with schemas.
public enum SchemaComparison {
  /// Returns the first part of a value that its schema does not allow; nil if all of it fits.
  ///
  /// A whole number fits where a number is expected. The columns of a table are compared value by value.
  /// - Complexity: O(*n*) in the size of the value.
  public static func mismatch(of value: Value, with schema: ValueSchema) -> String? {
    mismatch(of: value, with: schema, at: "value")
  }

  private static func mismatch(of value: Value, with schema: ValueSchema, at place: String) -> String? {
    switch (schema, value.content) {
    case (.any, _), (.bool, .bool), (.integer, .integer), (.number, .integer), (.number, .number),
      (.number, .decimal), (.text, .text), (.date, .date), (.bytes, .bytes), (.quantity, .quantity),
      (.picture, .picture), (.array, .array), (.optional, .null):
      return nil
    case (.optional(let inner), _): return mismatch(of: value, with: inner, at: place)
    case (.choice(let words), .text(let text)):
      return words.contains(text) ? nil : "\(place) is '\(text)', declared are \(words.joined(separator: ", "))"
    case (.list(let inner), .list(let values)):
      return first(values.enumerated()) { mismatch(of: $1, with: inner, at: "\(place)[\($0)]") }
    case (.map(let inner), .record(let record)):
      return first(record.fields) { mismatch(of: $0.value, with: inner, at: "\(place).\($0.name)") }
    case (.record(let fields), .record(let record)): return mismatch(of: record, with: fields, at: place)
    case (.table(let fields), .table(let table)): return mismatch(of: table, with: fields, at: place)
    default: return "\(place) is \(kind(of: value)), declared is \(name(of: schema))"
    }
  }

  private static func mismatch(of record: Record, with fields: [ValueSchema.Field], at place: String) -> String? {
    if let extra = record.names.first(where: { name in !fields.contains { $0.name == name } }) {
      return "\(place).\(extra) is not declared"
    }
    return first(fields) { field in
      guard let value = record[field.name] else { return "\(place).\(field.name) is missing" }
      return mismatch(of: value, with: field.schema, at: "\(place).\(field.name)")
    }
  }

  private static func mismatch(of table: Table, with fields: [ValueSchema.Field], at place: String) -> String? {
    let names = table.columns.map(\.name)
    if names != fields.map(\.name) {
      return "\(place) has the columns \(names.joined(separator: ", ")), declared are "
        + fields.map(\.name).joined(separator: ", ")
    }
    return first(zip(table.columns, fields)) { column, field in
      first(0..<table.rowCount) { row in
        mismatch(of: column.values[row], with: field.schema, at: "\(place).\(field.name)[\(row)]")
      }
    }
  }

  private static func first<Elements: Sequence>(
    _ elements: Elements, _ find: (Elements.Element) -> String?
  ) -> String? {
    for element in elements {
      if let found = find(element) { return found }
    }
    return nil
  }

  private static func kind(of value: Value) -> String {
    switch value.content {
    case .null: "null"
    case .bool: "a truth value"
    case .integer: "a whole number"
    case .number: "a number"
    case .decimal: "a decimal number"
    case .text: "text"
    case .bytes: "bytes"
    case .date: "a date"
    case .quantity: "a quantity"
    case .list: "a list"
    case .record: "a record"
    case .table: "a table"
    case .picture: "a picture"
    case .array: "an array of numbers"
    @unknown default: "something newer"
    }
  }

  private static func name(of schema: ValueSchema) -> String {
    schema.value["is"].text ?? "something else"
  }
}
