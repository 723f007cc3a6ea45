import PluginAPI

/// The command that reports the problems of a file.
enum ValidateCommand {
  private struct Finding: Model {
    var severity: Diagnostic.Severity
    var problem: SBMLProblem

    static let typeName = "pathcase.finding"
    static let fields = Fields<Self> {
      Field(
        "severity", \.severity.rawValue, "'error' for what breaks a rule, 'warning' for what is odd",
        heading: "Severity")
      Field("code", \.problem.code, "a stable code", heading: "Code")
      Field("rule", \.problem.rule, "the number of the rule of SBML; null if there is none", heading: "Rule")
      Field("line", { known($0.problem.line) }, "from 1; null if the whole file is meant", heading: "Line")
      Field("column", { known($0.problem.column) }, "from 1, in bytes: where the tag ends", heading: "Column")
      Field("message", { $0.problem.text.asMessage }, "what is wrong", heading: "Message")
    }

    private static func known(_ place: Int) -> Int? { place > 0 ? place : nil }
  }

  private static let file = Argument("file", String.self, kind: PathCaseCommand.document, "a file with a network")

  static let command = PathCaseCommand(
    CommandDescription("validate", "tells what is wrong with a file, and where", output: .table(of: Finding.self))
      .taking(file).explained(
        """
        SBML is held against the rules on XML, identifiers, lists, species and flux balance constraints; other formats are \
        read, which tells what is odd. With an error the command fails, after it has told of all.
        """, examples: [.init("validate model.xml", "all that is wrong with a model")])
  ) { call, _ in
    let path = call[file]
    let found = try await call.compute("reading \(path)") { progress in
      try findings(in: path) { progress.isCancelled }
    }
    try await call.emit(table: found)
    let faults = found.count { $0.severity == .error }
    if faults > 0 {
      throw ImportError.faults(
        "'\(path)' breaks rules in \(faults) \(faults == 1 ? "place" : "places")",
        advice: "mend the file, or export the model anew", details: ["faults": .integer(faults)])
    }
  }

  private static func findings(in path: String, _ shouldStop: () -> Bool) throws -> [Finding] {
    let bytes = try NetworkFile.bytes(path, shouldStop: shouldStop)
    if let found = try NetworkCheck.findings(bytes) {
      return found.map { Finding(severity: $0.isFault ? .error : .warning, problem: $0.problem) }
    }
    let opened = OpenedNetwork.file(path, try NetworkFile.content(of: bytes, name: path))
    return opened.warnings.map {
      Finding(severity: $0.severity, problem: SBMLProblem(code: $0.code, line: $0.line ?? 0, text: $0.message))
    }
  }
}
