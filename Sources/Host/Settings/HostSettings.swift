import PluginAPI

/// The host's own settings: `host.color` and so on.
enum HostSettings {
  /// The name of their area in the file and in `config list`.
  static let area = "host"

  /// All of them.
  static let all: [Parameter] = [
    Parameter(
      "background", .choice(GlobalOptions.BackgroundChoice.allCases.map(\.rawValue)),
      "Background of the terminal; auto asks the terminal", defaultValue: "auto"),
    Parameter(
      "color", .choice(GlobalOptions.ColorChoice.allCases.map(\.rawValue)), "Use of color, or number of colors",
      defaultValue: "auto"),
    Parameter(
      "graphics", .choice(GraphicsMode.allCases.map(\.rawValue) + ["auto"]), "Graphics mode of pictures in a terminal",
      defaultValue: "auto"),
    memoryLimit,
    Parameter("offline", .flag, "Work without the network"),
    Parameter("plain", .flag, "Linear text without color, box drawing and animation"),
    Parameter("quiet", .flag, "No notes and no progress"),
  ]

  private static let memoryLimit = Parameter(
    "memory-limit", .integer(minimum: 0, maximum: 1 << 24),
    "Limit of writable memory once plugins run; 0 for no limit", unit: "megabyte", defaultValue: 0)

  /// Returns the memory limit of the program once it runs plugins; nil for none.
  static func memoryLimitInMegabytes(_ settings: Settings) -> Int? {
    settings.value(area, memoryLimit).integer.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Returns the global options with the values of the settings.
  static func options(_ settings: Settings, over base: GlobalOptions = GlobalOptions()) -> GlobalOptions {
    func value(_ name: String) -> Value {
      all.first { $0.name == name }.map { settings.value(area, $0) } ?? .null
    }
    var options = base
    options.color = value("color").text.flatMap(GlobalOptions.ColorChoice.init(rawValue:)) ?? .auto
    options.background =
      value("background").text.flatMap(GlobalOptions.BackgroundChoice.init(rawValue:)) ?? .auto
    options.picture.graphics = value("graphics").text.flatMap(GraphicsMode.init(rawValue:))
    options.isOffline = value("offline").bool ?? false
    options.isPlain = base.isPlain || value("plain").bool == true
    options.isQuiet = value("quiet").bool ?? false
    return options
  }
}
