import PluginNet

/// Makes connections to sensors as the user wants them.
struct SensorAccess: Sendable {
  private let client: HTTPClient
  private let limits: SensorLimits

  /// - Parameter isOffline: Whether nothing may be asked of any host.
  init(isOffline: Bool, limits: SensorLimits = SensorLimits()) {
    client = HTTPClient(.init(isOffline: isOffline))
    self.limits = limits
  }

  func connection(_ address: SensorAddress) -> SensorConnection { SensorConnection(address, client, limits: limits) }
}
