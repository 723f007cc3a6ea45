import PluginAPI

/// The script form of problems in a file.
enum DiagnosticValue {
  static let fields: [ValueSchema.Field] = [
    .init("severity", .choice(["note", "warning", "error"]), "how bad it is"),
    .init("code", .text, "stable code, molecules.what-it-is"),
    .init("message", .text, "what was found and what was done"),
    .init("line", .optional(.integer), "line of the uncompressed file, from 1; null if it is about the whole file"),
    .init("column", .optional(.integer), "column of that line where it begins, from 1, in bytes"),
    .init("byte", .optional(.integer), "byte of the uncompressed file, from 0, where that is binary"),
  ]

  static func value(_ diagnostic: StructureDiagnostic) -> Value {
    let severity =
      switch diagnostic.severity {
      case .note: "note"
      case .warning: "warning"
      case .error: "error"
      }
    let head: Record = [
      "severity": .text(severity), "code": .text("molecules." + diagnostic.code), "message": .text(diagnostic.message),
    ]
    return .record(Record(head.fields + diagnostic.place.fields))
  }
}

extension FilePlace {
  /// The line, column and byte offset for scripts; null if there is none.
  var fields: [Record.Field] {
    [
      .init("line", line > 0 ? .integer(line) : .null), .init("column", column > 0 ? .integer(column) : .null),
      .init("byte", .optional(byte)),
    ]
  }

  /// Returns the position as `FILE:LINE:COLUMN`; for a binary file its name alone, since the messages contain the
  /// offset.
  func text(in file: String) -> String { line > 0 ? "\(file):\(line):\(column)" : file }
}
