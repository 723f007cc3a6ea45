import PluginAPI

extension SensorAccess {
  /// The way to sensors that the user's settings leave open.
  init(_ context: any PluginContext) {
    self.init(
      isOffline: context.isOffline,
      allowed: AllowedHosts(context.setting(WSABISettings.allowedSensors).text ?? ""))
  }
}
