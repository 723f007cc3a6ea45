public import PluginAPI
import PluginServer
public import PluginSimulation
import Synchronization

/// The behavior of simulated sensors.
public struct SimulatorConfiguration: Sendable {
  /// The XML style of a known implementation.
  public enum Style: String, CaseIterable, Sendable, ParameterValue {
    /// That of .NET: prefixes such as `d4p1` at every value, `q:type`, no declaration.
    case wcf
    /// That of Java: a declaration, prefixes `xs` and `xsi` at every value, an empty `message` on success.
    case jaxb
  }

  /// The behavior of one of NIST's two services where they differ: steal lock, bad ids, foreign configurations.
  public enum Manner: String, CaseIterable, Sendable, ParameterValue {
    case dotNet = "dotnet"
    case java
  }

  /// The kind of pictures that the sensors deliver.
  public enum Pictures: String, CaseIterable, Sendable, ParameterValue {
    /// Synthetic fingerprints, faces and irises, in the full size of such captures.
    case synthetic
    /// A small pattern, another one for each capture, for tests of all but the pictures.
    case quick
  }

  public var sensors = 1
  public var namespace = SimulatedNamespace.bioserv
  public var style = Style.wcf
  public var seed: UInt64 = 1
  /// The seed for the ids of sessions and captures; nil for the general seed.
  ///
  /// A restarted simulator repeats ids that a store already knows, unless it gets another seed here.
  public var idSeed: UInt64?
  /// The port of all sensors, or of the first if each has its own; 0 for any that is free.
  public var port = 0
  /// The port of the ledger and the control; 0 for any that is free.
  public var adminPort = 0
  /// For HTTPS: the certificates, the server's own first, and their key, as PEM; nil for HTTP.
  public var certificate: SimulatorCertificate?
  /// True if each sensor has its own port, and with it a thread; otherwise all share one and differ by their paths.
  public var hasOwnPorts = false
  /// The manner; nil for that of the style's makers.
  public var manner: Manner?
  /// The announcement of the sensors to clients that search for them; nil for none.
  public var announcement: SimulatedAnnouncement?
  /// The modalities of the sensors, in turn.
  public var modalities: [SimulatedModality] = [.finger, .face, .iris]
  public var pictures = Pictures.quick
  /// The person at the sensors at the start.
  public var person = 1
  /// The type of pictures if a configuration does not set it.
  public var contentType = "image/bmp"
  /// The size of each capture in bytes, as a bitmap of noise; nil for pictures.
  public var captureSizeInBytes: Int?
  /// The number of captures per call; nil for the natural one: two for both irises, one otherwise.
  public var capturesPerCall: Int?
  /// True if a slap is followed by its fingers one by one.
  public var segmentsSlaps = false

  public var captureDelayInMilliseconds = 0
  /// The duration of initialization, configuration and the like.
  var workDelayInMilliseconds = 0
  /// The time to prepare data after a capture.
  public var postProcessingInMilliseconds = 0
  /// The sensor's timeout for each of its operations.
  var timeoutInMilliseconds = 30_000
  public var maximumSessions = 256
  var dropsLRUSessions = true
  public var inactivityTimeoutInSeconds = 3600
  public var stealPreventionInMilliseconds = 61_440
  public var storageInBytes = Int.max
  var dropsLRUCaptures = true
  public var requiresConfiguration = false
  /// True if a configuration in another namespace is answered with success and not applied; nil for the manner's
  /// default.
  var ignoresForeignConfigurations: Bool?
  /// True if `noSuchParameter` is written as in NIST's schemas, `noSuchParamter`; nil for the manner's default.
  var misspellsNoSuchParameter: Bool?
  /// True if requests without a stated length are refused where they could have a body.
  var demandsLength = false
  /// True if responses are chunked, without a stated length; nil for the manner's default: every other one of Java's.
  var isChunked: Bool?
  var hasPreview = true
  /// True if everybody may see the live preview, not only the holder of the lock.
  public var hasOpenPreview = true
  var framesPerSecond = 20
  /// True if the clock is advanced only by hand, so that a test controls the age of sessions, locks and data.
  var hasStillClock = false
  /// The faults active from the start.
  var faults: [SimulatorFaultRule] = []
}

extension SimulatorConfiguration {
  /// Creates the usual behavior.
  public init(sensorCount: Int) {
    self.init()
    sensors = sensorCount
  }
}

extension SimulatorConfiguration {
  var actualManner: Manner { manner ?? (style == .wcf ? .dotNet : .java) }
  var actuallyIgnoresForeign: Bool { ignoresForeignConfigurations ?? (actualManner == .java) }
  var actuallyMisspells: Bool { misspellsNoSuchParameter ?? (actualManner == .java) }
  /// True if the namespace is one of OASIS, which introduced previews, asynchronous captures and a status.
  var isOfOASIS: Bool { namespace == .biometrics || namespace == .bioserv }
}

