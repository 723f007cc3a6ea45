import PluginAPI

/// The host's own settings: `host.color` and so on.
enum HostSettings {
  /// The name of their area in the file and in `config list`.
  static let area = "host"

  /// All of them.
  static let all: [Parameter] = [
    background.parameter, color.parameter, graphics.parameter, isolate.parameter, keyMap.parameter, links.parameter,
    memoryLimit.parameter, offline.parameter, pagerChoice.parameter, plain.parameter, quiet.parameter,
    recentDocuments.parameter, servedCalls.parameter, theme.parameter,
  ]

  private static let background = Setting(
    "background", "Background of the terminal; auto asks the terminal", default: GlobalOptions.BackgroundChoice.auto)
  private static let color = Setting(
    "color", "Use of color, or number of colors", default: GlobalOptions.ColorChoice.auto)
  private static let graphics = Setting<GraphicsMode?>(
    Parameter(
      "graphics", .choice(GraphicsMode.allCases.map(\.rawValue) + ["auto"]), "Graphics mode of pictures in a terminal",
      defaultValue: "auto"),
    default: nil
  ) { value in value.text.flatMap(GraphicsMode.init(rawValue:)) }
  private static let keyMap = Setting(
    InterfaceFile.keyMap.rawValue, "Keys of screens: a file of the config folder's keys/, without .json",
    default: InterfaceFile.standardName)
  private static let links = Setting(
    "links", "Web addresses in results and on screens as links; auto on terminals known to open them",
    default: GlobalOptions.LinkChoice.auto)
  private static let memoryLimit = Setting(
    "memory-limit", in: 0...1 << 24, "Limit of writable memory while plugins run; 0 for no limit", unit: "megabyte",
    default: 0)
  private static let isolate = Setting(
    flag: "isolate", "Run each plugin in a separate process, like '--isolate'")
  private static let offline = Setting(flag: "offline", "Work without the network")
  private static let pagerChoice = Setting(
    "pager", "Pager for results of the shell that are longer than the screen; auto runs PAGER, or less",
    default: PagerChoice.auto)
  private static let plain = Setting(flag: "plain", "Linear text without color, box drawing and animation")
  private static let quiet = Setting(flag: "quiet", "No notes and no progress")
  private static let servedCalls = Setting(
    "serve-calls", in: 1...64, "Calls that 'serve' runs at the same time for a client", default: ServeLimits().calls)
  private static let recentDocuments = Setting(
    flag: "recent-documents", "Recent documents on the home screen", default: true)
  private static let theme = Setting(
    InterfaceFile.theme.rawValue, "Colors: standard, light, high-contrast, or a file of the config folder's themes/",
    default: InterfaceFile.standardName)

  /// Returns the memory limit of the program once it runs plugins; nil for none.
  static func memoryLimitInMegabytes(_ settings: Settings) -> Int? {
    let limit = settings[area, memoryLimit]
    return limit > 0 ? limit : nil
  }

  /// Returns the number of calls that run at the same time for a client of `serve`.
  static func servedCalls(_ settings: Settings) -> Int { settings[area, servedCalls] }

  /// Returns the choice of a pager.
  static func pager(_ settings: Settings) -> PagerChoice { settings[area, pagerChoice] }

  /// True if the names of opened documents are kept.
  static func keepsRecentDocuments(_ settings: Settings) -> Bool { settings[area, recentDocuments] }

  /// Returns the global options with the values of the settings.
  static func options(_ settings: Settings, over base: GlobalOptions = GlobalOptions()) -> GlobalOptions {
    var options = base
    options.color = settings[area, color]
    options.background = settings[area, background]
    options.picture.graphics = settings[area, graphics]
    options.links = settings[area, links]
    options.isIsolating = settings[area, isolate]
    options.isOffline = settings[area, offline]
    options.isPlain = base.isPlain || settings[area, plain]
    options.isQuiet = settings[area, quiet]
    options.theme = (try? theme(named: settings[area, theme], settings)) ?? .standard
    return options
  }
}

