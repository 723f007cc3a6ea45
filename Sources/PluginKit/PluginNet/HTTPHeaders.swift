/// Header fields in order; names are case-insensitive.
///
/// - Source: RFC 9110, section 5.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// A field.
  public struct Field: Sendable, Hashable {
    /// The name as written.
    public var name: String
    /// The value without surrounding spaces.
    public var value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The fields.
  public private(set) var fields: [Field] = []

  /// Creates fields from names and values.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field($0.0, $0.1) }
  }

  /// The first value with a name; setting it replaces all of that name.
  public subscript(name: String) -> String? {
    get { fields.first { HTTPHeaders.isSame($0.name, name) }?.value }
    set {
      fields.removeAll { HTTPHeaders.isSame($0.name, name) }
      if let newValue { fields.append(Field(name, newValue)) }
    }
  }

  /// Appends the field in a line of a head; ignores other lines.
  mutating func take(line: [UInt8]) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return }
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0D, 0x0A]
    var value = line[(colon + 1)...]
    while let last = value.last, blanks.contains(last) { value.removeLast() }
    while let first = value.first, blanks.contains(first) { value.removeFirst() }
    fields.append(Field(String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self)))
  }

  /// The lines to send, without characters that would end a line.
  var lines: [String] {
    fields.map { field in
      let text = "\(field.name): \(field.value)"
      return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }))
    }
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count && one.lowercased() == other.lowercased()
  }
}
