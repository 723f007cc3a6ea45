import Foundation
import PluginAPI
import PluginSimulation
import Synchronization
import Testing

@testable import PathCase
@testable import PathCaseSimulator

struct SnapshotUpdaterTests {
  private static var options: UpdateOptions {
    var options = UpdateOptions()
    options.firstDelayInSeconds = 0.001
    // Computing tests may occupy the threads that the test servers share.
    options.deadlineInSeconds = 600
    return options
  }

  private func updater(_ simulator: DatabaseSimulator, known: [FetchedDocument] = []) -> SnapshotUpdater {
    SnapshotUpdater(
      source: .service(simulator.address, DocumentSource.Access(stallInSeconds: 300)),
      options: Self.options, known: known)
  }

  /// Returns the code of an update's error; "" if it succeeds.
  private func failure(_ updater: SnapshotUpdater) async -> String {
    do {
      _ = try await updater.run()
      return ""
    } catch {
      return (error as? any ReportableError)?.report.code ?? "\(error)"
    }
  }

  private func simulated<Result>(
    _ records: DatabaseRecords = MawSamples.small, _ faults: [DatabaseFaultRule] = [],
    _ body: (DatabaseSimulator) async throws -> Result
  ) async throws -> Result {
    var setup = DatabaseSimulatorSetup()
    (setup.faults, setup.delayInMilliseconds) = (faults, 20)
    let simulator = try DatabaseSimulator(SimulatedDatabase(records), setup)
    do {
      let result = try await body(simulator)
      await simulator.stop()
      return result
    } catch {
      await simulator.stop()
      throw error
    }
  }

  @Test func `all documents are fetched and linked`() async throws {
    try await simulated { simulator in
      let snapshot = try await updater(simulator).run()
      #expect(snapshot.database.records == (try DatabaseLinker.link(MawSamples.small).records))
      #expect(snapshot.documents.count == 9 && snapshot.warnings.isEmpty)
      #expect(snapshot.tallies.map(\.type) == ContractType.single + [.layout])
      #expect(snapshot.tallies.allSatisfy { $0.fetched == 1 && $0.reused == 0 })
      #expect(simulator.requests.count == 10 && simulator.mostAtOnce <= 6)
    }
  }

  @Test func `the document on which most others depend is requested first`() async throws {
    try await simulated { simulator in
      var updater = updater(simulator)
      updater.options.connections = 1
      _ = try await updater.run()
      let order = simulator.requests.compactMap { ContractType(path: $0)?.dependents }
      #expect(order == [6, 5, 4, 4, 3, 2, 1, 0, 0, 0] && simulator.mostAtOnce == 1)
    }
  }

  @Test func `unchanged documents are not fetched again`() async throws {
    try await simulated { simulator in
      let first = try await updater(simulator).run()
      var changed = MawSamples.small
      changed.processes[0].name = "another name"
      simulator.serve(SimulatedDatabase(changed))
      let before = simulator.requests.count
      let second = try await updater(simulator, known: first.documents).run()
      #expect(Array(simulator.requests.dropFirst(before)) == ["manifest.xml", "processes.xml"])
      #expect(second.database.processes[0].name == "another name" && second.sha256 != first.sha256)
      #expect(second.tallies.filter { $0.fetched > 0 }.map(\.type) == [.processes])
      let third = try await updater(simulator, known: second.documents).run()
      #expect(third.sha256 == second.sha256 && third.tallies.allSatisfy { $0.fetched == 0 })
    }
  }

  @Test func `a single type of document can be updated alone`() async throws {
    try await simulated { simulator in
      let first = try await updater(simulator).run()
      var changed = MawSamples.small
      changed.snapshot = "next"
      changed.processes[0].name = "another name"
      changed.tissues[0].name = "Kidney"
      // Records of other types that the service no longer has are kept too.
      changed.layouts = []
      simulator.serve(SimulatedDatabase(changed))
      var updater = updater(simulator, known: first.documents)
      updater.options.only = .tissues
      let second = try await updater.run()
      #expect(second.database.tissues[0].name == "Kidney" && second.database.processes[0].name == "A to B")
      #expect(second.database.layouts.count == 1)
      // It is not the state of the manifest, and the next update must detect that.
      let third = try await self.updater(simulator, known: second.documents).run()
      #expect(third.database.processes[0].name == "another name" && third.sha256 != second.sha256)
    }
  }

