import Foundation
import PluginAPI
import PluginSimulation
import PluginStore
import PluginTesting
import Synchronization
import TestSupport
import Testing

@testable import PathCase
@testable import PathCaseSimulator

struct UpdateCommandTests {
  /// The resources bundled with the plugin under test: the small database under another name, so that it is read
  /// quickly.
  private let resources: PathCaseFolder

  init() throws {
    resources = try PathCaseFolder()
    var records = MawSamples.small
    records.snapshot = "bundled"
    try resources.write(records, into: "database")
  }

  private func plugin(resources path: String? = nil) async throws -> TestPlugin {
    let plugin = try await TestPlugin(PathCasePlugin(), resources: path ?? resources.path, isOffline: false)
    try plugin.context.set("repeat-delay", to: 0)
    // Computing tests may occupy the threads that the test servers share.
    try plugin.context.set("stall-deadline", to: 300)
    try plugin.context.set("deadline", to: 600)
    return plugin
  }

  private static func bundled() throws -> DatabaseRecords {
    try PathCase.BundledDatabase.read(PathwayShelfTests.resources).records
  }

  private func serving(
    _ records: DatabaseRecords, _ setup: DatabaseSimulatorSetup = DatabaseSimulatorSetup(),
    _ body: (DatabaseSimulator) async throws -> Void
  ) async throws {
    let simulator = try DatabaseSimulator(SimulatedDatabase(records), setup)
    do {
      try await body(simulator)
      await simulator.stop()
    } catch {
      await simulator.stop()
      throw error
    }
  }

  private func row(_ type: String, _ result: CommandResult) -> Record? {
    guard let table = result.value.table else { return nil }
    return (0..<table.rowCount).lazy.map { table.row($0) }.first { $0["type"] == .text(type) }
  }

