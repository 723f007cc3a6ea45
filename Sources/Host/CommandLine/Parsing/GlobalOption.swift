import PluginAPI

/// An option that every command accepts: its declaration and its effect.
struct GlobalOption: Sendable {
  /// The scope of an option, which determines its place in help and where it is allowed.
  enum Scope: Sendable, Hashable {
    /// One command.
    case command
    /// The whole run; not on lines of a script.
    case run
    /// A command whose result is a picture.
    case picture
    /// The result of a command, which may have an option of that name itself.
    case result
  }

  let parameter: Parameter
  let scope: Scope
  private let set: @Sendable (inout GlobalOptions, Value) throws(CommandLineError) -> Void

  init(
    _ parameter: Parameter, scope: Scope = .command,
    _ set: @escaping @Sendable (inout GlobalOptions, Value) throws(CommandLineError) -> Void
  ) {
    self.parameter = parameter
    self.scope = scope
    self.set = set
  }

  var name: String { parameter.name }

  /// Sets the option from its text; nil for a flag without a value.
  func apply(_ text: String?, to options: inout GlobalOptions) throws(CommandLineError) {
    let value: Value
    do {
      value = try text.map { (text) throws(ParameterError) in try parameter.value(parsing: text) } ?? true
    } catch {
      throw .unfitting(error)
    }
    try set(&options, value)
    options.given.insert(name)
  }

  /// Returns the option of that name.
  static func named(_ name: String) -> GlobalOption? {
    all.first { $0.name == name }
  }

  /// Reads a size such as `640x480`; a screen may be empty, a picture needs at least one pixel.
  static func size(_ text: String, option: String, least: Int = 0) throws(CommandLineError) -> Size {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1], (least...32_767).contains(width),
      (least...32_767).contains(height)
    else {
      throw .malformed(text, option: option, expectation: "a size such as 120x40, each from \(least) to 32767")
    }
    return Size(width: width, height: height)
  }
}

extension GlobalOption {
  /// All of them, in the order help shows them.
  static let all: [GlobalOption] = forms + conduct + folders + pictures

  private static let forms: [GlobalOption] = [
    flag("json", "Print the result as one JSON document, and errors and warnings as JSON on stderr") {
      $0.format = .json
    },
    flag("jsonl", "Print the result as JSON Lines: one value, row or element per line") { $0.format = .jsonLines },
    flag("csv", "Print tables and lists of records as comma-separated values (RFC 4180)") { $0.format = .csv },
    flag("tsv", "Print tables and lists of records as tab-separated values") { $0.format = .tsv },
    flag("arrow", "Write tables and lists of records as an Arrow stream") { $0.format = .arrow },
    GlobalOption(
      Parameter("output", .outputFile, "Output file, PNG for a picture; - for standard output"),
      scope: .result
    ) { (options, value) throws(CommandLineError) in
      options.outputFile = value.text.map { StandardOutput.isNamed($0) ? "-" : $0 }
    },
    flag("plain", "Print linear text without color, box drawing and animation") { $0.isPlain = true },
    GlobalOption(
      Parameter(
        "color", .choice(GlobalOptions.ColorChoice.allCases.map(\.rawValue)),
        "Use of color, or number of colors; goes before a command that has its own --color")
    ) { (options, value) throws(CommandLineError) in
      options.color = value.text.flatMap(GlobalOptions.ColorChoice.init(rawValue:)) ?? .auto
    },
    flag("quiet", "Do not print notes and progress") { $0.isQuiet = true },
  ]

  private static let conduct: [GlobalOption] = [
    flag("yes", "Answer yes to all questions") { $0.assumeYes = true },
    flag("no-input", "Never ask questions") { $0.noInput = true },
    GlobalOption(
      Parameter(
        "timeout", .number(minimum: 0.001, maximum: 1e9), "Time limit; ends the run with status 124", unit: "second"),
      scope: .run
    ) { (options, value) throws(CommandLineError) in options.timeoutInSeconds = value.number },
    flag("offline", "Do not use the network", scope: .run) { $0.isOffline = true },
    flag("dry-run", "Print the command and its arguments without running it") { $0.isDryRun = true },
    GlobalOption(
      Parameter("trace", .outputFile, "Trace file, with a JSON line for each step of the run"), scope: .run
    ) { (options, value) throws(CommandLineError) in
      options.traceFile = try fileBesideResult(value, option: "trace")
    },
    GlobalOption(
      Parameter("record", .outputFile, "Script that successful commands and screen steps are appended to"), scope: .run
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
      Parameter("home", .folder, "Folder for config, data, state and cache"), scope: .run
    ) { (options, value) throws(CommandLineError) in options.home = value.text },
    GlobalOption(
      Parameter("plugin-dir", .folder, "Plugin folder to search first", isRepeatable: true), scope: .run
    ) { (options, value) throws(CommandLineError) in options.pluginFolders.append(value.text ?? "") },
    flag("safe-mode", "Load only bundled plugins", scope: .run) { $0.isSafeMode = true },
    flag("isolate", "Run each plugin in a separate process, so that a crash ends nothing else", scope: .run) {
      $0.isIsolating = true
    },
  ]

  private static let pictures: [GlobalOption] = [
    GlobalOption(
      Parameter("graphics", .choice(GraphicsMode.allCases.map(\.rawValue) + ["auto"]), "Graphics mode"),
      scope: .picture
    ) { (options, value) throws(CommandLineError) in
      options.picture.graphics = value.text.flatMap(GraphicsMode.init(rawValue:))
    },
    GlobalOption(
      Parameter("size", .text, "Picture size, WxH", unit: "pixels"), scope: .picture
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
