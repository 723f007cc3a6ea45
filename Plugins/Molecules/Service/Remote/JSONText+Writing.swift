import PluginAPI

extension JSONText {
  /// Returns plain data as readable JSON; numbers are restored exactly.
  ///
  /// Only records, lists, texts, numbers and Boolean values are supported; values without a JSON form become null.
  /// - Source: RFC 8259.
  static func written(_ value: Value, indentation: Int = 0) -> String {
    switch value.content {
    case .bool(let bool): return "\(bool)"
    case .integer(let integer): return "\(integer)"
    case .number(let number): return number.isFinite ? "\(number)" : "null"
    case .text(let text), .decimal(let text): return quoted(text)
    case .list(let list):
      let isFlat = list.allSatisfy { $0.list == nil && $0.record == nil }
      return block(list.map { written($0, indentation: indentation + 2) }, "[", "]", isFlat ? nil : indentation)
    case .record(let record):
      let fields = record.fields.map { quoted($0.name) + ": " + written($0.value, indentation: indentation + 2) }
      return block(fields, "{", "}", indentation)
    default: return "null"
    }
  }

  private static func block(_ parts: [String], _ open: String, _ close: String, _ indentation: Int?) -> String {
    if parts.isEmpty { return open + close }
    guard let indentation else { return open + parts.joined(separator: ", ") + close }
    let margin = String(repeating: " ", count: indentation)
    return "\(open)\n" + parts.map { margin + "  " + $0 }.joined(separator: ",\n") + "\n\(margin)\(close)"
  }
}