  @Test(arguments: [
    DatabaseFault.reset, .cut, .overstated, .shortBody, .error500, .busy503, .delay, .hashMismatch, .mixedSnapshot,
  ])
  func `a temporary failure is retried`(_ fault: DatabaseFault) async throws {
    try await simulated(MawSamples.small, [DatabaseFaultRule(fault, on: "pools.xml", calls: 1...1)]) { simulator in
      #expect(await failure(updater(simulator)) == "")
      // A changed database is fetched again as a whole; every other request is retried at most once.
      let again = fault == .hashMismatch || fault == .mixedSnapshot
      #expect(simulator.requests.filter { $0 == "manifest.xml" }.count == (again ? 2 : 1))
    }
  }

  @Test(arguments: [
    (DatabaseFault.reset, "net.cut-short", 3), (.cut, "net.cut-short", 3), (.error500, "net.status", 3),
    (.busy503, "net.busy", 3), (.tooMany429, "net.busy", 1), (.missing404, "net.status", 1),
    (.redirectLoop, "net.too-many-redirects", 6), (.hashMismatch, "pathcase.net-003", 2),
    (.mixedSnapshot, "pathcase.net-003", 2), (.shortBody, "pathcase.net-003", 6),
  ])
  func `a persistent failure ends the update`(_ fault: DatabaseFault, _ code: String, _ asked: Int) async throws {
    try await simulated(MawSamples.small, [DatabaseFaultRule(fault, on: "pools.xml")]) { simulator in
      #expect(await failure(updater(simulator)) == code)
      #expect(simulator.requests.filter { $0 == "pools.xml" }.count == asked)
    }
  }

  @Test(arguments: [(DatabaseFault.webPage, "pathcase.xml-002"), (.soapFault, "pathcase.net-004")])
  func `a web page or fault instead of a manifest is reported as such`(_ fault: DatabaseFault, _ code: String)
    async throws
  {
    try await simulated(MawSamples.small, [DatabaseFaultRule(fault)]) { simulator in
      #expect(await failure(updater(simulator)) == code)
    }
  }

  @Test func `an unreachable address is tried three times and then reported`() async throws {
    // The port is chosen by the system: one that was free a moment ago may now belong to another test.
    let service = DocumentSource.service("http://127.0.0.1:1")
    let asked = Mutex(0)
    let counted = DocumentSource(name: service.name) { request in
      asked.withLock { $0 += 1 }
      return try await service.ask(request)
    }
    #expect(await failure(SnapshotUpdater(source: counted, options: Self.options)) == "net.not-connected")
    #expect(asked.withLock { $0 } == 3)
  }

  @Test func `a damaged local document is fetched again`() async throws {
    try await simulated { simulator in
      var known = try await updater(simulator).run().documents
      let place = try #require(known.firstIndex { $0.entry.path == "pools.xml" })
      // The document has the same size and is well-formed: only the digest reveals the change.
      known[place].bytes = Array(
        String(decoding: known[place].bytes, as: UTF8.self).replacing("boundary=\"true\"", with: "boundary=\"1\"   ")
          .utf8)
      let before = simulator.requests.count
      let second = try await updater(simulator, known: known).run()
      #expect(Array(simulator.requests.dropFirst(before)) == ["manifest.xml", "pools.xml"])
      #expect(second.database.records == (try DatabaseLinker.link(MawSamples.small).records))
      var alone = updater(simulator, known: known)
      alone.options.only = .tissues
      await #expect(throws: UpdateError.damagedAtHand(document: "pools.xml")) { _ = try await alone.run() }
    }
  }

