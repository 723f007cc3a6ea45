import PluginAPI

/// A day of the Gregorian calendar, carried back before there was one.
struct CalendarDay: Sendable, Hashable, Comparable {
  /// 1 … 9999.
  private(set) var year: Int
  /// 1 … 12.
  private(set) var month: Int
  /// 1 … as many as the month has.
  private(set) var day: Int

  /// Creates a day; values outside the calendar become the nearest valid ones.
  init(year: Int, month: Int, day: Int) {
    self.year = min(max(1, year), 9999)
    self.month = min(max(1, month), 12)
    self.day = min(max(1, day), Self.days(of: self.month, in: self.year))
  }

  /// Parses `yyyy-mm-dd`; nil for any other text, and for days that do not exist.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      let digits = bytes[range]
      guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return digits.reduce(0) { 10 * $0 + Int($1 - 0x30) }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), year >= 1,
      (1...12).contains(month), (1...Self.days(of: month, in: year)).contains(day)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// As `yyyy-mm-dd`.
  var text: String { "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))" }

  /// The day of the week, 0 for Monday … 6 for Sunday.
  ///
  /// - Source: Sakamoto's rule, comp.lang.c, 1992.
  var weekday: Int {
    let shifts = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]
    let year = month < 3 ? year - 1 : year
    let sunday = (year + year / 4 - year / 100 + year / 400 + shifts[month - 1] + day) % 7
    return (sunday + 6) % 7
  }

  /// Returns the number of days of a month.
  ///
  /// - Parameter month: 1 … 12.
  static func days(of month: Int, in year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// Returns the day a number of months later; the last of its month if that is shorter.
  func adding(months: Int) -> CalendarDay {
    let count = 12 * year + month - 1 + months
    return count < 12
      ? CalendarDay(year: 1, month: 1, day: day)
      : CalendarDay(year: count / 12, month: count % 12 + 1, day: day)
  }

  /// Returns the day a number of days later, at most a month's.
  func adding(days: Int) -> CalendarDay {
    let moved = day + days
    if moved < 1 {
      let before = CalendarDay(year: year, month: month, day: 1).adding(months: -1)
      if before >= CalendarDay(year: year, month: month, day: 1) { return before }
      return CalendarDay(
        year: before.year, month: before.month, day: Self.days(of: before.month, in: before.year) + moved)
    }
    let length = Self.days(of: month, in: year)
    if moved <= length { return CalendarDay(year: year, month: month, day: moved) }
    let next = CalendarDay(year: year, month: month, day: 1).adding(months: 1)
    return next <= self ? self : CalendarDay(year: next.year, month: next.month, day: moved - length)
  }

  static func < (left: CalendarDay, right: CalendarDay) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

extension Int {
  /// Returns the digits of a number that is not negative, after leading zeros up to a count.
  func padded(to count: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, count - digits.utf8.count)) + digits
  }
}

/// Conversions between instants and texts that preserve every nanosecond.
///
/// - Source: ISO 8601-1:2019; days of a civil date after Howard Hinnant, "chrono-compatible low-level date algorithms".
enum ExactInstant {
  /// Returns a text such as `2026-11-21T20:15:00.000000001Z`; without a fraction if it is zero.
  static func text(_ instant: Instant) -> String {
    let whole = Instant(seconds: instant.seconds).description
    guard instant.nanoseconds != 0 else { return whole }
    return "\(whole.dropLast()).\(Int(instant.nanoseconds).padded(to: 9))Z"
  }

  /// Parses the output of ``text(_:)``; nil for any other text.
  static func instant(_ text: String) -> Instant? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 40, bytes.last == UInt8(ascii: "Z") else { return nil }
    let isNegative = bytes[0] == UInt8(ascii: "-")
    guard let dash = bytes.dropFirst().firstIndex(of: UInt8(ascii: "-")) else { return nil }
    guard let year = number(bytes[(isNegative ? 1 : 0)..<dash]), bytes.count >= dash + 16 else { return nil }
    let remaining = bytes[dash...]
    let marks: [(Int, UInt8)] = [(3, 0x2D), (6, 0x54), (9, 0x3A), (12, 0x3A)]
    guard marks.allSatisfy({ remaining[dash + $0.0] == $0.1 }) else { return nil }
    let parts = [1, 4, 7, 10, 13].map { number(remaining[(dash + $0)..<(dash + $0 + 2)]) }
    guard let month = parts[0], let day = parts[1], let hour = parts[2], let minute = parts[3], let second = parts[4]
    else { return nil }
    guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60 else { return nil }
    guard let nanoseconds = fraction(remaining[(dash + 15)...].dropLast()) else { return nil }
    let days = days(year: isNegative ? -year : year, month: month, day: day)
    let instant = Instant(
      seconds: Int64(days * 86_400 + hour * 3600 + minute * 60 + second), nanoseconds: Int32(nanoseconds))
    // A day that the month does not have would come back as another.
    return self.text(instant) == text || nanoseconds == 0 && Instant(seconds: instant.seconds).description == text
      ? instant : nil
  }

  /// Parses an empty text, or a point and up to nine digits, in nanoseconds.
  private static func fraction(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let point = bytes.first else { return 0 }
    let digits = bytes.dropFirst()
    guard point == UInt8(ascii: "."), (1...9).contains(digits.count), var value = number(digits) else { return nil }
    for _ in digits.count..<9 { value *= 10 }
    return value
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard (1...9).contains(bytes.count), bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
