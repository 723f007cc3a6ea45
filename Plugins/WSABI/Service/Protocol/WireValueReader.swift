import PluginText

/// A reader that makes values of completed elements; a value that does not match its type is kept as text, and noted.
struct WireValueReader {
  /// Descriptions of irregularities, without values; a few dozen at most.
  private(set) var oddities: [String] = []

  private static let oddityLimit = 32

  /// Notes something strange, once.
  mutating func note(_ text: String) {
    if oddities.count < Self.oddityLimit, !oddities.contains(text) { oddities.append(text) }
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
        note("a value has the unknown type '\(SanitizedText.line(type.local, limit: 80))'")
      }
      return .other(node.text, type: type.text)
    }
    if let value = WireScalar.value(node.text, type: type.local) { return value }
    if WireScalar.knows(type.local) {
      note("a value does not fit its type '\(type.local)'")
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
    if dictionary.items.count < items.count { note("a key occurs twice; its last value is used") }
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

/// An element of a document that is open.
struct WireFrame {
  var local: String
  /// True if the name belongs to the protocol; other elements are skipped.
  var isKnown: Bool
  /// The type given by `xsi:type`, or implied by the enclosing type.
  var type: WireType?
  var isNil: Bool
  var text: [UInt8] = []
  var children: [WireNode] = []
}

/// A completed element of a document, with its value.
struct WireNode {
  var local: String
  var isNil = false
  /// The text between its tags, if it has no elements.
  var text = ""
  var value = WireValue.null
  /// The type that the text names, if it is a prefixed name whose prefix is declared there.
  var namedType: WireType?
  /// Key and value, if it is an item of a dictionary.
  var item: WireDictionary.Item?
  /// The elements in it, one level of them.
  var children: [WireNode] = []

  /// Returns the first child with a name.
  func child(_ local: String) -> WireNode? { children.first { $0.local == local && !$0.isNil } }
}

/// The name of the type of a value, its prefix resolved.
struct WireType: Hashable, Sendable {
  /// The types of the protocol that are distinguished.
  enum Compound: String, Sendable, CaseIterable {
    case dictionary = "Dictionary"
    case parameter = "Parameter"
    case range = "Range"
    case resolution = "Resolution"
    case resource = "Resource"
    case array = "Array"
    case stringArray = "StringArray"
    case uuidArray = "UuidArray"
    case resourceArray = "ResourceArray"
  }

  var namespace: String
  var local: String

  /// The protocol type it names, in any of its namespaces; nil for others.
  var compound: Compound? {
    ProtocolNamespace(rawValue: namespace) == nil ? nil : Compound(rawValue: local)
  }

  var isOfSchema: Bool { namespace == ProtocolNamespace.schema }

  /// The type as values store it: types of XML Schema and known types of the protocol by their local name, others as
  /// `{namespace}name`.
  var text: String { isOfSchema || compound != nil || namespace.isEmpty ? local : "{\(namespace)}\(local)" }
}

/// A parser of the texts of plain values by their type.
///
/// - Source: XML Schema 1.1, part 2 (W3C, April 2012), sections 3.3 and 3.4.
enum WireScalar {
  /// Returns the value of a text; nil if it does not match the type, or the type is not one of these.
  static func value(_ text: String, type: String) -> WireValue? {
    let bare = text.trimmed()
    switch type {
    case "string": return .string(text)
    case "boolean": return boolean(bare).map { .boolean($0) }
    case "float", "double": return number(bare).map { .double($0, type: type) }
    case "decimal": return isDecimal(bare) ? .decimal(bare, type: type) : nil
    case "dateTime": return isDateTime(bare) ? .dateTime(bare) : nil
    case "anyURI": return .uri(bare)
    case "base64Binary": return Base64.bytes(bare).map { .bytes($0) }
    default: return bounds[type].flatMap { integer(bare, type: type, $0) }
    }
  }

  /// Integer types with the smallest and the largest number of each; nil for no bound, or none within 64 bits.
  private static let bounds: [String: (least: Int?, greatest: Int?)] = [
    "integer": (nil, nil), "nonNegativeInteger": (0, nil), "positiveInteger": (1, nil),
    "nonPositiveInteger": (nil, 0), "negativeInteger": (nil, -1), "unsignedLong": (0, nil),
    "long": (Int.min, Int.max), "int": (Int(Int32.min), Int(Int32.max)), "short": (-32_768, 32_767),
    "byte": (-128, 127), "unsignedInt": (0, Int(UInt32.max)), "unsignedShort": (0, 65_535), "unsignedByte": (0, 255),
  ]

  /// Returns true if a type of XML Schema is one of those that are distinguished.
  static func knows(_ type: String) -> Bool {
    bounds[type] != nil
      || ["string", "boolean", "float", "double", "decimal", "dateTime", "anyURI", "base64Binary"].contains(type)
  }

  static func boolean(_ text: String) -> Bool? {
    switch text {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  private static func integer(
    _ text: String, type: String, _ bounds: (least: Int?, greatest: Int?)
  ) -> WireValue? {
    let digits =
      text.utf8.first == UInt8(ascii: "-") || text.utf8.first == UInt8(ascii: "+") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy(isDigit) else { return nil }
    guard let number = Int(text) else {
      // A number beyond 64 bits exceeds every bound on its side.
      let isNegative = text.utf8.first == UInt8(ascii: "-")
      let bound = isNegative ? bounds.least : bounds.greatest
      if bound != nil { return nil }
      if type == "unsignedLong", UInt64(text) == nil { return nil }
      return .decimal(text, type: type)
    }
    if let least = bounds.least, number < least { return nil }
    if let greatest = bounds.greatest, number > greatest { return nil }
    return .integer(number, type: type)
  }

  /// Returns true if a text is a number in the notation of `decimal`.
  private static func isDecimal(_ text: String) -> Bool {
    var remaining = text.utf8[...]
    if remaining.first == UInt8(ascii: "-") || remaining.first == UInt8(ascii: "+") {
      remaining = remaining.dropFirst()
    }
    let whole = remaining.prefix(while: isDigit)
    remaining = remaining.dropFirst(whole.count)
    if remaining.isEmpty { return !whole.isEmpty }
    guard remaining.first == UInt8(ascii: ".") else { return false }
    return remaining.dropFirst().allSatisfy(isDigit) && whole.count + remaining.count > 1
  }

  /// Returns the number of a `float` or `double`; nil if the text is malformed, or too large for 64 bits.
  static func number(_ text: String) -> Double? {
    switch text {
    case "NaN": return .nan
    case "INF", "+INF": return .infinity
    case "-INF": return -.infinity
    default: break
    }
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
    guard let mantissa = parts.first, isDecimal(String(mantissa)), parts.count <= 2 else { return nil }
    if parts.count == 2 {
      let exponent = parts[1].utf8
      let digits =
        exponent.first == UInt8(ascii: "-") || exponent.first == UInt8(ascii: "+")
        ? exponent.dropFirst() : exponent[...]
      guard (1...9).contains(digits.count), digits.allSatisfy(isDigit) else { return nil }
    }
    guard let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// Returns true if a text is a date and time: `2012-02-14T09:30:15.1234567-05:00`, with optional fraction and zone.
  private static func isDateTime(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 19, bytes.count <= 64 else { return false }
    let marks: [Int: UInt8] = [4: 0x2D, 7: 0x2D, 10: 0x54, 13: 0x3A, 16: 0x3A]
    for (index, byte) in bytes.prefix(19).enumerated() {
      if let mark = marks[index] {
        if byte != mark { return false }
      } else if !isDigit(byte) {
        return false
      }
    }
    func number(_ start: Int) -> Int { Int(bytes[start] - 0x30) * 10 + Int(bytes[start + 1] - 0x30) }
    guard (1...12).contains(number(5)), (1...31).contains(number(8)), number(11) <= 24, number(14) < 60,
      number(17) <= 60
    else { return false }
    return isRestOfTime(bytes[19...])
  }

  /// Returns true if bytes are a fraction of a second, a zone, both or neither.
  private static func isRestOfTime(_ bytes: ArraySlice<UInt8>) -> Bool {
    var remaining = bytes
    if remaining.first == UInt8(ascii: ".") {
      let digits = remaining.dropFirst().prefix(while: isDigit)
      if digits.isEmpty { return false }
      remaining = remaining.dropFirst(1 + digits.count)
    }
    if remaining.isEmpty || remaining.elementsEqual("Z".utf8) { return true }
    let zone = Array(remaining)
    guard zone.count == 6, zone[0] == UInt8(ascii: "+") || zone[0] == UInt8(ascii: "-"), zone[3] == UInt8(ascii: ":")
    else { return false }
    return [1, 2, 4, 5].allSatisfy { isDigit(zone[$0]) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
