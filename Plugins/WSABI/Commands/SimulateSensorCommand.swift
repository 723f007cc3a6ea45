import PluginAPI
import PluginSimulation
import WSABISimulator

/// The command that serves simulated sensors, for trying the plugin and for tests.
enum SimulateSensorCommand {
  static let command = WSABICommand(
    CommandDescription(
      "simulate", "serves simulated sensors on this machine until it is interrupted",
      output: .init(.text, isStream: true), effects: [.network]
    ).taking(inputs).explained(
      """
      Each line is the address of a sensor and what it captures; the last is the address of the ledger and the control. \
      They come at once; with '--json' as one list when it ends, so that a script takes '--jsonl'. \
      Pictures are synthetic: nobody's finger, face or eye. A fault is NAME[@OPERATION][#CALL[-[CALL]]][:SENSOR][~PERCENT]\
      [+TIMES][=VALUE], several with ';' between: 'drop-after@capture#2' loses the answer of the second capture; 'list' \
      shows all names. The control answers 'GET /ledger', '/sensors', '/calls' and '/faults', takes rules by \
      'POST /faults', and 'POST /sensors/1/kill', 'revive', 'restart', 'break', 'release', 'person/2' and '/clock/60'.
      """,
      examples: [
        .init("simulate", "sensors for fingers, faces and irises"),
        .init("simulate --sensors 1 --modality iris --style jaxb --port 8000", "an iris camera in the way of Java"),
        .init("simulate --announce", "sensors that 'sensor discover' finds"),
        .init("simulate --fault hang@capture#2 --fault delay@download=2000", "sensors with two faults"),
        .init("simulate --fault list", "the faults there are"),
      ]), simulate)

  private static let inputs: [any CommandInput] = [
    port, adminPort, sensors, certificate, key, clientAuthorities, announces, announcementPort, ownPorts, namespace,
    style, manner, faults, seed, sessionSeconds, mostSessions, stealAfter, needsConfiguration, locksPreview, modalities,
    pictures, contentType, captureSize, person, capturesPerCall, segments, captureDelay, postProcessing, storage,
  ]

  private static let port = Option(
    "port", in: 0...65_535, "the port of all sensors; 0 for any that is free", default: 0)
  private static let adminPort = Option(
    "admin-port", in: 0...65_535, "the port of the control; 0 for any that is free", default: 0)
  private static let sensors = Option("sensors", in: 1...1024, "how many sensors there are", default: 3)
  private static let certificate = Option(
    "certificate", String.self, kind: .inputFile(extensions: ["pem"]), "PEM file with the certificate for HTTPS")
  private static let key = Option(
    "key", String.self, kind: .inputFile(extensions: ["pem"]), "PEM file with the certificate's private key")
  private static let clientAuthorities = Option(
    "client-authorities", String.self, kind: .inputFile(extensions: ["pem"]),
    "PEM file with those who sign the certificates of clients, each of which must show one")
  private static let announces = Option(flag: "announce", "they are found by 'sensor discover' on this machine")
  private static let announcementPort = Option(
    "announce-port", in: 0...65_535, "the port at which they are asked for", default: DiscoverySockets.usualPort)
  private static let ownPorts = Option(flag: "own-ports", "each sensor has a port of its own, from '--port' on")

  private static let namespace = Option("namespace", "whose documents they write", default: SimulatedNamespace.bioserv)
  private static let style = Option(
    "style", "how they write XML: as .NET or as Java does", default: SimulatorConfiguration.Style.wcf)
  private static let manner = Option(
    "manner", SimulatorConfiguration.Manner.self,
    "how they behave where NIST's services differ; as the style's makers unless given")
  private static let faults = Option("fault", list: String.self, "what goes wrong; 'list' shows the names")
  private static let seed = Option(
    "seed", Int.self, kind: .integer(minimum: 0, maximum: .max),
    "where ids, pictures and chance begin; if it is left out, at 1, and ids anywhere")
  private static let sessionSeconds = Option(
    "session-seconds", in: 0...86_400, "how long a session may rest", unit: "second", default: 3600)
  private static let mostSessions = Option(
    "max-sessions", in: 1...100_000, "how many sessions a sensor has", default: 256)
  private static let stealAfter = Option(
    "steal-after", in: 0...3_600_000, "when the lock can be taken from its holder", unit: "millisecond",
    default: 61_440)
  private static let needsConfiguration = Option(
    flag: "needs-configuration", "they capture only after a configuration")
  private static let locksPreview = Option(
    flag: "locked-preview", "they show their live preview to the holder of the lock alone")

  private static let modalities = Option("modality", list: SimulatedModality.self, "what they capture, in turn")
  private static let pictures = Option(
    "pictures", "synthetic ones, or small patterns that take no time",
    default: SimulatorConfiguration.Pictures.synthetic)
  private static let contentType = Option(
    "content-type", kind: .choice(["image/bmp", "image/png"]), "the type of captures", default: "image/bmp")
  private static let captureSize = Option(
    "capture-size", Int.self, kind: .integer(minimum: 1, maximum: 1 << 32),
    "the size of each capture, as a bitmap of noise", unit: "byte")
  private static let person = Option(
    "person", in: 1...1_000_000, "who stands at the sensors at first", default: 1)
  private static let capturesPerCall = Option(
    "captures", Int.self, kind: .integer(minimum: 1, maximum: 1000), "how many captures a call gives")
  private static let segments = Option(flag: "segments", "a slap is followed by its fingers")
  private static let captureDelay = Option(
    "capture-delay", in: 0...3_600_000, "how long a person takes", unit: "millisecond", default: 1000)
  private static let postProcessing = Option(
    "post-processing", in: 0...3_600_000, "how long data is prepared", unit: "millisecond", default: 0)
  private static let storage = Option(
    "storage", in: 1...Int.max, "how much a sensor keeps; older captures go", unit: "byte", default: 1 << 27)

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
      reason, advice: "name both by '--certificate' and '--key', as PEM, or neither")
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
