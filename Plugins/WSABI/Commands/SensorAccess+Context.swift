import PluginAPI

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
