import PluginAPI

/// Renders help as text: examples first, then arguments and options.
struct HelpText {
  let request: TextRequest
  private var text = StyledText()

  init(request: TextRequest) {
    self.request = request
  }

  /// Returns help about a command.
  static func command(_ value: Value, for request: TextRequest) throws -> StyledText {
    let declaration = try CommandDescription(value: value)
    let name = value["words"].text ?? declaration.name
    let pictureOptions = try (value["pictureOptions"].list ?? []).map { try Parameter(value: $0) }
    var help = HelpText(request: request)
    help.text.add(.init("workbench " + name, .heading), .init(" – " + declaration.summary))
    help.text.add()
    help.text.add(.init("Usage: "), .init(usage(name, declaration), .accent))
    help.examples(declaration, name)
    help.paragraphs(declaration.discussion)
    help.section("Arguments", declaration.arguments.map { ($0.name.uppercased(), explanation($0)) })
    help.section("Options", declaration.options.map { (option($0), explanation($0)) })
    help.section("Picture options", pictureOptions.map { (option($0), explanation($0)) })
    if !declaration.effects.isEmpty {
      help.text.add()
      help.text.add(.init("This command " + effects(declaration.effects) + "."))
    }
    help.text.add()
    help.text.add(.init("'workbench help options' lists the options that all commands accept.", .secondary))
    return help.text
  }

  /// Returns help about a plugin or a group of commands.
  static func group(_ value: Value, for request: TextRequest) -> StyledText {
    var help = HelpText(request: request)
    let name = value["words"].text ?? ""
    help.text.add(.init("workbench " + name, .heading))
    if let summary = value["summary"].text, !summary.isEmpty { help.paragraphs(summary) }
    help.section("Commands", pairs(value["commands"], "name"))
    let screens = pairs(value["screens"], "title")
    if !screens.isEmpty {
      help.section("Screens", screens)
      help.text.add()
      help.text.add(.init("'workbench run \(name)' shows the first screen.", .secondary))
    }
    help.text.add()
    help.text.add(.init("'workbench help \(name) COMMAND' explains a command.", .secondary))
    return help.text
  }

  /// Returns the overview.
  static func overview(_ value: Value, for request: TextRequest) -> StyledText {
    var help = HelpText(request: request)
    help.text.add(.init("workbench", .heading), .init(" – a terminal workbench for science"))
    help.section(
      "Usage",
      [
        ("workbench", "Home screen"), ("workbench run PLUGIN [DOCUMENT…]", "Screen of a plugin"),
        ("workbench FILE", "Screen or command that reads the file"),
        ("workbench PLUGIN COMMAND [ARG…] [--option …]", "Command of a plugin"),
        ("workbench COMMAND [ARG…] [--option …]", "Command of the program"),
      ])
    help.section("Commands", pairs(value["commands"], "name"))
    help.text.add()
    let topics = (value["topics"].list ?? []).compactMap(\.text).joined(separator: ", ")
    for line in TextWidth.wrapped(
      "'workbench plugin list' lists the plugins, 'workbench help PLUGIN' their commands. Help topics: \(topics).",
      to: help.width)
    {
      help.text.add(.init(line))
    }
    return help.text
  }

  /// Returns a list of options.
  static func options(_ value: Value, for request: TextRequest) throws -> StyledText {
    var help = HelpText(request: request)
    let parameters = try (value["options"].list ?? []).map { try Parameter(value: $0) }
    help.text.add(.init(value["title"].text ?? "", .heading))
    help.section("", parameters.map { (option($0), explanation($0)) } + [("-h, --help", "Explain the command")])
    return help.text
  }

  private var width: Int { min(100, max(40, request.width)) }

  private mutating func examples(_ declaration: CommandDescription, _ name: String) {
    section("Examples", declaration.examples.map { (Self.line(of: $0, name, declaration), $0.summary) })
  }

  /// Returns the complete line of an example, which omits the plugin, or the first word of a host command.
  static func line(
    of example: CommandDescription.Example, _ name: String, _ declaration: CommandDescription
  ) -> String {
    let isHost = name == declaration.name
    let first = name.split(separator: " ").first.map(String.init) ?? ""
    let isWhole = isHost && (example.line == first || example.line.hasPrefix(first + " "))
    return "workbench " + (isWhole ? "" : first + " ") + example.line
  }

  private mutating func paragraphs(_ discussion: String) {
    if discussion.isEmpty { return }
    text.add()
    for line in TextWidth.wrapped(discussion, to: width) { text.add(.init(line)) }
  }

