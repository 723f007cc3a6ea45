/// A value of a dictionary: part of a service's information, a configuration, or the metadata of a capture.
///
/// Everything a service wrote can be written again: a value without its own case is kept with its type and text.
///
/// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), section 3.
indirect enum WireValue: Sendable, Hashable {
  /// `xsi:nil`.
  case null
  case string(String)
  case boolean(Bool)
  /// A whole number of the XML Schema type named, such as `int` or `positiveInteger`, within 64 bits.
  case integer(Int, type: String)
  /// A `decimal`, or a whole number beyond 64 bits, exact as written.
  case decimal(String, type: String)
  /// A `float` or `double`; NaN and infinities are spelled `NaN`, `INF`, `-INF` on the wire.
  case double(Double, type: String)
  /// A moment as written: up to seven digits of a second, with or without a zone.
  case dateTime(String)
  case bytes([UInt8])
  case uri(String)
  case range(WireRange)
  case resolution(WireResolution)
  case resource(WireResource)
  case parameter(SensorParameter)
  /// An `Array`, or a typed one such as `StringArray`, whose elements all have that type.
  case array([WireValue], type: String)
  case dictionary(WireDictionary)
  /// A text whose type is unknown or does not match, such as an `int` of letters: kept, and flagged by the reader.
  case other(String, type: String)

  /// Returns the shortest text that restores a number; NaN and infinities are spelled as on the wire.
  static func text(_ number: Double) -> String {
    number.isNaN ? "NaN" : number.isInfinite ? (number < 0 ? "-INF" : "INF") : number.description
  }
}

/// Keys with values, in the order of the document; each key occurs once.
struct WireDictionary: Sendable, Hashable {
  /// A key with its value.
  struct Item: Sendable, Hashable {
    let key: String
    let value: WireValue

    init(_ key: String, _ value: WireValue) {
      self.key = key
      self.value = value
    }
  }

  private(set) var items: [Item] = []

  /// Creates a dictionary with items in order; for a repeated key the last value counts, at the first position.
  init(_ items: [Item] = []) {
    var places: [String: Int] = [:]
    for item in items {
      if let index = places[item.key] {
        self.items[index] = item
      } else {
        places[item.key] = self.items.count
        self.items.append(item)
      }
    }
  }

  /// The value of a key; set to nil to remove it.
  ///
  /// A key set again keeps its position.
  subscript(key: String) -> WireValue? {
    get { items.first { $0.key == key }?.value }
    set {
      let index = items.firstIndex { $0.key == key }
      switch (index, newValue) {
      case (let index?, let value?): items[index] = Item(key, value)
      case (let index?, nil): items.remove(at: index)
      case (nil, let value?): items.append(Item(key, value))
      case (nil, nil): break
      }
    }
  }

  var isEmpty: Bool { items.isEmpty }
}

/// From a least to a greatest value, either of which may be open.
struct WireRange: Sendable, Hashable {
  var minimum: WireValue?
  var maximum: WireValue?
  var minimumIsExclusive: Bool?
  var maximumIsExclusive: Bool?
}

/// A width and a height, exact as written, as in `500` or `19.685`.
struct WireResolution: Sendable, Hashable {
  var width: String
  var height: String
  /// Free text; pixels where it is missing.
  var unit: String?
}

/// The location of a resource, such as a live preview.
struct WireResource: Sendable, Hashable {
  var uri: String
  var contentType: String?
  var relationship: String?
}

/// A service's description of one of its settings or properties.
struct SensorParameter: Sendable, Hashable {
  /// The key in a configuration.
  var name: String
  /// The XML Schema or protocol type of its values, without prefix; empty if the service named none.
  var type: String
  var isReadOnly = false
  var supportsMultiple = false
  /// The value without a configuration; of a read-only one *the* value.
  var defaultValue: WireValue = .null
  /// The allowed values: values, ranges, resolutions; empty for any value of the type.
  var allowedValues: [WireValue] = []
}

