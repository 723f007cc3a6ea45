import PluginText

/// Writes XML with one element per line.
struct MarkupWriter {
  private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  private var open: [String] = []

  /// - Parameter doctype: The text after `<!DOCTYPE`; nil for none.
  init(doctype: String? = nil) {
    if let doctype { text += "<!DOCTYPE \(doctype)>\n" }
  }

  /// Begins an element.
  mutating func begin(_ name: String, _ attributes: [(name: String, value: String)] = []) {
    add(name, attributes)
    text += ">\n"
    open.append(name)
  }

  /// Ends the element begun last.
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
    for attribute in attributes { text += " \(attribute.name)=\"\(XMLEscape.attribute(attribute.value))\"" }
  }
}