  @Test func `an update fetches only changed documents and can be rolled back`() async throws {
    let plugin = try await plugin(resources: PathwayShelfTests.resources)
    try await serving(try Self.bundled()) { simulator in
      let server = Value.text(simulator.address)
      let same = try await plugin.run("update", ["server": server])
      #expect(same.diagnostics.map(\.code).contains("pathcase.database-unchanged"))
      #expect(simulator.requests == ["manifest.xml"])
      simulator.serve(SimulatedDatabase(try Self.bundled().changed(turn: 1)))
      let result = try await plugin.run("update", ["server": server])
      #expect(result.diagnostics.map(\.code).contains("pathcase.database-updated"))
      #expect(row("metabolites", result)?["changed"] == 1 && row("metabolites", result)?["fetched"] == 1)
      #expect(row("tissues", result)?["added"] == 1 && row("pathways", result)?["removed"] == 1)
      #expect(row("pools", result)?["fetched"] == 0 && row("pools", result)?["reused"] == 1)
      #expect(try await plugin.run(line: "tissues --filter simulated").value.table?.rowCount == 1)
      // The service reports by the tag that nothing changed.
      let before = simulator.requests.count
      let third = try await plugin.run("update", ["server": server])
      #expect(third.value.table?.rowCount == 0 && simulator.requests.count == before + 1)
      let count = try Self.bundled().pathways.count
      let back = try await plugin.run(line: "rollback").value
      #expect(back["source"].isNull && back["pathways"].integer == count)
      #expect(try await plugin.run(line: "tissues --filter simulated").value.table?.rowCount == 0)
      #expect(try await plugin.run(line: "rollback").value["source"] == server)
      #expect(
        plugin.context.notifications.map { $0.payload["reason"] } == ["update", "rollback", "rollback"])
    }
  }

  @Test(arguments: DatabaseEnvelope.allCases)
  func `documents in any envelope give the same database`(_ envelope: DatabaseEnvelope) async throws {
    let plugin = try await plugin()
    try await serving(MawSamples.small, .with { $0.envelope = envelope }) { simulator in
      _ = try await plugin.run("update", ["server": .text(simulator.address)])
      let expected = try DatabaseLinker.link(MawSamples.small).records
      #expect(try await PathwayShelf().database(plugin.context).records == expected)
    }
  }

  @Test(arguments: [
    (DatabaseFault.reset, "net.cut-short"), (.cut, "net.cut-short"), (.overstated, "net.cut-short"),
    (.shortBody, "pathcase.net-003"), (.error500, "net.status"), (.busy503, "net.busy"), (.tooMany429, "net.busy"),
    (.missing404, "net.status"), (.redirectLoop, "net.too-many-redirects"), (.hashMismatch, "pathcase.net-003"),
    (.mixedSnapshot, "pathcase.net-003"), (.malformed, "pathcase.xml-001"), (.webPage, "pathcase.xml-002"),
    (.soapFault, "pathcase.net-004"), (.stall, "pathcase.net-005"),
  ])
  func `a failed update leaves the old database in use`(_ fault: DatabaseFault, _ code: String) async throws {
    let plugin = try await plugin()
    try await serving(MawSamples.small) { simulator in
      _ = try await plugin.run("update", ["server": .text(simulator.address)])
    }
    var later = MawSamples.small.changed(turn: 1)
    later.pools[0].isBoundary.toggle()
    let setup = DatabaseSimulatorSetup.with { $0.faults = [DatabaseFaultRule(fault, on: "pools.xml")] }
    try await serving(later, setup) { simulator in
      try plugin.context.set("deadline", to: fault == .stall ? 0.3 : 600)
      let report = await plugin.report("update", ["server": .text(simulator.address)])
      #expect(report?.code == code)
      // A failed update works when the fault is over, unless the documents themselves are damaged.
      #expect(try await PathwayShelf().database(plugin.context).tissues.count == 2)
      #expect(try await plugin.context.store("database").check().isEmpty)
      if fault == .malformed { return }
      simulator.setFaults([])
      try plugin.context.set("deadline", to: 600)
      _ = try await plugin.run("update", ["server": .text(simulator.address)])
      #expect(try await PathwayShelf().database(plugin.context).tissues.count == 3)
    }
  }

  @Test(arguments: [DatabaseFault.delay, .drip, .redirect])
  func `slow and redirected documents are fetched`(_ fault: DatabaseFault) async throws {
    let plugin = try await plugin()
    let setup = DatabaseSimulatorSetup.with { ($0.faults, $0.delayInMilliseconds) = ([DatabaseFaultRule(fault)], 5) }
    try await serving(MawSamples.small, setup) { simulator in
      _ = try await plugin.run("update", ["server": .text(simulator.address)])
      #expect(try await PathwayShelf().database(plugin.context).pathways.count == 2)
    }
  }

  @Test func `a single type of document can be updated alone`() async throws {
    let plugin = try await plugin(resources: PathwayShelfTests.resources)
    let later = try Self.bundled().changed(turn: 1)
    try await serving(later) { simulator in
      let result = try await plugin.run("update", ["server": .text(simulator.address), "only": "metabolites"])
      #expect(row("metabolites", result)?["changed"] == 1 && row("tissues", result)?["added"] == 0)
      #expect(simulator.requests == ["manifest.xml", "metabolites.xml"])
      #expect(try await plugin.run(line: "metabolites --filter revision").value.table?.rowCount == 1)
      // The rest comes with the next full update.
      _ = try await plugin.run("update", ["server": .text(simulator.address)])
      #expect(try await plugin.run(line: "tissues --filter simulated").value.table?.rowCount == 1)
    }
  }

  @Test(arguments: ["document", "row", "file", "pointer"])
  func `damaged data is detected and fetched again, though the service reports no change`(
    _ damage: String
  ) async throws {
    let plugin = try await plugin()
    let store = PathwayShelf.snapshots(plugin.context)
    // The bundled database is active in the end, too: identical documents alone do not decide.
    try await serving(try PathCase.BundledDatabase.read(resources.path).records) { simulator in
      var documents = try PathCase.BundledDatabase.documents(resources.path)
      if damage == "document" { documents[0].bytes[60] ^= 1 }
      let tag = "\"\(try PathCase.BundledDatabase.sha256(resources.path))\""
      try store.install(
        DatabaseLinker.link(MawSamples.small),
        origin: SnapshotOrigin(
          sha256: String(repeating: "b", count: 64), source: simulator.address, fetchedAt: 0, tag: tag),
        documents: documents)
      let file = store.folder.path(of: try #require(try store.folder.pointer()).current)
      switch damage {
      case "row":
        let rows = SQLiteStore(name: "rows", path: file, migrations: SnapshotSchema.migrations)
        try await rows.write { try $0.execute("UPDATE participant SET role = 'eater' WHERE position = 1") }
        try await rows.checkpoint()
        await rows.close()
      case "file": try Data(repeating: 0x20, count: 9000).write(to: URL(fileURLWithPath: file))
      case "pointer": try Data("none\n".utf8).write(to: URL(fileURLWithPath: store.folder.path(of: "current")))
      default: break
      }
      #expect(try await plugin.context.store("database").check().map(\.code) == ["pathcase.store-damaged"])
      let result = try await plugin.run("update", ["server": .text(simulator.address)])
      #expect(result.diagnostics.map(\.code).contains("pathcase.database-updated"))
      let handle = try store.open()
      let kept = try handle.content().documents
      #expect(kept.count == 9 && kept.allSatisfy(SnapshotError.isWhole))
      #expect(try handle.records().snapshot == "bundled")
      handle.close()
    }
  }

  @Test func `a canceled update ends at once and changes nothing`() async throws {
    let plugin = try await plugin()
    try await serving(MawSamples.small, .with { $0.faults = [DatabaseFaultRule(.stall, on: "pools.xml")] }) {
      simulator in
      let context = plugin.context
      let request = DatabaseUpdate.Request(server: simulator.address)
      let task = Task { try await DatabaseUpdate.run(PathwayShelf(), context, request) }
      while !simulator.requests.contains("pools.xml") { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { _ = try await task.value }
      #expect(try PathwayShelf.snapshots(context).isEmpty())
      // The lock was released with it.
      simulator.setFaults([])
      _ = try await DatabaseUpdate.run(PathwayShelf(), context, request)
      #expect(try !PathwayShelf.snapshots(context).isEmpty())
    }
  }

  @Test func `the second of two concurrent updates is refused, and readers continue`() async throws {
    let plugin = try await plugin()
    try await serving(MawSamples.small, .with { $0.faults = [DatabaseFaultRule(.stall, on: "pools.xml")] }) {
      simulator in
      let context = plugin.context
      let request = DatabaseUpdate.Request(server: simulator.address)
      let first = Task { try await DatabaseUpdate.run(PathwayShelf(), context, request) }
      while !simulator.requests.contains("pools.xml") { await Task.yield() }
      let report = await plugin.report("update", ["server": .text(simulator.address)])
      #expect(report?.code == "pathcase.update-running" && report?.kind == .refused)
      #expect(await plugin.report("rollback")?.code == "pathcase.update-running")
      let shown = try #require(try await plugin.run(line: "list").value.table)
      #expect(shown.rowCount == 2)
      first.cancel()
      await #expect(throws: CancellationError.self) { _ = try await first.value }
    }
  }

  @Test func `progress names the documents and ends when all are fetched`() async throws {
    let plugin = try await plugin()
    try await serving(MawSamples.small) { simulator in
      let seen = Mutex<[PluginAPI.Progress]>([])
      _ = try await DatabaseUpdate.run(
        PathwayShelf(), plugin.context, .init(server: simulator.address)
      ) { progress in seen.withLock { $0.append(progress) } }
      let all = seen.withLock { $0 }
      #expect(all.contains { $0.fraction == 1 && $0.label.hasPrefix("9 of 9 documents") })
      #expect(all.last?.label == "saving the new database")
    }
  }

  @Test func `a folder can serve as the server, and a missing server is an error`() async throws {
    let plugin = try await plugin()
    #expect(await plugin.report("update")?.code == "pathcase.no-server")
    let folder = try PathCaseFolder()
    try folder.write(MawSamples.small, into: "maw")
    try plugin.context.set("server", to: .text(folder.path + "/maw"))
    _ = try await plugin.run(line: "update")
    #expect(try await PathwayShelf().opened(plugin.context).origin?.source == folder.path + "/maw")
    #expect(await plugin.report("update", ["server": "/none"])?.code == "pathcase.file-unreadable")
  }

  @Test func `an offline update sends no request`() async throws {
    let plugin = try await TestPlugin(PathCasePlugin(), resources: resources.path)
    #expect(await plugin.report("update", ["server": "http://127.0.0.1:9/"])?.code == "net.offline")
  }

  @Test func `faults of the simulator are listed and looked up by name`() async throws {
    let plugin = try await plugin()
    let lines = try await plugin.run(line: "simulate --fault list").values
    #expect(lines.count == DatabaseFault.allCases.count)
    let report = await plugin.report("simulate", ["fault": .list(["busy-50"])])
    let lone = await plugin.report("simulate", ["certificate": "/none.pem"])
    #expect(lone?.code == "pathcase.lone-certificate" && lone?.kind == .usage)
    #expect(report?.code == "pathcase.unknown-fault" && report?.advice?.contains("busy-503") == true)
    let stray = await plugin.report("simulate", ["fault": .list(["reset@poolz"])])
    #expect(stray?.code == "pathcase.unknown-document" && stray?.advice?.contains("pools.xml") == true)
    let malformed = await plugin.report("simulate", ["fault": .list(["reset#0"])])
    #expect(malformed?.code == "pathcase.bad-fault-rule" && malformed?.kind == .usage)
  }

  @Test func `a fault rule names its document and the requests that it affects`() throws {
    let rules = try DatabaseFaultRule.documents(["reset@poolsx2", "delay@layouts/v.xml; stall#3-"])
    #expect(
      rules == [
        DatabaseFaultRule(.reset, on: "pools.xml", calls: 1...2), DatabaseFaultRule(.delay, on: "layouts/v.xml"),
        DatabaseFaultRule(.stall, calls: 3...Int.max),
      ])
    #expect(throws: FaultScriptError.unknownFault("", nearest: nil)) { try DatabaseFaultRule.documents(["x2"]) }
  }
}

extension DatabaseSimulatorSetup {
  /// Returns settings with changes.
  fileprivate static func with(_ change: (inout DatabaseSimulatorSetup) -> Void) -> DatabaseSimulatorSetup {
    var setup = DatabaseSimulatorSetup()
    change(&setup)
    return setup
  }
}
