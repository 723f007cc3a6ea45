/// Writes XML, one element to a line.
struct MarkupWriter {
  private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  private var open: [String] = []

  /// - Parameter doctype: What follows `<!DOCTYPE`; nil for none.
  init(doctype: String? = nil) {
    if let doctype { text += "<!DOCTYPE \(doctype)>\n" }
  }

  /// Begins an element.
  mutating func begin(_ name: String, _ attributes: [(name: String, value: String)] = []) {
    add(name, attributes)
    text += ">\n"
    open.append(name)
  }

  /// Ends the element that began last.
  mutating func end() {
    guard let name = open.popLast() else { preconditionFailure("an element ends that began") }
    text += String(repeating: " ", count: 2 * open.count) + "</\(name)>\n"
  }

  /// Writes an element without content.
  mutating func write(_ name: String, _ attributes: [(name: String, value: String)] = []) {
    add(name, attributes)
    text += "/>\n"
  }

  private mutating func add(_ name: String, _ attributes: [(name: String, value: String)]) {
    text += String(repeating: " ", count: 2 * open.count) + "<\(name)"
    for attribute in attributes { text += " \(attribute.name)=\"\(Self.escaped(attribute.value))\"" }
  }

  /// A text as the value of an attribute; characters that XML does not have become U+FFFD.
  ///
  /// - Source: XML 1.0, sections 2.2 and 2.4.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
