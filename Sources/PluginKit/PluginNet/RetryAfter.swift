internal import Glibc

/// A parser of `Retry-After` fields.
enum RetryAfter {
  /// Returns the seconds to wait; 0 for a time in the past.
  ///
  /// - Parameters:
  ///   - text: A number of seconds, or a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///   - now: Seconds since 1970.
  /// - Returns: nil for anything else.
  /// - Source: RFC 9110, sections 10.2.3 and 5.6.7.
  static func seconds(_ text: String, now: Double) -> Double? {
    if let seconds = UInt32(text) { return Double(seconds) }
    let words = text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ":") }.map { String(Substring($0)) }
    guard words.count == 8, words[7] == "GMT", let day = Int(words[1]), let month = months.firstIndex(of: words[2]),
      let year = Int(words[3]), let hour = Int(words[4]), let minute = Int(words[5]), let second = Int(words[6]),
      (1970...9999).contains(year), (1...31).contains(day), (0..<24).contains(hour), (0..<60).contains(minute),
      (0...60).contains(second)
    else { return nil }
    var date = tm()
    (date.tm_year, date.tm_mon, date.tm_mday) = (Int32(year - 1900), Int32(month), Int32(day))
    (date.tm_hour, date.tm_min, date.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
    return max(0, Double(timegm(&date)) - now)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the seconds since 1970.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
