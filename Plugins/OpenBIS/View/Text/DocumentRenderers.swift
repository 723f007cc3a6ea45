import PluginAPI

/// A renderer of an export as the text of its file.
struct ExportRenderer: TextRenderer {
  var typeName: String { OpenBISValueType.export }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    switch value.content {
    case .table(let table):
      Self.add(CSVExport.line(table.columns.map(\.name)), &text)
      for row in 0..<table.rowCount {
        Self.add(CSVExport.line(table.columns.map { $0.values[row].text ?? "" }), &text)
      }
    case .record(let record):
      var out = JSONTextWriter()
      out.open("{")
      for field in record.fields {
        out.name(field.name)
        guard let entities = field.value.list else {
          out.value(field.value)
          continue
        }
        // One line per entity, so that two exports can be compared.
        out.raw("[\n")
        for (place, entity) in entities.enumerated() {
          out.value(entity)
          out.raw(place < entities.count - 1 ? ",\n" : "\n")
        }
        out.raw("]")
      }
      out.close("}")
      Self.add(String(decoding: out.bytes, as: UTF8.self), &text)
    default: Self.add(value.text ?? "", &text)
    }
    return text
  }

  /// Adds lines; the writer ends the last one.
  private static func add(_ lines: String, _ text: inout StyledText) {
    text.add(StyledText(lines.utf8.last == 0x0A ? String(lines.dropLast()) : lines))
  }
}

/// A renderer of a mapping as a file to start from.
struct MappingRenderer: TextRenderer {
  var typeName: String { OpenBISValueType.mapping }

  func render(_ value: Value, for request: TextRequest) -> StyledText {
    var text = StyledText()
    Self.add(value, before: "", after: "", depth: 0, &text)
    return text
  }

  /// Adds a value, on one line if it fits.
  private static func add(
    _ value: Value, before: String, after: String, depth: Int, _ text: inout StyledText
  ) {
    let indent = String(repeating: "  ", count: depth)
    let line = indent + before + json(value) + after
    if line.utf8.count <= 100, depth > 0 { return text.add(.init(line)) }
    switch value.content {
    case .record(let record) where !record.fields.isEmpty:
      text.add(.init(indent + before + "{"))
      for (index, field) in record.fields.enumerated() {
        add(
          field.value, before: json(.text(field.name)) + ": ", after: index < record.fields.count - 1 ? "," : "",
          depth: depth + 1, &text)
      }
      text.add(.init(indent + "}" + after))
    case .list(let values) where !values.isEmpty:
      text.add(.init(indent + before + "["))
      for (index, value) in values.enumerated() {
        add(value, before: "", after: index < values.count - 1 ? "," : "", depth: depth + 1, &text)
      }
      text.add(.init(indent + "]" + after))
    default: text.add(.init(line))
    }
  }

  private static func json(_ value: Value) -> String {
    var out = JSONTextWriter()
    out.value(value)
    return String(decoding: out.bytes, as: UTF8.self)
  }
}
