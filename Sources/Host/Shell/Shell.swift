import Glibc
import PluginAPI

/// A prompt that runs lines in the script language, in this process: plugins are loaded once.
@MainActor final class Shell {
  private let interpreter: CommandInterpreter
  private let session: ScriptSession
  private let source: any LineSource
  private let history: ShellHistory
  private let interrupts: ShellInterrupts
  private let options: GlobalOptions
  private let messages: MessagePrinter
  private let settings: termios?
  private let doubleInterruptInSeconds: Double
  private var prompt: ShellPrompt
  /// The beginning of a line that is continued.
  private var pending = ""
  private var interruptedAtInSeconds = -Double.infinity

  /// Creates a shell.
  ///
  /// - Parameters:
  ///   - interpreter: Runs the lines.
  ///   - source: The reader of lines; nil for the one that fits the terminal.
  ///   - history: The history of lines.
  ///   - doubleInterruptInSeconds: The time in which a second Ctrl-C at the prompt leaves the shell.
  init(
    _ interpreter: CommandInterpreter, source: (any LineSource)? = nil, history: ShellHistory,
    doubleInterruptInSeconds: Double = 1
  ) {
    self.interpreter = interpreter
    self.history = history
    self.doubleInterruptInSeconds = doubleInterruptInSeconds
    let streams = interpreter.streams
    options = interpreter.options
    let messages = MessagePrinter(streams: streams, options: options)
    self.messages = messages
    let session = ScriptSession(interpreter, name: "shell")
    self.session = session
    var settings = termios()
    self.settings = streams.inputIsTerminal && tcgetattr(STDIN_FILENO, &settings) == 0 ? settings : nil
    let chosen = source ?? Self.source(interpreter, session, history, messages)
    self.source = chosen
    interrupts = ShellInterrupts(interpreter.interruption, atPrompt: { chosen.interrupt() }) {
      messages.write(Interruption.ending)
    }
    prompt = ShellPrompt(color: Self.color(streams, options))
    var results = ShellResults()
    session.onResult = { [weak session] value in
      results.add(value)
      for (name, value) in results.variables { session?[name] = value }
    }
  }

  /// Returns the reader of lines for the terminal.
  private static func source(
    _ interpreter: CommandInterpreter, _ session: ScriptSession, _ history: ShellHistory, _ messages: MessagePrinter
  ) -> any LineSource {
    let streams = interpreter.streams
    guard !interpreter.options.isPlain, streams.error.isTerminal else { return PlainLineReader(streams) }
    let completion = ShellCompletion(interpreter, session)
    let client = LineEditor.Client(complete: { completion.outcome($0) }, move: { history.move($0) })
    guard LineEditor.isAvailable, let editor = LineEditor(client) else {
      messages.write(ShellError.noEditor)
      return PlainLineReader(streams)
    }
    return editor
  }

  /// Reads and runs lines until the user leaves.
  ///
  /// - Throws: ``ReportedFailure`` with the status that the user left with, unless it is 0; `CancellationError`.
  func run() async throws {
    let pager = ResultPager(interpreter.streams, interrupts) { [settings = interpreter.session.settings] in
      HostSettings.pager(settings)
    }
    interpreter.attendant = pager
    interrupts.take(from: interpreter.session.loop)
    defer {
      interpreter.attendant = nil
      session.onResult = nil
    }
    let outcome: Result<Int32, any Error>
    do { outcome = .success(try await readLines()) } catch { outcome = .failure(error) }
    interpreter.interruption?.takeBack()
    await source.close()
    let status = try outcome.get()
    if status != 0 { throw ReportedFailure(status: status) }
  }

  /// Reads and runs lines.
  ///
  /// - Returns: The status that the user left with.
  private func readLines() async throws -> Int32 {
    while true {
      let line = await source.line(prompt)
      try Task.checkCancellation()
      switch line {
      case .end:
        if pending.isEmpty { return 0 }
        discard()
      case .tooLong:
        discard()
        fail(ShellError.tooLong(limit: LineEditor.longestLine))
      case .interrupted(let isEmpty):
        if isSecondInterrupt(isLineEmpty: isEmpty && pending.isEmpty) { return 0 }
      case .text(let line):
        interruptedAtInSeconds = -.infinity
        if let status = try await take(line) { return status }
      }
    }
  }

  /// Takes a line: runs it, if nothing of it is missing.
  ///
  /// - Returns: The status to leave with; nil to continue.
  private func take(_ line: String) async throws -> Int32? {
    let text = pending.isEmpty ? line : pending + "\n" + line
    if text.utf8.allSatisfy({ " \t\n".utf8.contains($0) }) {
      discard()
      return nil
    }
    if text.utf8.count > LineEditor.longestLine {
      discard()
      fail(ShellError.tooLong(limit: LineEditor.longestLine))
      return nil
    }
    if ScriptSession.isIncomplete(text) {
      (pending, prompt.continues) = (text, true)
      return nil
    }
    discard()
    await remember(text)
    do {
      if let status = try Self.exitStatus(text) { return status }
      try await perform(text)
      prompt.status = 0
    } catch {
      try handle(error)
    }
    return nil
  }

  /// Forgets the beginning of a line.
  private func discard() { (pending, prompt.continues) = ("", false) }

