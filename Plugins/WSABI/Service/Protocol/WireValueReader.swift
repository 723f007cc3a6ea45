import PluginText

/// A reader that makes values of completed elements; a value that does not match its type is kept as text, and noted.
struct WireValueReader {
  /// Descriptions of irregularities, without values; a few dozen at most.
  private(set) var oddities: [String] = []

  private static let oddityLimit = 32

  /// Notes something strange, once.
  mutating func note(_ words: String) {
    if oddities.count < Self.oddityLimit, !oddities.contains(words) { oddities.append(words) }
  }

  /// Returns the element with its value.
  ///
  /// - Parameter namedType: The type that its text names, if that is a prefixed name.
  mutating func node(_ frame: WireFrame, namedType: WireType?) -> WireNode {
    var node = WireNode(local: frame.local, isNil: frame.isNil)
    if frame.isNil { return node }
    node.children = frame.children
    if frame.children.isEmpty { node.text = String(decoding: frame.text, as: UTF8.self) }
    node.namedType = namedType
    if frame.local == "item", frame.type == nil {
      node.item = item(node)
      node.children = []
    } else {
      node.value = value(node, frame.type)
      // The fields of the root element are read again; values already have what they need.
      if frame.type != nil { node.children = [] }
    }
    return node
  }

  private mutating func item(_ node: WireNode) -> WireDictionary.Item? {
    guard let key = node.child("key") else {
      note("an item has no key")
      return nil
    }
    return WireDictionary.Item(key.text.trimmed(), node.child("value")?.value ?? .null)
  }

  private mutating func value(_ node: WireNode, _ type: WireType?) -> WireValue {
    guard let type else { return untyped(node) }
    switch type.compound {
    case .dictionary: return .dictionary(dictionary(node))
    case .parameter: return .parameter(parameter(node))
    case .range: return .range(range(node))
    case .resolution: return .resolution(resolution(node))
    case .resource: return .resource(resource(node))
    case .array, .stringArray, .uuidArray, .resourceArray:
      return .array(node.children.map(\.value), type: type.local)
    case nil: break
    }
    if !node.children.isEmpty { return strange(node, type) }
    guard type.isOfSchema else {
      // Plain types of the protocol, such as ids and statuses, are written as received.
      if ProtocolNamespace(rawValue: type.namespace) == nil {
        note("a value has the type '\(SanitizedText.line(type.local, limit: 80))', which is not known")
      }
      return .other(node.text, type: type.text)
    }
    if let value = WireScalar.value(node.text, type: type.local) { return value }
    if WireScalar.knows(type.local) {
      note("a value of the type '\(type.local)' is none")
    }
    return .other(node.text, type: type.local)
  }

  /// Returns the value of an element with child elements that its type does not describe.
  private mutating func strange(_ node: WireNode, _ type: WireType) -> WireValue {
    note("a value of the type '\(SanitizedText.line(type.local, limit: 80))' has elements")
    return untyped(node)
  }

  /// Returns the value of an element without a type, by its content.
  private mutating func untyped(_ node: WireNode) -> WireValue {
    guard let first = node.children.first else { return .other(node.text, type: "") }
    if node.local == "allowedValues" { return .array(node.children.map(\.value), type: "Array") }
    switch first.local {
    case "item": return .dictionary(dictionary(node))
    case "element": return .array(node.children.map(\.value), type: "Array")
    case "uri": return .resource(resource(node))
    case "width", "height": return .resolution(resolution(node))
    case "minimum", "maximum": return .range(range(node))
    default: return .other("", type: "")
    }
  }

  /// Returns the dictionary of an element; for a repeated key the last value counts.
  mutating func dictionary(_ node: WireNode) -> WireDictionary {
    let items = node.children.compactMap(\.item)
    let dictionary = WireDictionary(items)
    if dictionary.items.count < items.count { note("a key stands twice; its last value counts") }
    return dictionary
  }

  private mutating func parameter(_ node: WireNode) -> SensorParameter {
    let name = node.child("name").map { $0.text.trimmed() } ?? ""
    if name.isEmpty { note("a parameter has no name") }
    let type = node.child("type")
    var parameter = SensorParameter(
      name: name, type: type?.namedType?.local ?? type.map { $0.text.trimmed() } ?? "")
    parameter.isReadOnly = flag(node, "readOnly") ?? false
    parameter.supportsMultiple = flag(node, "supportsMultiple") ?? false
    parameter.defaultValue = typed(node.child("defaultValue")?.value ?? .null, as: parameter.type)
    if case .array(let values, _) = node.child("allowedValues")?.value {
      parameter.allowedValues = values.map { typed($0, as: parameter.type) }
    }
    return parameter
  }

  /// Returns a value without its own type in the type of its parameter, if it matches.
  private func typed(_ value: WireValue, as type: String) -> WireValue {
    guard case .other(let text, "") = value else { return value }
    return WireScalar.value(text, type: type) ?? value
  }

  private mutating func range(_ node: WireNode) -> WireRange {
    WireRange(
      minimum: node.child("minimum")?.value, maximum: node.child("maximum")?.value,
      minimumIsExclusive: flag(node, "minimumIsExclusive"), maximumIsExclusive: flag(node, "maximumIsExclusive"))
  }

  private mutating func resolution(_ node: WireNode) -> WireResolution {
    WireResolution(width: length(node, "width"), height: length(node, "height"), unit: node.child("unit")?.text)
  }

  private mutating func length(_ node: WireNode, _ name: String) -> String {
    let text = (node.child(name)?.text ?? "").trimmed()
    if WireScalar.number(text) == nil { note("a resolution has no \(name)") }
    return text
  }

  private mutating func resource(_ node: WireNode) -> WireResource {
    let uri = (node.child("uri")?.text ?? "").trimmed()
    if uri.isEmpty { note("a resource has no address") }
    return WireResource(
      uri: uri, contentType: node.child("contentType")?.text, relationship: node.child("relationship")?.text)
  }

  private mutating func flag(_ node: WireNode, _ name: String) -> Bool? {
    guard let child = node.child(name) else { return nil }
    let flag = WireScalar.boolean(child.text.trimmed())
    if flag == nil { note("'\(name)' is neither true nor false") }
    return flag
  }
}
