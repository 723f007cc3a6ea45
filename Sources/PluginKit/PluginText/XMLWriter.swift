/// A writer of XML documents with one element per line, indented by two spaces per level.
///
/// Texts and values of attributes are escaped so that they read back unchanged. In texts, too, line feeds and tabs become
/// references, as programs that indent XML change them. Names are written as given: a prefix is part of the name, and an
/// attribute such as `xmlns:fbc` declares it. Incorrect use, such as ending an element that did not begin, traps.
///
/// ```swift
/// var xml = XMLWriter()
/// xml.begin("map", [("id", id), ("name", name)])
/// xml.write("label", text: "α")
/// xml.write("point", [("x", "1"), ("y", "2")])
/// xml.end()
/// save(xml.bytes)
/// ```
public struct XMLWriter: Sendable {
  /// The document so far, in UTF-8.
  public private(set) var bytes: [UInt8] = []
  /// The names of the open elements, outermost first.
  private var open: [String] = []

  /// Begins a document with its declaration.
  ///
  /// - Parameter doctype: The text after `<!DOCTYPE`; nil for no document type.
  public init(doctype: String? = nil) {
    add("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    if let doctype { add("<!DOCTYPE \(doctype)>\n") }
  }

  /// Begins an element.
  ///
  /// - Parameters:
  ///   - name: The name, with its prefix.
  ///   - attributes: Names and values; attributes without a value are left out.
  public mutating func begin(_ name: String, _ attributes: [(String, String?)] = []) {
    addTag(name, attributes)
    add(">\n")
    open.append(name)
  }

  /// Ends the element that was begun last.
  public mutating func end() {
    guard let name = open.popLast() else { preconditionFailure("an element ends that did not begin") }
    indent()
    add("</\(name)>\n")
  }

  /// Writes an element without content.
  ///
  /// - Parameters:
  ///   - name: The name, with its prefix.
  ///   - attributes: Names and values; attributes without a value are left out.
  public mutating func write(_ name: String, _ attributes: [(String, String?)] = []) {
    addTag(name, attributes)
    add("/>\n")
  }

  /// Writes an element that contains a text.
  public mutating func write(_ name: String, text: String) {
    addTag(name, [])
    add(">")
    XMLEscape.append(attribute: text, to: &bytes)
    add("</\(name)>\n")
  }

  /// Writes an element with content that is already XML, unchanged and without checking it.
  public mutating func write(_ name: String, markup: String) {
    addTag(name, [])
    add(">\(markup)</\(name)>\n")
  }

  /// Adds an indented start tag without its end.
  private mutating func addTag(_ name: String, _ attributes: [(String, String?)]) {
    indent()
    add("<")
    add(name)
    for (name, value) in attributes {
      guard let value else { continue }
      add(" ")
      add(name)
      add("=\"")
      XMLEscape.append(attribute: value, to: &bytes)
      add("\"")
    }
  }

  private mutating func indent() {
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * open.count))
  }

  private mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
