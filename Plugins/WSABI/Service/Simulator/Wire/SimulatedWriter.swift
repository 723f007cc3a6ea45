import PluginText

/// A writer of a response's elements as XML, in the style of one of the two known implementations.
struct SimulatedWriter: Sendable {
  /// The form of texts in a document; all but the first are unusual, not wrong.
  enum TextForm: Sendable, Hashable {
    case plain
    case inCDATA
    /// With a comment in the middle.
    case withComments
    /// With each character as a reference.
    case asReferences
    case padded
  }

  /// The protocol's namespace; empty for none.
  var namespace: String
  var style: SimulatorConfiguration.Style
  /// True if every element has the prefix `w`; otherwise the namespace is the default one.
  var isPrefixed = false
  var textForm = TextForm.plain

  private static let schema = "http://www.w3.org/2001/XMLSchema"
  private static let instance = "http://www.w3.org/2001/XMLSchema-instance"

  /// Returns the document of an element.
  func document(_ element: SimulatedElement) -> SimulatedDocument {
    var document = SimulatedDocument()
    var text = style == .jaxb ? #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"# + "\n" : ""
    write(element, depth: 1, into: &text, &document)
    if document.data == nil { document.head = Array(text.utf8) } else { document.tail = Array(text.utf8) }
    return document
  }

  private func write(
    _ element: SimulatedElement, depth: Int, into text: inout String, _ document: inout SimulatedDocument
  ) {
    if let type = element.typeText, style == .wcf, !isPrefixed {
      text += typeElement(element.name, type)
      return
    }
    let name = isPrefixed ? "w:\(element.name)" : element.name
    text += "<\(name)\(depth == 1 ? rootAttributes : "")\(attributes(of: element, depth: depth))>"
    if let type = element.typeText {
      text += type.isOfSchema ? "xs:\(type.local)" : isPrefixed ? "w:\(type.local)" : type.local
    } else if let data = element.data {
      document.data = data
      document.head = Array(text.utf8)
      text = ""
    } else if element.children.isEmpty {
      text += form(element.text)
    } else {
      for child in element.children { write(child, depth: depth + 1, into: &text, &document) }
    }
    text += "</\(name)>"
  }

  private var rootAttributes: String {
    if isPrefixed {
      return #" xmlns:w="\#(namespace)" xmlns:xs="\#(Self.schema)" xmlns:xsi="\#(Self.instance)""#
    }
    let own = namespace.isEmpty ? "" : #" xmlns="\#(namespace)""#
    return style == .wcf ? #"\#(own) xmlns:i="\#(Self.instance)""# : own
  }

  /// Returns the type of a value, with the prefixes it needs.
  private func attributes(of element: SimulatedElement, depth: Int) -> String {
    let isJava = style == .jaxb && !isPrefixed
    let instance = isJava ? #" xmlns:xsi="\#(Self.instance)""# : ""
    let prefix = style == .wcf && !isPrefixed ? "i" : "xsi"
    if element.isNil { return #" \#(prefix):nil="true"\#(instance)"# }
    if let type = element.typeText { return type.isOfSchema && isJava ? #" xmlns:xs="\#(Self.schema)""# : "" }
    guard let type = element.type else { return "" }
    guard type.isOfSchema else { return #" \#(prefix):type="\#(isPrefixed ? "w:" : "")\#(type.local)"\#(instance)"# }
    if isPrefixed { return #" xsi:type="xs:\#(type.local)""# }
    if isJava { return #" xsi:type="xs:\#(type.local)" xmlns:xs="\#(Self.schema)"\#(instance)"# }
    return #" i:type="d\#(depth)p1:\#(type.local)" xmlns:d\#(depth)p1="\#(Self.schema)""#
  }

  /// Returns the unusual form in which .NET writes the name of a type.
  private func typeElement(_ name: String, _ type: SimulatedElement.TypeName) -> String {
    let own = type.isOfSchema ? "" : namespace
    return #"<q:\#(name) xmlns:q="\#(namespace)" xmlns:a="\#(type.isOfSchema ? Self.schema : own)">a:"#
      + "\(type.local)</q:\(name)>"
  }

  private func form(_ text: String) -> String {
    switch textForm {
    case .plain: return XMLEscape.content(text)
    case .inCDATA: return text.isEmpty ? "" : "<![CDATA[\(text)]]>"
    case .withComments:
      let middle = text.index(text.startIndex, offsetBy: text.count / 2)
      return "\(XMLEscape.content(text[..<middle]))<!-- a > b -->\(XMLEscape.content(text[middle...]))"
    case .asReferences: return text.unicodeScalars.map { "&#x\(String($0.value, radix: 16));" }.joined()
    case .padded: return "\n    \(XMLEscape.content(text))\t\r\n  "
    }
  }
}
