import PluginAPI

/// A wrong or unusual feature of a file that did not prevent reading it.
struct StructureDiagnostic: Equatable, Sendable {
  enum Severity: UInt8, Equatable, Sendable {
    case note, warning, error
  }

  /// A stable short name, as `charge-unreadable`.
  var code: String
  /// The problem and how it was handled, lower-case start, no final stop.
  var message: String
  /// The position at which it begins in the (uncompressed) file.
  var place: FilePlace
  var severity: Severity

  /// The line in the file, 1-based; 0 if it concerns the whole file or a binary one.
  var line: Int { place.line }
  /// The column in the line, 1-based; 0 if it concerns the whole file or a binary one.
  var column: Int { place.column }
}

extension StructureDiagnostic: Model {
  static let typeName = "molecules.diagnostic"
  static let fields = Fields<StructureDiagnostic> {
    Field("severity", \.severity, "Severity")
    Field("code", { "molecules." + $0.code }, "Stable code, such as molecules.charge-unreadable")
    Field("message", \.message, "Problem, and how it was handled")
    Field(
      "line", \.place.statedLine, "Line in the uncompressed file, from 1; null for the whole file")
    Field("column", \.place.statedColumn, "Column in the line, from 1, in bytes")
    Field("byte", \.place.byte, "Byte offset in the uncompressed file, from 0; null for text files")
  }
}

extension StructureDiagnostic.Severity: FieldValue {
  private static let names = ["note", "warning", "error"]

  static var schema: ValueSchema { .choice(names) }
  var fieldValue: Value { .text(Self.names[Int(rawValue)]) }
}

/// Collects diagnostics with a bounded number of entries for each code.
struct DiagnosticLog: Equatable, Sendable {
  /// The largest number of entries of one code; the remaining ones are counted in one closing entry.
  static let keptPerCode = 20

  private var entries: [StructureDiagnostic] = []
  private var counts: [String: Int] = [:]

  /// Adds an entry, or only counts it if its code is full; position and text are evaluated only for stored entries.
  mutating func add(
    _ code: String, at place: @autoclosure () -> FilePlace, severity: StructureDiagnostic.Severity = .warning,
    _ message: @autoclosure () -> String
  ) {
    let count = counts[code, default: 0] + 1
    counts[code] = count
    guard count <= Self.keptPerCode else { return }
    entries.append(StructureDiagnostic(code: code, message: message(), place: place(), severity: severity))
  }

  /// Returns true if a further entry of a code would only be counted.
  func isFull(_ code: String) -> Bool { counts[code, default: 0] >= Self.keptPerCode }

  /// The first error so far that has a position in the file.
  var firstError: StructureDiagnostic? { entries.first { $0.severity == .error && $0.place != .whole } }

  /// Returns the stored entries in order of addition, then one note per code whose further entries were only counted.
  func finished() -> [StructureDiagnostic] {
    let overfull = counts.filter { $0.value > Self.keptPerCode }.sorted { $0.key < $1.key }
    return entries
      + overfull.map { code, count in
        StructureDiagnostic(
          code: code, message: "\(count - Self.keptPerCode) more of '\(code)' are not listed", place: .whole,
          severity: .note)
      }
  }
}

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
