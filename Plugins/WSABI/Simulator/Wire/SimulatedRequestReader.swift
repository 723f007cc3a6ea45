import PluginText

/// The body of a configuration request.
enum SimulatedRequest: Sendable {
  case items([SimulatedItem])
  /// A configuration of another namespace.
  case foreign(String)
  /// Any other document; the payload is the reason.
  case malformed(String)
}

/// A reader of `configuration` documents of one namespace.
struct SimulatedRequestReader {
  let namespace: String
  private static let schema = "http://www.w3.org/2001/XMLSchema"
  private static let instance = "http://www.w3.org/2001/XMLSchema-instance"

  func request(_ bytes: [UInt8]) -> SimulatedRequest {
    do throws(SimulatedNodeError) {
      let root = try SimulatedNodeReader.root(of: bytes)
      guard root.local == "configuration" else { return .malformed("the document is a '\(root.local)'") }
      guard root.namespace == namespace else { return .foreign(root.namespace) }
      var items: [SimulatedItem] = []
      for child in root.children {
        guard child.local == "item", child.namespace == namespace, let key = child["key"], let value = child["value"]
        else { return .malformed("a configuration has items of key and value") }
        items.append(SimulatedItem(key.text, self.value(value)))
      }
      return .items(items)
    } catch {
      return .malformed("\(error)")
    }
  }

  /// Returns a value by its type; without a type it is a string, and for an unknown one a text of that type.
  private func value(_ node: SimulatedNode) -> SimulatedValue {
    if ["true", "1"].contains(node.attributes["{\(Self.instance)}nil"] ?? "") { return .null }
    guard let written = node.attributes["{\(Self.instance)}type"], let type = node.name(of: written) else {
      return .text(node.text)
    }
    if type.namespace == Self.schema { return .plain(node.text, type: type.local) }
    switch type.local {
    case "Resolution":
      return .resolution(
        width: node["width"]?.text ?? "", height: node["height"]?.text ?? "", unit: node["unit"]?.text)
    case "Array", "StringArray":
      return .array(
        node.children.map { type.local == "Array" ? plain($0) : .text($0.text) }, type: type.local)
    default: return .word(node.text, type: type.local)
    }
  }

  /// Returns the value of an array's element, which is not an array itself.
  private func plain(_ node: SimulatedNode) -> SimulatedValue {
    guard let written = node.attributes["{\(Self.instance)}type"], let type = node.name(of: written),
      type.namespace == Self.schema
    else { return .text(node.text) }
    return .plain(node.text, type: type.local)
  }
}

/// A strict reader of the small documents that clients send; it supports neither document types nor entities other than
/// XML's five.
///
/// - Source: W3C, "Extensible Markup Language (XML) 1.0 (Fifth Edition)" and "Namespaces in XML 1.0".
struct SimulatedNodeReader {
  private static let depthLimit = 64
  private let bytes: [UInt8]
  private var offset = 0
  private var open: [(node: SimulatedNode, name: String)] = []
  private var root: SimulatedNode?

  /// Returns the root element of a document.
  static func root(of bytes: [UInt8]) throws(SimulatedNodeError) -> SimulatedNode {
    var reader = SimulatedNodeReader(bytes)
    return try reader.read()
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = Array(bytes.withoutByteOrderMark)
  }

