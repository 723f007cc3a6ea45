import PluginAPI

/// The declared shapes of values that do not exist yet, by which a script is checked before it runs.
enum ScriptShape {
  /// Returns the shape of a command's result as the value of a variable.
  ///
  /// A stream becomes a list, also if it has only one value.
  static func result(of output: CommandDescription.Output) -> ValueSchema {
    output.isStream && !output.isListInParts ? .list(output.schema) : output.schema
  }

  /// Returns a command's emitted values as the value of a variable.
  static func result(_ values: [Value], of output: CommandDescription.Output) -> Value {
    guard output.isStream else { return output.joined(values) }
    return output.isListInParts && !values.isEmpty ? output.joined(values) : .list(values)
  }

  /// Returns the shape of the part that a reference names.
  ///
  /// - Throws: ``ScriptError/unknownPart(_:of:known:)`` if no value of the shape has such a part.
  static func part(of shape: ValueSchema, _ reference: ScriptReference) throws(ErrorReport) -> ValueSchema {
    var part = shape
    for (index, step) in reference.steps.enumerated() {
      guard let next = self.part(of: part, step) else {
        throw ScriptError.unknownPart(step.text, of: reference.beginning(index), known: names(of: part))
      }
      part = next
    }
    return part
  }

  private static func part(of shape: ValueSchema, _ step: ScriptReference.Step) -> ValueSchema? {
    switch (shape, step) {
    case (.any, _): return .any
    case (.optional(let inner), _): return part(of: inner, step)
    case (.record(let fields), .field(let name)): return field(name, fields)
    case (.map(let content), .field): return content
    case (.list, .field(ScriptValue.count)), (.table, .field(ScriptValue.count)): return .integer
    case (.list(let element), .field): return part(of: element, step).map(ValueSchema.list)
    case (.table(let fields), .field(let name)): return field(name, fields).map(ValueSchema.list)
    case (.list(let element), .index): return element
    case (.table(let fields), .index): return .record(fields)
    case (.quantity, .field("value")): return .number
    case (.quantity, .field("unit")): return .text
    default: return nil
    }
  }

  private static func field(_ name: String, _ fields: [ValueSchema.Field]) -> ValueSchema? {
    fields.first { $0.name.utf8.elementsEqual(name.utf8) }?.schema
  }

  private static func names(of shape: ValueSchema) -> [String] {
    switch shape {
    case .optional(let inner): names(of: inner)
    case .record(let fields): fields.map(\.name)
    case .table(let fields): fields.map(\.name) + [ScriptValue.count]
    case .list(let element): names(of: element) + [ScriptValue.count]
    case .quantity: ["value", "unit"]
    default: []
    }
  }

  /// Returns the shape of an element of a loop; nil for a shape without elements.
  static func element(of shape: ValueSchema) -> ValueSchema? {
    switch shape {
    case .any: .any
    case .optional(let inner): element(of: inner)
    case .list(let element): element
    case .table(let fields): .record(fields)
    case .record: .record([.init("name", .text), .init("value", .any)])
    case .map(let content): .record([.init("name", .text), .init("value", content)])
    default: nil
    }
  }

  /// Returns true if values of a shape have a text that fits within a word.
  static func isScalar(_ shape: ValueSchema) -> Bool {
    switch shape {
    case .list, .record, .map, .table, .picture, .bytes, .array: false
    case .optional(let inner): isScalar(inner)
    default: true
    }
  }

  /// Returns the shape of a value that a script writes itself.
  static func shape(of value: Value) -> ValueSchema {
    switch value.content {
    case .bool: .bool
    case .integer: .integer
    case .number, .decimal: .number
    case .text: .text
    case .date: .date
    default: .any
    }
  }
}
