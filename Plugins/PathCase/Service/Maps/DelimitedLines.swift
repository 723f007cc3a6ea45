import PluginText

/// The lines of a text whose cells are separated by tabs, commas or semicolons.
///
/// Cells have no line breaks in them. Empty lines and those that begin with `#` are left out.
///
/// - Source: RFC 4180 for quotes; the separator is the first of tab, comma and semicolon that the first line has.
enum DelimitedLines {
  /// One line.
  struct Line: Sendable, Hashable {
    /// The line's number in the text, from 1.
    var number: Int
    /// The cells without the blanks around them.
    var cells: [String]
  }

  /// A quote that is not closed in its line.
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

  /// The cells of a line; nil if a quote is not closed.
  private static func cells(_ line: Substring, at separator: Character) -> [String]? {
    var cells: [String] = []
    var cell = ""
    var isQuoted = false
    var previous: Character?
    for character in line {
      if character == "\"" {
        // Two quotes within quotes are one.
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
