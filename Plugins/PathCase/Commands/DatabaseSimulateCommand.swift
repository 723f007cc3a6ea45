import PathCaseSimulator
import PluginAPI
import PluginSimulation

/// The command that serves a simulated database on this machine, for trying out updates and for tests.
enum DatabaseSimulateCommand {
  private static let port = Option("port", in: 0...65_535, "Port; 0 for any free port", default: 0)
  private static let fault = Option("fault", list: String.self, "Fault to simulate; 'list' shows the names")
  private static let envelope = Option(
    "envelope", "Envelope of the documents", default: DatabaseEnvelope.bare)
  private static let changed = Option(
    "changed", in: 0...1_000_000, "Number of a later version to serve; 0 for the bundled database", default: 0)
  private static let changes = Option(
    "changes", Double.self, kind: .number(minimum: 0.01, maximum: 1e9), "Time until the next version is served",
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
      When the service is ready, the first line shows its address. A fault is a name; '@pools' limits it to one \
      document, and 'x2' to the first two requests of each document.
      """,
      examples: [
        .init("simulate", "For 'update --server ADDRESS'"),
        .init("simulate --changed 1 --envelope soap", "A later version, sent by a SOAP service"),
        .init("simulate --fault busy-503x1 --fault reset@pools", "A service with two faults"),
        .init("simulate --fault list", "The names of the faults"),
      ]), simulate)

  @Sendable private static func simulate(_ call: CommandCall, _ shelf: PathwayShelf) async throws {
    try await PathCaseSimulator.simulate(
      faults: call[fault], print: { try await call.emit(.text($0)) },
      prepare: {
        let records = try BundledDatabase.read(call.context.folders.resources).records
        return (try setup(call), { SimulatedDatabase(records.changed(turn: $0)) })
      })
  }

  private static func setup(_ call: CommandCall) throws -> DatabaseSimulatorSetup {
    var setup = DatabaseSimulatorSetup()
    setup.envelope = call[envelope]
    setup.port = call[port]
    setup.latencyInMilliseconds = call[latency]
    setup.delayInMilliseconds = call[delay]
    setup.turn = call[changed]
    setup.changesEverySeconds = call[changes]
    let (certificate, key) = (call[certificate], call[key])
    // There is no fallback to an unencrypted connection if encryption was requested.
    if (certificate == nil) != (key == nil) {
      throw SimulatorError.loneCertificate(
        "HTTPS needs '--certificate' and '--key'", advice: "give '--\(key == nil ? "key" : "certificate")' too")
    }
    if let certificate, let key {
      setup.certificate = SimulatorCertificate(
        certificate: try FolderFile.read(certificate, limitInBytes: 1 << 20),
        key: try FolderFile.read(key, limitInBytes: 1 << 20))
    }
    return setup
  }
}

extension SimulatedDatabase {
  /// Creates the state of a simulated service that serves records.
  init(_ records: DatabaseRecords) {
    var later = records
    later.snapshot += "-later"
    self.init(current: Snapshot(records), later: Snapshot(later))
  }
}

extension SimulatedDatabase.Snapshot {
  fileprivate init(_ records: DatabaseRecords) {
    let snapshot = records.snapshot
    self.init(
      documents: ContractWriter.documents(of: records).dropFirst().map { .init(path: $0.path, bytes: $0.bytes) },
      manifest: { documents in
        let entries = documents.map { WrittenDocument(path: $0.path, bytes: $0.bytes).entry }
        return ContractWriter.document(of: DatabaseManifest(snapshot: snapshot, documents: entries))
      })
  }
}

extension DatabaseRecords {
  /// Returns the database in a simulated later state: a name changed, a record added, a record removed.
  ///
  /// It keeps its snapshot name, so that documents with the same contents stay unchanged.
  /// - Parameter turn: The number of changes, from 1; 0 returns the database itself.
  func changed(turn: Int) -> DatabaseRecords {
    if turn <= 0 { return self }
    var later = self
    if !later.metabolites.isEmpty {
      let place = turn % later.metabolites.count
      later.metabolites[place].name += " (revision \(turn))"
    }
    later.tissues.append(Tissue(id: Identifier("simulated-\(turn)"), name: "Simulated tissue \(turn)"))
    if later.pathways.count > 1 { later.removePathway(at: turn % later.pathways.count) }
    return later
  }

  private mutating func removePathway(at index: Int) {
    let id = pathways.remove(at: index).id
    for index in pathways.indices { pathways[index].links.removeAll { $0.pathway == id } }
    activations.removeAll { $0.pathway == id }
    layouts.removeAll { $0.pathway == id }
  }
}