/// The XML namespaces of the protocol's documents; a service uses one of them.
///
/// A client accepts all of them and writes the one that the service uses: NIST's Java service answers a configuration
/// in another one with `success` and applies nothing of it.
enum ProtocolNamespace: String, CaseIterable, Sendable {
  /// Services before NIST SP 500-288 (December 2011).
  case preRelease = "urn:oid:2.16.840.1.101.3.9.3.0"
  /// NIST SP 500-288, version 1 (2011) and the drafts of version 2.
  case nist = "urn:oid:2.16.840.1.101.3.9.3.1"
  /// OASIS Biometrics TC, drafts of 2013 and 2014.
  case biometrics = "http://docs.oasis-open.org/biometrics/ns/ws-bd-1.0"
  /// OASIS BIOSERV TC, committee specification of July 2017: the one in force.
  case bioserv = "http://docs.oasis-open.org/bioserv/ns/wsbd-1.0"

  /// The namespace of the types of XML Schema, `xs:int` and the like.
  static let schema = "http://www.w3.org/2001/XMLSchema"
  /// The namespace of `xsi:type` and `xsi:nil`.
  static let instance = "http://www.w3.org/2001/XMLSchema-instance"
}

extension WireValue {
  /// Creates a value from a person's input, such as `640`, `true`, `19.685`, `640x480` or any text.
  ///
  /// - Parameter type: The type the sensor expects, without prefix; nil or empty to infer it from the text.
  init(setting text: String, type: String? = nil) {
    switch type?.lowercased() {
    case nil, "": self = Self.guessed(text)
    case "string": self = .string(text)
    case "boolean": self = Self.boolean(text) ?? .other(text, type: "boolean")
    case "float", "double":
      self = Self.decimal(text).map { .double($0, type: type ?? "double") } ?? .other(text, type: type ?? "double")
    case "decimal": self = Self.decimal(text) == nil ? .other(text, type: "decimal") : .decimal(text, type: "decimal")
    case "anyuri": self = .uri(text)
    case "datetime": self = .dateTime(text)
    case "resolution": self = Self.resolution(text) ?? .string(text)
    case let name where name.map(Self.wholeTypes.contains) ?? false:
      self = Self.whole(text).map { .integer($0, type: type ?? "int") } ?? .other(text, type: type ?? "int")
    default: self = .string(text)
    }
  }

  /// The whole numbers of XML Schema, in lower case.
  private static let wholeTypes: Set<String> = [
    "int", "integer", "long", "short", "byte", "unsignedint", "unsignedlong", "unsignedshort", "unsignedbyte",
    "nonnegativeinteger", "positiveinteger", "nonpositiveinteger", "negativeinteger",
  ]

  private static func guessed(_ text: String) -> WireValue {
    if let number = whole(text) { return .integer(number, type: "int") }
    if decimal(text) != nil { return .decimal(text, type: "decimal") }
    return boolean(text) ?? resolution(text) ?? .string(text)
  }

  private static func boolean(_ text: String) -> WireValue? {
    switch text.lowercased() {
    case "true": .boolean(true)
    case "false": .boolean(false)
    default: nil
    }
  }

  /// Parses digits with or without a sign: `0x10` and `1e3` are texts.
  private static func whole(_ text: String) -> Int? {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }

  private static func decimal(_ text: String) -> Double? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let first = parts.first else { return nil }
    let head = first.utf8.first == UInt8(ascii: "-") ? first.dropFirst() : first
    let isNumber = ([head] + parts.dropFirst()).allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    return isNumber ? Double(text) : nil
  }

  /// Returns a width and a height with an `x` between.
  private static func resolution(_ text: String) -> WireValue? {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let width = decimal(parts[0]), let height = decimal(parts[1]), width > 0, height > 0 else {
      return nil
    }
    return .resolution(WireResolution(width: parts[0], height: parts[1], unit: nil))
  }
}
