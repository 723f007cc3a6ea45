import PluginAPI

/// Runs the commands of a script one after the other, in this process.
@MainActor final class ScriptRunner {
  private let interpreter: CommandInterpreter
  private let name: String
  private let options: GlobalOptions
  private let keepsGoing: Bool
  private var reader: ScriptReader
  private var firstFailure: Int32?

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - interpreter: Runs the commands.
  ///   - name: The file's name, for messages.
  ///   - arguments: What `$1` and so on stand for.
  ///   - keepsGoing: Whether commands after a failure run too.
  init(_ interpreter: CommandInterpreter, name: String, arguments: [String], keepsGoing: Bool) {
    self.interpreter = interpreter
    self.name = name
    self.keepsGoing = keepsGoing
    var options = interpreter.options
    options.given = []
    self.options = options
    reader = ScriptReader(arguments: arguments)
  }

  /// Runs the commands that end in this text.
  ///
  /// - Throws: ``ReportedFailure`` after a failure that ends the script.
  func run(_ text: Substring) async throws {
    for line in ScriptReader.lines(of: text) {
      let commands: [ScriptCommand]
      do {
        commands = try reader.read(line)
      } catch {
        // What cannot be read cannot be passed over: the rest may mean something else.
        throw fail(error, line: error.line ?? 0)
      }
      try await run(commands)
    }
  }

  /// Ends the script.
  ///
  /// - Throws: ``ReportedFailure`` with the first failure's status if there was one.
  func end() async throws {
    try await run(reader.end())
    if let firstFailure { throw ReportedFailure(status: firstFailure) }
  }

  private func run(_ commands: [ScriptCommand]) async throws {
    for command in commands {
      try Task.checkCancellation()
      do {
        let line = try LineParser(table: interpreter.table).parse(command.words, defaults: options)
        if let option = GlobalOption.all.first(where: { $0.scope == .run && line.options.given.contains($0.name) }) {
          throw CommandLineError.notInScripts(option: "--" + option.name)
        }
        try await interpreter.run(line)
      } catch {
        if error is CancellationError || error is OutputError { throw error }
        let failure = fail(error, line: command.line)
        if !keepsGoing { throw failure }
        firstFailure = firstFailure ?? failure.status
      }
    }
  }

  /// Tells what failed and where.
  private func fail(_ error: any Error, line: Int) -> ReportedFailure {
    if let failure = error as? ReportedFailure { return failure }
    let report = ErrorReport(error)
    let messages = MessagePrinter(streams: interpreter.streams, options: options)
    try? interpreter.streams.output.flush()
    messages.write(report, place: "\(name):\(line)")
    return ReportedFailure(status: report.exitStatus)
  }
}
