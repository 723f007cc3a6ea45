/// The date in the head of a response.
///
/// - Source: RFC 9110, section 5.6.7 (IMF-fixdate, the only form that servers may send).
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; nil if the text is not a date.
  static func seconds(_ text: String) -> Double? {
    let words = text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ":") }.map { String(Substring($0)) }
    guard words.count == 8, words[7] == "GMT", let day = Int(words[1]), let month = months.firstIndex(of: words[2]),
      let year = Int(words[3]), let hour = Int(words[4]), let minute = Int(words[5]), let second = Int(words[6]),
      (1970...9999).contains(year), (1...31).contains(day), (0..<24).contains(hour), (0..<60).contains(minute),
      (0...60).contains(second)
    else { return nil }
    return Double(days(year, month + 1, day) * 86400 + hour * 3600 + minute * 60 + second)
  }

  /// Returns the days since 1970 of a day of the Gregorian calendar, with years beginning in March.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let years = month < 3 ? year - 1 : year
    let (era, yearOfEra) = (years / 400, years % 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
