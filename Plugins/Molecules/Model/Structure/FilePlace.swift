/// Where in the uncompressed file something stands.
enum FilePlace: Equatable, Sendable {
  /// It concerns the whole file.
  case whole
  /// Line and column, both from 1; columns count bytes, as those of the PDB format do.
  case text(line: Int, column: Int)
  /// A byte of a binary file, from 0.
  case byte(Int)

  /// The line, from 1; 0 if there is none.
  var line: Int {
    if case .text(let line, _) = self { line } else { 0 }
  }

  /// The column, from 1; 0 if there is none.
  var column: Int {
    if case .text(_, let column) = self { column } else { 0 }
  }

  /// The byte, from 0; nil in a file of lines.
  var byte: Int? {
    if case .byte(let offset) = self { offset } else { nil }
  }
}

extension FilePlace {
  /// The line and column of a position, 0-based, in a file of lines.
  ///
  /// - Complexity: linear in the position.
  init(of position: Int, in file: UnsafeBufferPointer<UInt8>) {
    let line = 1 + file.prefix(position).count { $0 == 10 }
    self = .text(line: line, column: Self.column(of: position, in: file))
  }

  /// The column of a position, 0-based, in a file of lines; a byte-order mark takes none.
  ///
  /// - Complexity: linear in the column.
  static func column(of position: Int, in file: UnsafeBufferPointer<UInt8>) -> Int {
    var start = min(position, file.count)
    while start > 0, file[start - 1] != 10 { start -= 1 }
    let hasMark = start == 0 && file.count >= 3 && file[0] == 0xEF && file[1] == 0xBB && file[2] == 0xBF
    return max(1, position - start + (hasMark ? -2 : 1))
  }
}
