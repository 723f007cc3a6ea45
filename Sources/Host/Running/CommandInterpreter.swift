import PluginAPI

/// Runs command lines: parses the words, runs the command and writes its result.
///
/// Command line, scripts and `exec` all use it.
@MainActor final class CommandInterpreter {
  let session: HostSession
  let streams: StandardStreams
  let pictures: PictureResult
  private(set) var table: CommandTable
  /// The launcher of screens.
  let screens: ScreenLauncher
  /// The options of the command that runs now; commands run one after the other.
  var options: GlobalOptions
  /// The interruption of the run by Ctrl-C; screens take it over while they are shown.
  var interruption: Interruption?
  /// The attendant of the commands that run; nil for none.
  var attendant: (any CommandAttendant)?
  /// The nesting depth of running scripts.
  var scriptDepth = 0
  /// The screens that the lines of a script control; nil for none.
  var replay: ScreenReplay?
  /// The seconds between the steps of a replay that is shown on the terminal; nil to replay in memory alone.
  var replayPace: Double?
  private let renderers: HostTextRenderers
  private lazy var context = session.plugins.hostContext()

  /// Creates an interpreter.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - streams: The streams for results and messages.
  ///   - pictures: The writer of pictures.
  ///   - screens: The launcher of screens.
  ///   - commands: The host's commands, given the interpreter for those that run others.
  init(
    session: HostSession, streams: StandardStreams, pictures: PictureResult, screens: ScreenLauncher,
    commands: (CommandInterpreter) -> [HostCommand]
  ) {
    self.session = session
    self.streams = streams
    self.pictures = pictures
    self.screens = screens
    options = session.options
    table = CommandTable(hostCommands: [], plugins: session.plugins)
    renderers = HostTextRenderers()
    table = CommandTable(hostCommands: commands(self), plugins: session.plugins)
    table.script = { [unowned self] in ScriptCommands.entry(of: $0, self) }
  }

  /// A Boolean value indicating whether this runs a task of a `parallel` block.
  var isInParallel: Bool { ParallelTurn.visitor != nil }

  /// Parses and runs a line.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after `workbench`.
  ///   - options: The default global options.
  func run(_ arguments: [String], options: GlobalOptions) async throws {
    try await run(try LineParser(table: table).parse(arguments, defaults: options))
  }

  /// Runs a line that was understood.
  ///
  /// - Parameter receiver: The receiver of the result; nil to print it.
  func run(_ line: ParsedLine, to receiver: ResultReceiver? = nil) async throws {
    switch line.request {
    case .run(let entry, let arguments):
      try await run(entry, arguments, options: line.options, to: receiver)
    case .help(let topicNames):
      guard let help = table.entry(["help"]) else { return }
      let topic: Record = topicNames.isEmpty ? [:] : ["topic": .list(topicNames.map(Value.text))]
      try await run(help, topic, options: line.options)
    }
  }

  /// Runs a command with checked or unchecked arguments and writes its result, to a file if the options name one.
  ///
  /// - Parameter receiver: The receiver of the result; nil to print it.
  func run(
    _ entry: CommandEntry, _ arguments: Record, options: GlobalOptions, to receiver: ResultReceiver? = nil
  ) async throws {
    // Other commands may print and ask.
    if !entry.isScreenStep { replay?.releaseTerminal() }
    var options = options
    try RawFileNames.check(arguments, of: entry.declaration, options)
    guard let path = options.outputFile, path != "-", !options.isDryRun else {
      return try await perform(entry, arguments, options: options, to: receiver)
    }
    if entry.declaration.givesPicture {
      // Better refused now than after the picture is drawn.
      try FileReplacement.check(path)
      return try await perform(entry, arguments, options: options, to: receiver)
    }
    let file = try FileReplacement(of: path, mode: HostFile.resultMode)
    options.outputFile = "-"
    if let draft = file.draft { streams.temporary.add(draft) }
    defer { if let draft = file.draft { streams.temporary.forget(draft) } }
    do {
      try streams.output.redirect(to: file.descriptor)
      let result: Result<Void, any Error>
      do {
        result = .success(try await perform(entry, arguments, options: options, to: receiver))
      } catch {
        result = .failure(error)
      }
      try streams.output.endRedirection()
      try result.get()
    } catch {
      // A command of the host may fail after its whole result, such as the findings of 'doctor'. Other commands leave a
      // part of one, which must not replace a complete file.
      if case .host = entry.owner, !(error is CancellationError || error is OutputError), !file.isEmpty {
        try file.commit(isDurable: false)
      } else {
        file.discard()
      }
      throw error
    }
    try file.commit(isDurable: false)
  }

