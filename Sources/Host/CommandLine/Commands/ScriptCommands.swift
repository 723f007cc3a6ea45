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
        Parameter("file", .inputFile(extensions: ["wbs"]), "Script; - for standard input", isRequired: true),
        Parameter("arguments", .text, "Values of $1, $2 …", isRepeatable: true),
      ], options: [keepGoing]
    ).explained(
      "'workbench help scripts' explains the syntax of scripts.",
      examples: [
        .init("script survey.wbs 1crn 4hhb", "Run a script with two arguments"),
        .init("script - --json", "Read commands from standard input and print results as JSON Lines"),
      ])
    return HostCommand(declaration, opensPipes: true) { [unowned interpreter] call in
      try await run(
        interpreter, file: call.text("file"), arguments: call.texts("arguments"), keepsGoing: call.flag("keep-going"))
    }
  }

  private static func exec(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "exec", "Run commands given as an argument", output: .init(.any, isStream: true), effects: []
    ).taking(
      [
        Parameter("commands", .text, "Commands, separated by semicolons or newlines", isRequired: true),
        Parameter("arguments", .text, "Values of $1, $2 …", isRepeatable: true),
      ], options: [keepGoing]
    ).explained(
      "'workbench help scripts' explains the syntax of commands.",
      examples: [.init("exec 'molecules list; molecules info 1'", "Run two commands")])
    return HostCommand(declaration) { [unowned interpreter] call in
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
    if file.lowercased().hasSuffix(".lua") {
      throw CommandLineError.notYet(
        "scripts in Lua are not supported yet", advice: "write a .wbs script; see 'workbench help scripts'")
    }
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