/// The errors that prevent the start of simulated sensors.
public enum SimulatorError {
  static let unknownFault = DeclaredError("wsabi.unknown-fault", .usage, "the simulator has no fault of that name")
  public static let badCertificate = DeclaredError(
    "wsabi.simulator-certificate", .unusableInput, "the certificate for simulated sensors, or its key, is missing")
  static let notAnnounced = DeclaredError(
    "wsabi.not-announced", .unusableInput, "simulated sensors cannot be announced on the loopback interface")
  static let badFaultRule = DeclaredError(
    "wsabi.bad-fault-rule", .usage, "the rule of a simulated fault is malformed")

  /// The catalog of these errors and of the server's.
  public static let errorCodes =
    ServerError.errorCodes + [unknownFault, badCertificate, notAnnounced, badFaultRule].map(\.catalogueEntry)

  /// Returns the report of a fault script that cannot be read.
  static func report(_ error: FaultScriptError) -> ErrorReport {
    error.report(
      unknownFault: unknownFault, badRule: badFaultRule,
      syntax: "NAME[@OPERATION][#CALL[-[CALL]]][:SENSOR][~PERCENT][+TIMES][=VALUE]")
  }
}

/// Serves simulated sensors until the task is canceled, or lists the faults.
///
/// - Parameters:
///   - faults: The fault scripts; 'list' for the list.
///   - print: Prints a line: an address with what is captured there, or a fault.
///   - configure: Returns the behavior of the sensors.
/// - Throws: `ErrorReport`, as for a fault script that cannot be read, and errors of the functions.
public func simulate(
  faults: [String], print: (String) async throws -> Void, configure: () throws -> SimulatorConfiguration
) async throws {
  if let lines = SimulatorShell.faultList(faults, of: SimulatorFault.self, column: 22) {
    for line in lines { try await print(line) }
    return
  }
  var configuration = try configure()
  do throws(FaultScriptError) {
    configuration.faults += try faults.faultRules()
  } catch {
    throw SimulatorError.report(error)
  }
  let simulator = try SensorSimulator(configuration)
  let lines = simulator.addresses.enumerated().map { index, address in
    "\(address) \(simulator.sensor(index + 1).profile.modalityWord)"
  }
  try await SimulatorShell.run(lines + ["\(simulator.adminAddress) control"], print: print, stop: simulator.stop)
}

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
  /// - Throws: ``SimulatorError/notAnnounced``, or the report of a `ServerError`.
  init(_ configuration: Configuration = .init()) throws(ErrorReport) {
    self.configuration = configuration
    let core = SimulatorCore(configuration)
    self.core = core
    let count = configuration.hasOwnPorts ? configuration.sensors : 1
    do throws(ServerError) {
      var servers: [HTTPServer] = []
      for index in 0..<count {
        let sensor = configuration.hasOwnPorts ? index + 1 : nil
        servers.append(
          try HTTPServer(Self.serving(configuration, index)) { request in
            await core.respond(to: request, sensor: sensor)
          })
      }
      var serving = HTTPServer.Configuration()
      (serving.port, serving.connections) = (configuration.adminPort, 64)
      servers.append(try HTTPServer(serving) { request in try await core.answerControl(request) })
      self.servers = servers
    } catch {
      throw error.report
    }
    addresses = (1...max(1, configuration.sensors)).map { [servers] number in
      configuration.hasOwnPorts ? servers[number - 1].url : "\(servers[0].url)/sensor/\(number)"
    }
    adminAddress = servers[count].url
    core.setAddresses(addresses)
    announcer = try configuration.announcement.map { [servers] announcement throws(ErrorReport) in
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
  var calls: [SimulatedCall] { core.record.withLock(\.calls) }
  /// Resets the log and the count of calls; the ledger stays.
  func forgetCalls() { core.record.withLock { $0.reset() } }

  /// Returns the sensor with a number, from 1.
  func sensor(_ number: Int) -> SimulatedSensor { core.sensors[number - 1] }

  /// Waits until a sensor works on an operation.
  func waitUntilBusy(_ number: Int, with operation: SimulatedOperation) async {
    await sensor(number).reaches { $0.job?.operation == operation }
  }

  // MARK: Faults

  /// The active faults, with the number of times each was met.
  var faults: [SensorLedger.ActiveFault] { core.record.withLock(\.faults) }

  /// Adds faults.
  func script(_ rules: SimulatorFaultRule...) { core.record.withLock { $0.add(rules) } }

  /// Adds faults from a script, as in `drop-after@capture#2; hang@cancel`.
  func script(_ text: String) throws(FaultScriptError) {
    let rules = try SimulatorFaultRule.script(text)
    core.record.withLock { $0.add(rules) }
  }

  /// Ends all faults.
  func heal() { core.record.withLock { $0.endFaults() } }

  /// Moves the clock of all sensors.
  func advanceClock(bySeconds seconds: Double) { core.clock.advance(milliseconds: Int(seconds * 1000)) }
}

/// A call that a simulated sensor met.
struct SimulatedCall: Sendable, Hashable {
  /// From 1.
  let sensor: Int
  let operation: SimulatedOperation
  let session: String?
  let capture: String?
  /// The status of the response, or its replacement, such as 'http 404' or 'none'.
  var outcome: String
}
