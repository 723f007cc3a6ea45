/// A position in a document.
@frozen
public struct JSONPlace: Sendable, Hashable, CustomStringConvertible {
  /// The 0-based offset in bytes.
  public var offset: Int
  /// The line, from 1.
  public var line: Int
  /// The column in bytes, from 1.
  public var column: Int

  /// Creates a position.
  public init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// `byte 12 (line 2, column 3)`.
  public var description: String { "byte \(offset) (line \(line), column \(column))" }
}
