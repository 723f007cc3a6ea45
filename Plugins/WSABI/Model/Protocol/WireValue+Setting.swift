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
