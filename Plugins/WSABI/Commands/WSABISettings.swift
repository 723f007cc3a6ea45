import PluginAPI

/// The settings of this plugin.
enum WSABISettings {
  static let all: [Parameter] =
    [
      Parameter(
        "idle-lock", .integer(minimum: 1, maximum: 1440), "after how long without use the store is locked",
        unit: "minute", defaultValue: 15)
    ]
    + Interaction.Kind.allCases.map { kind in
      Parameter(kind.setting, .choice(["on", "off"]), kind.summary, defaultValue: "on")
    }
}
