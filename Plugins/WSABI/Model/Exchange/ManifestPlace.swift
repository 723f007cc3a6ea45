import PluginAPI
import PluginText

/// A value of a manifest with its location, for error messages.
struct ManifestPlace: Sendable {
  let value: Value
  /// As in `items[2].device.name`.
  let path: String

  init(_ value: Value, path: String = "") { (self.value, self.path) = (value, path) }

  var problem: ErrorReport { ExchangeError.badManifest(location: path.isEmpty ? "the whole" : path) }

  subscript(key: String) -> ManifestPlace { ManifestPlace(value[key], path: path.isEmpty ? key : "\(path).\(key)") }

  /// Returns the values of a list with their places.
  func list() throws(ErrorReport) -> [ManifestPlace] {
    guard let values = value.list else { throw problem }
    return values.enumerated().map { ManifestPlace($1, path: "\(path)[\($0)]") }
  }

  func text() throws(ErrorReport) -> String {
    guard let text = value.text else { throw problem }
    return text
  }

  func texts() throws(ErrorReport) -> [String] {
    var texts: [String] = []
    for node in try list() { texts.append(try node.text()) }
    return texts
  }

  /// Returns a text; nil for null.
  func optionalText() throws(ErrorReport) -> String? { value.isNull ? nil : try text() }

  func integer(atLeast least: Int = .min) throws(ErrorReport) -> Int {
    guard case .integer(let number) = value.content, number >= least else { throw problem }
    return number
  }

  func integer(in range: ClosedRange<Int>) throws(ErrorReport) -> Int {
    guard case .integer(let number) = value.content, range.contains(number) else { throw problem }
    return number
  }

  func flag() throws(ErrorReport) -> Bool {
    guard let flag = value.bool else { throw problem }
    return flag
  }

  /// Seconds of the years 1 to 9999, which every format of an export has room for.
  private static let years: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  func instant() throws(ErrorReport) -> Instant {
    guard let instant = ExactInstant.instant(try text()), Self.years.contains(instant.seconds) else { throw problem }
    return instant
  }

  func uuid() throws(ErrorReport) -> SensorUUID {
    guard let id = SensorUUID(try text()) else { throw problem }
    return id
  }

  /// Returns 32 bytes, given as 64 hexadecimal digits.
  func digest() throws(ErrorReport) -> [UInt8] {
    guard let digest = Hexadecimal.bytes(try text()), digest.count == 32 else { throw problem }
    return digest
  }
}

extension WireDictionary {
  /// The dictionary in the form of a manifest: every value with its type, so that it can be restored exactly.
  var manifest: Value { manifest(level: 0) }

  fileprivate func manifest(level: Int) -> Value {
    .list(items.map { ["key": .text($0.key), "value": $0.value.manifest(level: level)] })
  }

  /// Reads the output of ``manifest``.
  init(manifest node: ManifestPlace) throws(ErrorReport) { try self.init(manifest: node, level: 0) }

  fileprivate init(manifest node: ManifestPlace, level: Int) throws(ErrorReport) {
    var items: [Item] = []
    for entry in try node.list() {
      items.append(Item(try entry["key"].text(), try WireValue(manifest: entry["value"], level: level)))
    }
    self.init(items)
  }
}

extension WireValue {
  /// The maximum nesting depth of values; the store keeps none deeper.
  private static let mostLevels = 66

  /// Returns a record with `type`, and with `value` or the other fields of the type.
  fileprivate func manifest(level: Int) -> Value {
    guard level <= Self.mostLevels else { return ["type": "null"] }
    return switch self {
    case .null: ["type": "null"]
    case .string(let text): ["type": "string", "value": .text(text)]
    case .boolean(let flag): ["type": "boolean", "value": .bool(flag)]
    case .integer(let number, let type): ["type": "integer", "of": .text(type), "value": .integer(number)]
    case .decimal(let text, let type): ["type": "decimal", "of": .text(type), "value": .text(text)]
    case .double(let number, let type): ["type": "double", "of": .text(type), "value": .text(Self.text(number))]
    case .dateTime(let text): ["type": "dateTime", "value": .text(text)]
    case .bytes(let bytes): ["type": "bytes", "value": .text(Hexadecimal.text(bytes))]
    case .uri(let text): ["type": "uri", "value": .text(text)]
    case .other(let text, let type): ["type": "other", "of": .text(type), "value": .text(text)]
    case .range(let range): range.manifest(level: level)
    case .resolution(let resolution):
      [
        "type": "resolution", "width": .text(resolution.width), "height": .text(resolution.height),
        "unit": .optional(resolution.unit),
      ]
    case .resource(let resource):
      [
        "type": "resource", "uri": .text(resource.uri), "contentType": .optional(resource.contentType),
        "relationship": .optional(resource.relationship),
      ]
    case .parameter(let parameter): parameter.manifest(level: level)
    case .array(let values, let type):
      ["type": "array", "of": .text(type), "values": .list(values.map { $0.manifest(level: level + 1) })]
    case .dictionary(let dictionary): ["type": "dictionary", "values": dictionary.manifest(level: level + 1)]
    }
  }

