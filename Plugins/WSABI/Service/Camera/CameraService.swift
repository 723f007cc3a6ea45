import PluginAPI
import PluginServer

/// The cameras of this machine as services of WS-BD, so that they are sensors like all others.
///
/// The work of such a service is that of the simulated ones; only what it captures is real.
final class CameraService: Sendable {
  let cameras: [LocalCamera]
  /// In the order of the cameras.
  let addresses: [String]
  private let server: HTTPServer
  private let core: SimulatorCore

  /// Begins to serve; no camera takes a picture before it is asked for one.
  ///
  /// - Throws: ``CameraError/notServed(reason:)``, also where somebody else listens at the port.
  init(_ cameras: [LocalCamera], at place: CameraPlace, _ system: CameraSystem = .linux) throws(CameraError) {
    self.cameras = cameras
    let sources = cameras.map { CameraScene($0, system) }
    let core = SimulatorCore(try Self.configuration(), sources.map { ($0, $0.profile) })
    self.core = core
    var serving = HTTPServer.Configuration()
    (serving.port, serving.connections, serving.idleInSeconds) = (place.port, 64, 300)
    serving.bodyInBytes = 1 << 20
    let words = cameras.map(\.word)
    do throws(ServerError) {
      server = try HTTPServer(serving) { request in
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        guard parts.count >= 2, Self.isSame(parts[0], place.word), let index = words.firstIndex(of: parts[1]) else {
          return ServerResponse(404)
        }
        return await core.answer(request, Array(parts[2...]), sensor: index + 1)
      }
    } catch {
      throw .notServed(reason: error.report.message)
    }
    var actual = place
    actual.port = server.port
    addresses = cameras.map { actual.address(of: $0) }
    core.setAddresses(addresses)
  }

  /// Serves no more.
  func stop() async {
    for sensor in core.sensors { sensor.restart() }
    await server.stop(deadlineInSeconds: 0)
  }

  /// Compares in a time that does not tell where the texts differ.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    return zip(left.utf8, right.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func configuration() throws(CameraError) -> SimulatorConfiguration {
    var configuration = SimulatorConfiguration()
    // Ids of captures must never come again.
    guard let seed = RandomBytes.number() else { throw .notServed(reason: "the system gives no random numbers") }
    configuration.seed = seed
    // Pictures are in memory until they are pushed out: no more of them than one that is large needs.
    configuration.storageInBytes = 1 << 26
    configuration.maximumSessions = 64
    return configuration
  }
}
