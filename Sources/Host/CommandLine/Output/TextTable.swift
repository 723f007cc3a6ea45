import PluginAPI

/// A table as text: aligned columns, numbers to the right, units in the heading.
struct TextTable {
  private struct Column {
    var name: String
    var heading: String
    var cells: [String]
    var isNumeric: Bool
    var width: Int
  }

  private let columns: [Column]
  private let rowCount: Int
  /// A Boolean value indicating whether the heading is written; false if that of an earlier part has the same columns.
  private let hasHeading: Bool

  /// Lays out a table, or the next part of one.
  ///
  /// - Parameter earlier: The ``widths`` of the part before, whose columns are shown even without any value.
  init(_ table: Table, after earlier: [String: Int] = [:]) {
    rowCount = table.rowCount
    let shown = Self.shownColumns(of: table, after: earlier)
    hasHeading = earlier.isEmpty || Set(shown.map(\.name)) != Set(earlier.keys)
    columns = shown.map { column in
      let heading = column.title + (column.unit.map { " (\($0))" } ?? "")
      let cells = (0..<table.rowCount).map { Self.cell(column.values, $0) }
      let least = max(TextWidth.columns(heading), earlier[column.name] ?? 0)
      return Column(
        name: column.name, heading: heading, cells: cells, isNumeric: Self.isNumeric(column.values),
        width: cells.reduce(least) { max($0, TextWidth.columns($1)) })
    }
  }

  /// The widths of the shown columns by name, before any is cut.
  var widths: [String: Int] { Dictionary(columns.map { ($0.name, $0.width) }) { first, _ in first } }

  /// Returns the columns that have a value or were shown before; all if there are none.
  private static func shownColumns(of table: Table, after earlier: [String: Int]) -> [Table.Column] {
    let shown = table.columns.filter { column in
      earlier[column.name] != nil || (0..<table.rowCount).contains { !column.values[$0].isNull }
    }
    return shown.isEmpty ? table.columns : shown
  }

  /// Returns the lines of the table.
  ///
  /// - Parameters:
  ///   - width: The available columns; the widest columns of text are cut until the table fits or none is over 12 wide.
  ///   - indentation: Spaces before each line.
  ///   - isPlain: True if each row is a line of labels and values instead.
  func render(width: Int, indentation: Int, isPlain: Bool) -> StyledText {
    if isPlain { return linear(indentation) }
    let widths = fitted(to: width - indentation)
    let margin = String(repeating: " ", count: indentation)
    var text = StyledText()
    if hasHeading { text.add(.init(margin + line(widths) { $0.heading }, .heading)) }
    for row in 0..<rowCount { text.add(.init(margin + line(widths) { $0.cells[row] })) }
    return text
  }

  private func line(_ widths: [Int], _ cell: (Column) -> String) -> String {
    var result = ""
    for (index, column) in columns.enumerated() {
      if index > 0 { result += "  " }
      let isLast = index == columns.count - 1 && !column.isNumeric
      result +=
        isLast
        ? TextWidth.truncated(cell(column), to: widths[index])
        : TextWidth.padded(cell(column), to: widths[index], right: column.isNumeric)
    }
    while result.last == " " { result.removeLast() }
    return result
  }

  private func linear(_ indentation: Int) -> StyledText {
    let margin = String(repeating: " ", count: indentation)
    var text = StyledText()
    for row in 0..<rowCount {
      let parts = columns.filter { $0.cells[row] != "–" }.map { $0.heading + ": " + $0.cells[row] }
      text.add(.init(margin + parts.joined(separator: ", ")))
    }
    return text
  }

  private func fitted(to limit: Int) -> [Int] {
    var widths = columns.map(\.width)
    let available = limit - 2 * max(0, columns.count - 1)
    while widths.reduce(0, +) > available {
      let candidates = widths.indices.filter { !columns[$0].isNumeric && widths[$0] > 12 }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
      // Down to the next widest at once, so that a very long text costs no more than a short one.
      let next = candidates.filter { $0 != widest }.map { widths[$0] }.max() ?? 12
      let excess = widths.reduce(0, +) - available
      widths[widest] = max(12, widths[widest] - excess, min(next, widths[widest] - 1))
    }
    return widths
  }

  private static func isNumeric(_ values: Table.Values) -> Bool {
    switch values {
    case .integers, .numbers: true
    case .texts: false
    case .values(let values):
      values.contains { $0.number != nil } && values.allSatisfy { $0.number != nil || $0.isNull }
    @unknown default: false
    }
  }

  private static func cell(_ values: Table.Values, _ row: Int) -> String {
    if case .numbers(let column) = values, let decimals = column.decimals {
      let number = column.values[row]
      return number.isFinite ? fixed(number, decimals) : GenericText.inline(.number(number))
    }
    return GenericText.inline(values[row]).split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// Returns a number rounded to a number of decimal places, halves away from zero.
  static func fixed(_ number: Double, _ decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<max(0, decimals) { scale *= 10 }
    let scaled = (abs(number) * scale).rounded()
    guard scaled < 9e15 else { return number.description }
    let digits = String(Int(scaled))
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let sign = number < 0 && scaled > 0 ? "-" : ""
    return decimals <= 0 ? sign + padded : sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }
}
