import Glibc
import PluginAPI
import Synchronization

/// The commands for authors: `sdk path` and `plugin new|dev|validate`.
@MainActor enum AuthorCommands {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    [new(interpreter), dev(interpreter), screen(interpreter), validate(interpreter), sdkPath(interpreter)]
  }

  // MARK: sdk path

  private static func sdkPath(_ interpreter: CommandInterpreter) -> HostCommand {
    let schema = ValueSchema.record([
      .init("path", .text, "Folder with the libraries that plugins are linked with"),
      .init("modules", .text, "Folder with the Swift modules"),
      .init("headers", .text, "Folder with the C header of the stamp"),
      .init("sources", .text, "Folder with the sources of the SDK, as packages of Swift"),
      .init("python", .optional(.text), "SDK file for Python"), .init("r", .optional(.text), "SDK file for R"),
      .init("guide", .optional(.text), "Guide for authors"),
      .init("contract", .integer, "Revision of the contract"), .init("compiler", .text, "Compiler that plugins need"),
    ])
    let declaration = CommandDescription(
      "sdk path", "Print the folder of the plugin SDK of this installation",
      output: .init(schema, typeName: "host.sdk")
    ).explained(
      "The SDK has libraries and Swift modules, so that a plugin is compiled in seconds. In a checkout it is the build "
        + "folder. --json prints all its folders.",
      examples: [.init("path", "The folder"), .init("path --json", "All folders and files")])
    return HostCommand(declaration) { [unowned interpreter] call in
      try await call.emit(.record(try sdk(interpreter.session.plugins.installation)))
    }
  }

  private nonisolated static func sdk(_ installation: HostInstallation) throws -> Record {
    let sdk = PluginSDK(installation)
    try sdk.check(for: .swift)
    func existing(_ path: String?) -> Value { .optional(path.flatMap { access($0, R_OK) == 0 ? $0 : nil }) }
    let guides = ["/Documentation/AddingAPlugin.md", "/../Documentation/AddingAPlugin.md"].map { sdk.sources + $0 }
    let contract = ContractStamp.current
    return [
      "path": .text(sdk.folder), "modules": .text(sdk.modules), "headers": .text(sdk.headers),
      "sources": .text(sdk.sources), "python": existing(sdk.runtimeFile(of: .python)),
      "r": existing(sdk.runtimeFile(of: .r)),
      "guide": .optional(guides.first { access($0, R_OK) == 0 }.flatMap(FilePath.real)),
      "contract": .integer(contract.revision), "compiler": .text(contract.compiler),
    ]
  }

  // MARK: plugin new

  private static func new(_ interpreter: CommandInterpreter) -> HostCommand {
    let schema = ValueSchema.record([
      .init("id", .text, "Plugin id"), .init("language", .choice(PluginLanguage.allCases.map(\.rawValue)), "Language"),
      .init("folder", .text, "Folder of the plugin"), .init("files", .list(.text), "Files in the folder"),
    ])
    let declaration = CommandDescription(
      "plugin new", "Write a new plugin with a command and tests", output: .init(schema), effects: [.reads, .writes]
    ).taking(
      [Parameter("name", .text, "Id of the plugin, such as tide-tables", isRequired: true)],
      options: [
        Parameter(
          "language", .choice(PluginLanguage.allCases.map(\.rawValue)), "Language of the plugin", defaultValue: "swift"),
        Parameter("folder", .folder, "New folder; the id in the current folder if omitted"),
      ]
    ).explained(
      "A plugin in Swift is a library and is built with the SDK of this installation; one in Python or R is a program. "
        + "Its README explains the next steps. Nothing is downloaded.",
      examples: [
        .init("new tide-tables", "A plugin in Swift, in the folder 'tide-tables'"),
        .init("new tide-tables --language python --folder ~/tides", "A plugin in Python"),
      ])
    return HostCommand(declaration) { [unowned interpreter] call in
      let (installation, known) = await MainActor.run {
        (interpreter.session.plugins.installation, interpreter.session.plugins.installer.knownIDs)
      }
      let id = call.text("name")
      if let objection = PluginID.objection(to: id) { throw AuthorError.badID(reason: objection) }
      if let warning = PluginID.warning(about: id, among: known) { call.warn(warning) }
      let language = PluginLanguage(rawValue: call.text("language")) ?? .swift
      let folder = HostFile.absolute(call["folder"].text ?? id)
      if access(folder, F_OK) == 0 { throw AuthorError.folderExists(folder) }
      let template = PluginTemplate(language, installation: installation)
      let files = try await call.compute("writing '\(folder)'") { _ in
        let files = try template.files(id: id)
        try template.write(files, to: folder)
        return files
      }
      try await call.emit([
        "id": .text(id), "language": .text(language.rawValue), "folder": .text(folder),
        "files": .list(files.map { .text($0.name) }),
      ])
    }
  }

  // MARK: plugin validate

  private nonisolated static let checkFields: [ValueSchema.Field] = [
    .init("check", .text, "Check"),
    .init(
      "outcome", .choice(PluginValidation.Outcome.allCases.map(\.rawValue)), "Outcome of the check"),
    .init("detail", .text, "Facts that were found, or the reason"),
  ]

  private static func validate(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "plugin validate", "Check a plugin like 'plugin install', and replay its transcripts",
      output: .init(.table(checkFields)), effects: [.reads, .writes]
    ).taking(
      [
        Parameter(
          "path", .inputFile(extensions: [PackageArchive.fileExtension, "so"]),
          "Library, folder with a plugin, or package", isRequired: true)
      ],
      options: [Parameter("record", .flag, "Record the program's responses in its transcripts")]
    ).explained(
      "Nothing is installed. The conformance suite runs the plugin in a child process, with folders of its own, and runs "
        + "the examples of commands that only read. Transcripts are the JSON Lines files in the folder 'transcripts' of "
        + "a program; without any, --record writes one with the examples of its commands. Exits with status 1 if a check "
        + "fails.",
      examples: [
        .init("validate .", "The plugin in this folder, or the library built in it"),
        .init("validate ~/tides --record", "Record the transcripts of a program again"),
      ])
    return HostCommand(declaration, opensPipes: true) { [unowned interpreter] call in
      let path = call.text("path")
      let (installer, streams) = await MainActor.run {
        (interpreter.session.plugins.installer, interpreter.streams)
      }
      let scratch = try HostFile.makeTemporaryFolder(under: streams.temporaryFolder, prefix: "workbench-validate-")
      streams.temporary.add(scratch)
      defer { streams.temporary.remove(scratch) }
      let validation = PluginValidation(installer: installer, scratch: scratch)
      let records = call.flag("record")
      let checks = try await call.compute("validating '\(path)'") {
        try validation.checks(path, records: records, $0)
      }
      try await call.emit(
        .table(
          Table(columns: [
            .init("check", title: "Check", .texts(checks.map(\.name))),
            .init("outcome", title: "Outcome", .texts(checks.map(\.outcome.rawValue))),
            .init("detail", title: "Detail", .texts(checks.map(\.detail))),
          ])))
      let count = checks.count(where: { $0.outcome == .failed })
      if count > 0 { throw AuthorError.findings(path, count: count) }
    }
  }
}

