/// Dates of the PDB format.
enum PDBDate {
  /// Returns the date `DD-MMM-YY` as `YYYY-MM-DD`; a date of another form unchanged.
  ///
  /// Years from 70 on belong to the twentieth century: the archive was founded in 1971.
  static func iso(_ text: String) -> String {
    let parts = text.split(separator: "-")
    guard parts.count == 3, parts[2].count == 2, let day = Int(parts[0]), let year = Int(parts[2]),
      let month = months.firstIndex(of: parts[1].uppercased())
    else { return text }
    return "\(year >= 70 ? 1900 + year : 2000 + year)-\(twoDigits(month + 1))-\(twoDigits(day))"
  }

  private static let months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
