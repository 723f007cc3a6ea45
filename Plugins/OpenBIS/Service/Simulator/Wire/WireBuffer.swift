import PluginText

/// The bytes of a response under construction; texts are escaped for JSON.
struct WireBuffer: Sendable {
  private(set) var bytes: [UInt8] = []

  init(reserving count: Int = 0) { bytes.reserveCapacity(count) }

  var count: Int { bytes.count }

  /// Appends a text of the protocol unchanged.
  mutating func add(_ words: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: words.utf8Start, count: words.utf8CodeUnitCount))
  }

  /// Appends text that is JSON already.
  mutating func add(raw text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func add(raw more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  /// Appends a number in decimal digits.
  mutating func add(_ number: Int) {
    if number < 0 { return add(raw: String(number)) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = number
      var place = 20
      repeat {
        place -= 1
        digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[place...]))
    }
  }

  /// Appends a text in quotation marks.
  mutating func add(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    add(escaped: text)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends an escaped text without its quotation marks.
  mutating func add(escaped text: String) {
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices where Self.isSpecial(utf8[index]) {
        bytes.append(contentsOf: utf8[start..<index])
        add(escape: utf8[index])
        start = index + 1
      }
      bytes.append(contentsOf: utf8[start...])
    }
  }

  /// Returns the bytes and empties the buffer.
  mutating func take() -> [UInt8] {
    let taken = bytes
    bytes = []
    bytes.reserveCapacity(taken.capacity)
    return taken
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func add(escape byte: UInt8) {
    switch byte {
    case 0x0A: add("\\n")
    case 0x0D: add("\\r")
    case 0x09: add("\\t")
    case 0..<0x20:
      add("\\u00")
      bytes.append(Hexadecimal.digit(byte >> 4))
      bytes.append(Hexadecimal.digit(byte & 15))
    default:
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    }
  }
}

extension String {
  /// The text as JSON, in quotation marks.
  var asSimulatedJSON: String {
    var buffer = WireBuffer()
    buffer.add(quoted: self)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}
