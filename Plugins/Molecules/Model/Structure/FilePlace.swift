import PluginAPI

/// A position in the uncompressed file.
enum FilePlace: Equatable, Sendable {
  /// The whole file.
  case whole
  /// Line and column, both from 1; columns count bytes, as in the PDB format.
  case text(line: Int, column: Int)
  /// The offset in a binary file, in bytes from 0.
  case byte(Int)

  /// The line, from 1; 0 if there is none.
  var line: Int {
    if case .text(let line, _) = self { line } else { 0 }
  }

  /// The column, from 1; 0 if there is none.
  var column: Int {
    if case .text(_, let column) = self { column } else { 0 }
  }

  /// The byte offset, from 0; nil in a text file.
  var byte: Int? {
    if case .byte(let offset) = self { offset } else { nil }
  }
}

extension FilePlace {
  /// The line, from 1; nil if there is none.
  var statedLine: Int? { line > 0 ? line : nil }

  /// The column, from 1; nil if there is none.
  var statedColumn: Int? { column > 0 ? column : nil }

  /// The line, column and byte offset for scripts; null if there is none.
  var details: [Record.Field] {
    [
      .init("line", .optional(statedLine)), .init("column", .optional(statedColumn)), .init("byte", .optional(byte)),
    ]
  }

  /// Returns the position as `FILE:LINE:COLUMN`; for a binary file its name alone, since the messages contain the
  /// offset.
  func text(in file: String) -> String { line > 0 ? "\(file):\(line):\(column)" : file }

  /// Creates the line and column of an offset, 0-based, in a text file.
  ///
  /// - Complexity: linear in the offset.
  init(of position: Int, in file: UnsafeBufferPointer<UInt8>) {
    let line = 1 + file.prefix(position).count { $0 == 10 }
    self = .text(line: line, column: Self.column(of: position, in: file))
  }

  /// Returns the column of an offset, 0-based, in a text file; a byte-order mark does not count.
  ///
  /// - Complexity: linear in the column.
  static func column(of position: Int, in file: UnsafeBufferPointer<UInt8>) -> Int {
    var start = min(position, file.count)
    while start > 0, file[start - 1] != 10 { start -= 1 }
    let hasMark = start == 0 && file.count >= 3 && file[0] == 0xEF && file[1] == 0xBB && file[2] == 0xBF
    return max(1, position - start + (hasMark ? -2 : 1))
  }
}
