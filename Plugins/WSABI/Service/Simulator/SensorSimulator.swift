import PluginServer
import Synchronization

/// Simulated sensors: services of WS-Biometric Devices on the loopback interface, with synthetic captures.
///
/// Newcomers use them to try the plugin, and tests run against them. They share no reading or writing code with the
/// client. All sensors of a simulator share one port with separate paths, unless each gets its own port.
///
/// ```swift
/// let simulator = try SensorSimulator(.init(sensors: 2, namespace: .bioserv, style: .jaxb, seed: 1))
/// print(simulator.addresses, simulator.ledger.count)
/// try simulator.script("hang@capture#2")
/// await simulator.stop()
/// ```
final class SensorSimulator: Sendable {
  typealias Configuration = SimulatorConfiguration

  let configuration: Configuration
  /// The base addresses of the services, in the order of the sensors.
  let addresses: [String]
  /// The address of the ledger and the control.
  let adminAddress: String
  private let core: SimulatorCore
  private let servers: [HTTPServer]
  private let announcer: SimulatedAnnouncer?

  /// Starts sensors.
  ///
  /// - Throws: ``SimulatorError``.
  init(_ configuration: Configuration = .init()) throws(SimulatorError) {
    self.configuration = configuration
    let core = SimulatorCore(configuration)
    self.core = core
    let count = configuration.hasOwnPorts ? configuration.sensors : 1
    do throws(ServerError) {
      var servers: [HTTPServer] = []
      for index in 0..<count {
        let sensor = configuration.hasOwnPorts ? index + 1 : nil
        servers.append(
          try HTTPServer(Self.serving(configuration, index)) { request in await core.answer(request, sensor: sensor) })
      }
      var serving = HTTPServer.Configuration()
      (serving.port, serving.connections) = (configuration.adminPort, 64)
      servers.append(try HTTPServer(serving) { request in try await core.answerControl(request) })
      self.servers = servers
    } catch {
      throw .server(error)
    }
    addresses = (1...max(1, configuration.sensors)).map { [servers] number in
      configuration.hasOwnPorts ? servers[number - 1].url : "\(servers[0].url)/sensor/\(number)"
    }
    adminAddress = servers[count].url
    core.setAddresses(addresses)
    announcer = try configuration.announcement.map { [servers] announcement throws(SimulatorError) in
      let sensors = (1...max(1, configuration.sensors)).map { number in
        let word = core.sensors[number - 1].profile.modalityWord
        return SimulatedAnnouncement.Sensor(
          name: "Simulated \(word) \(number)", modality: word,
          path: configuration.hasOwnPorts ? "" : "/sensor/\(number)",
          port: servers[configuration.hasOwnPorts ? number - 1 : 0].port, isSecure: configuration.certificate != nil)
      }
      return try SimulatedAnnouncer(announcement, sensors)
    }
  }

  /// The port of the announcements; nil if there are none.
  var announcementPort: Int? { announcer?.port }

  private static func serving(_ configuration: Configuration, _ index: Int) -> HTTPServer.Configuration {
    var serving = HTTPServer.Configuration()
    serving.port = configuration.port == 0 ? 0 : configuration.port + index
    // A sensor has a client, its second connection for a cancel, its preview, and competing clients.
    serving.connections = configuration.hasOwnPorts ? 64 : max(256, 16 * configuration.sensors)
    // A connection that waits for a person is not idle: it rests.
    serving.idleInSeconds = 300
    (serving.certificate, serving.key) = (configuration.certificate?.certificate, configuration.certificate?.key)
    serving.clientAuthorities = configuration.certificate?.clientAuthorities
    serving.bodyInBytes = 16 << 20
    return serving
  }

  /// Stops the sensors; responses in progress are cut off.
  func stop() async {
    announcer?.stop()
    for sensor in core.sensors { sensor.restart() }
    for server in servers { await server.stop(deadlineInSeconds: 0) }
  }

  // MARK: Record

  /// All captures since the start, in order: the truth.
  var ledger: [CaptureLedger.Entry] { core.ledger.entries }
  /// The calls since the start, in order.
  var calls: [SimulatedCall] { core.calls.withLock { $0 } }
  /// Resets the log and the count of calls; the ledger stays.
  func forgetCalls() {
    core.calls.withLock { $0 = [] }
    core.faults.forgetCalls()
  }

  /// Returns the sensor with a number, from 1.
  func sensor(_ number: Int) -> SimulatedSensor { core.sensors[number - 1] }

  /// Waits until a sensor works on an operation.
  func waitUntilBusy(_ number: Int, with operation: SensorOperation) async {
    await sensor(number).reaches { $0.job?.operation == operation }
  }

  // MARK: Faults

  /// The active faults, with the number of times each was met.
  var faults: [(rule: SimulatorFaultRule, met: Int)] { core.faults.all }

  /// Adds faults.
  func script(_ rules: SimulatorFaultRule...) { core.faults.add(rules) }

  /// Adds faults from a script, as in `drop-after@capture#2; hang@cancel`.
  func script(_ text: String) throws(SimulatorError) { core.faults.add(try SimulatorFaultRule.script(text)) }

  /// Ends all faults.
  func heal() { core.faults.clear() }

  /// Moves the clock of all sensors.
  func advanceClock(bySeconds seconds: Double) { core.clock.advance(milliseconds: Int(seconds * 1000)) }
}

/// A call that a simulated sensor met.
struct SimulatedCall: Sendable, Hashable {
  /// From 1.
  let sensor: Int
  let operation: SensorOperation
  let session: String?
  let capture: String?
  /// The status of the response, or its replacement, such as 'http 404' or 'none'.
  var outcome: String
}
