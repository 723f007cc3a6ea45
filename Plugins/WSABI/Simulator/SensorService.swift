public import PluginServer

/// A sensor that is not simulated, such as a camera of this machine, served as simulated ones are.
public final class SensorService: Sendable {
  private let core: SimulatorCore

  /// Creates a service; nothing is captured before it is requested.
  ///
  /// - Parameters:
  ///   - seed: The seed of its ids, which must never come again.
  ///   - storageInBytes: The size of the captures that are kept.
  public init(_ scene: any SensorScene, _ profile: SensorProfile, seed: UInt64, storageInBytes: Int, sessions: Int) {
    var configuration = SimulatorConfiguration()
    (configuration.seed, configuration.storageInBytes) = (seed, storageInBytes)
    configuration.maximumSessions = sessions
    core = SimulatorCore(configuration, [(scene, profile)])
  }

  /// Sets its own address, which documents name.
  public func setAddress(_ address: String) { core.setAddresses([address]) }

  /// Responds to a request.
  ///
  /// - Parameter parts: The path below its address, between the slashes.
  public func respond(to request: ServerRequest, _ parts: [String]) async -> ServerResponse {
    await core.respond(to: request, parts, sensor: 1)
  }

  /// Ends its sessions and its operation; captures stay.
  public func restart() { for sensor in core.sensors { sensor.restart() } }
}
