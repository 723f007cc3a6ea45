import PluginAPI

/// `bugreport`: facts for a bug report.
@MainActor enum BugReportCommand {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    let declaration = CommandDescription(
      "bugreport", "Collect facts for a bug report, without secrets and personal data",
      output: .init(BugReport.schema, typeName: "host.bug-report"), effects: [.reads, .writes]
    ).taking(
      [],
      options: [
        Parameter("output", .outputFile, "File for the report; - for standard output"),
        Parameter(
          "log-lines", .integer(minimum: 0, maximum: 1000), "Number of lines from the end of the log",
          defaultValue: 50),
      ]
    ).explained(
      """
      Prints versions, system, terminal, changed settings, plugins, the findings of 'doctor', crashes of plugins and \
      the end of the log. The report is not sent anywhere.

      Values of settings and variables are left out unless they are numbers or fixed choices. In messages, \
      everything that the program does not declare itself is replaced by '…': names, paths, addresses, quotations.

      '--output' writes the printed report to a file; on a terminal it asks first.
      """,
      examples: [
        .init("bugreport", "Read the report"), .init("bugreport --output report.txt", "Write it to a file"),
      ])
    return [
      HostCommand(declaration) { [unowned interpreter] call in
        let report = await collect(interpreter, logLines: call["log-lines"].integer ?? 0)
        try await call.emit(report.value)
        if let path = call["output"].text { try await write(report, to: path, call, interpreter) }
      }
    ]
  }

  private static func collect(_ interpreter: CommandInterpreter, logLines: Int) async -> BugReport {
    // The search for plugins also collects the crashes of earlier runs.
    _ = interpreter.session.plugins.catalog
    let facts = BugReportFacts(interpreter)
    let findings = await DoctorCommand.findings(interpreter)
    return BugReport(
      sections: facts.general + [facts.findings(findings), facts.crashes, facts.log(lines: logLines)])
  }

  /// Writes the report to the user's file, after the user has seen it.
  private static func write(
    _ report: BugReport, to path: String, _ call: CommandCall, _ interpreter: CommandInterpreter
  ) async throws {
    let streams = interpreter.streams
    // The private file that stands for standard output.
    let isStandardOutput = streams.temporary.hold(path)
    if !isStandardOutput, streams.inputIsTerminal, !interpreter.options.noInput, interpreter.options.format == .text {
      try streams.output.flush()
      try await Question.confirm("Write this report to '\(path)'?", interpreter)
    }
    try HostFile.write(Array(report.text.utf8), to: path)
    if !isStandardOutput {
      call.warn(Diagnostic(.note, code: "host.bug-report-written", "wrote '\(path)'"))
    }
  }
}
