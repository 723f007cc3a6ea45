import PluginAPI
import PluginSimulation
import WSABISimulator

/// The command that serves simulated sensors, for trying the plugin and for tests.
enum SimulateSensorCommand {
  static let command = WSABICommand(
    CommandDescription(
      "simulate", "Serve simulated sensors on this machine until interrupted",
      output: .init(.text, isStream: true), effects: [.network]
    ).taking(inputs).explained(
      """
      Prints the address and modality of each sensor, and last the address of the ledger and the control. They are \
      printed at once; with '--json' as one list at the end, so use '--jsonl' in scripts. Pictures are synthetic. A \
      fault is NAME[@OPERATION][#CALL[-[CALL]]][:SENSOR][~PERCENT][+TIMES][=VALUE], several separated by ';': \
      'drop-after@capture#2' loses the response of the second capture; 'list' prints all names. The control answers \
      'GET /ledger', '/sensors', '/calls' and '/faults', accepts rules with 'POST /faults', and 'POST \
      /sensors/1/kill', 'revive', 'restart', 'break', 'release', 'person/2' and '/clock/60'.
      """,
      examples: [
        .init("simulate", "Sensors for fingers, faces and irises"),
        .init("simulate --sensors 1 --modality iris --style jaxb --port 8000", "An iris camera in the style of Java"),
        .init("simulate --announce", "Sensors that 'sensor discover' finds"),
        .init("simulate --fault hang@capture#2 --fault delay@download=2000", "Sensors with two faults"),
        .init("simulate --fault list", "List the faults"),
      ]), simulate)

  private static let inputs: [any CommandInput] = [
    port, adminPort, sensors, certificate, key, clientAuthorities, announces, announcementPort, ownPorts, namespace,
    style, manner, faults, seed, sessionSeconds, mostSessions, stealAfter, needsConfiguration, locksPreview, modalities,
    pictures, contentType, captureSize, person, capturesPerCall, segments, captureDelay, postProcessing, storage,
  ]

  private static let port = Option(
    "port", in: 0...65_535, "Port of all sensors; 0 for any free port", default: 0)
  private static let adminPort = Option(
    "admin-port", in: 0...65_535, "Port of the control; 0 for any free port", default: 0)
  private static let sensors = Option("sensors", in: 1...1024, "Number of sensors", default: 3)
  private static let certificate = Option(
    "certificate", String.self, kind: .inputFile(extensions: ["pem"]), "PEM file with the certificate for HTTPS")
  private static let key = Option(
    "key", String.self, kind: .inputFile(extensions: ["pem"]), "PEM file with the private key of the certificate")
  private static let clientAuthorities = Option(
    "client-authorities", String.self, kind: .inputFile(extensions: ["pem"]),
    "PEM file with the authorities of client certificates, which clients must then present")
  private static let announces = Option(flag: "announce", "Announce the sensors to 'sensor discover' on this machine")
  private static let announcementPort = Option(
    "announce-port", in: 0...65_535, "Port for announcements", default: DiscoverySockets.usualPort)
  private static let ownPorts = Option(flag: "own-ports", "Give each sensor its own port, starting at '--port'")

  private static let namespace = Option(
    "namespace", "XML namespace of the responses", default: SimulatedNamespace.bioserv)
  private static let style = Option(
    "style", "Style of the XML: as .NET or as Java writes it", default: SimulatorConfiguration.Style.wcf)
  private static let manner = Option(
    "manner", SimulatorConfiguration.Manner.self,
    "Behavior where NIST's services differ; follows '--style' if omitted")
  private static let faults = Option("fault", list: String.self, "Fault to simulate; 'list' prints the names")
  private static let seed = Option(
    "seed", Int.self, kind: .integer(minimum: 0, maximum: .max),
    "Seed of ids, pictures and random numbers; if omitted, 1 with random ids")
  private static let sessionSeconds = Option(
    "session-seconds", in: 0...86_400, "Time until an idle session ends", unit: "second", default: 3600)
  private static let mostSessions = Option(
    "max-sessions", in: 1...100_000, "Maximum number of sessions of a sensor", default: 256)
  private static let stealAfter = Option(
    "steal-after", in: 0...3_600_000, "Time after which a lock can be stolen", unit: "millisecond",
    default: 61_440)
  private static let needsConfiguration = Option(
    flag: "needs-configuration", "Capture only after a configuration")
  private static let locksPreview = Option(
    flag: "locked-preview", "Show the live preview only to the holder of the lock")

