import PluginAPI

/// All declared settings with their values, as `workbench config` shows them.
struct SettingsBook: Sendable {
  let settings: Settings
  /// The declared settings by area, the host's first.
  private let areas: [(name: String, parameters: [Parameter])]
  private let options: GlobalOptions

  /// Creates the book of a run.
  @MainActor init(_ interpreter: CommandInterpreter) {
    self.init(
      interpreter.session.settings, plugins: interpreter.session.plugins.contributions, options: interpreter.options)
  }

  /// Creates a book.
  init(_ settings: Settings, plugins: [StoredContributions], options: GlobalOptions) {
    self.settings = settings
    self.options = options
    areas = [(HostSettings.area, HostSettings.all)] + plugins.map { ($0.plugin.id, $0.settings) }
  }

  /// Throws the problem of the file, if there is one.
  func requireReadable() throws(ErrorReport) {
    if let problem = settings.problem { throw problem }
  }

  /// Returns the setting with a name: `plugin.setting`, `host.setting`, or a host setting without its area.
  func find(_ key: String) throws(ErrorReport) -> (area: String, parameter: Parameter) {
    let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
    let (area, name) = parts.count == 2 ? (parts[0], parts[1]) : (HostSettings.area, key)
    let parameters = areas.first { $0.name == area }?.parameters ?? []
    guard let parameter = parameters.first(where: { $0.name == name }) else {
      throw SettingsError.unknown(key, known: names + HostSettings.all.map(\.name))
    }
    return (area, parameter)
  }

  /// The variables that set the declared settings, without personal data.
  var variables: [String] {
    areas.flatMap { area in
      area.parameters.filter { !$0.isPersonal }.map { Settings.variable(area.name, $0.name) }
    }
  }

  /// The names of all declared settings.
  var names: [String] { areas.flatMap { area in area.parameters.map { area.name + "." + $0.name } } }

  /// Returns the effective value, even of a setting that only the file contains.
  func effectiveValue(_ key: String) throws(ErrorReport) -> Value {
    do {
      let (area, parameter) = try find(key)
      return effective(area, parameter).value
    } catch {
      let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
      guard parts.count == 2, let value = settings.stored(parts[0], parts[1]) else { throw error }
      return value
    }
  }

  /// A declared setting with a value other than its default.
  struct Change: Sendable {
    /// The name, `area.setting`.
    var name: String
    var parameter: Parameter
    var source: Settings.Source
    var value: Value
  }

  /// The declared settings that differ from their defaults.
  var changes: [Change] {
    areas.flatMap { area in
      area.parameters.compactMap { parameter in
        let (source, value) = effective(area.name, parameter)
        return value == parameter.defaultValue
          ? nil : Change(name: area.name + "." + parameter.name, parameter: parameter, source: source, value: value)
      }
    }
  }

  /// The settings in the file that no plugin declares, as `area.name`.
  var undeclared: [String] {
    settings.undeclared(Dictionary(uniqueKeysWithValues: areas.map { ($0.name, $0.parameters) }))
  }

  /// Stores a value given as texts.
  func set(_ key: String, to texts: [String]) throws {
    let (area, parameter) = try find(key)
    do {
      var values: [Value] = []
      for text in texts { values.append(try parameter.value(parsing: text)) }
      guard parameter.isRepeatable || values.count == 1, let first = values.first else {
        throw CommandLineError.extraArgument(texts.dropFirst().first ?? "", command: "config set " + key, limit: 1)
      }
      if area == HostSettings.area { try HostSettings.check(parameter, first, settings) }
      try settings.set(area, parameter, to: parameter.isRepeatable ? .list(values) : first)
    } catch let error as ParameterError {
      throw SettingsError.unfitting(error.description)
    }
  }

  /// All settings; undeclared ones in the file come last.
  var table: Table {
    let declared = areas.flatMap { area in area.parameters.map { (area.name, $0) } }
    let undeclared = undeclared
    let values = declared.map { effective($0.0, $0.1) }
    return Table(columns: [
      .init("name", .texts(names + undeclared)),
      .init("value", .values(values.map(\.value) + undeclared.map { (try? effectiveValue($0)) ?? .null })),
      .init("source", .texts(values.map(\.source.rawValue) + undeclared.map { _ in Settings.Source.user.rawValue })),
      .init(
        "summary", title: "meaning",
        .texts(declared.map(\.1.summary) + undeclared.map { _ in "unknown setting, kept unchanged" })),
    ])
  }

  /// Returns the explanation of a setting, with its value in each source.
  func explanation(_ key: String) throws(ErrorReport) -> Value {
    let (area, parameter) = try find(key)
    let holding = effective(area, parameter)
    let sources = levels(area, parameter).map { level -> Value in
      let origin = origin(level.source, area, parameter)
      return [
        "source": .text(level.source.rawValue), "where": .text(origin.place), "line": .optional(origin.line),
        "value": level.value, "problem": .optional(origin.problem),
      ]
    }
    return [
      "name": .text(area + "." + parameter.name), "summary": .text(parameter.summary),
      "accepts": .text(parameter.expectation), "value": holding.value, "source": .text(holding.source.rawValue),
      "sources": .list(sources),
    ]
  }

  private func levels(_ area: String, _ parameter: Parameter) -> [(source: Settings.Source, value: Value)] {
    [(.flag, flag(area, parameter))] + settings.levels(area, parameter)
  }

  private func effective(_ area: String, _ parameter: Parameter) -> (source: Settings.Source, value: Value) {
    levels(area, parameter).first { !$0.value.isNull } ?? (.default, .null)
  }

  private func origin(_ source: Settings.Source, _ area: String, _ parameter: Parameter) -> Settings.Origin {
    if source == .flag { return Settings.Origin(place: hasFlag(area, parameter) ? "--" + parameter.name : "") }
    return settings.origin(source, area, parameter)
  }

  private func hasFlag(_ area: String, _ parameter: Parameter) -> Bool {
    area == HostSettings.area && GlobalOption.all.contains { $0.name == parameter.name }
  }

  /// Returns the value from the command line; only the host's settings have options.
  private func flag(_ area: String, _ parameter: Parameter) -> Value {
    guard area == HostSettings.area, options.given.contains(parameter.name) else { return .null }
    return switch parameter.name {
    case "color": .text(options.color.rawValue)
    case "graphics": .text(options.picture.graphics?.rawValue ?? "auto")
    case "isolate": .bool(options.isIsolating)
    case "offline": .bool(options.isOffline)
    case "plain": .bool(options.isPlain)
    case "quiet": .bool(options.isQuiet)
    default: .null
    }
  }
}