  @Test func `a manifest that is empty or lists a document twice is refused`() async throws {
    let pools = try #require(ContractWriter.documents(of: MawSamples.small).first { $0.path == "pools.xml" })
    var other = pools.entry
    other.sha256 = String(repeating: "0", count: 64)
    let cases: [([ManifestDocument], String)] = [
      ([], "pathcase.manifest-empty"),
      ([ManifestDocument(path: "notes.txt", sha256: other.sha256, bytes: 1)], "pathcase.manifest-empty"),
      ([pools.entry, other], "pathcase.listed-twice"),
    ]
    for (documents, code) in cases {
      let manifest = ContractWriter.document(of: DatabaseManifest(snapshot: "small", documents: documents))
      let source = DocumentSource(name: "odd") { path, _ in path == "manifest.xml" ? manifest : pools.bytes }
      #expect(await failure(SnapshotUpdater(source: source, options: Self.options)) == code)
    }
  }

  @Test(arguments: [(DatabaseFault.webPage, "pathcase.xml-002"), (.soapFault, "pathcase.net-004")])
  func `a web page or fault instead of a document is reported without a retry`(
    _ fault: DatabaseFault, _ code: String
  ) async throws {
    try await simulated(MawSamples.small, [DatabaseFaultRule(fault, on: "pools.xml")]) { simulator in
      #expect(await failure(updater(simulator)) == code)
      #expect(simulator.requests.filter { $0 == "pools.xml" }.count == 1)
    }
  }

  @Test func `a silent server ends with the deadline`() async throws {
    try await simulated(MawSamples.small, [DatabaseFaultRule(.stall, on: "pools.xml")]) { simulator in
      var updater = updater(simulator)
      updater.options.deadlineInSeconds = 0.2
      #expect(await failure(updater) == "pathcase.net-005")
    }
  }

  @Test func `a canceled update ends though the server is silent`() async throws {
    try await simulated(MawSamples.small, [DatabaseFaultRule(.stall)]) { simulator in
      let updater = updater(simulator)
      let task = Task { try await updater.run() }
      while simulator.requests.isEmpty { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { _ = try await task.value }
    }
  }

  @Test func `a document of another snapshot is refused though its digest matches`() async throws {
    var documents = ContractWriter.documents(of: MawSamples.small)
    var other = MawSamples.small
    other.snapshot = "later"
    documents[3] = ContractWriter.documents(of: other)[3]
    let entries = documents.dropFirst().map(\.entry)
    documents[0].bytes = ContractWriter.document(of: DatabaseManifest(snapshot: "small", documents: entries))
    let mixed = documents
    let source = DocumentSource(name: "mixed") { path, _ in
      try #require(mixed.first { $0.path == path }).bytes
    }
    await #expect(
      throws: SnapshotError.mixed(document: "metabolites.xml", found: "later", expected: "small")
    ) { _ = try await SnapshotUpdater(source: source, options: Self.options).run() }
  }

  @Test func `a manifest with too many bytes is refused`() async throws {
    let digest = String(repeating: "0", count: 64)
    for bytes in [1 << 40, Int.max] {
      let manifest = ContractWriter.document(
        of: DatabaseManifest(
          snapshot: "", documents: [ManifestDocument(path: "pools.xml", sha256: digest, bytes: bytes)]))
      let source = DocumentSource(name: "large") { _, _ in manifest }
      #expect(await failure(SnapshotUpdater(source: source, options: Self.options)) == "pathcase.manifest-too-large")
    }
  }

  @Test(.enabled(if: MawSamples.folder != nil, "the shared data are absent"))
  func `a folder is read like a service`() async throws {
    let folder = try #require(MawSamples.folder).appendingPathComponent("maw/cori").path
    let snapshot = try await SnapshotUpdater(source: .folder(folder), options: Self.options).run()
    #expect(snapshot.database.pathways.count == 3 && snapshot.tallies.last?.fetched == 3)
    #expect(
      await failure(SnapshotUpdater(source: .folder(folder + "/layouts"), options: Self.options))
        == "pathcase.file-unreadable")
  }

  @Test func `progress increases to the total`() async throws {
    try await simulated { simulator in
      let reports = Mutex<[UpdateProgress]>([])
      _ = try await updater(simulator).run { progress in reports.withLock { $0.append(progress) } }
      let all = reports.withLock { $0 }
      #expect(all.last?.documents == 9 && all.last?.bytes == all.last?.totalBytes)
      #expect(all.map(\.documents) == all.map(\.documents).sorted())
    }
  }
}