  private static let modalities = Option("modality", list: SimulatedModality.self, "Modalities of the sensors, in turn")
  private static let pictures = Option(
    "pictures", "Pictures: synthetic ones, or small patterns that take no time",
    default: SimulatorConfiguration.Pictures.synthetic)
  private static let contentType = Option(
    "content-type", kind: .choice(["image/bmp", "image/png"]), "Content type of captures", default: "image/bmp")
  private static let captureSize = Option(
    "capture-size", Int.self, kind: .integer(minimum: 1, maximum: 1 << 32),
    "Size of each capture, as a bitmap of noise", unit: "byte")
  private static let person = Option(
    "person", in: 1...1_000_000, "Number of the person at the sensors at first", default: 1)
  private static let capturesPerCall = Option(
    "captures", Int.self, kind: .integer(minimum: 1, maximum: 1000), "Number of captures per call")
  private static let segments = Option(flag: "segments", "Send the single fingers after a slap")
  private static let captureDelay = Option(
    "capture-delay", in: 0...3_600_000, "Time that a person takes for a capture", unit: "millisecond", default: 1000)
  private static let postProcessing = Option(
    "post-processing", in: 0...3_600_000, "Time to prepare data", unit: "millisecond", default: 0)
  private static let storage = Option(
    "storage", in: 1...Int.max, "Storage of a sensor; older captures are deleted", unit: "byte", default: 1 << 27)

  @Sendable private static func simulate(_ call: CommandCall, _ station: Station) async throws {
    try await WSABISimulator.simulate(
      faults: call[faults], print: { try await call.emit(.text($0)) }, configure: { try configuration(call) })
  }

  private static func configuration(_ call: CommandCall) throws -> SimulatorConfiguration {
    var configuration = SimulatorConfiguration(sensorCount: call[sensors])
    configuration.port = call[port]
    configuration.adminPort = call[adminPort]
    configuration.certificate = try certificate(call)
    configuration.hasOwnPorts = call[ownPorts]
    configuration.namespace = call[namespace]
    configuration.style = call[style]
    configuration.manner = call[manner]
    configuration.seed = UInt64(call[seed] ?? 1)
    // A store remembers the ids of its captures, so the next simulator uses other ids.
    if call[seed] == nil { configuration.idSeed = .random(in: .min ... .max) }
    configuration.inactivityTimeoutInSeconds = call[sessionSeconds]
    configuration.maximumSessions = call[mostSessions]
    configuration.stealPreventionInMilliseconds = call[stealAfter]
    configuration.requiresConfiguration = call[needsConfiguration]
    configuration.hasOpenPreview = !call[locksPreview]
    takeCaptures(call, into: &configuration)
    if call[announces] {
      configuration.announcement = SimulatedAnnouncement(
        type: try SensorFinding.type(call.context).text, port: call[announcementPort])
    }
    return configuration
  }

  /// Reads the certificate files; nil if none is named.
  ///
  /// - Throws: ``SimulatorError/badCertificate``, also if only one is named, so that encryption is never silently
  ///   dropped.
  private static func certificate(_ call: CommandCall) throws(ErrorReport) -> SimulatorCertificate? {
    let (certificatePath, keyPath, authoritiesPath) = (call[certificate], call[key], call[clientAuthorities])
    guard certificatePath != nil || keyPath != nil || authoritiesPath != nil else { return nil }
    guard let certificatePath, let keyPath else {
      throw badCertificate("a certificate needs its key, and a key its certificate")
    }
    func read(_ path: String) throws(ErrorReport) -> [UInt8] {
      let (bytes, problem) = TrustFile.bytes(path)
      guard let bytes else { throw badCertificate("'\(path)' cannot be read: \(problem)") }
      return bytes
    }
    return SimulatorCertificate(
      certificate: try read(certificatePath), key: try read(keyPath),
      clientAuthorities: try authoritiesPath.map { path throws(ErrorReport) in try read(path) })
  }

  private static func badCertificate(_ reason: String) -> ErrorReport {
    SimulatorError.badCertificate(
      reason, advice: "give both '--certificate' and '--key', as PEM files, or neither")
  }

  private static func takeCaptures(_ call: CommandCall, into configuration: inout SimulatorConfiguration) {
    let modalities = call[modalities]
    if !modalities.isEmpty { configuration.modalities = modalities }
    configuration.pictures = call[pictures]
    configuration.contentType = call[contentType]
    configuration.captureSizeInBytes = call[captureSize]
    configuration.person = call[person]
    configuration.capturesPerCall = call[capturesPerCall]
    configuration.segmentsSlaps = call[segments]
    configuration.captureDelayInMilliseconds = call[captureDelay]
    configuration.postProcessingInMilliseconds = call[postProcessing]
    configuration.storageInBytes = call[storage]
  }
}
