import PluginAPI

/// Sensors that are found without their address, as they announce themselves.
struct SensorFinding: Sendable {
  /// The only interface that is asked; nil for all that are up.
  var interface: String?
  var port = DiscoverySockets.usualPort
  var deadlineInSeconds = 3
  /// How many are enough; nil for all that answer in time.
  var count: Int?

  /// Looks around.
  ///
  /// - Throws: ``DiscoveryError``.
  func outcome(_ context: any PluginContext) async throws -> SensorDiscovery.Outcome {
    var request = SensorDiscovery.Request(type: try Self.type(context))
    request.deadlineInMilliseconds = 1000 * deadlineInSeconds
    request.count = count
    let (interface, port) = (interface, port)
    if context.isOffline { throw DiscoveryError.offline }
    return try await SensorDiscovery(request: request).outcome { () throws(DiscoveryError) in
      try DiscoverySockets(interface: interface, port: port)
    }
  }

  /// The type of services that is looked for.
  ///
  /// - Throws: ``DiscoveryError/badType(_:)``.
  static func type(_ context: any PluginContext) throws(DiscoveryError) -> DiscoveryType {
    let text = context.setting(WSABISettings.discoveryType).text ?? DiscoveryType.usual
    guard let type = DiscoveryType(text) else { throw .badType(text) }
    return type
  }
}
