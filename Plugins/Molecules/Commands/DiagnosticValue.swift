import PluginAPI

/// What was wrong in a file, as scripts see it.
enum DiagnosticValue {
  static let fields: [ValueSchema.Field] = [
    .init("severity", .choice(["note", "warning", "error"]), "how bad it is"),
    .init("code", .text, "stable code, molecules.what-it-is"),
    .init("message", .text, "what was found and what was done"),
    .init("line", .optional(.integer), "line of the uncompressed file, from 1; null if it is about the whole file"),
  ]

  static func value(_ diagnostic: StructureDiagnostic) -> Value {
    let severity =
      switch diagnostic.severity {
      case .note: "note"
      case .warning: "warning"
      case .error: "error"
      }
    return [
      "severity": .text(severity), "code": .text("molecules." + diagnostic.code),
      "message": .text(diagnostic.message), "line": diagnostic.line > 0 ? .integer(diagnostic.line) : .null,
    ]
  }
}
