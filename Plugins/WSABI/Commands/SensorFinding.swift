import PluginAPI

/// Sensors that are found without their address: those that announce themselves, and the cameras of this machine.
struct SensorFinding: Sendable {
  /// The only interface that is queried; nil for all that are up.
  var interface: String?
  var port = DiscoverySockets.usualPort
  var deadlineInSeconds = 3
  /// The number of sensors that suffices; nil for all that respond in time.
  var count: Int?

  /// Runs the search; cameras come first, as they are known at once.
  ///
  /// - Throws: ``DiscoveryError``, unless there are cameras.
  func outcome(_ context: any PluginContext, _ cameras: LocalCameras) async throws -> SensorDiscovery.Outcome {
    let near = interface == nil ? cameras.found(context) : []
    var request = SensorDiscovery.Request(type: try Self.type(context))
    request.deadlineInMilliseconds = 1000 * deadlineInSeconds
    request.count = count.map { max(0, $0 - near.count) }
    let (interface, port) = (interface, port)
    do {
      if context.isOffline { throw DiscoveryError.offline }
      var outcome = try await SensorDiscovery(request: request).outcome { () throws(DiscoveryError) in
        try DiscoverySockets(interface: interface, port: port)
      }
      let all = near + outcome.sensors
      outcome.sensors = Array(all.prefix(count ?? all.count))
      return outcome
    } catch let error as DiscoveryError {
      if near.isEmpty { throw error }
      return SensorDiscovery.Outcome(sensors: near)
    }
  }

  /// Returns the sensors that may capture a modality.
  ///
  /// - Throws: ``DiscoveryError``, unless there are cameras.
  func sensors(
    for modality: Modality, _ context: any PluginContext, _ cameras: LocalCameras
  ) async throws -> [DiscoveredSensor] {
    try await outcome(context, cameras).sensors.filter { $0.mayCapture(modality) }
  }

  /// Returns the service type to search for.
  ///
  /// - Throws: ``DiscoveryError/badType(_:)``.
  static func type(_ context: any PluginContext) throws(DiscoveryError) -> DiscoveryType {
    let text = context.setting(WSABISettings.discoveryType).text ?? DiscoveryType.usual
    guard let type = DiscoveryType(text) else { throw .badType(text) }
    return type
  }
}
