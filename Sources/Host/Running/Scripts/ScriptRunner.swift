import PluginAPI

/// Runs the commands of a script one after the other, in this process.
@MainActor final class ScriptRunner {
  private let interpreter: CommandInterpreter
  private let name: String
  private let options: GlobalOptions
  private let keepsGoing: Bool
  private var reader: ScriptReader
  private var firstFailure: Int32?
  /// The number of commands that cannot run and are reported one by one.
  private static let reportedCount = 10

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - interpreter: Runs the commands.
  ///   - name: The file's name, for messages.
  ///   - arguments: The values of `$1` and so on.
  ///   - keepsGoing: True to run the remaining commands after a failure.
  init(_ interpreter: CommandInterpreter, name: String, arguments: [String], keepsGoing: Bool) {
    self.interpreter = interpreter
    self.name = name
    self.keepsGoing = keepsGoing
    var options = interpreter.options
    options.given = []
    // The output of the whole script goes there already.
    options.outputFile = nil
    self.options = options
    reader = ScriptReader(arguments: arguments)
  }

  /// Runs the commands that end in this text, once all of them are checked.
  ///
  /// - Parameter isLast: True if the script ends with this text.
  /// - Throws: ``ReportedFailure`` after a failure that ends the script, and at the end if any command failed.
  func run(_ text: Substring, isLast: Bool) async throws {
    let commands = try read(text, isLast: isLast)
    let lines = try check(commands)
    for (command, line) in zip(commands, lines) { try await run(command, line) }
    if isLast, let firstFailure { throw ReportedFailure(status: firstFailure) }
  }

  private func read(_ text: Substring, isLast: Bool) throws(ReportedFailure) -> [ScriptCommand] {
    var commands: [ScriptCommand] = []
    do {
      for line in ScriptReader.lines(of: text) { commands += try reader.read(line) }
    } catch {
      // An unreadable line cannot be skipped: the lines after it may mean something else.
      throw fail(error, line: error.line ?? 0)
    }
    return isLast ? commands + reader.end() : commands
  }

  /// Parses all commands and reports those that cannot run, unless the script keeps going after failures.
  ///
  /// - Returns: The parsed lines; nil for a command that is parsed later.
  /// - Throws: ``ReportedFailure`` if a command cannot run.
  private func check(_ commands: [ScriptCommand]) throws(ReportedFailure) -> [ParsedLine?] {
    var lines: [ParsedLine?] = []
    var wrong: [(line: Int, error: any Error)] = []
    var mayGainPlugins = false
    for command in commands {
      do {
        let line = try parse(command)
        mayGainPlugins = mayGainPlugins || line.mayGainPlugins
        lines.append(line)
      } catch {
        lines.append(nil)
        let isNewPlugins = mayGainPlugins && (error as? CommandLineError)?.isUnknownCommand == true
        if !keepsGoing, !isNewPlugins { wrong.append((command.line, error)) }
      }
    }
    let failures = wrong.prefix(Self.reportedCount).map { fail($0.error, line: $0.line) }
    guard let first = failures.first else { return lines }
    if wrong.count > failures.count {
      let count = wrong.count - failures.count
      messages.write(
        Diagnostic(.note, code: "host.script-errors", "\(count) more command\(count == 1 ? " has" : "s have") errors"))
    }
    throw first
  }

  private func parse(_ command: ScriptCommand) throws -> ParsedLine {
    let line = try LineParser(table: interpreter.table).parse(command.words, defaults: options)
    if let option = GlobalOption.all.first(where: { $0.scope == .run && line.options.given.contains($0.name) }) {
      throw CommandLineError.notInScripts(option: "--" + option.name)
    }
    if case .run(let entry, let arguments) = line.request {
      _ = try ArgumentCheck.complete(arguments, for: entry.declaration)
    }
    return line
  }

  private func run(_ command: ScriptCommand, _ line: ParsedLine?) async throws {
    let place = interpreter.streams.scriptPlace
    let outer = place.text
    place.set("\(name):\(command.line)")
    do {
      try Task.checkCancellation()
      try await interpreter.run(try line ?? parse(command))
      // The result is in place before the next command can end the process.
      try interpreter.streams.output.flush()
      place.set(outer)
    } catch let error as CancellationError {
      // The place stays for the error that ends the run.
      throw error
    } catch {
      place.set(outer)
      if error is OutputError { throw error }
      let failure = fail(error, line: command.line)
      if !keepsGoing { throw failure }
      firstFailure = firstFailure ?? failure.status
    }
  }

  /// Reports a failure with its place.
  private func fail(_ error: any Error, line: Int) -> ReportedFailure {
    if let failure = error as? ReportedFailure { return failure }
    let report = ErrorReport(error)
    try? interpreter.streams.output.flush()
    messages.write(report, place: "\(name):\(line)")
    return ReportedFailure(status: report.exitStatus)
  }

  private var messages: MessagePrinter { MessagePrinter(streams: interpreter.streams, options: options) }
}

extension ParsedLine {
  /// A Boolean value indicating whether commands of new plugins may exist after this line.
  fileprivate var mayGainPlugins: Bool {
    guard case .run(let entry, _) = request, case .host(let command) = entry.owner else { return false }
    let changesPlugins = command.declaration.name.hasPrefix("plugin ") && command.declaration.effects.contains(.writes)
    return changesPlugins || entry.runsOthers
  }
}

extension CommandLineError {
  /// True if a plugin may have the command that is unknown here.
  fileprivate var isUnknownCommand: Bool {
    switch self {
    case .unknownWord, .unknownCommand: true
    default: false
    }
  }
}
