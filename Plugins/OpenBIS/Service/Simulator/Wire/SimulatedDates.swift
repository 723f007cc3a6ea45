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
    let rest = String(1000 + milliseconds % 1000).dropFirst()
    return [date.year % 100, date.month, date.day, time.hour, time.minute, time.second].map(two).joined() + rest
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
