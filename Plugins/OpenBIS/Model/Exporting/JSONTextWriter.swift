import PluginAPI
import PluginText

/// A writer of JSON piece by piece, on one line.
struct JSONTextWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  mutating func open(_ mark: String) {
    raw(mark)
    needsComma = false
  }

  mutating func close(_ mark: String) {
    raw(mark)
    needsComma = true
  }

  /// Writes the name of the next field.
  mutating func name(_ name: String) {
    if needsComma { raw(",") }
    text(name)
    raw(":")
    needsComma = true
  }

  mutating func field(_ name: String, _ value: String) {
    self.name(name)
    text(value)
  }

  mutating func list<Elements: Collection>(
    _ elements: Elements, _ write: (inout JSONTextWriter, Elements.Element) -> Void
  ) {
    raw("[")
    for (index, element) in elements.enumerated() {
      if index > 0 { raw(",") }
      write(&self, element)
    }
    raw("]")
    needsComma = true
  }

  /// Writes plain data: records, lists, texts, whole numbers, truth values; anything else as null.
  mutating func value(_ value: Value) {
    switch value.content {
    case .record(let record):
      open("{")
      for field in record.fields {
        name(field.name)
        self.value(field.value)
      }
      close("}")
    case .list(let values): list(values) { $0.value($1) }
    case .text(let text): self.text(text)
    case .integer(let number): raw("\(number)")
    case .bool(let flag): raw(flag ? "true" : "false")
    default: raw("null")
    }
  }

  mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Writes a text, with control characters and marks of writing direction as escapes.
  mutating func text(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: bytes += [0x5C, UInt8(scalar.value)]
      case 0x0A: raw("\\n")
      case 0x0D: raw("\\r")
      case 0x09: raw("\\t")
      case _ where !SanitizedText.isSafe(scalar):
        for unit in UTF16.encode(scalar).map({ Array($0) }) ?? [] { escape(unit) }
      default: bytes.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ unit: UInt16) {
    raw("\\u" + Hexadecimal.text(unit, digits: 4))
  }
}
