import PluginText

/// Writes the text of a document, element by element.
struct ContractTextWriter {
  private(set) var bytes: [UInt8] = []
  private var indent = 1

  /// Begins a document.
  init(type: ContractType, snapshot: String) {
    add("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<MAW xmlns=\"urn:pathcase:maw:1\" type=\"\(type.rawValue)\"")
    add(" version=\"1\" snapshot=\"")
    addEscaped(snapshot)
    add("\">\n")
  }

  /// Ends the document.
  mutating func finish() -> [UInt8] {
    add("</MAW>\n")
    return bytes
  }

  /// Writes an element; attributes without a value are left out.
  mutating func element(
    _ element: ContractElement, _ attributes: [(String, String?)], _ content: ((inout Self) -> Void)? = nil
  ) {
    begin(element, attributes)
    guard let content else { return add("/>\n") }
    add(">\n")
    indent += 1
    content(&self)
    indent -= 1
    add(String(repeating: "  ", count: indent) + "</\(element.rawValue)>\n")
  }

  /// Writes an element that contains a text.
  mutating func element(_ element: ContractElement, text: String) {
    begin(element, [])
    add(">")
    addEscaped(text)
    add("</\(element.rawValue)>\n")
  }

  private mutating func begin(_ element: ContractElement, _ attributes: [(String, String?)]) {
    add(String(repeating: "  ", count: indent) + "<\(element.rawValue)")
    for (name, value) in attributes {
      guard let value else { continue }
      add(" \(name)=\"")
      addEscaped(value)
      add("\"")
    }
  }

  private mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func addEscaped(_ text: String) { XMLEscape.append(attribute: text, to: &bytes) }

  /// Returns the text of a number, which is read back exactly.
  static func text(_ number: Double?) -> String? {
    guard let number else { return nil }
    return number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
  }

  /// Returns the text of a Boolean value.
  static func text(_ flag: Bool) -> String { flag ? "true" : "false" }
}