  /// Returns true for a Ctrl-C soon after another one; the first one on an empty line shows how to leave.
  private func isSecondInterrupt(isLineEmpty: Bool) -> Bool {
    let now = MonotonicClock.seconds
    if now - interruptedAtInSeconds < doubleInterruptInSeconds { return true }
    interruptedAtInSeconds = now
    discard()
    if isLineEmpty { messages.write(ShellError.howToLeave) }
    return false
  }

  private func remember(_ text: String) async {
    let isStored = HistoryPrivacy(table: interpreter.table).mayStore(text)
    do {
      try await interpreter.session.loop.compute("storing the history") { [history] _ in
        try history.add(text, isStored: isStored)
      }
    } catch {
      let report = ErrorReport(error)
      messages.write(
        Diagnostic(.warning, code: report.code, "the history is not stored: " + report.message, advice: report.advice))
    }
  }

  /// Runs a line; Ctrl-C cancels it, and only it.
  private func perform(_ text: String) async throws {
    interpreter.options = options
    let task = Task { @MainActor [session] in try await session.run(Substring(text), isLast: true) }
    interrupts.begin { task.cancel() }
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    interrupts.end()
    // A screen may have taken the interrupts, and anything the terminal.
    interrupts.take(from: interpreter.session.loop)
    restoreTerminal()
    interpreter.streams.scriptPlace.set(nil)
    try Task.checkCancellation()
    try result.get()
    try interpreter.streams.output.flush()
  }

  private func restoreTerminal() {
    guard var settings, TerminalReading.isForeground else { return }
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
  }

  /// Reports the failure of a line, unless it ends the shell.
  private func handle(_ error: any Error) throws {
    if error as? OutputError == .closedPipe { throw error }
    try Task.checkCancellation()
    if let failure = error as? ReportedFailure {
      prompt.status = failure.status
    } else if error is CancellationError {
      fail(Interruption.Cause.interrupt)
    } else {
      fail(error)
    }
  }

  private func fail(_ error: any Error) {
    try? interpreter.streams.output.flush()
    let report = ErrorReport(error)
    messages.write(report)
    prompt.status = report.exitStatus
  }

  private func fail(_ cause: Interruption.Cause) {
    try? interpreter.streams.output.flush()
    messages.write(cause.report)
    prompt.status = cause.report.exitStatus
  }

  /// The words that leave the shell.
  nonisolated static let leavingWords = ["exit", "quit"]

  /// Returns the status of a line that leaves the shell; nil for any other line.
  ///
  /// - Throws: ``ShellError/status(_:)``.
  static func exitStatus(_ text: String) throws(ErrorReport) -> Int32? {
    let commands = LineWords(text).commands.map { $0.map(\.text).filter { !$0.isEmpty } }.filter { !$0.isEmpty }
    guard commands.count == 1, let arguments = commands.first, leavingWords.contains(arguments[0]) else { return nil }
    if arguments.count == 1 { return 0 }
    guard arguments.count == 2, let status = UInt8(arguments[1]) else {
      throw ShellError.status(arguments.dropFirst().joined(separator: " "))
    }
    return Int32(status)
  }

  /// Returns the escape sequences around the status of a failed line.
  private static func color(_ streams: StandardStreams, _ options: GlobalOptions) -> (on: String, off: String) {
    let depth = options.isPlain ? .none : streams.colorDepth(options.color, on: streams.error)
    let bytes = StyledTextWriter.bytes(
      of: StyledText("x", .error), colorDepth: depth,
      background: streams.background(options.background, on: streams.error), theme: options.theme)
    let parts = String(decoding: bytes.dropLast(), as: UTF8.self).split(
      separator: "x", omittingEmptySubsequences: false)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : ("", "")
  }
}

/// An error of the shell itself.
enum ShellError {
  static let noTerminalCode = DeclaredError(
    "host.shell-terminal", .usage, "the shell needs a terminal for input; 'script -' reads commands from a pipe")
  static let noTerminal = noTerminalCode(
    "the shell needs a terminal for input", advice: "run commands from a pipe with 'workbench script -'")
  static let nestedCode = DeclaredError("host.shell-nested", .usage, "a line of the shell starts another shell")
  static let nested = nestedCode("the shell is running already", advice: "enter the command itself")
  static let tooLong = DeclaredError(
    "host.shell-line", .usage, "a line of the shell is too long; put it into a script")
  static func tooLong(limit: Int) -> ErrorReport {
    tooLong(
      "the line is longer than \(limit) characters, so it was not run",
      advice: "write it to a file and run that with 'script'")
  }
  static let statusCode = DeclaredError(
    "host.shell-status", .usage, "the argument of 'exit' in the shell is not a number from 0 to 255")
  static func status(_ text: String) -> ErrorReport {
    statusCode("'\(text)' is not an exit status", advice: "enter a number from 0 to 255")
  }

  /// The note that only the terminal's own lines can be used.
  static let noEditor = Diagnostic(
    .note, code: "host.no-line-editor", "libedit is not installed, so lines have no history and no completion",
    advice: "install the package 'libedit2'")

  /// The note of the first Ctrl-C at the prompt.
  static let howToLeave = Diagnostic(
    .note, code: "host.shell-leave", "press Ctrl-C again or Ctrl-D to leave the shell")
}
