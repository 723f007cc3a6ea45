/// A parser of CSV as a spreadsheet reads it, for comparison with the exported data.
enum CSVRows {
  static func read(_ text: String) -> [[String]] {
    var rows: [[String]] = []
    var (row, field, isQuoted) = ([String](), String.UnicodeScalarView(), false)
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\"" where isQuoted && scalars.first == "\"":
        field.append(scalar)
        scalars = scalars.dropFirst()
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        row.append(String(field))
        field = .init()
      case "\r" where !isQuoted && scalars.first == "\n":
        scalars = scalars.dropFirst()
        rows.append(row + [String(field)])
        (row, field) = ([], .init())
      default: field.append(scalar)
      }
    }
    return rows
  }
}
