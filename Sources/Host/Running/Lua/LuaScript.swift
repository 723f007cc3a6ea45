import PluginAPI
import Synchronization

/// Runs a Lua script on a thread of its own, and its commands on the main actor.
@MainActor final class LuaScript {
  private let interpreter: CommandInterpreter
  private let script: LuaBridge.Script
  private let limits: LuaLimits
  private let folder: String?
  private let options: GlobalOptions
  /// The commands called so far, by method.
  private var entries: [String: CommandEntry] = [:]
  /// The commands with streamed results that may still run.
  private var running: [ObjectIdentifier: LuaStream] = [:]

  /// Creates a script.
  ///
  /// - Parameters:
  ///   - interpreter: Runs the commands.
  ///   - script: Its name, arguments and permissions.
  ///   - folder: The folder of its modules; nil for none.
  ///   - limits: Its limits.
  init(_ interpreter: CommandInterpreter, _ script: LuaBridge.Script, folder: String?, limits: LuaLimits) {
    self.interpreter = interpreter
    self.script = script
    self.limits = limits
    self.folder = folder
    var options = interpreter.options
    options.given = []
    // The output of the whole script goes there already.
    options.outputFile = nil
    self.options = options
  }

  /// Runs the script; with '--dry-run' only its syntax is checked.
  ///
  /// - Throws: ``ReportedFailure`` after an error that the script did not catch, or if it ended itself with a status
  ///   other than 0; ``LuaError`` without the library.
  func run(_ source: [UInt8]) async throws {
    let printer = interpreter.printer(for: .init(.any, isStream: true), options: options)
    let (exchange, objects) = (LuaExchange(), LuaObjects())
    let files = LuaFiles(
      permissions: script.permissions, objects: objects, folder: folder, limit: limits.memoryInBytes)
    let bridge = LuaBridge(
      script, files: files, objects: objects, exchange: exchange, streams: interpreter.streams, options: options,
      pictures: interpreter.pictures)
    let lua = try LuaInterpreter(bridge, limits: limits)
    let outer = interpreter.streams.scriptPlace.entry
    interpreter.streams.scriptPlace.set(ScriptPlace.Entry(at: script.name))
    let outcome = await outcome(of: source, lua, bridge, exchange, printer)
    objects.releaseAll()
    for stream in Array(running.values) { await stream.finish() }
    let isFinished = if case .finished = outcome { true } else { bridge.exitStatus == 0 && outcome.isExit }
    if bridge.outputError == nil { try await printer.finish(failed: !isFinished) }
    try end(outcome, bridge, outer: outer)
  }

  /// Runs the script's thread and handles its requests until it ends.
  private func outcome(
    of source: [UInt8], _ lua: LuaInterpreter, _ bridge: LuaBridge, _ exchange: LuaExchange, _ printer: ResultPrinter
  ) async -> LuaOutcome {
    let result = LuaResult()
    let (name, isCheck) = (script.name, options.isDryRun)
    WorkQueue("workbench.lua", isUrgent: true).async {
      result.set(lua.run(source, name: name, isCheck: isCheck))
      exchange.end()
    }
    await withTaskCancellationHandler {
      while let request = await exchange.next() { exchange.answer(await answer(request, bridge, printer)) }
    } onCancel: {
      lua.stop(.canceled)
    }
    return result.outcome
  }

