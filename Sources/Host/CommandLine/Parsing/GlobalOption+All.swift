import PluginAPI

extension GlobalOption {
  /// All of them, in the order help shows them.
  static let all: [GlobalOption] = forms + conduct + folders + pictures

  private static let forms: [GlobalOption] = [
    flag("json", "print the result as one JSON document; errors and warnings as JSON on stderr") { $0.format = .json },
    flag("jsonl", "print the result as JSON Lines: one value, row or element a line") { $0.format = .jsonLines },
    flag("csv", "print tables and lists of records as comma-separated values (RFC 4180)") { $0.format = .csv },
    flag("tsv", "print tables and lists of records as tab-separated values") { $0.format = .tsv },
    GlobalOption(
      Parameter("output", .outputFile, "write the result to this file, a picture as PNG; - is standard output"),
      scope: .result
    ) { (options, value) throws(CommandLineError) in options.outputFile = value.text },
    flag("plain", "text without colour, box drawing and animation, for linear reading") { $0.isPlain = true },
    GlobalOption(
      Parameter(
        "color", .choice(GlobalOptions.ColorChoice.allCases.map(\.rawValue)),
        "when to use colours, or how many; before the command if the command has a --color of its own")
    ) { (options, value) throws(CommandLineError) in
      options.color = value.text.flatMap(GlobalOptions.ColorChoice.init(rawValue:)) ?? .auto
    },
    flag("quiet", "no notes, no progress") { $0.isQuiet = true },
  ]

  private static let conduct: [GlobalOption] = [
    flag("yes", "answer every question with yes") { $0.assumeYes = true },
    flag("no-input", "never ask anything") { $0.noInput = true },
    GlobalOption(
      Parameter(
        "timeout", .number(minimum: 0.001, maximum: 1e9), "end with status 124 after this time", unit: "seconds"),
      scope: .run
    ) { (options, value) throws(CommandLineError) in options.timeoutInSeconds = value.number },
    flag("offline", "use no network", scope: .run) { $0.isOffline = true },
    flag("dry-run", "print what would run, with its arguments, and do not run it") { $0.isDryRun = true },
    GlobalOption(
      Parameter("trace", .outputFile, "write each step of the run as a JSON line to this file"), scope: .run
    ) { (options, value) throws(CommandLineError) in
      options.traceFile = try fileBesideResult(value, option: "trace")
    },
    GlobalOption(
      Parameter("record", .outputFile, "append every command that ran well to this script"), scope: .run
    ) { (options, value) throws(CommandLineError) in
      options.recordFile = try fileBesideResult(value, option: "record")
    },
  ]

  /// Returns the path of a file whose lines must not mix with the result.
  private static func fileBesideResult(_ value: Value, option: String) throws(CommandLineError) -> String? {
    guard let path = value.text, StandardOutput.isNamed(path) else { return value.text }
    throw .malformed(path, option: option, expectation: "a file other than standard output")
  }

  private static let folders: [GlobalOption] = [
    GlobalOption(
      Parameter("home", .folder, "keep config, data, state and cache in this folder"), scope: .run
    ) { (options, value) throws(CommandLineError) in options.home = value.text },
    GlobalOption(
      Parameter("plugin-dir", .folder, "look for plugins here first", isRepeatable: true), scope: .run
    ) { (options, value) throws(CommandLineError) in options.pluginFolders.append(value.text ?? "") },
    flag("safe-mode", "load bundled plugins only", scope: .run) { $0.isSafeMode = true },
    GlobalOption(
      Parameter("isolate", .flag, "run plugins in a process of their own (comes in a later version)"), scope: .run
    ) { (_, _) throws(CommandLineError) in
      throw .notYet(
        "'--isolate' comes in a later version", advice: "leave it out, or use '--safe-mode' to run bundled plugins only"
      )
    },
  ]

  private static let pictures: [GlobalOption] = [
    GlobalOption(
      Parameter("graphics", .choice(GraphicsMode.allCases.map(\.rawValue) + ["auto"]), "how to show the picture"),
      scope: .picture
    ) { (options, value) throws(CommandLineError) in
      options.picture.graphics = value.text.flatMap(GraphicsMode.init(rawValue:))
    },
    GlobalOption(
      Parameter("size", .text, "the picture's size, WxH", unit: "pixels"), scope: .picture
    ) { (options, value) throws(CommandLineError) in
      options.picture.size = try size(value.text ?? "", option: "size", least: 1)
    },
  ]

  private static func flag(
    _ name: String, _ summary: String, scope: Scope = .command, _ set: @escaping @Sendable (inout GlobalOptions) -> Void
  ) -> GlobalOption {
    GlobalOption(Parameter(name, .flag, summary), scope: scope) { (options, value) throws(CommandLineError) in
      if value.bool == true { set(&options) }
    }
  }
}
