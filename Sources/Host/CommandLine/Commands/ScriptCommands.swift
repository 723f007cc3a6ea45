import Glibc
import PluginAPI

/// `script` and `exec`.
@MainActor enum ScriptCommands {
  private static let deepest = 16

  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    [script(interpreter), exec(interpreter)]
  }

  private static let keepGoing = Parameter(
    "keep-going", .flag, "Continue after failed commands, then exit with the status of the first failure")

  private static func script(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "script", "Run the commands of a script", output: .init(.any, isStream: true), effects: []
    ).taking(
      [
        Parameter("file", .inputFile(extensions: ["wbs", "lua"]), "Script; - for standard input", isRequired: true),
        Parameter("arguments", .text, "Values of $1, $2 …", isRepeatable: true),
      ], options: [keepGoing] + LuaOptions.all
    ).explained(
      "'workbench help scripts' explains the syntax of scripts, 'workbench help lua' scripts in Lua.",
      examples: [
        .init("script survey.wbs 1crn 4hhb", "Run a script with two arguments"),
        .init("script - --json", "Read commands from standard input and print results as JSON Lines"),
        .init("script survey.lua --allow-net", "Run a script in Lua that may use the network"),
      ])
    return HostCommand(declaration, opensPipes: true) { [unowned interpreter] call in
      let (file, arguments) = (call.text("file"), call.texts("arguments"))
      if LuaOptions.isLua(file: file, call) {
        return try await runLua(interpreter, file: file, LuaOptions(call, arguments: arguments))
      }
      try await run(interpreter, file: file, arguments: arguments, keepsGoing: call.flag("keep-going"))
    }
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
      "'workbench help scripts' explains the syntax of commands, 'workbench help lua' the option '--lua'.",
      examples: [
        .init("exec 'molecules list; molecules info 1'", "Run two commands"),
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

  private static func run(
    _ interpreter: CommandInterpreter, text: String, arguments: [String], keepsGoing: Bool
  ) async throws {
    let runner = ScriptRunner(interpreter, name: "exec", arguments: arguments, keepsGoing: keepsGoing)
    try await nested(interpreter) { try await runner.run(Substring(text), isLast: true) }
  }

  private static func run(
    _ interpreter: CommandInterpreter, file: String, arguments: [String], keepsGoing: Bool
  ) async throws {
    let runner = ScriptRunner(
      interpreter, name: file == "-" ? "stdin" : file, arguments: arguments, keepsGoing: keepsGoing)
    try await nested(interpreter) {
      if file == "-" { return try await runInput(runner, interpreter) }
      let bytes = try HostFile.read(file, limit: 1 << 26)
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw ErrorReport(code: "host.script-text", kind: .unusableInput, "'\(file)' is not UTF-8 text")
      }
      try await runner.run(Substring(text), isLast: true)
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

  /// Runs the commands on standard input, each line as soon as it arrives.
  private static func runInput(_ runner: ScriptRunner, _ interpreter: CommandInterpreter) async throws {
    var pending: [UInt8] = []
    while true {
      // The writer of the commands may be waiting for their results.
      try interpreter.streams.output.flush()
      let chunk = try await interpreter.session.loop.compute("reading the script") { _ in
        try HostFile.readChunk(STDIN_FILENO, named: "standard input") ?? []
      }
      pending += chunk
      if let end = chunk.isEmpty ? pending.endIndex : pending.lastIndex(of: 0x0A) {
        let text = String(decoding: pending[..<end], as: UTF8.self)
        pending = Array(pending[min(end + 1, pending.endIndex)...])
        try await runner.run(Substring(text), isLast: chunk.isEmpty)
      }
      if chunk.isEmpty { return }
    }
  }

  private static func nested(_ interpreter: CommandInterpreter, _ body: () async throws -> Void) async throws {
    guard interpreter.scriptDepth < deepest else { throw ScriptError.tooDeep(limit: deepest) }
    interpreter.scriptDepth += 1
    let options = interpreter.options
    defer {
      interpreter.scriptDepth -= 1
      interpreter.options = options
    }
    try await body()
  }
}
