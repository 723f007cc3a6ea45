import PluginCompression
import PluginText

/// The bytes of a response under construction; texts are escaped for JSON.
struct WireBuffer: Sendable {
  private(set) var bytes: [UInt8] = []

  init(reserving count: Int = 0) { bytes.reserveCapacity(count) }

  var count: Int { bytes.count }

  /// Appends a text of the protocol unchanged.
  mutating func add(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends text that is JSON already.
  mutating func add(raw text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func add(raw more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  /// Appends a number in decimal digits.
  mutating func add(_ number: Int) {
    if number < 0 { return add(raw: String(number)) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var remaining = number
      var position = 20
      repeat {
        position -= 1
        digits[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: remaining % 10)
        remaining /= 10
      } while remaining > 0
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[position...]))
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

/// Times in the formats of servers.
enum SimulatedDates {
  /// Returns a time as `yyyy-MM-dd HH:mm:ss Z` in UTC.
  static func text(_ milliseconds: Int) -> String {
    let (date, time) = parts(milliseconds)
    return
      "\(date.year)-\(two(date.month))-\(two(date.day)) \(two(time.hour)):\(two(time.minute)):\(two(time.second)) +0000"
  }

  /// Returns a time as `yyMMddHHmmssSSS`, the format in tokens.
  static func stamp(_ milliseconds: Int) -> String {
    let (date, time) = parts(milliseconds)
    let fraction = String(1000 + milliseconds % 1000).dropFirst()
    return [date.year % 100, date.month, date.day, time.hour, time.minute, time.second].map(two).joined() + fraction
  }

  /// Returns a time in the format of HTTP.
  ///
  /// - Source: RFC 9110, section 5.6.7.
  static func http(_ milliseconds: Int) -> String {
    let (date, time) = parts(milliseconds)
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return "\(days[milliseconds / 86_400_000 % 7]), \(two(date.day)) \(months[date.month - 1]) \(date.year) "
      + "\(two(time.hour)):\(two(time.minute)):\(two(time.second)) GMT"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Returns the date and time of day of a time in milliseconds since 1970.
  /// - Source: Howard Hinnant, chrono-compatible low-level date algorithms, `civil_from_days`.
  private static func parts(
    _ milliseconds: Int
  ) -> (date: (year: Int, month: Int, day: Int), time: (hour: Int, minute: Int, second: Int)) {
    let seconds = milliseconds / 1000
    let shifted = seconds / 86_400 + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let time = seconds % 86_400
    return ((year, month, day), (time / 3600, time / 60 % 60, time % 60))
  }
}

/// Checksums of files.
enum SimulatedChecksum {
  /// Returns the CRC-32 of zlib and gzip.
  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var checksum = CRC32()
    checksum.add(bytes)
    return checksum.value
  }
}
