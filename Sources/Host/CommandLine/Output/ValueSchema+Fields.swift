import PluginAPI

extension ValueSchema {
  /// The schema of the elements of a list or table.
  var element: ValueSchema {
    switch self {
    case .list(let element): element
    case .table(let fields): .record(fields)
    case .optional(let inner): inner.element
    case .any, .bool, .integer, .number, .text, .choice, .date, .bytes, .quantity, .picture, .array, .record, .map: .any
    @unknown default: .any
    }
  }

  /// Returns a declared field; nil if none has that name.
  func declared(_ name: String) -> Field? {
    switch self {
    case .record(let fields): fields.first { $0.name == name }
    case .optional(let inner): inner.declared(name)
    case .any, .bool, .integer, .number, .text, .choice, .date, .bytes, .quantity, .picture, .array, .list, .map,
      .table:
      nil
    @unknown default: nil
    }
  }
}
