internal import CHost
import Glibc
import PluginAPI
import Synchronization

/// One run of the program: from its arguments to the exit status.
@MainActor enum Program {
  /// The exit status when the reader of standard output is gone: as of a program that SIGPIPE ended.
  static let closedPipeStatus: Int32 = 128 + 13

  /// Runs the command line and ends the process with its status.
  ///
  /// - Parameter replaced: The folders in place of the user's.
  static func start(_ words: [String], replaced: HostFolders.Replacements = .init()) -> Never {
    // write(2) reports a closed pipe, also for sockets of plugins.
    signal(SIGPIPE, SIG_IGN)
    if let status = fastStatus(words) { chost_end(status) }
    // The parent process may have blocked signals, as Dispatch threads do: then nothing could end this one.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    chost_signals_keep()
    let environment = ProcessEnvironment.all()
    let streams = StandardStreams.process(environment: environment)
    let options = GlobalOption.scan(words, over: GlobalOptions(environment: environment))
    let messages = MessagePrinter(streams: streams, options: options)
    let interruption = Interruption(tell: { messages.write($0) }) { cause in
      endEarly(cause.report, streams, messages)
      CrashJournal.close()
      chost_end(cause.report.exitStatus)
    }
    PluginExit.watch { report in
      endEarly(report, streams, messages)
      chost_end(report.exitStatus)
    }
    let work = Task { @MainActor in
      let status = await run(words, streams: streams, interruption: interruption, replaced: replaced)
      // Another thread ends the process, with another status, and has taken the terminal from the screens.
      while isEndingEarly.load(ordering: .acquiring) { pause() }
      StandardOutput.logRemaining()
      CrashJournal.close()
      ProgramProcess.killAll()
      // Without the C library's clean-up: threads of plugins may still run in libraries that it would take down.
      chost_end(status)
    }
    interruption.watch { work.cancel() }
    if let seconds = options.timeoutInSeconds { interruption.limit(toSeconds: seconds) }
    MainQueue.run()
  }

  /// A Boolean value indicating whether a thread ends the process in the middle of a command.
  private nonisolated static let isEndingEarly = Atomic(false)

  /// Cleans up before the process ends in the middle of a command.
  private nonisolated static func endEarly(
    _ report: ErrorReport, _ streams: StandardStreams, _ messages: MessagePrinter
  ) {
    isEndingEarly.store(true, ordering: .releasing)
    CrashJournal.restoreTerminal()
    ProgramProcess.killAll()
    streams.progress.hold(on: streams)
    messages.write(report)
    streams.temporary.removeAll()
    StandardOutput.logRemaining()
  }

  /// Runs a command line.
  ///
  /// - Returns: The exit status.
  static func run(
    _ words: [String], streams: StandardStreams, interruption: Interruption?,
    replaced: HostFolders.Replacements = .init()
  ) async -> Int32 {
    var options = GlobalOption.scan(words, over: GlobalOptions(environment: streams.environment))
    let interpreter: CommandInterpreter
    do {
      interpreter = try self.interpreter(for: &options, words: words, streams: streams, replaced: replaced)
    } catch {
      return end(error, options: options, streams: streams, interruption)
    }
    let status: Int32
    do {
      interpreter.interruption = interruption
      interpreter.session.plugins.onDiagnostic = { [unowned interpreter] in
        MessagePrinter(streams: streams, options: interpreter.options).write($0)
      }
      let line = try LineParser(table: interpreter.table).parse(words, defaults: interpreter.session.options)
      options = line.options
      interpreter.session.options = line.options
      warnOfSettings(interpreter, options)
      try await interpreter.run(line)
      try streams.output.flush()
      status = interruption?.cause?.report.exitStatus ?? 0
    } catch {
      status = end(error, options: options, streams: streams, interruption)
    }
    await interpreter.session.plugins.closeStores()
    return status
  }

  /// Returns an interpreter for a run with these options, which take precedence over the user's settings.
  ///
  /// - Parameters:
  ///   - replaced: The folders in place of the user's.
  static func interpreter(
    for options: inout GlobalOptions, words: [String], streams: StandardStreams,
    replaced: HostFolders.Replacements = .init()
  ) throws(ErrorReport) -> CommandInterpreter {
    let folders = try HostFolders(options: options, environment: streams.environment)
    let settings = Settings(path: folders.config + "/settings.json", environment: streams.environment)
    let defaults = HostSettings.options(settings, over: GlobalOptions(environment: streams.environment))
    options = GlobalOption.scan(words, over: defaults)
    let session = try HostSession(
      options: options, environment: streams.environment, settings: settings, replaced: replaced)
    return CommandInterpreter(session: session, streams: streams, pictures: .standard, screens: .standard) {
      HostCommands.all($0)
    }
  }

  /// Reports the failure of a run.
  ///
  /// - Returns: The exit status.
  private static func end(
    _ error: any Error, options: GlobalOptions, streams: StandardStreams, _ interruption: Interruption?
  ) -> Int32 {
    if error as? OutputError == .closedPipe { return closedPipeStatus }
    do {
      try streams.output.flush()
    } catch {
      if error == .closedPipe { return closedPipeStatus }
    }
    let cause = interruption?.cause
    if let failure = error as? ReportedFailure { return cause?.report.exitStatus ?? failure.status }
    let isCancelled = error is CancellationError
    // The final messages of a command that got time to finish matter more than the interruption.
    let isTold = cause == nil || interruption?.mayFinish == true
    let report =
      isTold && !isCancelled ? ErrorReport(error) : (cause ?? Interruption.Cause.interrupt).report
    MessagePrinter(streams: streams, options: options).write(report)
    return cause?.report.exitStatus ?? report.exitStatus
  }

  private static func warnOfSettings(_ interpreter: CommandInterpreter, _ options: GlobalOptions) {
    let settings = interpreter.session.settings
    var problems = [(settings.problem, "the settings are")]
    problems += HostSettings.problems(settings).map { ($0.report, "it is") }
    problems += HostSettings.unfittingValues(settings).map { ($0.report, "it is") }
    for case (let problem?, let what) in problems {
      MessagePrinter(streams: interpreter.streams, options: options).write(
        Diagnostic(
          .warning, code: problem.code, problem.message + ", so \(what) not used", line: nil, advice: problem.advice))
    }
  }

  /// Handles commands that need neither loop nor plugins: `version` takes no longer than the start of a process.
  private static func fastStatus(_ words: [String]) -> Int32? {
    guard words.count == 1, words[0] == "version" || words[0] == "--version" else { return nil }
    let sink = ByteSink(descriptor: StandardOutput.descriptor)
    do {
      try sink.write(HostVersion.line + "\n")
      try sink.flush()
      return 0
    } catch {
      return error == .closedPipe ? closedPipeStatus : error.report.exitStatus
    }
  }
}

/// A failure that was already reported where it happened, such as at a script's line.
struct ReportedFailure: Error, Equatable {
  /// The exit status.
  var status: Int32
}
