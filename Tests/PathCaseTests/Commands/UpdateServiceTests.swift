import Foundation
import PluginAPI
import PluginTesting
import PluginText
import TestSupport
import Testing

@testable import PathCase
@testable import PathCaseSimulator

struct UpdateServiceTests {
  @Test(.enabled(if: TLSServer.isAvailable, "openssl is not installed"))
  func `a service over TLS is trusted only by certificates in the settings`() async throws {
    let answers = ContractWriter.documents(of: MawSamples.small).map { document in
      let head = "HTTP/1.0 200 OK\r\nContent-Type: text/xml\r\nContent-Length: \(document.bytes.count)\r\n\r\n"
      return (document.path, head + String(decoding: document.bytes, as: UTF8.self))
    }
    let server = try TLSServer(Dictionary(uniqueKeysWithValues: answers))
    let resources = try PathCaseFolder()
    try resources.write(DatabaseRecords(snapshot: "bundled"), into: "database")
    let plugin = try await TestPlugin(PathCasePlugin(), resources: resources.path, isOffline: false)
    try plugin.context.set("connections", to: 1)
    #expect(await plugin.report("update", ["server": .text(server.address)])?.code == "net.not-trusted")
    #expect(try PathwayShelf.snapshots(plugin.context).isEmpty())
    try plugin.context.set("certificates", to: .text(server.certificate.path))
    let result = try await plugin.run("update", ["server": .text(server.address)])
    #expect(result.diagnostics.last?.code == "pathcase.database-updated")
    #expect(try await PathwayShelf().database(plugin.context).pathways.count == 2)
  }

  @Test(arguments: [1, 2, 3, 5, 8, 16])
  func `the database is the same for any number of connections and any order of responses`(
    _ connections: Int
  ) async throws {
    var setup = DatabaseSimulatorSetup()
    var random = SplitMix64(seed: UInt64(connections))
    for document in ContractWriter.documents(of: MawSamples.small) {
      setup.latencies[document.path] = Int.random(in: 0...30, using: &random)
    }
    let simulator = try DatabaseSimulator(SimulatedDatabase(MawSamples.small), setup)
    var options = UpdateOptions()
    options.connections = connections
    options.deadlineInSeconds = 600
    let source = DocumentSource.service(simulator.address, DocumentSource.Access(stallInSeconds: 600))
    let snapshot = try await SnapshotUpdater(source: source, options: options).run()
    #expect(simulator.mostAtOnce <= connections)
    await simulator.stop()
    let expected = try DatabaseLinker.link(MawSamples.small)
    #expect(snapshot.database.records == expected.records)
    #expect(snapshot.database.differences(since: expected).isEmpty)
    let documents = ContractWriter.documents(of: MawSamples.small).dropFirst()
    #expect(snapshot.documents.map(\.entry) == documents.map(\.entry))
  }
}
