import PluginAPI

/// The host's own settings: `host.color` and so on.
enum HostSettings {
  /// The name of their area in the file and in `config list`.
  static let area = "host"

  /// All of them.
  static let all: [Parameter] = [
    background.parameter, color.parameter, graphics.parameter, memoryLimit.parameter, offline.parameter,
    plain.parameter, quiet.parameter,
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
  private static let memoryLimit = Setting(
    "memory-limit", in: 0...1 << 24, "Limit of writable memory once plugins run; 0 for no limit", unit: "megabyte",
    default: 0)
  private static let offline = Setting(flag: "offline", "Work without the network")
  private static let plain = Setting(flag: "plain", "Linear text without color, box drawing and animation")
  private static let quiet = Setting(flag: "quiet", "No notes and no progress")

  /// Returns the memory limit of the program once it runs plugins; nil for none.
  static func memoryLimitInMegabytes(_ settings: Settings) -> Int? {
    let limit = settings[area, memoryLimit]
    return limit > 0 ? limit : nil
  }

  /// Returns the global options with the values of the settings.
  static func options(_ settings: Settings, over base: GlobalOptions = GlobalOptions()) -> GlobalOptions {
    var options = base
    options.color = settings[area, color]
    options.background = settings[area, background]
    options.picture.graphics = settings[area, graphics]
    options.isOffline = settings[area, offline]
    options.isPlain = base.isPlain || settings[area, plain]
    options.isQuiet = settings[area, quiet]
    return options
  }
}