  fileprivate init(manifest node: ManifestPlace, level: Int) throws(ErrorReport) {
    guard level <= Self.mostLevels else { throw node.problem }
    let value = node["value"]
    switch try node["type"].text() {
    case "null": self = .null
    case "string": self = .string(try value.text())
    case "boolean": self = .boolean(try value.flag())
    case "integer": self = .integer(try value.integer(), type: try node["of"].text())
    case "decimal": self = .decimal(try value.text(), type: try node["of"].text())
    case "double": self = .double(try Self.double(value), type: try node["of"].text())
    case "dateTime": self = .dateTime(try value.text())
    case "bytes":
      guard let bytes = Hexadecimal.bytes(try value.text()) else { throw value.problem }
      self = .bytes(bytes)
    case "uri": self = .uri(try value.text())
    case "other": self = .other(try value.text(), type: try node["of"].text())
    default: try self.init(compound: node, level: level)
    }
  }

  private init(compound node: ManifestPlace, level: Int) throws(ErrorReport) {
    switch try node["type"].text() {
    case "range": self = .range(try WireRange(manifest: node, level: level))
    case "resolution":
      self = .resolution(
        WireResolution(
          width: try node["width"].text(), height: try node["height"].text(),
          unit: try node["unit"].optionalText()))
    case "resource":
      self = .resource(
        WireResource(
          uri: try node["uri"].text(), contentType: try node["contentType"].optionalText(),
          relationship: try node["relationship"].optionalText()))
    case "parameter": self = .parameter(try SensorParameter(manifest: node, level: level))
    case "array":
      var values: [WireValue] = []
      for entry in try node["values"].list() { values.append(try WireValue(manifest: entry, level: level + 1)) }
      self = .array(values, type: try node["of"].text())
    case "dictionary":
      self = .dictionary(try WireDictionary(manifest: node["values"], level: level + 1))
    default: throw node["type"].problem
    }
  }

  private static func double(_ node: ManifestPlace) throws(ErrorReport) -> Double {
    let text = try node.text()
    switch text {
    case "NaN": return .nan
    case "INF": return .infinity
    case "-INF": return -.infinity
    default:
      let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || Array("+-.e".utf8).contains($0) }
      guard isPlain, let number = Double(text) else { throw node.problem }
      return number
    }
  }
}

extension WireRange {
  fileprivate func manifest(level: Int) -> Value {
    [
      "type": "range", "minimum": minimum?.manifest(level: level + 1) ?? .null,
      "maximum": maximum?.manifest(level: level + 1) ?? .null,
      "minimumIsExclusive": minimumIsExclusive.map(Value.bool) ?? .null,
      "maximumIsExclusive": maximumIsExclusive.map(Value.bool) ?? .null,
    ]
  }

  fileprivate init(manifest node: ManifestPlace, level: Int) throws(ErrorReport) {
    self.init()
    if !node["minimum"].value.isNull { minimum = try WireValue(manifest: node["minimum"], level: level + 1) }
    if !node["maximum"].value.isNull { maximum = try WireValue(manifest: node["maximum"], level: level + 1) }
    if !node["minimumIsExclusive"].value.isNull { minimumIsExclusive = try node["minimumIsExclusive"].flag() }
    if !node["maximumIsExclusive"].value.isNull { maximumIsExclusive = try node["maximumIsExclusive"].flag() }
  }
}

extension SensorParameter {
  fileprivate func manifest(level: Int) -> Value {
    [
      "type": "parameter", "name": .text(name), "of": .text(type), "isReadOnly": .bool(isReadOnly),
      "supportsMultiple": .bool(supportsMultiple), "defaultValue": defaultValue.manifest(level: level + 1),
      "allowedValues": .list(allowedValues.map { $0.manifest(level: level + 1) }),
    ]
  }

  fileprivate init(manifest node: ManifestPlace, level: Int) throws(ErrorReport) {
    self.init(name: try node["name"].text(), type: try node["of"].text())
    isReadOnly = try node["isReadOnly"].flag()
    supportsMultiple = try node["supportsMultiple"].flag()
    defaultValue = try WireValue(manifest: node["defaultValue"], level: level + 1)
    for entry in try node["allowedValues"].list() {
      allowedValues.append(try WireValue(manifest: entry, level: level + 1))
    }
  }
}
