import PluginAPI

/// The command that serves a simulated database on this machine, for trying out updates and for tests.
enum DatabaseSimulateCommand {
  static let command: PathCaseCommand = PathCaseCommand(
    CommandDescription(
      "simulate", "serves the bundled database on this machine until it is interrupted",
      output: .init(.text, isStream: true), effects: [.reads, .network]
    ).taking(options: options).explained(
      """
      The address stands on the first line once it is ready. A fault is a name, with '@pools' for one document and 'x2' \
      for the first two requests of each; 'list' shows all names.
      """,
      examples: [
        .init("simulate", "for 'update --server ADDRESS'"),
        .init("simulate --changed 1 --envelope soap", "a later state, as a SOAP service sends it"),
        .init("simulate --fault busy-503x1 --fault reset@pools", "a service with two faults"),
        .init("simulate --fault list", "the faults there are"),
      ]), simulate)

  private static let options = [
    Parameter("port", .integer(minimum: 0, maximum: 65_535), "the port; 0 for any that is free", defaultValue: 0),
    Parameter("fault", .text, "what goes wrong; 'list' shows the names", isRepeatable: true),
    Parameter(
      "envelope", .choice(DatabaseEnvelope.allCases.map(\.rawValue)), "what documents are wrapped in",
      defaultValue: .text(DatabaseEnvelope.bare.rawValue)),
    Parameter(
      "changed", .integer(minimum: 0, maximum: 1_000_000), "which later state is served; 0 for the database itself",
      defaultValue: 0),
    Parameter(
      "changes", .number(minimum: 0.01, maximum: 1e9), "the next state is served after so long", unit: "second"),
    Parameter(
      "latency", .integer(minimum: 0, maximum: 600_000), "how long each answer takes", unit: "millisecond",
      defaultValue: 0),
    Parameter(
      "delay", .integer(minimum: 0, maximum: 600_000), "how long answers with the fault 'delay' take",
      unit: "millisecond", defaultValue: 1000),
    Parameter("certificate", .inputFile(extensions: ["pem"]), "PEM file with the certificate for HTTPS"),
    Parameter("key", .inputFile(extensions: ["pem"]), "PEM file with the certificate's private key"),
  ]

  @Sendable private static func simulate(_ call: CommandCall, _ shelf: PathwayShelf) async throws {
    if call.texts("fault").contains("list") {
      for fault in DatabaseFault.allCases {
        let blanks = String(repeating: " ", count: max(1, 16 - fault.rawValue.utf8.count))
        try await call.emit(.text(fault.rawValue + blanks + fault.summary))
      }
      return
    }
    let records = try BundledDatabase.read(call.context.folders.resources).records
    let setup = try setup(call, paths: ContractWriter.documents(of: records).map(\.path))
    var turn = call["changed"].integer ?? 0
    let simulator = try DatabaseSimulator(records.changed(turn: turn), setup)
    do {
      try await call.emit(.text(simulator.address))
      while true {
        try await Task.sleep(for: .seconds(call["changes"].number ?? 3600))
        if call["changes"].number == nil { continue }
        turn += 1
        simulator.serve(records.changed(turn: turn))
      }
    } catch {
      await simulator.stop()
      throw error
    }
  }

  private static func rule(_ text: String, paths: [String]) throws(UpdateError) -> DatabaseFaultRule {
    guard let rule = DatabaseFaultRule(text) else {
      let name = String(text.prefix { $0 != "@" })
      throw .unknownFault(name, nearest: Suggestion.nearest(to: name, in: DatabaseFault.allCases.map(\.rawValue)))
    }
    // A fault that never occurs would let a trial succeed that should fail.
    if let path = rule.path, !paths.contains(path) {
      throw .unknownDocument(path, nearest: Suggestion.nearest(to: path, in: paths))
    }
    return rule
  }

  /// - Parameter paths: The paths of the existing documents.
  private static func setup(_ call: CommandCall, paths: [String]) throws -> DatabaseSimulatorSetup {
    var setup = DatabaseSimulatorSetup()
    setup.faults = try call.texts("fault").map { text throws(UpdateError) in try rule(text, paths: paths) }
    setup.envelope = DatabaseEnvelope(rawValue: call.text("envelope")) ?? .bare
    setup.port = call["port"].integer ?? 0
    setup.latencyInMilliseconds = call["latency"].integer ?? 0
    setup.delayInMilliseconds = call["delay"].integer ?? 1000
    let (certificate, key) = (call["certificate"].text, call["key"].text)
    // There is no fallback to an unencrypted connection if encryption was requested.
    if (certificate == nil) != (key == nil) {
      throw UpdateError.loneCertificate(missing: key == nil ? "key" : "certificate")
    }
    if let certificate, let key {
      setup.certificate = try FolderFile.read(certificate, limitInBytes: 1 << 20)
      setup.key = try FolderFile.read(key, limitInBytes: 1 << 20)
    }
    return setup
  }
}
