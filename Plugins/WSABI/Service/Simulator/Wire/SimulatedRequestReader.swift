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
