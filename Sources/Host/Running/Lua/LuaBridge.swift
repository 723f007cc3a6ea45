import PluginAPI
import Synchronization

/// Handles the requests of a script, on its thread; passes those about commands to the main actor.
final class LuaBridge: Sendable {
  /// The script as it sees itself.
  struct Script: Sendable {
    /// The name of its file, for messages.
    var name: String
    var arguments: [String]
    var permissions: LuaPermissions
  }

  /// The requests; the prelude has the same numbers.
  private enum Operation: Int32 {
    case call = 1
    case open, next, close, emit, print, message, openFile, write, save, module, exit, refuse, arguments, flush
  }

  private struct State {
    var exitStatus: Int32 = 0
    var outputError: OutputError?
  }

  /// The objects that the script holds by handles.
  let objects: LuaObjects
  private let exchange: LuaExchange
  private let script: Script
  private let files: LuaFiles
  private let streams: StandardStreams
  private let options: GlobalOptions
  private let pictures: PictureResult
  private let state = Mutex(State())

  /// Creates a bridge.
  ///
  /// - Parameters:
  ///   - script: The script.
  ///   - files: Its files.
  ///   - objects: The objects that it holds.
  ///   - exchange: Passes requests to the main actor.
  ///   - streams: The streams for text and messages.
  ///   - options: The options of the script.
  ///   - pictures: The writer of pictures.
  init(
    _ script: Script, files: LuaFiles, objects: LuaObjects, exchange: LuaExchange, streams: StandardStreams,
    options: GlobalOptions, pictures: PictureResult
  ) {
    self.script = script
    self.files = files
    self.objects = objects
    self.exchange = exchange
    self.streams = streams
    self.options = options
    self.pictures = pictures
  }

  /// The status with which the script ended itself.
  var exitStatus: Int32 { state.withLock { $0.exitStatus } }

  /// The error that ended the output of results; nil for none.
  var outputError: OutputError? { state.withLock { $0.outputError } }

  /// Records an error that ended the output of results.
  func fail(_ error: OutputError) { state.withLock { $0.outputError = error } }

  /// Handles a request.
  ///
  /// - Parameters:
  ///   - operation: The number of the request.
  ///   - bytes: Its values.
  ///   - location: The file and line of the script.
  ///   - stop: Ends the script once this returns.
  /// - Returns: The results, or the error, as the interpreter reads them.
  func handle(
    _ operation: Int32, _ bytes: UnsafeRawBufferPointer, location: String, stop: (LuaStop) -> Void
  ) -> (response: [UInt8], isError: Bool) {
    var writer = LuaWriter { [objects] in objects.keep($0) }
    do {
      let arguments = try LuaReader.arguments(bytes) { [objects] in objects.picture($0).map(Value.picture) }
      guard let operation = Operation(rawValue: operation) else { throw LuaError.notAvailable("request \(operation)") }
      try perform(operation, arguments, location: location, stop: stop, &writer)
      return (writer.bytes, false)
    } catch {
      if let error = error as? OutputError {
        fail(error)
        stop(.output)
      }
      var writer = LuaWriter { [objects] in objects.keep($0) }
      writer.add(ErrorReport(error))
      return (writer.bytes, true)
    }
  }

  private func perform(
    _ operation: Operation, _ arguments: [LuaArgument], location: String, stop: (LuaStop) -> Void,
    _ writer: inout LuaWriter
  ) throws {
    switch operation {
    case .call:
      let (method, list, fields) = try command(arguments, location)
      try pass(.call(method, list, fields), stop, &writer)
    case .open:
      try objects.checkStreamCount()
      let (method, list, fields) = try command(arguments, location)
      try pass(.open(method, list, fields), stop, &writer)
    case .next:
      streams.scriptPlace.set(ScriptPlace.Entry(at: location))
      guard let stream = arguments.first?.handle.flatMap(objects.stream) else {
        // The script has closed it.
        return write([.null], &writer)
      }
      try pass(.next(stream), stop, &writer)
    case .emit: try pass(.emit(try value(arguments.first)), stop, &writer)
    case .close:
      if let handle = arguments.first?.handle { objects.release(handle) }
      write([], &writer)
    case .print:
      try print(arguments)
      write([], &writer)
    case .flush:
      try streams.output.flush()
      write([], &writer)
    case .message:
      let text = String(decoding: arguments.first?.bytes ?? [], as: UTF8.self)
      let severity: Diagnostic.Severity = Self.isTrue(arguments.last) ? .warning : .note
      MessagePrinter(streams: streams, options: options).write(Diagnostic(severity, code: "host.lua-note", text))
      write([], &writer)
    case .openFile:
      let path = try text(arguments, 0, "the path of a file", "io.open")
      let file = try files.open(path, mode: try text(arguments, 1, "a mode", "io.open"))
      writer.add(count: 1)
      writer.add(file: file)
    case .write:
      try writeFile(arguments)
      write([], &writer)
    case .save: write([.text(try save(arguments))], &writer)
    case .module:
      let (path, code) = try files.module(try text(arguments, 0, "the name of a module", "require"))
      write([.text(path), .bytes(code)], &writer)
    case .exit:
      let status = try Self.status(arguments.first)
      state.withLock { $0.exitStatus = status }
      stop(.exit)
      write([], &writer)
    case .refuse: throw LuaError.notAvailable(arguments.first?.text ?? "")
    case .arguments:
      write([["name": .text(script.name), "list": .list(script.arguments.map(Value.text))]], &writer)
    }
  }

