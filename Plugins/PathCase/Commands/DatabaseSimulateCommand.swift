import PluginAPI

/// The command that serves a simulated database on this machine, for trying out updates and for tests.
enum DatabaseSimulateCommand {
  private static let port = Option("port", in: 0...65_535, "Port; 0 for any free port", default: 0)
  private static let fault = Option("fault", list: String.self, "Fault to simulate; 'list' shows the names")
  private static let envelope = Option(
    "envelope", "Envelope of the documents", default: DatabaseEnvelope.bare)
  private static let changed = Option(
    "changed", in: 0...1_000_000, "Number of the later state to serve; 0 for the database itself", default: 0)
  private static let changes = Option(
    "changes", Double.self, kind: .number(minimum: 0.01, maximum: 1e9), "Time after which the next state is served",
    unit: "second")
  private static let latency = Option(
    "latency", in: 0...600_000, "Delay of each response", unit: "millisecond", default: 0)
  private static let delay = Option(
    "delay", in: 0...600_000, "Delay of responses with the fault 'delay'", unit: "millisecond", default: 1000)
  private static let certificate = Option(
    "certificate", String.self, kind: .inputFile(extensions: ["pem"]), "PEM file with the certificate for HTTPS")
  private static let key = Option(
    "key", String.self, kind: .inputFile(extensions: ["pem"]), "PEM file with the certificate's private key")

  static let command: PathCaseCommand = PathCaseCommand(
    CommandDescription(
      "simulate", "Serve the bundled database on this machine until interrupted",
      output: .init(.text, isStream: true), effects: [.reads, .network]
    ).taking(port, fault, envelope, changed, changes, latency, delay, certificate, key).explained(
      """
      The first line shows the address when the service is ready. A fault is a name; '@pools' limits it to one document, \
      and 'x2' to the first two requests of each document.
      """,
      examples: [
        .init("simulate", "For 'update --server ADDRESS'"),
        .init("simulate --changed 1 --envelope soap", "A later state, as a SOAP service sends it"),
        .init("simulate --fault busy-503x1 --fault reset@pools", "A service with two faults"),
        .init("simulate --fault list", "The names of the faults"),
      ]), simulate)

  @Sendable private static func simulate(_ call: CommandCall, _ shelf: PathwayShelf) async throws {
    if call[fault].contains("list") {
      for fault in DatabaseFault.allCases {
        let blanks = String(repeating: " ", count: max(1, 16 - fault.rawValue.utf8.count))
        try await call.emit(.text(fault.rawValue + blanks + fault.summary))
      }
      return
    }
    let records = try BundledDatabase.read(call.context.folders.resources).records
    let setup = try setup(call, paths: ContractWriter.documents(of: records).map(\.path))
    var turn = call[changed]
    let simulator = try DatabaseSimulator(records.changed(turn: turn), setup)
    do {
      try await call.emit(.text(simulator.address))
      while true {
        try await Task.sleep(for: .seconds(call[changes] ?? 3600))
        if call[changes] == nil { continue }
        turn += 1
        simulator.serve(records.changed(turn: turn))
      }
    } catch {
      await simulator.stop()
      throw error
    }
  }

  private static func rule(_ text: String, paths: [String]) throws(ErrorReport) -> DatabaseFaultRule {
    guard let rule = DatabaseFaultRule(text) else {
      let name = String(text.prefix { $0 != "@" })
      let nearest = Suggestion.nearest(to: name, in: DatabaseFault.allCases.map(\.rawValue))
      throw UpdateError.unknownFault(
        "there is no fault '\(name)'",
        advice: nearest.map { "did you mean '\($0)'?" } ?? "'workbench pathcase simulate --fault list' names all")
    }
    // A fault that never occurs would let a trial succeed that should fail.
    if let path = rule.path, !paths.contains(path) {
      let nearest = Suggestion.nearest(to: path, in: paths)
      throw UpdateError.unknownDocument(
        "the simulated database has no document '\(path)'",
        advice: nearest.map { "did you mean '\($0)'?" } ?? "name one as 'pools'")
    }
    return rule
  }

  /// - Parameter paths: The paths of the existing documents.
  private static func setup(_ call: CommandCall, paths: [String]) throws -> DatabaseSimulatorSetup {
    var setup = DatabaseSimulatorSetup()
    setup.faults = try call[fault].map { text throws(ErrorReport) in try rule(text, paths: paths) }
    setup.envelope = call[envelope]
    setup.port = call[port]
    setup.latencyInMilliseconds = call[latency]
    setup.delayInMilliseconds = call[delay]
    let (certificate, key) = (call[certificate], call[key])
    // There is no fallback to an unencrypted connection if encryption was requested.
    if (certificate == nil) != (key == nil) {
      throw UpdateError.loneCertificate(
        "HTTPS needs '--certificate' and '--key'", advice: "give '--\(key == nil ? "key" : "certificate")' too")
    }
    if let certificate, let key {
      setup.certificate = try FolderFile.read(certificate, limitInBytes: 1 << 20)
      setup.key = try FolderFile.read(key, limitInBytes: 1 << 20)
    }
    return setup
  }
}

extension DatabaseEnvelope: ParameterValue {}