extension AuthorCommands {
  // MARK: plugin dev

  private static let folder = Parameter("folder", .folder, "Folder of the plugin; the current one if omitted")
  private static let test = Parameter("test", .flag, "Run the tests of the plugin after each build")

  private static func dev(_ interpreter: CommandInterpreter) -> HostCommand {
    let schema = ValueSchema.record([
      .init("outcome", .choice(["built", "failed"]), "Outcome of the build, and of the tests if they are run"),
      .init("plugin", .optional(.text), "Plugin id"),
      .init("seconds", .number, "Duration of the build in seconds", heading: nil, unit: nil, decimals: 1),
      .init("problems", .list(.text), "Errors, with files and lines"),
    ])
    let declaration = CommandDescription(
      "plugin dev", "Build a plugin after each change, and show its screen",
      output: .init(schema, isStream: true), effects: [.reads, .writes]
    ).taking([folder], options: [test]).explained(
      "On a terminal, the first screen of the plugin is shown; after each build it is reopened with its state. Errors "
        + "are shown over it, and the last good build keeps running. Without a terminal or a screen, the command "
        + "prints the outcome of each build. A plugin in Swift is built with 'swift build'; for a program, the output "
        + "of '--manifest' is written to plugin.json. Ends with q or Ctrl-C.",
      examples: [
        .init("dev", "The plugin in this folder"), .init("dev ~/tides --test", "With its tests"),
        .init("dev --plain", "Print the outcome of each build"),
      ])
    return HostCommand(declaration) { [unowned interpreter] call in
      let build = try PluginBuild(call["folder"].text ?? ".")
      let development = try PluginDevelopment(build, runsTests: call.flag("test"))
      defer { development.end() }
      try await withTaskCancellationHandler {
        try await develop(development, call, interpreter)
      } onCancel: {
        development.end()
      }
    }
  }

