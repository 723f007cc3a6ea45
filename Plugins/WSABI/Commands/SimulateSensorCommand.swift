import PluginAPI

/// The command that serves simulated sensors, for trying the plugin and for tests.
enum SimulateSensorCommand {
  static let command = WSABICommand(
    CommandDescription(
      "simulate", "serves simulated sensors on this machine until it is interrupted",
      output: .init(.text, isStream: true), effects: [.network]
    ).taking(options: options).explained(
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

  private static let options: [Parameter] = places + behaviour + captures

  private static let places = [
    Parameter(
      "port", .integer(minimum: 0, maximum: 65_535), "the port of all sensors; 0 for any that is free",
      defaultValue: 0),
    Parameter(
      "admin-port", .integer(minimum: 0, maximum: 65_535), "the port of the control; 0 for any that is free",
      defaultValue: 0),
    Parameter("sensors", .integer(minimum: 1, maximum: 1024), "how many sensors there are", defaultValue: 3),
    Parameter("certificate", .inputFile(extensions: ["pem"]), "PEM file with the certificate for HTTPS"),
    Parameter("key", .inputFile(extensions: ["pem"]), "PEM file with the certificate's private key"),
    Parameter(
      "client-authorities", .inputFile(extensions: ["pem"]),
      "PEM file with those who sign the certificates of clients, each of which must show one"),
    Parameter("announce", .flag, "they are found by 'sensor discover' on this machine"),
    Parameter(
      "announce-port", .integer(minimum: 0, maximum: 65_535), "the port at which they are asked for",
      defaultValue: .integer(DiscoverySockets.usualPort)),
    Parameter("own-ports", .flag, "each sensor has a port of its own, from '--port' on"),
  ]

  private static let behaviour = [
    Parameter(
      "namespace", .choice(namespaces.map(\.name)), "whose documents they write", defaultValue: "bioserv"),
    Parameter(
      "style", .choice(SimulatorConfiguration.Style.allCases.map(\.rawValue)),
      "how they write XML: as .NET or as Java does", defaultValue: "wcf"),
    Parameter(
      "manner", .choice(SimulatorConfiguration.Manner.allCases.map(\.rawValue)),
      "how they behave where NIST's services differ; as the style's makers unless given"),
    Parameter("fault", .text, "what goes wrong; 'list' shows the names", isRepeatable: true),
    Parameter(
      "seed", .integer(minimum: 0, maximum: .max),
      "where ids, pictures and chance begin; if it is left out, at 1, and ids anywhere"),
    Parameter(
      "session-seconds", .integer(minimum: 0, maximum: 86_400), "how long a session may rest", unit: "second",
      defaultValue: 3600),
    Parameter(
      "max-sessions", .integer(minimum: 1, maximum: 100_000), "how many sessions a sensor has", defaultValue: 256),
    Parameter(
      "steal-after", .integer(minimum: 0, maximum: 3_600_000), "when the lock can be taken from its holder",
      unit: "millisecond", defaultValue: 61_440),
    Parameter("needs-configuration", .flag, "they capture only after a configuration"),
    Parameter("locked-preview", .flag, "they show their live preview to the holder of the lock alone"),
  ]

  private static let captures = [
    Parameter(
      "modality", .choice(Modality.allCases.map { $0.title.lowercased() }), "what they capture, in turn",
      isRepeatable: true),
    Parameter(
      "pictures", .choice(SimulatorConfiguration.Pictures.allCases.map(\.rawValue)),
      "synthetic ones, or small patterns that take no time", defaultValue: "synthetic"),
    Parameter(
      "content-type", .choice(["image/bmp", "image/png"]), "the type of captures", defaultValue: "image/bmp"),
    Parameter(
      "capture-size", .integer(minimum: 1, maximum: 1 << 32), "the size of each capture, as a bitmap of noise",
      unit: "byte"),
    Parameter(
      "person", .integer(minimum: 1, maximum: 1_000_000), "who stands at the sensors at first", defaultValue: 1),
    Parameter("captures", .integer(minimum: 1, maximum: 1000), "how many captures a call gives"),
    Parameter("segments", .flag, "a slap is followed by its fingers"),
    Parameter(
      "capture-delay", .integer(minimum: 0, maximum: 3_600_000), "how long a person takes", unit: "millisecond",
      defaultValue: 1000),
    Parameter(
      "post-processing", .integer(minimum: 0, maximum: 3_600_000), "how long data is prepared", unit: "millisecond",
      defaultValue: 0),
    Parameter(
      "storage", .integer(minimum: 1, maximum: .max), "how much a sensor keeps; older captures go", unit: "byte",
      defaultValue: .integer(1 << 27)),
  ]

  private static let namespaces: [(name: String, space: ProtocolNamespace)] = [
    ("pre-release", .preRelease), ("nist", .nist), ("biometrics", .biometrics), ("bioserv", .bioserv),
  ]

  @Sendable private static func simulate(_ call: CommandCall, _ station: Station) async throws {
    if call.texts("fault").contains("list") {
      for fault in SimulatorFault.allCases {
        let blanks = String(repeating: " ", count: max(1, 22 - fault.rawValue.utf8.count))
        try await call.emit(.text(fault.rawValue + blanks + fault.summary))
      }
      return
    }
    var configuration = try configuration(call)
    if call.flag("announce") {
      configuration.announcement = SimulatedAnnouncement(
        type: try SensorFinding.type(call.context).text,
        port: call["announce-port"].integer ?? DiscoverySockets.usualPort)
    }
    let simulator = try SensorSimulator(configuration)
    do {
      for (index, address) in simulator.addresses.enumerated() {
        try await call.emit(.text("\(address) \(simulator.sensor(index + 1).profile.modalityWord)"))
      }
      try await call.emit(.text("\(simulator.adminAddress) control"))
      while true { try await Task.sleep(for: .seconds(3600)) }
    } catch {
      await simulator.stop()
      throw error
    }
  }

  private static func configuration(_ call: CommandCall) throws(SimulatorError) -> SimulatorConfiguration {
    var configuration = SimulatorConfiguration()
    configuration.sensors = call["sensors"].integer ?? 3
    configuration.port = call["port"].integer ?? 0
    configuration.adminPort = call["admin-port"].integer ?? 0
    configuration.certificate = try SimulatorCertificate(
      certificatePath: call["certificate"].text, keyPath: call["key"].text,
      clientAuthoritiesPath: call["client-authorities"].text)
    configuration.hasOwnPorts = call.flag("own-ports")
    configuration.namespace = namespaces.first { $0.name == call.text("namespace") }?.space ?? .bioserv
    configuration.style = SimulatorConfiguration.Style(rawValue: call.text("style")) ?? .wcf
    configuration.manner = call["manner"].text.flatMap(SimulatorConfiguration.Manner.init(rawValue:))
    configuration.seed = UInt64(call["seed"].integer ?? 1)
    // A store remembers the ids of its captures, so the next simulator uses other ids.
    if call["seed"].isNull { configuration.idSeed = .random(in: .min ... .max) }
    configuration.inactivityTimeoutInSeconds = call["session-seconds"].integer ?? 3600
    configuration.maximumSessions = call["max-sessions"].integer ?? 256
    configuration.stealPreventionInMilliseconds = call["steal-after"].integer ?? 61_440
    configuration.requiresConfiguration = call.flag("needs-configuration")
    configuration.hasOpenPreview = !call.flag("locked-preview")
    for text in call.texts("fault") { configuration.faults += try SimulatorFaultRule.script(text) }
    takeCaptures(call, into: &configuration)
    return configuration
  }

  private static func takeCaptures(_ call: CommandCall, into configuration: inout SimulatorConfiguration) {
    let modalities = call.texts("modality").compactMap(Modality.init(word:))
    if !modalities.isEmpty { configuration.modalities = modalities }
    configuration.pictures = SimulatorConfiguration.Pictures(rawValue: call.text("pictures")) ?? .synthetic
    configuration.contentType = call["content-type"].text ?? "image/bmp"
    configuration.captureSizeInBytes = call["capture-size"].integer
    configuration.person = call["person"].integer ?? 1
    configuration.capturesPerCall = call["captures"].integer
    configuration.segmentsSlaps = call.flag("segments")
    configuration.captureDelayInMilliseconds = call["capture-delay"].integer ?? 1000
    configuration.postProcessingInMilliseconds = call["post-processing"].integer ?? 0
    configuration.storageInBytes = call["storage"].integer ?? 1 << 27
  }
}
