import PluginAPI

/// The command that reports the problems of a file.
enum ValidateCommand {
  static let command = PathCaseCommand(
    CommandDescription(
      "validate", "tells what is wrong with a file, and where",
      output: .init(
        .table([
          .init("severity", .text, "'error' for what breaks a rule, 'warning' for what is odd"),
          .init("code", .text, "a stable code"),
          .init("rule", .optional(.integer), "the number of the rule of SBML; null if there is none"),
          .init("line", .optional(.integer), "from 1; null if the whole file is meant"),
          .init("column", .optional(.integer), "from 1, in bytes: where the tag ends"),
          .init("message", .text, "what is wrong"),
        ])), effects: [.reads]
    ).taking([Parameter("file", PathCaseCommand.document, "a file with a network", isRequired: true)]).explained(
      """
      SBML is held against the rules on XML, identifiers, lists, species and flux balance constraints; other formats are \
      read, which tells what is odd. With an error the command fails, after it has told of all.
      """, examples: [.init("validate model.xml", "all that is wrong with a model")])
  ) { call, _ in
    let path = call.text("file")
    let rows = try await call.compute("reading \(path)") { progress in
      try Self.rows(of: path) { progress.isCancelled }
    }
    try await call.emit(.table(table(rows)))
    let faults = rows.count { $0.severity == .error }
    if faults > 0 { throw ImportError.faults(path, count: faults) }
  }

  private struct Row: Sendable {
    var severity: Diagnostic.Severity
    var problem: SBMLProblem
  }

  private static func rows(of path: String, _ shouldStop: () -> Bool) throws -> [Row] {
    let bytes = try NetworkFile.bytes(path, shouldStop: shouldStop)
    if let found = try NetworkCheck.findings(bytes) {
      return found.map { Row(severity: $0.isFault ? .error : .warning, problem: $0.problem) }
    }
    let opened = OpenedNetwork.file(path, try NetworkFile.content(of: bytes, name: path))
    return opened.warnings.map {
      Row(severity: $0.severity, problem: SBMLProblem(code: $0.code, line: $0.line ?? 0, text: $0.message))
    }
  }

  private static func table(_ rows: [Row]) -> Table {
    let problems = rows.map(\.problem)
    return Table(columns: [
      .init("severity", title: "Severity", .texts(rows.map(\.severity.rawValue))),
      .init("code", title: "Code", .texts(problems.map(\.code))),
      .init("rule", title: "Rule", .values(problems.map { .optional($0.rule) })),
      .init("line", title: "Line", .values(problems.map { .optional($0.line > 0 ? $0.line : nil) })),
      .init("column", title: "Column", .values(problems.map { .optional($0.column > 0 ? $0.column : nil) })),
      .init("message", title: "Message", .texts(problems.map(\.text.asMessage))),
    ])
  }
}