  /// Passes a request to the main actor and writes the answer.
  private func pass(_ request: LuaRequest, _ stop: (LuaStop) -> Void, _ writer: inout LuaWriter) throws {
    // The output so far is in place before a command can end the process.
    try streams.output.flush()
    switch exchange.ask(request) {
    case .values(let values): write(values, &writer)
    case .result(let values, let output): write([Self.joined(values, of: output)], &writer)
    case .stream(let stream):
      writer.add(count: 1)
      writer.add(handle: objects.keep(stream))
    case .failure(let report): throw report
    case .stopped(let reason):
      stop(reason)
      write([], &writer)
    }
  }

  /// Returns the result of a command: a list if the command emits several values over time.
  private static func joined(_ values: [Value], of output: CommandDescription.Output) -> Value {
    guard output.isStream else { return output.joined(values) }
    return .list(output.isListInParts ? values.flatMap(\.elements) : values)
  }

  private func write(_ values: [Value], _ writer: inout LuaWriter) {
    writer.add(count: values.count)
    for value in values { writer.add(value) }
  }

  // MARK: Arguments

  /// Returns the method and arguments of a command: of one table, or by position.
  private func command(_ arguments: [LuaArgument], _ location: String) throws -> (String, [Value], Record) {
    streams.scriptPlace.set(ScriptPlace.Entry(at: location))
    let method = try text(arguments, 0, "the name of a command", "wb")
    if arguments.count == 2, case .table(let list, let fields) = arguments[1] { return (method, list, fields) }
    return (method, try arguments.dropFirst().map { try value($0) }, [:])
  }

  private func value(_ argument: LuaArgument?) throws(ErrorReport) -> Value {
    switch argument {
    case .nothing, nil: return .null
    case .value(let value): return value
    case .table(let list, let fields):
      if fields.isEmpty { return .list(list) }
      guard list.isEmpty else { throw LuaError.mixedTable }
      return .record(fields)
    case .handle(let handle):
      guard let picture = objects.picture(handle) else { throw LuaError.unusableHandle }
      return .picture(picture)
    }
  }

  private func text(
    _ arguments: [LuaArgument], _ index: Int, _ expectation: String, _ function: String
  ) throws(ErrorReport) -> String {
    guard index < arguments.count, let text = arguments[index].text else {
      throw LuaError.unfitting(expectation, function: function)
    }
    return text
  }

  /// Returns the exit status that a script names; as everywhere, its lowest eight bits count.
  private static func status(_ argument: LuaArgument?) throws(ErrorReport) -> Int32 {
    guard case .value(let value) = argument,
      let status = value.integer ?? value.number.flatMap({ Int(exactly: $0) })
    else { throw LuaError.unfitting("a whole number, true or false", function: "os.exit") }
    return Int32(status & 0xFF)
  }

  private static func isTrue(_ argument: LuaArgument?) -> Bool {
    if case .value(let value) = argument { value.bool ?? false } else { false }
  }

  // MARK: Output and files

  /// Prints text: to standard output unless that has results in another form, in which text would be an error.
  private func print(_ arguments: [LuaArgument]) throws(OutputError) {
    let bytes = arguments.first?.bytes ?? []
    if Self.isTrue(arguments.last) || options.format != .text {
      streams.progress.write(Self.harmless(bytes), on: streams)
    } else if streams.output.isTerminal {
      try streams.output.write(Self.harmless(bytes))
      try streams.output.flush()
    } else {
      try streams.output.write(bytes)
    }
  }

  /// Returns text that cannot control a terminal.
  private static func harmless(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .map { StyledTextWriter.harmless(String($0)) }.joined(separator: "\n")
  }

  private func writeFile(_ arguments: [LuaArgument]) throws {
    guard let file = arguments.first?.handle.flatMap(objects.file), arguments.count == 2,
      let bytes = arguments[1].bytes
    else { throw LuaError.unfitting("a file that is open for writing", function: "file:write") }
    let failure = HostFile.writeAll(bytes, to: file.descriptor)
    if failure != 0 { throw HostFileError.cannot(.write, file.path, code: failure) }
  }

  private func save(_ arguments: [LuaArgument]) throws -> String {
    guard let picture = arguments.first?.handle.flatMap(objects.picture) else {
      throw LuaError.unfitting("a picture", function: "picture:save")
    }
    let path = try text(arguments, 1, "the path of a file", "picture:save")
    if StandardOutput.isNamed(path) { throw WrittenFileError.besideResult(path, parameter: "save") }
    let target = try script.permissions.checkWriting(path)
    try HostFile.write(try pictures.encode(picture), to: target, mode: HostFile.resultMode)
    return path
  }
}
