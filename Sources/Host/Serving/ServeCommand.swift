internal import CHost
import Glibc
import PluginAPI

/// `serve`.
@MainActor enum ServeCommand {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] { [serve(interpreter)] }

  private static func serve(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "serve", "Run commands for other programs: JSON-RPC or MCP", output: .init(.any),
      effects: []
    ).taking(options: [
      Parameter("stdio", .flag, "Serve the program that started this one, over its standard streams"),
      Parameter("socket", .text, "Socket file to listen on, for programs of the same user"),
      Parameter("read-only", .flag, "Refuse commands that change or delete data"),
      Parameter("mcp", .flag, "Speak the Model Context Protocol over the standard streams, for agents"),
      Parameter("root", .folder, "With --mcp, folder whose files an agent may use", isRepeatable: true),
      Parameter("allow-writes", .flag, "With --mcp, also offer a tool for commands that change data"),
      Parameter(
        "allow", .choice(ToolCommands.guardedPlugins.sorted()), "With --mcp, plugin with personal data to offer",
        isRepeatable: true),
    ]).explained(
      """
      Each message is one line of JSON. 'serve --stdio' ends at the end of its standard input, 'serve --socket' with \
      Ctrl-C or SIGTERM. Documentation/Serving.md describes methods, messages and tools.
      """,
      examples: [
        .init("serve --stdio", "Serve the program that starts it"),
        .init("serve --socket ~/wb.sock --read-only", "Serve several programs, read-only"),
        .init("serve --mcp --root ~/structures", "Give an agent read-only tools"),
      ])
    return HostCommand(declaration, writesOutput: true) { [unowned interpreter] call in
      try await run(try Mode(call), interpreter)
    }
  }

  /// The options of `serve`, checked.
  private enum Mode {
    case streams(isReadOnly: Bool)
    case socket(String, isReadOnly: Bool)
    case agent(ToolRules)

    init(_ call: CommandCall) throws {
      let socket = call["socket"].text
      let (usesStreams, isAgent) = (call.flag("stdio"), call.flag("mcp"))
      if !isAgent, let name = ["root", "allow-writes", "allow"].first(where: { Self.isGiven(call[$0]) }) {
        throw ServeError.options("'--\(name)' is for agents", advice: "add '--mcp'")
      }
      if isAgent, socket != nil {
        throw ServeError.options("agents are not served on a socket", advice: "use '--mcp' without '--socket'")
      }
      if isAgent, call.flag("read-only"), call.flag("allow-writes") {
        throw ServeError.options("'--read-only' and '--allow-writes' contradict each other", advice: "leave one out")
      }
      switch (socket, usesStreams || isAgent) {
      case (_?, true):
        throw ServeError.options("'--stdio' and '--socket' cannot be combined", advice: "start two servers")
      case (nil, false):
        throw ServeError.options(
          "no transport is given", advice: "use '--stdio', '--socket PATH' or '--mcp'")
      case (let path?, false): self = .socket(path, isReadOnly: call.flag("read-only"))
      case (nil, true) where isAgent:
        self = .agent(
          try ToolRules(
            roots: call.texts("root"), allowsWrites: call.flag("allow-writes"), allowed: Set(call.texts("allow"))))
      case (nil, true): self = .streams(isReadOnly: call.flag("read-only"))
      }
    }

    private static func isGiven(_ value: Value) -> Bool { value.bool ?? !(value.list ?? []).isEmpty }
  }

  private static func run(_ mode: Mode, _ interpreter: CommandInterpreter) async throws {
    var limits = ServeLimits()
    limits.calls = HostSettings.servedCalls(interpreter.session.settings)
    // Nobody can be asked but through a client.
    interpreter.options.noInput = true
    // Text printed by plugins, or written by commands beside their result, must not mix with messages.
    StandardOutput.divert(to: HostLog(folder: interpreter.session.folders.state))
    try interpreter.streams.output.redirect(to: STDERR_FILENO)
    let result: Result<Void, any Error>
    do { result = .success(try await serve(mode, interpreter, limits)) } catch { result = .failure(error) }
    try interpreter.streams.output.endRedirection()
    try result.get()
  }

  private static func serve(_ mode: Mode, _ interpreter: CommandInterpreter, _ limits: ServeLimits) async throws {
    func commands(isReadOnly: Bool) -> ServedCommands {
      ServedCommands(interpreter, isReadOnly: isReadOnly, limits: limits)
    }
    switch mode {
    case .streams(let isReadOnly):
      try await serveStreams(RPCService(commands(isReadOnly: isReadOnly)), limits)
    case .agent(let rules):
      AgentSurroundings.removeSecrets()
      let folder = try AgentSurroundings.enterFolder(for: rules, interpreter.streams)
      defer { if let folder { interpreter.streams.temporary.remove(folder) } }
      try await serveStreams(AgentService(ToolCommands(commands(isReadOnly: false), rules)), limits)
    case .socket(let path, let isReadOnly):
      try await serveSocket(path, commands(isReadOnly: isReadOnly), limits)
    }
  }

  private static func serveStreams(_ service: any ServedProtocol, _ limits: ServeLimits) async throws {
    let input = try takeStandardInput()
    let client = ServedClient(
      input: input, output: StandardOutput.descriptor, service: service, limits: limits)
    let end = WorkSource(.signal(SIGTERM), on: WorkQueue("workbench.serve-signals"))
    end.start { client.end() }
    defer { end.cancel() }
    await client.run()
    // The thread that reads it must have ended before the descriptor can be reused.
    await client.inputEnd()
    close(input)
  }

  /// Moves standard input to another descriptor, so that neither commands nor their programs read messages.
  private static func takeStandardInput() throws(HostFileError) -> Int32 {
    let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    guard input >= 0 else { throw .cannot(.read, "standard input", code: errno) }
    let nothing = try HostFile.open("/dev/null", O_RDONLY)
    defer { close(nothing) }
    dup2(nothing, STDIN_FILENO)
    return input
  }

  private static func serveSocket(_ path: String, _ commands: ServedCommands, _ limits: ServeLimits) async throws {
    let socket = try ServeSocket(path: path)
    let end = WorkSource(.signal(SIGTERM), on: WorkQueue("workbench.serve-signals"))
    end.start { socket.stop() }
    defer { end.cancel() }
    _ = HostFile.writeAll(Array("listening on \(path)\n".utf8), to: StandardOutput.descriptor)
    await socket.serve { connection in
      let service = await RPCService(commands)
      let client = ServedClient(
        input: connection, output: connection, service: service, limits: limits, isShared: true)
      await client.run()
      // As above, also if the thread reads at this moment.
      shutdown(connection, Int32(SHUT_RDWR))
      await client.inputEnd()
    }
  }
}
