import PluginAPI
import PluginText

/// Parses the numbers of files by the rules of XML Schema, without its NaN and infinities.
enum MapNumber {
  /// Returns the number in a text, ignoring surrounding whitespace; nil if it is not a finite number.
  ///
  /// - Source: XML Schema part 2, section 3.2.5 (double).
  static func double(_ text: String) -> Double? { decimal(text.trimmed()) }

  /// Returns a finite decimal number; nil for whitespace and other notations of numbers, such as `nan` and `0x10`.
  static func decimal(_ text: String) -> Double? {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    guard isPlain, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// Returns the number in an attribute; nil if it is absent or empty.
  ///
  /// - Throws: ``MapError/number(text:of:)``.
  static func optional(_ text: String?, of what: @autoclosure () -> String) throws(ErrorReport) -> Double? {
    guard let text, !text.isEmpty else { return nil }
    guard let number = double(text) else { throw MapError.number(text: text, of: what()) }
    return number
  }
}

/// Parses the texts of files.
enum MapText {
  /// Returns a text on one line: each run of whitespace becomes one space.
  static func oneLine(_ text: String) -> String {
    String(decoding: Array(words(text).joined(separator: [0x20])), as: UTF8.self)
  }

  /// Returns the words of a text, separated by whitespace.
  static func list(_ text: String) -> [String] { words(text).map { String(decoding: $0, as: UTF8.self) } }

  private static func words(_ text: String) -> [ArraySlice<UInt8>] { Array(text.utf8).split(whereSeparator: isBlank) }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}

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
