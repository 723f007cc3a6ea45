import PluginAPI
import PluginText

/// The search for rows of a table that contain every typed word.
struct TableSearch: Sendable {
  private let whole: PathwayTable
  /// The searched text of each row, in lowercase.
  private let words: [[UInt8]]
  var line = InputLine()
  /// A Boolean value indicating whether typed text goes to the search.
  var isTyping = false
  /// The indices of the rows found, ascending.
  private(set) var rows: [Int]

  /// The maximum number of scalars of a row that are searched.
  private static let longest = 2000

  init(_ table: PathwayTable) {
    whole = table
    rows = Array(0..<table.table.rowCount)
    words = rows.map { row in
      let cells = table.table.columns.compactMap { $0.values[row].text }
      let all = cells + (table.aliases.indices.contains(row) ? table.aliases[row] : [])
      return FoldedText.typed(all.joined(separator: "\n"), limit: Self.longest)
    }
  }

  /// A Boolean value indicating whether the search line is visible.
  var isOpen: Bool { isTyping || !line.text.isEmpty }

  /// Handles an event while text is typed.
  ///
  /// - Returns: True if the rows found have changed; nil if the line does not use the event.
  mutating func type(_ event: Event) -> Bool? {
    let before = line.text
    guard line.handle(event) else { return nil }
    if line.text == before { return false }
    let patterns = line.text.split(separator: " ").map { FoldedText.typed(String($0)) }
    rows = words.indices.filter { row in patterns.allSatisfy { ByteSearch.contains($0, in: words[row]) } }
    return true
  }

  /// Ends the search.
  mutating func end() {
    (line, isTyping) = (InputLine(), false)
    rows = Array(words.indices)
  }

  /// The rows that were found.
  var found: PathwayTable {
    if rows.count == words.count { return whole }
    return PathwayTable(
      table: Table(
        columns: whole.table.columns.map { .init($0.name, title: $0.title, unit: $0.unit, $0.values.at(rows)) }),
      subjects: rows.map { whole.subjects[$0] })
  }
}

extension Table.Values {
  /// Returns the values of some rows.
  fileprivate func at(_ rows: [Int]) -> Table.Values {
    switch self {
    case .integers(let values): .integers(rows.map { values[$0] })
    case .numbers(let column): .numbers(rows.map { column.values[$0] }, decimals: column.decimals)
    case .texts(let values): .texts(rows.map { values[$0] })
    case .values(let values): .values(rows.map { values[$0] })
    @unknown default: .values(rows.map { self[$0] })
    }
  }
}
