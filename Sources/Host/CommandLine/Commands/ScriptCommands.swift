import Glibc
import PluginAPI

/// `script` and `exec`.
@MainActor enum ScriptCommands {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    [script(interpreter), exec(interpreter)]
  }

  private static let keepGoing = Parameter(
    "keep-going", .flag, "Continue after failed commands, then exit with the status of the first failure")

  private static let show = Parameter(
    "show", .flag, "Show the screens of 'screen' commands on the terminal, at their recorded size")
  private static let pace = Parameter(
    "pace", .number(minimum: 0, maximum: 3600), "Time between steps with '--show'; any key ends it early",
    unit: "second", defaultValue: 0.5)

  private static func script(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "script", "Run the commands of a script", output: .init(.any, isStream: true), effects: []
    ).taking(
      [
        Parameter("file", .inputFile(extensions: ["wbs", "lua"]), "Script; - for standard input", isRequired: true),
        Parameter("arguments", .text, "Values of $1, $2 …, or of the declared arguments", isRepeatable: true),
      ], options: [keepGoing, show, pace] + LuaOptions.all
    ).explained(
      """
      'workbench help scripts' explains the script language, 'workbench help lua' Lua scripts. 'workbench script \
      FILE --help' shows the arguments and options that a script declares. With --dry-run, the commands of the script \
      are printed with their effects.

      Screens of a recording run in memory. With --show they are also shown on the terminal, which is restored at the \
      end. A smaller terminal shows their upper left part.
      """,
      examples: [
        .init("script survey.wbs 1crn 4hhb", "Run a script with two arguments"),
        .init("script survey.wbs --dry-run", "Show what it would run"),
        .init("script - --json", "Read commands from standard input and print results as JSON Lines"),
        .init("script tour.wbs --show", "Watch the screens of a recording"),
        .init("script survey.lua --allow-net", "Run a Lua script that may use the network"),
      ])
    return HostCommand(declaration, opensPipes: true) { [unowned interpreter] call in
      let (file, arguments) = (call.text("file"), call.texts("arguments"))
      if LuaOptions.isLua(file) || call.flag("lua") {
        if call.flag("show") { throw ScreenStepError.cannotShow("Lua scripts have none") }
        return try await runLua(interpreter, file: file, LuaOptions(call, arguments: arguments))
      }
      let pace = try await replayPace(call.arguments, file: file, interpreter)
      try await run(
        interpreter, file: file, arguments: arguments, keepsGoing: call.flag("keep-going"), pace: pace)
    }
  }

  /// Returns the seconds between the steps of screens that are shown; nil if they are not.
  ///
  /// - Throws: ``ScreenStepError/cannotShow(_:)``, before anything runs.
  private static func replayPace(
    _ arguments: Record, file: String, _ interpreter: CommandInterpreter
  ) throws(ErrorReport) -> Double? {
    guard arguments[show.name]?.bool == true else { return nil }
    if file == "-" { throw ScreenStepError.cannotShow("the script is read from standard input") }
    if interpreter.options.isPlain { throw ScreenStepError.cannotShow("'--plain' or TERM=dumb excludes them") }
    guard interpreter.streams.inputIsTerminal else {
      throw ScreenStepError.cannotShow("standard input is not a terminal")
    }
    guard isatty(StandardOutput.descriptor) == 1 else {
      throw ScreenStepError.cannotShow("standard output is not a terminal")
    }
    return arguments[pace.name]?.number ?? pace.defaultValue.number
  }

  private static func exec(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "exec", "Run commands given as an argument", output: .init(.any, isStream: true), effects: []
    ).taking(
      [
        Parameter("commands", .text, "Commands, separated by semicolons or newlines", isRequired: true),
        Parameter("arguments", .text, "Values of $1, $2 …", isRepeatable: true),
      ], options: [keepGoing] + LuaOptions.all
    ).explained(
      "'workbench help scripts' explains the script language, 'workbench help lua' the option '--lua'.",
      examples: [
        .init("exec 'molecules list; molecules info 1'", "Run two commands"),
        .init("exec 'for m in molecules list; print $m.code $m.atoms; end'", "Run a loop"),
        .init("exec --lua 'print(#wb.molecules.list{})'", "Run Lua"),
      ])
    return HostCommand(declaration) { [unowned interpreter] call in
      if call.flag("lua") {
        let options = try LuaOptions(call, arguments: call.texts("arguments"))
        return try await runLua(
          interpreter, source: Array(call.text("commands").utf8), name: "exec", folder: nil, options)
      }
      try await run(
        interpreter, text: call.text("commands"), arguments: call.texts("arguments"),
        keepsGoing: call.flag("keep-going"))
    }
  }

  /// Returns the command `script FILE` for a file that declares arguments or options; nil for other files.
  static func entry(of file: String, _ interpreter: CommandInterpreter) -> CommandEntry? {
    guard !LuaOptions.isLua(file), let head = try? ScriptHead.read(file) else { return nil }
    let declaration = CommandDescription(
      "script " + ScriptQuoting.quoted(file), head.summary.isEmpty ? "Run the script" : head.summary,
      output: .init(.any, isStream: true), effects: []
    ).taking(head.arguments, options: head.options + [keepGoing, show, pace])
    let command = HostCommand(declaration) { [unowned interpreter] call in
      try await run(interpreter, file: file, declaration, parameters: call.arguments)
    }
    return CommandEntry(owner: .host(command), declaration: declaration)
  }

  private static func run(
    _ interpreter: CommandInterpreter, text: String, arguments: [String], keepsGoing: Bool
  ) async throws {
    let session = ScriptSession(interpreter, name: "exec", arguments: arguments, keepsGoing: keepsGoing)
    try await nested(interpreter) { try await session.run(Substring(text), isLast: true) }
  }

  private static func run(
    _ interpreter: CommandInterpreter, file: String, arguments: [String], keepsGoing: Bool, pace: Double?
  ) async throws {
    if let declared = try declared(file, interpreter) {
      // Another program has called 'script' with the arguments as a list.
      var reader = ArgumentReader(entry: declared, options: interpreter.options)
      var parameters = try ArgumentCheck.complete(try reader.read([], arguments[...]), for: declared.declaration)
      if keepsGoing { parameters[keepGoing.name] = true }
      if let pace { (parameters[show.name], parameters[Self.pace.name]) = (true, .number(pace)) }
      return try await run(interpreter, file: file, declared.declaration, parameters: parameters)
    }
    let session = ScriptSession(
      interpreter, name: file == "-" ? "stdin" : file, arguments: arguments, keepsGoing: keepsGoing)
    try await nested(interpreter, pace: pace) {
      if file == "-" { return try await runInput(session, interpreter) }
      try await session.run(try await ScriptFile.text(of: file, on: interpreter.session.loop), isLast: true)
    }
  }

  private static func runLua(_ interpreter: CommandInterpreter, file: String, _ options: LuaOptions) async throws {
    let source = try await interpreter.session.loop.compute("reading the script") { _ in
      file == "-"
        ? try HostFile.read(STDIN_FILENO, path: "standard input", limit: 1 << 26)
        : try HostFile.read(file, limit: 1 << 26)
    }
    let folder = file.utf8.contains(UInt8(ascii: "/")) ? FilePath.folder(of: file) : ""
    try await runLua(
      interpreter, source: source, name: file == "-" ? "stdin" : file, folder: file == "-" ? nil : folder, options)
  }

  private static func runLua(
    _ interpreter: CommandInterpreter, source: [UInt8], name: String, folder: String?, _ options: LuaOptions
  ) async throws {
    let script = LuaBridge.Script(name: name, arguments: options.arguments, permissions: options.permissions)
    let runner = LuaScript(interpreter, script, folder: folder, limits: options.limits)
    try await nested(interpreter) { try await runner.run(source) }
  }

  /// Returns the command of a script with a head.
  ///
  /// - Throws: ``ReportedFailure`` if the head is malformed.
  private static func declared(_ file: String, _ interpreter: CommandInterpreter) throws -> CommandEntry? {
    do {
      _ = try ScriptHead.read(file)
    } catch let fault as ScriptFault {
      MessagePrinter(streams: interpreter.streams, options: interpreter.options)
        .write(fault.report, location: ScriptPlace.Entry(position: fault.position, command: nil))
      throw ReportedFailure(status: fault.report.exitStatus)
    } catch {
      // Pipes have no head; other files cannot be read at all.
      return nil
    }
    return entry(of: file, interpreter)
  }

  /// Runs a script with the values of the arguments and options that it declares.
  private static func run(
    _ interpreter: CommandInterpreter, file: String, _ declaration: CommandDescription, parameters: Record
  ) async throws {
    var parameters = parameters
    for parameter in declaration.arguments + declaration.options
    where parameter.isRepeatable && parameters[parameter.name]?.isNull != false {
      parameters[parameter.name] = .list([])
    }
    let keepsGoing = parameters[keepGoing.name]?.bool ?? false
    let pace = try replayPace(parameters, file: file, interpreter)
    for option in [keepGoing, show, Self.pace] { parameters[option.name] = nil }
    let session = ScriptSession(interpreter, name: file, parameters: parameters, keepsGoing: keepsGoing)
    try await nested(interpreter, pace: pace) {
      try await session.run(try await ScriptFile.text(of: file, on: interpreter.session.loop), isLast: true)
    }
  }

  /// Runs the commands on standard input, each line as soon as it arrives.
  private static func runInput(_ session: ScriptSession, _ interpreter: CommandInterpreter) async throws {
    var pending: [UInt8] = []
    while true {
      // The writer of the commands may be waiting for their results.
      try interpreter.streams.output.flush()
      let chunk = try await interpreter.session.loop.compute("reading the script") { _ in
        try HostFile.readChunk(STDIN_FILENO, named: "standard input") ?? []
      }
      pending += chunk
      if let end = chunk.isEmpty ? pending.endIndex : pending.lastIndex(of: 0x0A) {
        guard let text = String(validating: pending[..<end], as: UTF8.self) else {
          throw ScriptError.notText("standard input")
        }
        pending = Array(pending[min(end + 1, pending.endIndex)...])
        try await session.run(Substring(text), isLast: chunk.isEmpty)
      }
      if chunk.isEmpty { return }
      if pending.count > ScriptLimits.file {
        throw ScriptError.tooLarge("a line of standard input", limit: "\(ScriptLimits.file >> 20) MiB")
      }
    }
  }

  /// Runs a script within the depth of scripts, and ends the screens that it leaves.
  ///
  /// - Parameter pace: The seconds between the steps of screens that are shown; nil to do as the outer script does.
  private static func nested(
    _ interpreter: CommandInterpreter, pace: Double? = nil, _ body: () async throws -> Void
  ) async throws {
    guard interpreter.scriptDepth < ScriptLimits.depth else { throw ScriptError.tooDeep(limit: ScriptLimits.depth) }
    interpreter.scriptDepth += 1
    let (options, replay, outerPace) = (interpreter.options, interpreter.replay, interpreter.replayPace)
    interpreter.replayPace = pace ?? outerPace
    defer {
      // Screens that the script did not end, after a failure or by mistake.
      if interpreter.replay !== replay { interpreter.replay?.close() }
      interpreter.replay = replay?.isClosed == false ? replay : nil
      interpreter.scriptDepth -= 1
      interpreter.replayPace = outerPace
      interpreter.options = options
    }
    try await body()
  }
}
