/// What is wrong in a file of lines, and the first of it that cost something.
struct TextFaults {
  private(set) var log = DiagnosticLog()
  /// The first error: what is thrown when no atom is left.
  private(set) var first: StructureReadingError?

  /// Adds what is wrong at a place.
  ///
  /// - Parameters:
  ///   - line: the number of the line, from 1.
  ///   - column: where in the line it begins, from 1.
  mutating func add(
    _ code: String, line: Int, column: Int, severity: StructureDiagnostic.Severity = .warning,
    _ message: @autoclosure () -> String
  ) {
    if severity == .error, first == nil { first = .malformed(line: line, column: column, message()) }
    log.add(code, at: .text(line: line, column: column), severity: severity, message())
  }

  /// Adds what is wrong where a word of a line begins.
  mutating func add(
    _ code: String, _ line: TextLine, _ word: TextLine.Word, severity: StructureDiagnostic.Severity = .warning,
    _ message: @autoclosure () -> String
  ) {
    add(code, line: line.number, column: word.column, severity: severity, message())
  }
}
