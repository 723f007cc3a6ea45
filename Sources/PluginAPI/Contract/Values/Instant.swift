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

  /// Seconds from another instant to this one.
  public func seconds(since other: Instant) -> Double {
    Double(seconds &- other.seconds) + Double(nanoseconds - other.nanoseconds) / 1e9
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
