import PluginAPI

/// Reads dates as people write them: `2026-11-20` or `2026-11-20T06:30`.
enum CivilDate {
  /// The instant a text names, in Universal Time; nil if it names none.
  ///
  /// - Source: ISO 8601-1:2019, calendar dates; days from a civil date after H. Hinnant, "chrono-compatible low-level
  ///   date algorithms".
  static func instant(_ text: String) -> Instant? {
    let halves = text.split(separator: "T", omittingEmptySubsequences: false)
    let date = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard halves.count <= 2, date.count == 3, (0...9999).contains(date[0]), (1...12).contains(date[1]),
      (1...daysInMonth(date[1], of: date[0])).contains(date[2])
    else { return nil }
    var seconds = days(date[0], date[1], date[2]) * 86_400
    if halves.count == 2 {
      let time = halves[1].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
      guard time.count == 2, (0...23).contains(time[0]), (0...59).contains(time[1]) else { return nil }
      seconds += 3600 * time[0] + 60 * time[1]
    }
    return Instant(seconds: Int64(seconds))
  }

  private static func daysInMonth(_ month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