  private mutating func read() throws(SimulatedNodeError) -> SimulatedNode {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw problem("it is not UTF-8") }
    while offset < bytes.count {
      if bytes[offset] != UInt8(ascii: "<") {
        try readText()
      } else if skips("<?") {
        try pass("?>")
      } else if skips("<!--") {
        try pass("-->")
      } else if skips("<![CDATA[") {
        let start = offset
        try pass("]]>")
        try add(String(decoding: bytes[start..<(offset - 3)], as: UTF8.self))
      } else if skips("<!") {
        throw problem("document types are not supported")
      } else if skips("</") {
        try readEnd()
      } else {
        offset += 1
        try readStart()
      }
    }
    guard let root, open.isEmpty else { throw problem("it ends too early") }
    return root
  }

  private func problem(_ reason: String) -> SimulatedNodeError { .notWellFormed(at: offset, reason) }

  private mutating func skips(_ mark: String) -> Bool {
    guard bytes[offset...].starts(with: mark.utf8) else { return false }
    offset += mark.utf8.count
    return true
  }

  /// Advances past the next occurrence of a mark.
  private mutating func pass(_ mark: String) throws(SimulatedNodeError) {
    let length = mark.utf8.count
    while offset + length <= bytes.count {
      if bytes[offset..<(offset + length)].elementsEqual(mark.utf8) {
        offset += length
        return
      }
      offset += 1
    }
    throw problem("'\(mark)' is missing")
  }

  private mutating func readText() throws(SimulatedNodeError) {
    let start = offset
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "<") { offset += 1 }
    try add(try resolved(bytes[start..<offset]))
  }

  private mutating func add(_ text: String) throws(SimulatedNodeError) {
    if open.isEmpty {
      if text.contains(where: { !$0.isWhitespace }) { throw problem("text is outside of all elements") }
    } else {
      open[open.count - 1].node.text += text
    }
  }

  /// Returns a text with its references resolved.
  private func resolved(_ piece: ArraySlice<UInt8>) throws(SimulatedNodeError) -> String {
    guard piece.contains(UInt8(ascii: "&")) else { return String(decoding: piece, as: UTF8.self) }
    var parts = piece.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    var text = String(decoding: parts.removeFirst(), as: UTF8.self)
    for part in parts {
      guard let end = part.firstIndex(of: UInt8(ascii: ";")) else { throw problem("a reference has no end") }
      text.unicodeScalars.append(try character(String(decoding: part[..<end], as: UTF8.self)))
      text += String(decoding: part[(end + 1)...], as: UTF8.self)
    }
    return text
  }

  private func character(_ name: String) throws(SimulatedNodeError) -> Unicode.Scalar {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      // XML allows the lowercase letter alone.
      guard !name.hasPrefix("#X"), let scalar = XMLEscape.number(ofReference: name).flatMap(Unicode.Scalar.init) else {
        throw problem("the entity '\(name)' is unknown")
      }
      return scalar
    }
  }

  private mutating func readName() throws(SimulatedNodeError) -> String {
    let start = offset
    while offset < bytes.count, !Self.endsName(bytes[offset]) { offset += 1 }
    guard offset > start else { throw problem("a name is missing") }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    byte <= 0x20 || [UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "<")].contains(byte)
  }

  private mutating func skipBlanks() { while offset < bytes.count, bytes[offset] <= 0x20 { offset += 1 } }

  private mutating func readStart() throws(SimulatedNodeError) {
    if root != nil { throw problem("there is a second outermost element") }
    if open.count >= Self.depthLimit { throw problem("elements are nested too deep") }
    let name = try readName()
    var attributes: [(name: String, value: String)] = []
    while true {
      skipBlanks()
      guard offset < bytes.count else { throw problem("a tag has no end") }
      if skips("/>") {
        try begin(name, attributes)
        return try end(name)
      }
      if skips(">") { return try begin(name, attributes) }
      attributes.append(try readAttribute())
    }
  }

  private mutating func readAttribute() throws(SimulatedNodeError) -> (name: String, value: String) {
    let name = try readName()
    skipBlanks()
    guard offset < bytes.count, skips("=") else { throw problem("an attribute has no value") }
    skipBlanks()
    guard offset < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[offset]) else {
      throw problem("the value of an attribute has no quotes")
    }
    let quote = bytes[offset]
    offset += 1
    let start = offset
    while offset < bytes.count, bytes[offset] != quote { offset += 1 }
    guard offset < bytes.count else { throw problem("the value of an attribute has no end") }
    defer { offset += 1 }
    return (name, try resolved(bytes[start..<offset]))
  }

  private mutating func begin(
    _ name: String, _ attributes: [(name: String, value: String)]
  ) throws(SimulatedNodeError) {
    var node = SimulatedNode(local: "", namespace: "", scope: open.last?.node.scope ?? [])
    for attribute in attributes {
      if attribute.name == "xmlns" { node.scope.append(("", attribute.value)) }
      if attribute.name.hasPrefix("xmlns:") {
        node.scope.append((String(attribute.name.dropFirst(6)), attribute.value))
      }
    }
    guard let full = node.name(of: name) else { throw problem("the prefix of '\(name)' is not declared") }
    (node.namespace, node.local) = full
    for attribute in attributes where attribute.name != "xmlns" && !attribute.name.hasPrefix("xmlns:") {
      // Attributes without a prefix are in no namespace, even if there is a default one.
      let isPlain = !attribute.name.utf8.contains(UInt8(ascii: ":"))
      guard let full = isPlain ? ("", attribute.name) : node.name(of: attribute.name) else {
        throw problem("the prefix of '\(attribute.name)' is not declared")
      }
      node.attributes["{\(full.0)}\(full.1)"] = attribute.value
    }
    open.append((node, name))
  }

  private mutating func readEnd() throws(SimulatedNodeError) {
    let name = try readName()
    skipBlanks()
    guard offset < bytes.count, skips(">") else { throw problem("an end tag is not closed") }
    try end(name)
  }

  private mutating func end(_ name: String) throws(SimulatedNodeError) {
    guard let last = open.popLast(), last.name == name else {
      throw problem("the end tag of '\(name)' does not match the open element")
    }
    if open.isEmpty { root = last.node } else { open[open.count - 1].node.children.append(last.node) }
  }
}

/// An element of a request, with its namespaces resolved.
struct SimulatedNode: Sendable {
  var local: String
  var namespace: String
  /// The attributes by namespace and local name, as `{namespace}local`.
  var attributes: [String: String] = [:]
  /// The prefixes in scope, the inner ones last.
  var scope: [(prefix: String, namespace: String)] = []
  var text = ""
  var children: [SimulatedNode] = []

  /// The first child of that local name in the element's own namespace.
  subscript(name: String) -> SimulatedNode? {
    children.first { $0.local == name && $0.namespace == namespace }
  }

  /// Returns a text such as `xs:int` as namespace and local name; nil for a prefix that is not declared.
  func name(of text: String) -> (namespace: String, local: String)? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let (prefix, local) = parts.count == 2 ? (parts[0], parts[1]) : ("", text)
    let space = scope.last { $0.prefix == prefix }?.namespace
    return space.map { ($0, local) } ?? (prefix.isEmpty ? ("", local) : nil)
  }
}

/// The reason a document is not a request.
enum SimulatedNodeError: Error, Equatable {
  case notWellFormed(at: Int, String)
}