  private func perform(
    _ entry: CommandEntry, _ arguments: Record, options: GlobalOptions, to receiver: ResultReceiver? = nil
  ) async throws {
    self.options = options
    try WrittenFile.check(arguments, of: entry.declaration)
    if options.isDryRun, !entry.takesDryRun { return try await describe(entry, arguments, options: options) }
    let recordFile = entry.runsOthers || entry.recordsItself(options) ? nil : options.recordFile
    // A command that cannot be recorded does not run.
    if let recordFile { try append("", toRecord: recordFile) }
    let trace = try options.traceFile.map { (path) throws(HostFileError) in
      try TraceFile(path: path, command: entry.words)
    }
    defer { trace?.close() }
    let hiddenArguments = PersonalArguments.hidden(arguments, of: entry.declaration)
    trace?.add("start", ["arguments": .record(hiddenArguments)])
    let printer = printer(
      for: entry.declaration.output, options: options, trace: trace,
      takesMoreAfterCancel: entry.declaration.finishesWhenInterrupted)
    do {
      if let file = WrittenFile.result(of: entry.declaration),
        arguments[file.name]?.text.map(StandardOutput.isNamed) == true
      {
        try await call(entry, arguments, writing: file, options: options, printer)
      } else {
        let hasResult = !entry.runsOthers && !entry.writesOutput
        if hasResult, receiver?.printsResult != false { try printer.prepare() }
        try await attend(entry, options, receiver?.output(printer) ?? printer) { output in
          try await call(entry, arguments, options: options, output: output)
          if hasResult { try await printer.finish(failed: receiver?.printsResult == false) }
        }
      }
      trace?.add("end", ["status": 0])
    } catch {
      let code = error is CancellationError ? "host.interrupted" : ErrorReport(error).code
      trace?.add("end", ["error": .text(code)])
      try await printer.finish(failed: true)
      throw error
    }
    if let recordFile { try record(entry, hiddenArguments, in: recordFile) }
  }

  /// Runs a command with its attendant, if there is one.
  private func attend(
    _ entry: CommandEntry, _ options: GlobalOptions, _ output: any CommandOutput,
    _ body: (any CommandOutput) async throws -> Void
  ) async throws {
    guard let attendant else { return try await body(output) }
    try await attendant.attend(entry, options, output: output, body)
  }

  /// Runs a command that writes a file, and writes that file's bytes to standard output in the place of its result.
  private func call(
    _ entry: CommandEntry, _ arguments: Record, writing file: Parameter, options: GlobalOptions,
    _ printer: ResultPrinter
  ) async throws {
    let folder = try HostFile.makeTemporaryFolder(under: streams.temporaryFolder, prefix: "workbench-output-")
    streams.temporary.add(folder)
    defer { streams.temporary.remove(folder) }
    let path = folder + "/result"
    var arguments = arguments
    arguments[file.name] = .text(path)
    try await StandInFiles(originals: [path: "-"]).restoringWords(to: MessagesOnly(output: printer)) { output in
      try await call(entry, arguments, options: options, output: output)
    }
    if HostFile.isDocument(path) {
      try await printer.write(file: path)
    } else if HostFile.size(path) != nil {
      throw WrittenFileError.folder(command: entry.words)
    }
  }

  /// Runs a command and passes its output to a receiver; input that is not a regular file is copied first.
  func call(
    _ entry: CommandEntry, _ arguments: Record, options: GlobalOptions, output: any CommandOutput
  ) async throws {
    guard let copies = try await copies(of: arguments, entry) else {
      return try await start(entry, arguments, options: options, output: output)
    }
    defer { streams.temporary.remove(copies.folder) }
    let arguments = InputSpool.replacing(arguments, of: entry.declaration, by: copies)
    let originals = Dictionary(copies.paths.map { ($1, $0) }) { first, _ in first }
    try await StandInFiles(originals: originals).restoringWords(to: output) { output in
      try await start(entry, arguments, options: options, output: output)
    }
  }

  /// Copies input that is not a regular file; nil if there is none.
  private func copies(of arguments: Record, _ entry: CommandEntry) async throws -> InputSpool.Copies? {
    if case .host(let command) = entry.owner, command.opensPipes { return nil }
    let paths = try InputSpool.paths(in: arguments, of: entry.declaration)
    if paths.isEmpty { return nil }
    let spool = InputSpool(parent: streams.temporaryFolder, temporary: streams.temporary)
    return try await session.loop.compute("reading input") { progress in
      try spool.copy(paths) { progress.isCancelled }
    }
  }

  private func start(
    _ entry: CommandEntry, _ arguments: Record, options: GlobalOptions, output: any CommandOutput
  ) async throws {
    let presentation = CommandCall.Presentation(pictureSize: options.picture.size)
    let finishes = entry.declaration.finishesWhenInterrupted
    if finishes { try interruption?.beginFinishing() }
    defer { if finishes { interruption?.endFinishing() } }
    switch entry.owner {
    case .plugin(let id):
      try await CommandRunner(host: session.plugins).run(
        id + "." + entry.declaration.name, from: nil, arguments, presentation: presentation, output: output)
    case .host(let command):
      let checked = try ArgumentCheck.complete(arguments, for: command.declaration)
      let call = CommandCall(arguments: checked, context: context, presentation: presentation, output: output)
      try await ParallelTurn.take("", command.declaration) { try await command.run(call) }
    }
  }

