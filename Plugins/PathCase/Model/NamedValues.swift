import PluginAPI

/// Values under names of the user's data, in the order of that data.
struct NamedValues<Content: FieldValue>: FieldValue {
  private let record: Record

  init(_ entries: some Sequence<(String, Content)>) {
    record = Record(entries.map { Record.Field($0.0, $0.1.fieldValue) })
  }

  private init(_ record: Record) { self.record = record }

  static var schema: ValueSchema { .map(Content.schema) }
  var fieldValue: Value { .record(record) }
}

extension NamedValues: ReadableField where Content: ReadableField {
  static func read(_ value: Value) -> NamedValues? { value.record.map { NamedValues($0) } }

  /// The names with their values, without values of another kind.
  var entries: [(name: String, content: Content)] {
    record.fields.compactMap { field in Content.read(field.value).map { (field.name, $0) } }
  }

  /// The value of a name; nil if it is missing or of another kind.
  subscript(name: String) -> Content? { record[name].flatMap(Content.read) }
}
