import PluginAPI

/// The settings of this plugin.
enum WSABISettings {
  static let scorer = "scorer"
  static let allowedSensors = "allowed-sensors"
  static let retries = "capture-retries"
  static let minimumQuality = "minimum-quality"
  static let largestCapture = "largest-capture"
  static let cancelOnDismiss = "cancel-capture-on-dismiss"

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
        allowedSensors, .text,
        "the hosts at which sensors may be asked, with commas: names, '*.lab.example', '192.168.20.0/24'; empty for all",
        defaultValue: ""),
      Parameter(
        retries, .integer(minimum: 0, maximum: 100),
        "how often a capture is repeated that the sensor says failed, or that is not good enough", defaultValue: 0),
      Parameter(
        minimumQuality, .integer(minimum: 0, maximum: 100),
        "the quality from which on no capture is repeated; 0 to take each as it is", defaultValue: 0),
      Parameter(
        largestCapture, .integer(minimum: 16, maximum: 4095),
        "how large the data of one capture may be; what is larger stays at its sensor", unit: "megabyte",
        defaultValue: 512),
      Parameter(
        cancelOnDismiss, .flag, "whether a capture is cancelled when its card is closed meanwhile", defaultValue: false),
      Parameter(
        discoveryType, .text, "the type of services under which sensors are looked for",
        defaultValue: .text(DiscoveryType.usual)),
      Parameter(
        cameraPort, .integer(minimum: 1024, maximum: 65_535),
        "the port of the loopback at which cameras of this machine are served",
        defaultValue: .integer(CameraPlace.usualPort)),
    ] + switches

  /// The settings that select which kinds of interactions are logged.
  static let switches: [Parameter] = Interaction.Kind.allCases.map { kind in
    Parameter(kind.setting, .flag, kind.summary, defaultValue: true)
  }
}

extension SensorAccess {
  /// Creates the access to sensors that the user's settings allow.
  init(_ context: any PluginContext) {
    var limits = SensorLimits()
    if let megabytes = context.setting(WSABISettings.largestCapture).integer { limits.dataInBytes = megabytes << 20 }
    self.init(
      isOffline: context.isOffline,
      allowed: AllowedHosts(context.setting(WSABISettings.allowedSensors).text ?? ""), limits: limits)
  }
}
