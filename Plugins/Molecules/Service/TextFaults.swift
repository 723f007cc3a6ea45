/// The problems of a text file, and the first of them that caused a loss.
struct TextFaults {
  private(set) var log = DiagnosticLog()
  /// The first error, which is thrown if no atom is left.
  private(set) var first: StructureReadingError?

  /// Adds a problem at a position.
  ///
  /// - Parameters:
  ///   - line: the number of the line, from 1.
  ///   - column: its first column, from 1.
  mutating func add(
    _ code: String, line: Int, column: Int, severity: StructureDiagnostic.Severity = .warning,
    _ message: @autoclosure () -> String
  ) {
    if severity == .error, first == nil { first = .malformed(line: line, column: column, message()) }
    log.add(code, at: .text(line: line, column: column), severity: severity, message())
  }

  /// Adds a problem at the start of a word in a line.
  mutating func add(
    _ code: String, _ line: TextLine, _ word: TextLine.Word, severity: StructureDiagnostic.Severity = .warning,
    _ message: @autoclosure () -> String
  ) {
    add(code, line: line.number, column: word.column, severity: severity, message())
  }
}