  private func answer(_ request: LuaRequest, _ bridge: LuaBridge, _ printer: ResultPrinter) async -> LuaAnswer {
    do {
      switch request {
      case .call(let method, let list, let fields):
        let call = try prepare(method, list, fields)
        let output = LuaOutput(printer, limits: limits)
        do {
          try await perform(call, output)
        } catch {
          return try failure(error, of: call.entry)
        }
        return .result(output.values, call.entry.declaration.output)
      case .open(let method, let list, let fields):
        let call = try prepare(method, list, fields)
        let stream = LuaStream()
        let output = LuaOutput(printer, stream, call.entry.declaration.output, limits: limits)
        let id = ObjectIdentifier(stream)
        running[id] = stream
        stream.start {
          defer { self.running[id] = nil }
          try await self.perform(call, output)
        }
        return .stream(stream)
      case .next(let stream):
        let rows = try await stream.next()
        return .values([rows.isEmpty ? .null : .list(rows)])
      case .emit(let value):
        try await printer.emit(value)
        return .values([])
      }
    } catch let error as OutputError {
      bridge.fail(error)
      return .stopped(.output)
    } catch {
      if Task.isCancelled { return .stopped(.canceled) }
      return .failure(error is CancellationError ? Interruption.Cause.interrupt.report : ErrorReport(error))
    }
  }

  /// Returns the failure of a command, which names it.
  private func failure(_ error: any Error, of entry: CommandEntry) throws -> LuaAnswer {
    if error is CancellationError || error is OutputError { throw error }
    var report = ErrorReport(error)
    report.details["command"] = report.details["command"] ?? .text(entry.words)
    return .failure(report)
  }

  // MARK: Commands

  /// A call of a command that may run.
  private struct Call: Sendable {
    var entry: CommandEntry
    var arguments: Record
    var options: GlobalOptions
  }

  private func prepare(_ method: String, _ list: [Value], _ fields: Record) throws -> Call {
    let entry = try entry(method)
    if entry.printsItself || entry.words == "serve" { throw LuaError.notForPrograms(command: entry.words) }
    let arguments = try LuaArguments(list, fields, for: entry)
    let complete = try ArgumentCheck.complete(arguments.record, for: entry.declaration)
    try RawFileNames.check(complete, of: entry.declaration, options)
    try checkOutput(complete, entry)
    let folders = interpreter.session.folders
    try script.permissions.check(entry, complete, stores: [folders.data, folders.config, folders.state])
    var options = options
    options.picture.size = arguments.pictureSize ?? options.picture.size
    return Call(entry: entry, arguments: arguments.record, options: options)
  }

  /// Refuses standard output as the file of a result: the script gets the result.
  private func checkOutput(_ arguments: Record, _ entry: CommandEntry) throws(ErrorReport) {
    for parameter in entry.declaration.arguments + entry.declaration.options where parameter.kind == .outputFile {
      guard let path = arguments[parameter.name]?.text, StandardOutput.isNamed(path) else { continue }
      throw WrittenFileError.besideResult(path, parameter: parameter.name)
    }
  }

  private func perform(_ call: Call, _ output: LuaOutput) async throws {
    let trace = try options.traceFile.map { (path) throws(HostFileError) in
      try TraceFile(path: path, command: call.entry.words)
    }
    defer { trace?.close() }
    trace?.add("start", ["arguments": .record(PersonalArguments.hidden(call.arguments, of: call.entry.declaration))])
    do {
      try await interpreter.call(call.entry, call.arguments, options: call.options, output: output)
      trace?.add("end", ["status": 0])
    } catch {
      trace?.add("end", ["error": .text(error is CancellationError ? "host.interrupted" : ErrorReport(error).code)])
      throw error
    }
  }

  private func entry(_ method: String) throws -> CommandEntry {
    if let entry = entries[method] { return entry }
    let table = interpreter.table
    guard let entry = table.entry(method: method) else { throw unknown(method, table) }
    entries[method] = entry
    return entry
  }

  /// Returns the error for a method without a command.
  private func unknown(_ method: String, _ table: CommandTable) -> any Error {
    let parts = method.split(separator: ".", maxSplits: 1).map(String.init)
    let word = parts.first ?? ""
    let known = table.entries(beginningWith: word).map { String($0.method.dropFirst(word.count + 1)) }
    if !known.isEmpty {
      if parts.count == 2 { return CommandLineError.unknownCommand(parts[1], after: word, known: known) }
      return CommandLineError.unfinishedCommand(word, known: known, hasScreen: false)
    }
    do {
      _ = try table.plugins.activated(word)
    } catch PluginHostError.unknownPlugin {
      // Not known at all: the script is wrong, rather than a plugin.
    } catch {
      return error
    }
    return CommandLineError.unknownWord(word, known: table.firstWords)
  }

