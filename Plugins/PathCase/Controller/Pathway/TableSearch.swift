import PluginAPI
import PluginText

/// The search for rows of a table: those stay that have every word that was typed.
struct TableSearch: Sendable {
  private let whole: PathwayTable
  /// By row: what is searched, in small letters.
  private let words: [[UInt8]]
  var line = InputLine()
  /// Whether what is typed goes to it.
  var isTyping = false
  /// The numbers of the rows found, in rising order.
  private(set) var rows: [Int]

  /// No more of a row is searched, in scalars.
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

  /// Whether it is to be seen.
  var isOpen: Bool { isTyping || !line.text.isEmpty }

  /// Takes an event while something is typed.
  ///
  /// - Returns: Whether other rows are found now; nil if it means nothing to the line.
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
  /// The values of some rows.
  fileprivate func at(_ rows: [Int]) -> Table.Values {
    switch self {
    case .integers(let values): .integers(rows.map { values[$0] })
    case .numbers(let values, let decimals): .numbers(rows.map { values[$0] }, decimals: decimals)
    case .texts(let values): .texts(rows.map { values[$0] })
    case .values(let values): .values(rows.map { values[$0] })
    @unknown default: .values(rows.map { self[$0] })
    }
  }
}