  private static func develop(
    _ development: PluginDevelopment, _ call: CommandCall, _ interpreter: CommandInterpreter
  ) async throws {
    let isShown = isatty(STDIN_FILENO) == 1 && isatty(StandardOutput.descriptor) == 1
    let options = interpreter.options
    while let report = try await call.compute("building, or waiting for changes", { _ in try development.next() }) {
      if isShown, !options.isPlain, options.format == .text, report.isGood, let id = report.outcome.id {
        if try await show(id, development, call, interpreter) { return }
      }
      try await call.emit([
        "outcome": .text(report.isGood ? "built" : "failed"), "plugin": .optional(report.outcome.id),
        "seconds": .number(report.seconds), "problems": .list(report.outcome.problems.map { .text($0.message) }),
      ])
    }
    try Task.checkCancellation()
  }

  /// Shows the screen of a plugin in a child process until the user leaves it, with each new build in a new process.
  ///
  /// - Returns: False if the plugin has no screen, or ended its process.
  private static func show(
    _ id: String, _ development: PluginDevelopment, _ call: CommandCall, _ interpreter: CommandInterpreter
  ) async throws -> Bool {
    let (session, streams) = (interpreter.session, interpreter.streams)
    var commandLine =
      ["workbench"] + session.options.childArguments(environment: streams.environment, allowsNetwork: true)
    commandLine += ["--plugin-dir", development.build.pluginFolder, DevelopmentCommand.word, development.build.folder]
    if call.flag("test") { commandLine.append("--test") }
    let (program, arguments) = (session.plugins.installation.program, commandLine)
    try streams.output.flush()
    streams.progress.hold(on: streams)
    defer { streams.progress.release() }
    while true {
      // The user is currently repairing the crashed code.
      _ = try? session.plugins.unquarantine(id)
      let child = ChildHandle()
      let status = try await withTaskCancellationHandler {
        // Without progress, which would be written over the screen.
        try await call.context.eventLoop.compute("screen") { _ in
          try TerminalChild.run(program, arguments) { child.set($0) }
        }
      } onCancel: {
        child.end()
      }
      switch status {
      case DevelopmentScreen.restartStatus: continue
      // The child has reported the reason.
      case DevelopmentCommand.noScreenStatus, DevelopmentCommand.pluginFailedStatus: return false
      case 0: return true
      case 1..<128, 129, 130, 143: throw ReportedFailure(status: status)
      default:
        call.warn(
          Diagnostic(
            .error, code: "host.build-problem",
            "plugin '\(id)' ended its process with \(PluginProbe.name(ofSignal: status - 128))",
            advice: "change its code; it is built and shown again"))
        return false
      }
    }
  }

  /// The child's side of `plugin dev`: the screen of the plugin, and the builds.
  private static func screen(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      DevelopmentCommand.word, "Show the screen of a plugin that is being developed", output: .init(.any), effects: []
    ).taking([folder], options: [test])
    return HostCommand(declaration, isHidden: true) { [unowned interpreter] call in
      let build = try PluginBuild(call["folder"].text ?? ".")
      let (tests, id) = (call.flag("test"), build.built?.id ?? "")
      try await DevelopmentCommand.show(id, build, runsTests: tests, interpreter)
    }
  }
}

/// A child that is asked to end, whether it was started before or after.
private final class ChildHandle: Sendable {
  private let state = Mutex<(isEnded: Bool, end: (@Sendable () -> Void)?)>((false, nil))

  func set(_ end: @escaping @Sendable () -> Void) {
    let isEnded = state.withLock { state in
      state.end = end
      return state.isEnded
    }
    if isEnded { end() }
  }

  func end() {
    let end = state.withLock { state in
      state.isEnded = true
      return state.end
    }
    end?()
  }
}

/// The hidden command that shows the screen of a plugin that is being developed.
@MainActor enum DevelopmentCommand {
  /// Its name.
  nonisolated static let word = "__dev"
  /// The exit status for a plugin without a screen.
  nonisolated static let noScreenStatus: Int32 = 76
  /// The exit status for a plugin that cannot be used.
  nonisolated static let pluginFailedStatus: Int32 = 4

  static func show(
    _ id: String, _ build: PluginBuild, runsTests: Bool, _ interpreter: CommandInterpreter
  ) async throws {
    let session = interpreter.session
    guard session.plugins.contributions(of: id)?.screens.isEmpty == false else {
      throw ReportedFailure(status: noScreenStatus)
    }
    _ = try session.plugins.activated(id)
    let screen = DevelopmentScreen(try PluginDevelopment(build, runsTests: runsTests))
    defer { screen.end() }
    var setup = Navigator.Setup(session: session)
    setup.onStart = { screen.start($0) }
    var launch = ScreenLaunch()
    (launch.plugin, launch.isRemembered) = (id, false)
    let status = try await InterfaceRun.runOnTerminal(launch, interpreter, setup: setup)
    if status != 0 { throw ReportedFailure(status: status) }
  }
}