  // MARK: The end

  private func end(_ outcome: LuaOutcome, _ bridge: LuaBridge, outer: ScriptPlace.Entry?) throws {
    let scriptPlace = interpreter.streams.scriptPlace
    switch outcome {
    case .finished:
      scriptPlace.set(outer)
      if options.isDryRun { messages.write(Self.checked) }
    case .failed(let report, let line):
      scriptPlace.set(outer)
      throw fail(report, location: line ?? script.name)
    case .stopped(.instructions, let line):
      scriptPlace.set(outer)
      let limit = limits.instructionsInMillions ?? 0
      throw fail(LuaError.instructions(limitInMillions: limit), location: line ?? script.name)
    case .stopped(.exit, _):
      scriptPlace.set(outer)
      if bridge.exitStatus != 0 { throw ReportedFailure(status: bridge.exitStatus) }
    case .stopped(.output, _):
      scriptPlace.set(outer)
      throw bridge.outputError ?? OutputError.closedPipe
    case .stopped(.canceled, let line):
      // The place is kept for the error that ends the run.
      scriptPlace.set(ScriptPlace.Entry(at: line ?? script.name))
      throw CancellationError()
    }
  }

  /// Reports a failure with its place.
  private func fail(_ report: ErrorReport, location: String) -> ReportedFailure {
    try? interpreter.streams.output.flush()
    messages.write(report, location: ScriptPlace.Entry(at: location))
    return ReportedFailure(status: report.exitStatus)
  }

  private static let checked = Diagnostic(.note, code: "host.lua-note", "the script is valid Lua; it was not run")

  private var messages: MessagePrinter { MessagePrinter(streams: interpreter.streams, options: options) }
}

extension LuaOutcome {
  /// A Boolean value indicating whether the script ended itself.
  fileprivate var isExit: Bool { if case .stopped(.exit, _) = self { true } else { false } }
}

/// Holds the outcome of a script until its thread has ended.
private final class LuaResult: Sendable {
  private let state = Mutex(LuaOutcome.finished)

  func set(_ outcome: LuaOutcome) { state.withLock { $0 = outcome } }

  var outcome: LuaOutcome { state.withLock { $0 } }
}

/// Receives a command's output: values go to the script, messages to the user.
private final class LuaOutput: CommandOutput {
  private let printer: ResultPrinter
  private let stream: LuaStream?
  private let output: CommandDescription.Output
  private let limits: LuaLimits
  private let collected: RecordedResult

  /// Creates a receiver.
  ///
  /// - Parameters:
  ///   - printer: Shows messages and asks questions.
  ///   - stream: Receives the elements of values; nil to collect the values.
  ///   - output: The type of the values.
  ///   - limits: The limits of the script: collected values may use as much memory as its own.
  init(
    _ printer: ResultPrinter, _ stream: LuaStream? = nil, _ output: CommandDescription.Output = .init(.any),
    limits: LuaLimits
  ) {
    self.printer = printer
    self.stream = stream
    self.output = output
    self.limits = limits
    collected = RecordedResult(limit: limits.memoryInBytes)
  }

  /// The values of a command that has ended.
  var values: [Value] { collected.values }

  func emit(_ value: Value) async throws {
    try Task.checkCancellation()
    guard let stream else {
      if collected.add(value) { return }
      throw LuaError.memory(limitInMegabytes: limits.memoryInMegabytes)
    }
    try await stream.emit(output.isStream && !output.isListInParts ? [value] : value.elements)
  }

  func report(_ progress: Progress) { printer.report(progress) }

  func warn(_ diagnostic: Diagnostic) { printer.warn(diagnostic) }

  func request(_ request: CommandRequest) async throws -> Value { try await printer.request(request) }
}
