import PluginAPI

/// Renders any value as text, for types without a renderer.
///
/// Records become aligned labels and values, tables and lists of records aligned columns with units. For linear reading
/// (`isPlain`) each value follows its label instead. Names that the schema declares are written as words; all others,
/// such as the keys of a map, are data and written exactly.
struct GenericText {
  let request: TextRequest

  func render(_ value: Value, schema: ValueSchema) -> StyledText {
    var text = StyledText()
    add(value, schema, indentation: 0, to: &text)
    return text
  }

  private func add(_ value: Value, _ schema: ValueSchema, indentation: Int, to text: inout StyledText) {
    switch value.content {
    case .record(let record): add(record, schema, indentation: indentation, to: &text)
    case .table, .list:
      if let table = Self.table(of: value, schema) {
        text.add(TextTable(table).render(width: request.width, indentation: indentation, isPlain: request.isPlain))
      } else {
        for element in value.list ?? [] { add(element, schema.element, indentation: indentation, to: &text) }
      }
    case .text(let content):
      for line in content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        text.add(.init(Self.spaces(indentation) + line))
      }
    default: text.add(.init(Self.spaces(indentation) + Self.inline(value)))
    }
  }

  private func add(_ record: Record, _ schema: ValueSchema, indentation: Int, to text: inout StyledText) {
    let labels = record.names.map { Self.label($0, schema) }
    let width = request.isPlain ? 0 : min(32, labels.map { TextWidth.columns($0) }.max() ?? 0)
    for (label, field) in zip(labels, record.fields) {
      let declared = schema.declared(field.name)
      let heading = Self.spaces(indentation) + label + (request.isPlain ? ":" : "")
      if let line = Self.line(of: field.value, declared, room: request.width - indentation - width - 2) {
        let gap = request.isPlain ? 1 : max(0, width - TextWidth.columns(label)) + 2
        text.add(.init(heading, .secondary), .init(Self.spaces(gap) + line))
      } else {
        text.add(.init(heading, .secondary))
        add(field.value, declared?.schema ?? .any, indentation: indentation + 2, to: &text)
      }
    }
  }

  /// Returns the value on one line if it is simple: a scalar, or a list of scalars that fits.
  private static func line(of value: Value, _ declared: ValueSchema.Field?, room: Int) -> String? {
    switch value.content {
    case .number(let number):
      let decimals = number.isFinite ? declared?.decimals : nil
      let text = decimals.map { NumberText.fixed(number, decimals: $0) } ?? inline(number)
      return [text, declared?.unit].compactMap { $0 }.joined(separator: " ")
    case .integer(let number): return [String(number), declared?.unit].compactMap { $0 }.joined(separator: " ")
    case .table, .record: return nil
    case .list(let values):
      if values.isEmpty { return "none" }
      if values.contains(where: { $0.record != nil || $0.list != nil || $0.table != nil }) { return nil }
      let joined = values.map(inline).joined(separator: ", ")
      return TextWidth.columns(joined) <= max(20, room) && !joined.contains(where: \.isNewline) ? joined : nil
    case .text(let text): return text.contains(where: \.isNewline) ? nil : text
    default: return inline(value)
    }
  }

  /// Returns a table, or a list of records as one; nil for other values.
  static func table(of value: Value, _ schema: ValueSchema) -> Table? {
    if let table = value.table { return table }
    guard let values = value.list, !values.isEmpty, values.allSatisfy({ $0.record != nil }) else { return nil }
    return table(of: values.compactMap(\.record), schema.element)
  }

  /// Returns the records as rows; fields that a record lacks are null.
  private static func table(of records: [Record], _ schema: ValueSchema) -> Table {
    var names: [String] = []
    var seen: Set<String> = []
    for record in records {
      for name in record.names where seen.insert(name).inserted { names.append(name) }
    }
    return Table(
      columns: names.map { name in
        let declared = schema.declared(name)
        let values = records.map { $0[name] ?? .null }
        return Table.Column(
          name, title: label(name, schema), unit: declared?.unit,
          declared?.decimals.map { decimals in .numbers(values.map { $0.number ?? .nan }, decimals: decimals) }
            ?? .values(values))
      })
  }

  /// Returns a value as text within a line.
  static func inline(_ value: Value) -> String {
    switch value.content {
    case .null: "–"
    case .bool(let flag): flag ? "yes" : "no"
    case .integer(let number): String(number)
    case .number(let number): inline(number)
    case .decimal(let text), .text(let text): text
    case .bytes(let data): "\(data.count) bytes"
    case .date(let instant): instant.description
    case .quantity(let quantity): inline(quantity.value) + " " + quantity.unit
    case .list(let values): values.map(inline).joined(separator: ", ")
    case .record(let record): record.fields.map { $0.name + " " + inline($0.value) }.joined(separator: ", ")
    case .table(let table): "\(table.rowCount) rows"
    case .picture(let picture): "picture of \(picture.width)×\(picture.height) pixels"
    case .array(let array): array.description
    @unknown default: "?"
    }
  }

  private static func inline(_ number: Double) -> String {
    if number.isNaN { return "–" }
    if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
    return number.description
  }

  private static func label(_ name: String, _ schema: ValueSchema) -> String {
    schema.declared(name).map { $0.heading ?? words(name) } ?? name
  }

  /// Returns a camelCase name as words: `addedAt` becomes `added at`; capitals in a row stay, as in `spaceGroupHM`.
  private static func words(_ name: String) -> String {
    var result = ""
    var wasLower = false
    for character in name {
      if character.isUppercase, wasLower { result += " " }
      wasLower = character.isLowercase || character.isNumber
      result.append(character)
    }
    return result.split(separator: " ").map { word in
      word.dropFirst().contains(where: \.isUppercase) ? String(word) : word.lowercased()
    }.joined(separator: " ")
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