  /// Returns the receiver that writes a command's result in the form given by the options.
  func printer(
    for output: CommandDescription.Output, options: GlobalOptions, trace: TraceFile? = nil,
    takesMoreAfterCancel: Bool = false
  ) -> ResultPrinter {
    ResultPrinter(
      output, options: options, streams: streams, pictures: pictures, trace: trace,
      takesMoreAfterCancel: takesMoreAfterCancel
    ) { [renderers, plugins = session.plugins] name, value, request in
      if let text = try renderers.render(name, value, request) { return text }
      return try await plugins.textRenderer(name)?.render(value, for: request)
    }
  }

  /// Describes the command that would run.
  private func describe(_ entry: CommandEntry, _ arguments: Record, options: GlobalOptions) async throws {
    let complete = try ArgumentCheck.complete(arguments, for: entry.declaration)
    let effects = CommandDescription.Effect.allCases.filter(entry.declaration.effects.contains)
    let plan: Value = [
      "command": .text(entry.words), "arguments": .record(complete),
      "effects": .list(effects.map { .text($0.rawValue) }),
    ]
    let printer = printer(for: CommandDescription.Output(.any), options: options)
    try await printer.emit(plan)
    try await printer.finish(failed: false)
  }

  /// Adds the command to a script.
  private func record(_ entry: CommandEntry, _ arguments: Record, in file: String) throws {
    let commandLine = CommandLineWords.arguments(calling: entry, arguments)
    try append(ScriptQuoting.line(commandLine) + "\n", toRecord: file)
  }

  /// Appends text to a script of recorded commands.
  private func append(_ text: String, toRecord file: String) throws {
    try HostFile.append(Array(text.utf8), to: file)
  }
}

extension CommandEntry {
  /// A Boolean value indicating whether the command runs other commands, which are then described, traced and recorded
  /// in its place.
  var runsOthers: Bool {
    isHostCommand
      && (["script", "exec", "shell"].contains(declaration.name) || declaration.name.hasPrefix("script "))
  }

  /// Returns true if the command records the steps on its screens rather than its own line.
  func recordsItself(_ options: GlobalOptions) -> Bool {
    showsScreens ? options.recordsScreens : isScreenStep
  }

  /// A Boolean value indicating whether the command is a line of a recording of screens.
  var isScreenStep: Bool { isHostCommand && declaration.name.hasPrefix("screen ") }

  /// A Boolean value indicating whether the command writes its result itself.
  var writesOutput: Bool { if case .host(let command) = owner { command.writesOutput } else { false } }

  /// A Boolean value indicating whether the command writes to standard output or the terminal on its own, so that its
  /// result is not a value.
  var printsItself: Bool { runsOthers || writesOutput || showsScreens }

  /// A Boolean value indicating whether the command handles '--dry-run' itself.
  var takesDryRun: Bool { if case .host(let command) = owner { command.takesDryRun || runsOthers } else { false } }

  private var isHostCommand: Bool { if case .host = owner { true } else { false } }
}

/// A receiver of a command's result in place of the printer, or besides it.
struct ResultReceiver: Sendable {
  /// A Boolean value indicating whether the result is printed too.
  var printsResult: Bool
  /// Returns the receiver, which passes messages and requests on to the printer.
  var output: @Sendable (_ printer: any CommandOutput) -> any CommandOutput
}

/// A receiver of a command's messages that drops its values.
private struct MessagesOnly: CommandOutput {
  let output: any CommandOutput

  func emit(_ value: Value) async throws { try Task.checkCancellation() }
  func report(_ progress: Progress) { output.report(progress) }
  func warn(_ diagnostic: Diagnostic) { output.warn(diagnostic) }
  func request(_ request: CommandRequest) async throws -> Value { try await output.request(request) }
}

/// The files that commands write where the user names them.
enum WrittenFile {
  /// Returns the parameter that names the file with a command's result: its own option 'output', else an argument.
  ///
  /// Standard output can stand in its place.
  static func result(of declaration: CommandDescription) -> Parameter? {
    declaration.options.first { $0.name == "output" && $0.kind == .outputFile }
      ?? declaration.arguments.first { $0.kind == .outputFile }
  }

  /// Refuses standard output as a file that a command writes beside its result, such as a key file.
  ///
  /// - Throws: ``WrittenFileError/besideResult(_:parameter:)``.
  static func check(_ arguments: Record, of declaration: CommandDescription) throws(ErrorReport) {
    let result = result(of: declaration)?.name
    for parameter in declaration.arguments + declaration.options
    where parameter.kind == .outputFile && parameter.name != result {
      guard let path = arguments[parameter.name]?.text, StandardOutput.isNamed(path) else { continue }
      throw WrittenFileError.besideResult(path, parameter: parameter.name)
    }
  }
}

/// A file that cannot be standard output.
enum WrittenFileError {
  static func besideResult(_ path: String, parameter: String) -> ErrorReport {
    CommonHostError.noStandardOutput(
      "'\(path)' is standard output, which is reserved for the result of the command",
      advice: "name a file for '\(parameter)'")
  }
  /// The command writes a folder.
  static func folder(command: String) -> ErrorReport {
    CommonHostError.noStandardOutput(
      "'\(command)' writes a folder, which cannot go to standard output",
      advice: "name a folder, or choose a format that writes one file")
  }

}
