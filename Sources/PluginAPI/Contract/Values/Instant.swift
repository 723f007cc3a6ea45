/// A moment in time, in nanoseconds since 1970-01-01T00:00:00Z without leap seconds.
public struct Instant: Sendable, Hashable, Comparable {
  /// Whole seconds since 1970, negative before.
  public var seconds: Int64
  /// Nanoseconds after that second, 0 ..< 1 000 000 000.
  public var nanoseconds: Int32

  /// Creates an instant.
  public init(seconds: Int64, nanoseconds: Int32 = 0) {
    precondition((0..<1_000_000_000).contains(nanoseconds), "nanoseconds lie in 0 ..< 1 000 000 000")
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Orders by time.
  public static func < (left: Instant, right: Instant) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// The start of the day in UTC: the midnight at or before the instant.
  public var startOfDay: Instant { Instant(seconds: seconds - (seconds % 86_400 + 86_400) % 86_400) }

  /// Returns the instant some seconds later, or earlier if their number is negative.
  public func adding(seconds: Int) -> Instant {
    Instant(seconds: self.seconds + Int64(seconds), nanoseconds: nanoseconds)
  }

  /// Returns the seconds from another instant to this one.
  public func seconds(since other: Instant) -> Double {
    Double(seconds &- other.seconds) + Double(nanoseconds - other.nanoseconds) / 1e9
  }
}

extension Instant {
  /// Creates an instant from a date, or a date and a time of day in UTC: `2026-11-20`, `2026-11-20T06:30`,
  /// `2026-11-20T06:30:15.5Z`.
  ///
  /// - Returns: nil if the text is not such a date of the years 0 to 9999.
  /// - Source: ISO 8601-1:2019, calendar dates in extended format.
  public init?(iso8601 text: String) {
    let halves = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    let date = halves[0].split(separator: "-", omittingEmptySubsequences: false).map(Instant.number)
    guard date.count == 3, let year = date[0], halves[0].utf8.count == 10, let month = date[1],
      (1...12).contains(month),
      let day = date[2], (1...Instant.daysInMonth(month, of: year)).contains(day)
    else { return nil }
    let midnight = Instant.days(year: year, month: month, day: day) * 86_400
    guard halves.count == 2 else {
      self.init(seconds: midnight)
      return
    }
    let clock = halves[1].hasSuffix("Z") ? halves[1].dropLast() : halves[1]
    let parts = clock.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let time = parts[0].split(separator: ":", omittingEmptySubsequences: false).map(Instant.number)
    guard (2...3).contains(time.count), parts[0].utf8.count == 3 * time.count - 1, let hour = time[0], hour < 24,
      let minute = time[1], minute < 60, let second = time.count == 3 ? time[2] : 0, second < 60
    else { return nil }
    var nanoseconds: Int32 = 0
    if parts.count == 2 {
      guard time.count == 3, (1...9).contains(parts[1].utf8.count), let fraction = Instant.number(parts[1]) else {
        return nil
      }
      nanoseconds = Int32(fraction)
      for _ in parts[1].utf8.count..<9 { nanoseconds *= 10 }
    }
    self.init(seconds: midnight + hour * 3600 + minute * 60 + second, nanoseconds: nanoseconds)
  }

  /// Returns the number that a text of digits represents.
  private static func number(_ digits: Substring) -> Int64? {
    digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(digits) : nil
  }

  private static func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// Returns the number of days from 1970-01-01 to a date of a year that is not negative.
  ///
  /// - Source: Howard Hinnant, "chrono-compatible low-level date algorithms".
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension Instant: CustomStringConvertible {
  /// ISO 8601 in UTC, with milliseconds where there are any: `2026-11-20T21:07:00Z`.
  ///
  /// - Source: ISO 8601-1:2019; civil date from days after Howard Hinnant, "chrono-compatible low-level date algorithms".
  public var description: String {
    let second = (seconds % 86_400 + 86_400) % 86_400
    let days = seconds / 86_400 - (seconds % 86_400 < 0 ? 1 : 0)
    let (year, month, day) = Instant.civilDate(days: days)
    func padded(_ value: Int64, _ width: Int) -> String {
      let digits = String(value.magnitude)
      return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let milliseconds = Int64(nanoseconds / 1_000_000)
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
      + "T" + padded(second / 3600, 2) + ":" + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2)
      + (milliseconds == 0 ? "" : "." + padded(milliseconds, 3)) + "Z"
  }

  /// The date in UTC: `2026-11-20`.
  public var dateText: String { String(description.prefix { $0 != "T" }) }

  /// The time of day in UTC, to the minute: `21:07`.
  public var timeText: String { String(description.drop { $0 != "T" }.dropFirst().prefix(5)) }

  private static func civilDate(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }
}
