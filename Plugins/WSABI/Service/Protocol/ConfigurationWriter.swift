import PluginText

/// A writer of values as documents of the protocol.
///
/// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), sections 3 and 4; XML 1.0, section 2.2 (the characters).
struct ConfigurationWriter {
  /// The reason a value cannot be written.
  struct Fault: Error, Equatable {
    let message: String
  }

  private enum Piece {
    case element(String, WireValue)
    case raw(String)
  }

  private var text = ""
  /// The pieces still to be written, the next one last.
  private var waiting: [Piece] = []

  /// Returns the document that configures a sensor, in UTF-8.
  static func document(_ configuration: WireDictionary, _ namespace: ProtocolNamespace) throws(Fault) -> [UInt8] {
    try document(configuration, root: "configuration", namespace)
  }

  /// Returns a document whose root element is a dictionary.
  static func document(
    _ dictionary: WireDictionary, root: String, _ namespace: ProtocolNamespace
  ) throws(Fault) -> [UInt8] {
    var writer = ConfigurationWriter()
    writer.text = #"<?xml version="1.0" encoding="utf-8"?>"#
    writer.text += "<\(root) xmlns=\"\(namespace.rawValue)\" xmlns:xs=\"\(ProtocolNamespace.schema)\""
    writer.text += " xmlns:xsi=\"\(ProtocolNamespace.instance)\">"
    writer.waiting = writer.items(dictionary).reversed()
    while let piece = writer.waiting.popLast() { try writer.write(piece) }
    writer.text += "</\(root)>"
    return Array(writer.text.utf8)
  }

  private mutating func write(_ piece: Piece) throws(Fault) {
    switch piece {
    case .raw(let raw): text += raw
    case .element(let name, let value): try write(name, value)
    }
  }

  private mutating func write(_ name: String, _ value: WireValue) throws(Fault) {
    switch value {
    case .null: text += "<\(name) xsi:nil=\"true\"/>"
    case .string(let string): try plain(name, "xs:string", string)
    case .boolean(let flag): try plain(name, "xs:boolean", flag ? "true" : "false")
    case .integer(let number, let type): try plain(name, "xs:" + type, String(number))
    case .decimal(let number, let type): try plain(name, "xs:" + type, number)
    case .double(let number, let type): try plain(name, "xs:" + type, WireValue.text(number))
    case .dateTime(let moment): try plain(name, "xs:dateTime", moment)
    case .bytes(let bytes): try plain(name, "xs:base64Binary", Base64.text(bytes))
    case .uri(let uri): try plain(name, "xs:anyURI", uri)
    case .other(let string, let type): try other(name, string, type)
    case .range(let range): compound(name, "Range", fields(range))
    case .resolution(let resolution): compound(name, "Resolution", try fields(resolution))
    case .resource(let resource): compound(name, "Resource", try fields(resource))
    case .parameter(let parameter): compound(name, "Parameter", try fields(parameter))
    case .array(let values, let type):
      let isKnown = WireType.Compound(rawValue: type) != nil
      compound(name, isKnown ? type : "Array", values.map { .element("element", $0) })
    case .dictionary(let dictionary): compound(name, "Dictionary", items(dictionary))
    }
  }

  private mutating func plain(_ name: String, _ type: String, _ value: String) throws(Fault) {
    text += "<\(name) xsi:type=\"\(try Self.escaped(type))\">\(try Self.escaped(value))</\(name)>"
  }

  /// Writes a text of an unknown type, unchanged.
  private mutating func other(_ name: String, _ value: String, _ type: String) throws(Fault) {
    let parts = type.split(separator: "}", maxSplits: 1)
    if type.isEmpty {
      text += "<\(name)>\(try Self.escaped(value))</\(name)>"
    } else if type.hasPrefix("{"), parts.count == 2 {
      let (space, local) = (try Self.escaped(String(parts[0].dropFirst())), try Self.escaped(String(parts[1])))
      let isOwn = ProtocolNamespace(rawValue: space) != nil
      text += isOwn ? "<\(name) xsi:type=\"\(local)\">" : "<\(name) xmlns:t=\"\(space)\" xsi:type=\"t:\(local)\">"
      text += "\(try Self.escaped(value))</\(name)>"
    } else {
      try plain(name, WireType.Compound(rawValue: type) == nil ? "xs:" + type : type, value)
    }
  }

  /// Starts an element and leaves its content, and its end, for later.
  private mutating func compound(_ name: String, _ type: String, _ fields: [Piece]) {
    text += "<\(name) xsi:type=\"\(type)\">"
    waiting.append(.raw("</\(name)>"))
    waiting += fields.reversed()
  }

  private func items(_ dictionary: WireDictionary) -> [Piece] {
    dictionary.items.flatMap { item -> [Piece] in
      [.raw("<item>"), .element("key", .other(item.key, type: "")), .element("value", item.value), .raw("</item>")]
    }
  }

  private func fields(_ range: WireRange) -> [Piece] {
    var fields: [Piece] = []
    if let minimum = range.minimum { fields.append(.element("minimum", minimum)) }
    if let maximum = range.maximum { fields.append(.element("maximum", maximum)) }
    if let flag = range.minimumIsExclusive { fields.append(.raw(Self.flag("minimumIsExclusive", flag))) }
    if let flag = range.maximumIsExclusive { fields.append(.raw(Self.flag("maximumIsExclusive", flag))) }
    return fields
  }

  private func fields(_ resolution: WireResolution) throws(Fault) -> [Piece] {
    [
      .raw(try Self.element("width", resolution.width)), .raw(try Self.element("height", resolution.height)),
      .raw(try Self.element("unit", resolution.unit)),
    ]
  }

  private func fields(_ resource: WireResource) throws(Fault) -> [Piece] {
    [
      .raw(try Self.element("uri", resource.uri)), .raw(try Self.element("contentType", resource.contentType)),
      .raw(try Self.element("relationship", resource.relationship)),
    ]
  }

  private func fields(_ parameter: SensorParameter) throws(Fault) -> [Piece] {
    let isOwn = WireType.Compound(rawValue: parameter.type) != nil
    let type = parameter.type.isEmpty || isOwn ? parameter.type : "xs:" + parameter.type
    var fields: [Piece] = [
      .raw(try Self.element("name", parameter.name)), .raw(try Self.element("type", type)),
      .raw(Self.flag("readOnly", parameter.isReadOnly)),
      .raw(Self.flag("supportsMultiple", parameter.supportsMultiple)),
      .element("defaultValue", parameter.defaultValue),
    ]
    if !parameter.allowedValues.isEmpty {
      fields.append(.raw("<allowedValues>"))
      fields += parameter.allowedValues.map { .element("allowedValue", $0) }
      fields.append(.raw("</allowedValues>"))
    }
    return fields
  }

  private static func element(_ name: String, _ value: String?) throws(Fault) -> String {
    guard let value else { return "" }
    return "<\(name)>\(try escaped(value))</\(name)>"
  }

  private static func flag(_ name: String, _ flag: Bool) -> String { "<\(name)>\(flag ? "true" : "false")</\(name)>" }

  /// Returns the text with XML's special characters escaped.
  static func escaped(_ text: String) throws(Fault) -> String {
    if let scalar = XMLEscape.forbidden(in: text) {
      throw Fault(message: "a value has a character that XML cannot carry (U+\(String(scalar.value, radix: 16)))")
    }
    return XMLEscape.content(text)
  }
}
