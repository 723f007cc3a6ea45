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
  var text: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }

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

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
