import PluginAPI

/// The settings of this plugin.
enum WSABISettings {
  static let scorer = "scorer"
  static let allowedSensors = "allowed-sensors"

  static let all: [Parameter] =
    [
      Parameter(
        "idle-lock", .integer(minimum: 1, maximum: 1440), "after how long without use the store is locked",
        unit: "minute", defaultValue: 15),
      Parameter(
        scorer, .text, "the absolute path of a program that scores captures; empty for the plugin's own scorers",
        defaultValue: ""),
      Parameter(
        allowedSensors, .text,
        "the hosts at which sensors may be asked, with commas: names, '*.lab.example', '192.168.20.0/24'; empty for all",
        defaultValue: ""),
    ] + switches

  /// Which kinds of interactions are written into their log.
  static let switches: [Parameter] = Interaction.Kind.allCases.map { kind in
    Parameter(kind.setting, .flag, kind.summary, defaultValue: true)
  }
}
