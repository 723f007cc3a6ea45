/// A place in a document.
@frozen
public struct JSONPlace: Sendable, Hashable, CustomStringConvertible {
  /// The bytes before it.
  public var offset: Int
  /// The line, from 1.
  public var line: Int
  /// The byte in the line, from 1.
  public var column: Int

  /// Creates a place.
  public init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// `byte 12 (line 2, column 3)`.
  public var description: String { "byte \(offset) (line \(line), column \(column))" }
}
