import PluginText

/// An element of a response before it has prefixes, so that faults can change it.
struct SimulatedElement: Sendable {
  /// The name, in the protocol's namespace.
  var name: String
  var type: TypeName?
  var isNil = false
  var text = ""
  /// The content in place of a text: the name of a type.
  var typeText: TypeName?
  /// The content in base64.
  var data: SimulatedData?
  var children: [SimulatedElement] = []

  /// The name of a type.
  struct TypeName: Sendable, Hashable {
    var local: String
    /// True for a type of XML Schema, false for one of the protocol.
    var isOfSchema: Bool
  }

  init(_ name: String, text: String = "") { (self.name, self.text) = (name, text) }

  init(_ name: String, _ children: [SimulatedElement]) { (self.name, self.children) = (name, children) }

  init(_ name: String, _ value: SimulatedValue) {
    self.name = name
    if value == .null {
      isNil = true
      return
    }
    type = TypeName(local: value.typeName, isOfSchema: value.isOfSchema)
    switch value {
    case .null: break
    case .plain(let text, _), .word(let text, _): self.text = text
    case .resolution(let width, let height, let unit):
      children = [Self("width", text: width), Self("height", text: height)] + Self.optional("unit", unit)
    case .range(let range): children = Self.children(of: range)
    case .resource(let uri, let contentType, let relationship):
      children =
        [Self("uri", text: uri)] + Self.optional("contentType", contentType)
        + Self.optional("relationship", relationship)
    case .array(let elements, let type):
      children = elements.map { Self("element", $0) }
      // The elements of such arrays have their type by the schema.
      if type != "Array" { for index in children.indices { children[index].type = nil } }
    case .parameter(let parameter): children = Self.children(of: parameter)
    case .dictionary(let items): children = items.map(Self.init)
    }
  }

  init(_ item: SimulatedItem) {
    self.init("item", [Self("key", text: item.key), Self("value", item.value)])
  }

  private static func optional(_ name: String, _ text: String?) -> [Self] { text.map { [Self(name, text: $0)] } ?? [] }

  private static func children(of range: SimulatedRange) -> [Self] {
    func flag(_ name: String, _ flag: Bool?) -> [Self] { optional(name, flag.map { $0 ? "true" : "false" }) }
    return (range.minimum.map { [Self("minimum", $0)] } ?? []) + (range.maximum.map { [Self("maximum", $0)] } ?? [])
      + flag("minimumIsExclusive", range.minimumIsExclusive) + flag("maximumIsExclusive", range.maximumIsExclusive)
  }

  private static func children(of parameter: SimulatedParameter) -> [Self] {
    var type = Self("type")
    type.typeText = TypeName(local: parameter.type, isOfSchema: parameter.isTypeOfSchema)
    var children = [
      Self("name", text: parameter.name), type, Self("readOnly", text: parameter.isReadOnly ? "true" : "false"),
      Self("supportsMultiple", text: parameter.supportsMultiple ? "true" : "false"),
      Self("defaultValue", parameter.defaultValue),
    ]
    if !parameter.allowedValues.isEmpty {
      children.append(Self("allowedValues", parameter.allowedValues.map { Self("allowedValue", $0) }))
    }
    return children
  }

  /// The first child of that name; set to nil to remove all of them.
  subscript(name: String) -> SimulatedElement? {
    get { children.first { $0.name == name } }
    set {
      guard let newValue else { return children.removeAll { $0.name == name } }
      if let index = children.firstIndex(where: { $0.name == name }) {
        children[index] = newValue
      } else {
        children.append(newValue)
      }
    }
  }
}

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

/// A document on its way out: bytes, with the data of a capture somewhere among them.
struct SimulatedDocument: Sendable {
  /// The form of the data in the document; all but the first two are faults.
  enum DataForm: Sendable, Hashable {
    case plain
    /// In lines of 76 characters.
    case wrapped
    case inCDATA
    case junk
    /// Without its last characters, so that no group is whole.
    case cut
    /// With padding in the middle.
    case paddedInside
    case empty
  }

  var head: [UInt8] = []
  var data: SimulatedData?
  var tail: [UInt8] = []
  var dataForm = DataForm.plain

  /// Its length; nil if only writing it determines it.
  var count: Int? {
    guard let data else { return head.count + tail.count }
    return dataForm == .plain ? head.count + tail.count + (data.count + 2) / 3 * 4 : nil
  }

  /// All of it.
  var bytes: [UInt8] {
    guard let data else { return head + tail }
    return head + text(of: data) + tail
  }

  /// Hands it over piece by piece.
  func write(_ take: ([UInt8]) async throws -> Void) async throws {
    guard let data, dataForm == .plain else { return try await take(bytes) }
    try await take(head)
    try await data.writeBase64(take)
    try await take(tail)
  }

  private func text(of data: SimulatedData) -> [UInt8] {
    let text = dataForm == .empty ? [] : Base64.encoded(data.bytes)
    switch dataForm {
    case .plain, .empty: return text
    case .wrapped:
      var lines: [UInt8] = []
      for start in stride(from: 0, to: text.count, by: 76) {
        lines += text[start..<min(text.count, start + 76)] + [0x0D, 0x0A]
      }
      return lines
    case .inCDATA: return Array("<![CDATA[".utf8) + text + Array("]]>".utf8)
    case .junk: return Array(text.prefix(text.count / 2)) + Array("*!~ junk ~!*".utf8) + text.suffix(text.count / 2)
    case .cut: return Array(text.prefix(max(1, text.count - 3)))
    case .paddedInside: return Array(text.prefix(text.count / 8 * 4)) + Array("QQ==".utf8) + text.suffix(8)
    }
  }
}