  /// Appends two columns, of terms and meanings; a long term is on a line of its own.
  private mutating func section(_ title: String, _ rows: [(term: String, meaning: String)]) {
    if rows.isEmpty { return }
    text.add()
    if !title.isEmpty { text.add(.init(title + ":", .heading)) }
    let column = min(30, rows.map { TextWidth.columns($0.term) }.max() ?? 0)
    for row in rows {
      var lines = TextWidth.wrapped(row.meaning, to: max(20, width - column - 4))[...]
      if TextWidth.columns(row.term) > column {
        text.add(.init("  " + row.term, .accent))
      } else {
        text.add(.init("  " + TextWidth.padded(row.term, to: column), .accent), .init("  " + (lines.popFirst() ?? "")))
      }
      for line in lines { text.add(.init(String(repeating: " ", count: column + 4) + line)) }
    }
  }

  /// Returns the line of usage: `workbench molecules info DOCUMENT [OPTIONS]`.
  static func usage(_ fullName: String, _ declaration: CommandDescription) -> String {
    var parts = ["workbench " + fullName]
    for argument in declaration.arguments {
      let name = argument.name.uppercased() + (argument.isRepeatable ? "…" : "")
      parts.append(argument.isRequired ? name : "[\(name)]")
    }
    if !declaration.options.isEmpty || declaration.givesPicture { parts.append("[--option …]") }
    return parts.joined(separator: " ")
  }

  /// Returns an option as written: `--mode WORD`.
  static func option(_ parameter: Parameter) -> String {
    let placeholder =
      switch parameter.kind {
      case .flag: ""
      case .integer, .number: "N"
      case .choice: "WORD"
      case .numbers(let count): (0..<count).map { ["X", "Y", "Z"][$0 % 3] }.joined(separator: ",")
      case .inputFile, .outputFile: "FILE"
      case .folder: "DIR"
      case .document: "ID|FILE"
      case .url: "URL"
      case .date: "DATE"
      case .text: "TEXT"
      @unknown default: "VALUE"
      }
    return "--" + parameter.name + (placeholder.isEmpty ? "" : " " + placeholder)
  }

  /// Returns the explanation of a parameter: its summary, choices, unit and default.
  static func explanation(_ parameter: Parameter) -> String {
    var parts = [parameter.summary]
    switch parameter.kind {
    case .choice(let choices): parts.append(choices.joined(separator: ", "))
    case .integer, .number, .numbers: parts.append(parameter.expectation)
    default: if let unit = parameter.unit { parts.append("in " + unit) }
    }
    if parameter.isRepeatable { parts.append("repeatable") }
    let standard = GenericText.inline(parameter.defaultValue)
    if !parameter.defaultValue.isNull, parameter.kind != .flag, !standard.isEmpty {
      parts.append("default " + standard)
    }
    return parts.filter { !$0.isEmpty }.joined(separator: "; ")
  }

  /// Returns the effects as the predicate of a sentence; empty for none.
  static func effects(_ effects: Set<CommandDescription.Effect>) -> String {
    let phrases = CommandDescription.Effect.allCases.filter(effects.contains).compactMap { effect -> String? in
      switch effect {
      case .reads: effects.contains(.writes) ? nil : "reads files or stores"
      case .writes: effects.contains(.reads) ? "reads and changes files or stores" : "changes files or stores"
      case .deletes: "deletes data"
      case .network: "uses the network or a device"
      @unknown default: effect.rawValue
      }
    }
    guard let last = phrases.last, phrases.count > 1 else { return phrases.joined() }
    return phrases.dropLast().joined(separator: ", ") + ", and " + last
  }

  private static func pairs(_ list: Value, _ name: String) -> [(term: String, meaning: String)] {
    (list.list ?? []).map { ($0[name].text ?? "", $0["summary"].text ?? "") }
  }
}

/// Renders the values of the host's own commands.
struct HostTextRenderers: Sendable {
  /// Returns the text of a value; nil if its type is not one of the host's.
  func render(_ typeName: String, _ value: Value, _ request: TextRequest) throws -> StyledText? {
    switch typeName {
    case "host.command-help": try HelpText.command(value, for: request)
    case "host.group-help": HelpText.group(value, for: request)
    case "host.options-help": try HelpText.options(value, for: request)
    case "host.overview": HelpText.overview(value, for: request)
    case "host.version": StyledText(HostVersion.line)
    case ScriptPlan.typeName: ScriptPlan.text(of: value)
    case "host.sdk": StyledText(value["path"].text ?? "")
    case "host.findings": Finding.text(of: value)
    case "host.tour": Tour.text(of: value)
    case "host.bug-report": BugReport.text(of: value)
    case "host.json": StyledText(JSONWriter.text(of: value, indentation: 2))
    default: nil
    }
  }
}
