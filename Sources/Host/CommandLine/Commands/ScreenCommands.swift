import Glibc
import PluginAPI

/// `run` and `open`.
@MainActor enum ScreenCommands {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    [run(interpreter), open(interpreter)]
  }

  private static let headlessOptions = [
    Parameter("headless", .text, "Screen size, WxH, for running without a terminal"),
    // Typed keys may contain personal data or a password.
    Parameter("keys", .text, "Keys to press, separated by spaces, such as down, enter, ctrl-p, x, type:TEXT or wait")
      .personal(),
    Parameter(
      "frame-format", .choice(ScreenLaunch.FrameFormat.allCases.map(\.rawValue)), "Format of the last frame",
      defaultValue: "text"),
  ]

  private static func run(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "run", "Show a plugin's screen, or the home screen", output: .init(.any), effects: []
    ).taking(
      [
        Parameter("plugin", .text, "Plugin; the home screen if omitted"),
        Parameter("document", .document(extensions: []), "Document to show", isRepeatable: true),
      ], options: headlessOptions
    ).explained(
      "Without a terminal, the command prints one frame of 80×24 as text.",
      examples: [
        .init("run molecules", "The library of structures"), .init("run molecules 1crn.pdb", "One file"),
        .init("run molecules --headless 120x40 --keys 'down enter wait'", "Press keys and print the last frame"),
      ])
    return HostCommand(declaration) { [unowned interpreter] call in
      var launch = try ScreenLaunch(call: call, isPlain: await interpreter.options.isPlain)
      launch.plugin = call["plugin"].text
      launch.documents = call.texts("document")
      // A word may name a document in the plugin's own store, a path cannot.
      for path in launch.documents where path.contains("/") && HostFile.size(HostFile.absolute(path)) == nil {
        throw HostFileError.cannot(.read, path, code: ENOENT)
      }
      try await show(launch, interpreter)
    }
  }

  private static func open(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "open", "Open a file with the plugin that reads its type", output: .init(.any), effects: []
    ).taking(
      [Parameter("file", .inputFile(extensions: []), "File to open", isRequired: true)], options: headlessOptions
    ).explained(examples: [.init("open 1crn.cif.gz", "Open a compressed structure")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let path = HostFile.absolute(call.text("file"))
      let (match, others) = try await FileOpening.match(path, in: interpreter.session.plugins.contributions)
      if !others.isEmpty {
        let names = others.map { "\($0.plugin) (\($0.type.name))" }.joined(separator: ", ")
        call.warn(
          Diagnostic(
            .note, code: "host.several-readers", "opened with '\(match.plugin)'; these can open it too: \(names)"))
      }
      var launch = try ScreenLaunch(call: call, isPlain: await interpreter.options.isPlain)
      if let screen = match.type.screen {
        (launch.plugin, launch.screen, launch.documents) = (match.plugin, screen, [path])
        return try await show(launch, interpreter)
      }
      try await runCommand(match, path, interpreter)
    }
  }

  private static func runCommand(
    _ match: FileOpening.Match, _ path: String, _ interpreter: CommandInterpreter
  ) async throws {
    let name = match.type.command ?? ""
    guard let entry = interpreter.table.entry([match.plugin] + name.split(separator: " ").map(String.init)),
      let argument = entry.declaration.arguments.first
    else {
      throw PluginHostError.unknownCommand(
        plugin: match.plugin, command: name,
        known: interpreter.session.plugins.contributions(of: match.plugin)?.commandNames ?? [])
    }
    let value: Value = argument.isRepeatable ? .list([.text(path)]) : .text(path)
    try await interpreter.run(entry, [argument.name: value], options: interpreter.options)
  }

  private static func show(_ launch: ScreenLaunch, _ interpreter: CommandInterpreter) async throws {
    var launch = launch
    launch.isRemembered = !launch.documents.contains(where: interpreter.streams.temporary.hold)
    try launch.activatePlugin(in: interpreter.session.plugins)
    let bytes = try await interpreter.screens.run(launch, interpreter)
    try interpreter.streams.output.write(bytes)
  }
}

extension ScreenLaunch {
  /// Creates the settings of a screen from the options of `run` and `open`, and the presence of a terminal.
  ///
  /// Linear text needs no terminal: it reads lines from any input.
  fileprivate init(call: CommandCall, isPlain: Bool) throws {
    let hasTerminal = isatty(STDIN_FILENO) == 1 && isatty(StandardOutput.descriptor) == 1
    guard let size = call["headless"].text else {
      if call["keys"].text != nil {
        throw CommandLineError.missingArgument(
          "--headless WxH", command: "--keys", expectation: "a size such as 120x40")
      }
      headless = hasTerminal || isPlain ? nil : Headless(format: call.frameFormat)
      return
    }
    headless = Headless(
      size: try GlobalOption.size(size, option: "headless"), keys: call.text("keys"), format: call.frameFormat)
  }
}

extension CommandCall {
  fileprivate var frameFormat: ScreenLaunch.FrameFormat {
    ScreenLaunch.FrameFormat(rawValue: text("frame-format")) ?? .text
  }
}
