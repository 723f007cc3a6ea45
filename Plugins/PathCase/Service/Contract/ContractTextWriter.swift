import PluginText

/// Writes the text of a document, element by element.
struct ContractTextWriter {
  private var xml = XMLWriter()

  /// Begins a document.
  init(type: ContractType, snapshot: String) {
    xml.begin(
      "MAW", [("xmlns", "urn:pathcase:maw:1"), ("type", type.rawValue), ("version", "1"), ("snapshot", snapshot)])
  }

  /// Ends the document.
  mutating func finish() -> [UInt8] {
    xml.end()
    return xml.bytes
  }

  /// Writes an element; attributes without a value are left out.
  mutating func element(
    _ element: ContractElement, _ attributes: [(String, String?)], _ content: ((inout Self) -> Void)? = nil
  ) {
    guard let content else { return xml.write(element.rawValue, attributes) }
    xml.begin(element.rawValue, attributes)
    content(&self)
    xml.end()
  }

  /// Writes an element that contains a text.
  mutating func element(_ element: ContractElement, text: String) { xml.write(element.rawValue, text: text) }

  /// Returns the text of a number, which is read back exactly.
  static func text(_ number: Double?) -> String? {
    guard let number else { return nil }
    return number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
  }

  /// Returns the text of a Boolean value.
  static func text(_ flag: Bool) -> String { flag ? "true" : "false" }
}
