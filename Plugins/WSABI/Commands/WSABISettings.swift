import PluginAPI

/// The settings of this plugin.
enum WSABISettings {
  static let scorer = "scorer"

  static let discoveryType = "discovery-type"
  static let cameraPort = "camera-port"

  static let all: [Parameter] =
    [
      Parameter(
        "idle-lock", .integer(minimum: 1, maximum: 1440), "after how long without use the store is locked",
        unit: "minute", defaultValue: 15),
      Parameter(
        scorer, .text, "the absolute path of a program that scores captures; empty for the plugin's own scorers",
        defaultValue: ""),
      Parameter(
        discoveryType, .text, "the type of services under which sensors are looked for",
        defaultValue: .text(DiscoveryType.usual)),
      Parameter(
        cameraPort, .integer(minimum: 1024, maximum: 65_535),
        "the port of the loopback at which cameras of this machine are served",
        defaultValue: .integer(CameraPlace.usualPort)),
    ] + switches

  /// Which kinds of interactions are written into their log.
  static let switches: [Parameter] = Interaction.Kind.allCases.map { kind in
    Parameter(kind.setting, .flag, kind.summary, defaultValue: true)
  }
}