extension HostSettings {
  /// Returns the user's keys by action: those under `host.keys`, over those of the key map.
  static func keys(_ settings: Settings) -> [String: [Key]] {
    let map = (try? keys(named: settings[area, keyMap], settings)) ?? [:]
    return map.merging((try? ownKeys(settings)) ?? [:]) { _, own in own }
  }

  /// Returns the user's sequences of keys by action, as ``keys(_:)`` does.
  static func sequences(_ settings: Settings) -> [String: [KeySequence]] {
    let map = try? InterfaceFile.keyMap.read(settings[area, keyMap], in: places(settings)).fields
    let own = settings.stored(area, "keys")?.record
    // Only of files that can be used.
    let isUsable = (try? keys(named: settings[area, keyMap], settings)) != nil
    let ownIsUsable = (try? ownKeys(settings)) != nil
    return KeyMap.sequences(isUsable ? map ?? Record() : Record())
      .merging(KeyMap.sequences(ownIsUsable ? own ?? Record() : Record())) { _, own in own }
  }

  /// Returns the errors in the user's theme and keys, which are not used then.
  static func problems(_ settings: Settings) -> [InterfaceFileError] {
    var problems: [InterfaceFileError] = []
    do throws(InterfaceFileError) { _ = try theme(named: settings[area, theme], settings) } catch {
      problems.append(error)
    }
    do throws(InterfaceFileError) { _ = try keys(named: settings[area, keyMap], settings) } catch {
      problems.append(error)
    }
    do throws(InterfaceFileError) { _ = try ownKeys(settings) } catch { problems.append(error) }
    return problems
  }

  /// Returns the errors of variables and values in the settings file that do not fit the host's settings, by setting.
  static func unfittingValues(_ settings: Settings) -> [(setting: String, report: ErrorReport)] {
    var unfitting: [(setting: String, report: ErrorReport)] = []
    for parameter in all {
      for source in [Settings.Source.environment, .user] {
        let origin = settings.origin(source, area, parameter)
        guard let problem = origin.problem else { continue }
        let place = origin.line.map { "'\(origin.place)', line \($0)" } ?? origin.place
        let report = SettingsError.unfitting(
          "\(place): \(problem)", advice: "see 'workbench config explain \(parameter.name)'")
        unfitting.append((parameter.name, report))
      }
    }
    return unfitting
  }

  /// Checks the file that a value of one of the host's settings names.
  static func check(_ parameter: Parameter, _ value: Value, _ settings: Settings) throws(InterfaceFileError) {
    guard let kind = InterfaceFile(rawValue: parameter.name), let name = value.text else { return }
    switch kind {
    case .theme: _ = try theme(named: name, settings)
    case .keyMap: _ = try keys(named: name, settings)
    }
  }

  /// Returns the names of the files that a setting of the host accepts; nil for a setting without files.
  static func files(for parameter: Parameter, _ settings: Settings) -> [String]? {
    InterfaceFile(rawValue: parameter.name)?.names(in: places(settings))
  }

  private static func theme(named name: String, _ settings: Settings) throws(InterfaceFileError) -> Theme {
    try Theme(try InterfaceFile.theme.read(name, in: places(settings)))
  }

  private static func keys(named name: String, _ settings: Settings) throws(InterfaceFileError) -> [String: [Key]] {
    try KeyMap.overrides(try InterfaceFile.keyMap.read(name, in: places(settings)))
  }

  private static func ownKeys(_ settings: Settings) throws(InterfaceFileError) -> [String: [Key]] {
    try KeyMap.overrides((settings.stored(area, "keys")?.record ?? Record(), settings.path))
  }

  /// The folders with themes and key maps: the user's before those of the program.
  private static func places(_ settings: Settings) -> [String] {
    [FilePath.folder(of: settings.path), HostInstallation.current.sharedFiles]
  }
}
