import PluginText

/// Splits a text into lines of cells separated by tabs, commas or semicolons.
///
/// Cells do not contain line breaks. Empty lines and lines that begin with `#` are skipped.
///
/// - Source: RFC 4180 for quotes; the separator is the first of tab, comma and semicolon that occurs in the first line.
enum DelimitedLines {
  /// One line.
  struct Line: Sendable, Hashable {
    /// The line's number in the text, from 1.
    var number: Int
    /// The cells without surrounding whitespace.
    var cells: [String]
  }

  /// A quote that is not closed on its line.
  struct OpenQuote: Error, Equatable {
    /// The line's number, from 1.
    var line: Int
  }

  /// Returns all lines.
  ///
  /// - Throws: ``OpenQuote``.
  static func lines(_ text: String) throws(OpenQuote) -> [Line] {
    var lines: [Line] = []
    var separator: Character?
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let content = line.trimmed()
      guard !content.isEmpty, !content.hasPrefix("#") else { continue }
      let mark = separator ?? ["\t", ",", ";"].first { line.contains($0) } ?? ","
      separator = mark
      guard let cells = cells(line, at: mark) else { throw OpenQuote(line: index + 1) }
      lines.append(Line(number: index + 1, cells: cells))
    }
    return lines
  }

  /// Returns the cells of a line; nil if a quote is not closed.
  private static func cells(_ line: Substring, at separator: Character) -> [String]? {
    var cells: [String] = []
    var cell = ""
    var isQuoted = false
    var previous: Character?
    for character in line {
      if character == "\"" {
        // Two quotes within quotes stand for one.
        if !isQuoted, previous == "\"" { cell.append(character) }
        isQuoted.toggle()
      } else if character == separator, !isQuoted {
        cells.append(cell.trimmed())
        cell = ""
      } else {
        cell.append(character)
      }
      previous = character
    }
    return isQuoted ? nil : cells + [cell.trimmed()]
  }
}
