import PluginAPI
import PluginJSON
import PluginNet
import PluginSimulation
import PluginTesting
import TestSupport
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Cases 54, 55, 58 and 59: V3 graphs and pages, encodings, and forms of transfer.
struct WireCases {
  private func native(_ change: (inout SimulatorConfiguration) -> Void = { _ in }) async throws -> LabUser {
    try await LabUser.loggedIn(.demo, "--native", change)
  }

  @Test func `case 54: repeated objects and cycles are resolved`() async throws {
    let (plain, shared) = (try await native(), try await native { $0.sharesObjects = true })
    try await plain.run("sync")
    try await shared.run("sync")
    let content = try await plain.content()
    #expect(content.entities.count > 300 && !content.edges.isEmpty)
    let other = try await shared.content()
    #expect(other == content, "\(other.differences(from: content))")
  }

  @Test(arguments: [SimulatorFault.forwardReference, .reusedID])
  func `case 54: a reference to a missing object or an id used twice violates the protocol`(_ fault: SimulatorFault)
    async throws
  {
    let user = try await native()
    try await user.run("sync")
    let before = try await user.content()
    user.server.add(SimulatorFaultRule(fault, on: "searchSamples"))
    let report = try #require(await user.report("sync --full"))
    #expect(report.kind == .network && report.message.contains("searchSamples"), "\(report.code) \(report.message)")
    #expect(report.message.contains("127.0.0.1"))
    #expect(try await user.content() == before)
    #expect(try await user.canBrowse())
  }

  @Test(arguments: [SimulatorFault.movingTotal, .shortPages])
  func `case 55: changing totals and short pages lose nothing`(_ fault: SimulatorFault) async throws {
    func user(_ faults: [SimulatorFaultRule]) async throws -> LabUser {
      try await LabUser.synced(.plain, "--native") {
        $0.entities = 3000
        $0.faults = faults
      }
    }
    let (usual, other) = (try await user([]), try await user([SimulatorFaultRule(fault)]))
    let (content, found) = (try await usual.content(), try await other.content())
    #expect(content.entities.count > 3000)
    #expect(found == content, "\(found.entities.count) of \(content.entities.count)")
  }

  @Test func `case 58: a byte order mark is ignored`() async throws {
    let user = try await LabUser.loggedIn { $0.faults = [SimulatorFaultRule(.bom)] }
    try await user.run("sync")
    #expect(try await user.content() == LabUser.synced().content())
  }

  @Test(arguments: [SimulatorFault.utf16, .invalidUTF8])
  func `case 58: other encodings are refused, and the cache stays`(_ fault: SimulatorFault) async throws {
    let user = try await LabUser.synced()
    let before = try await user.content()
    user.server.add(SimulatorFaultRule(fault, on: "ROOT"))
    let report = try #require(await user.report("sync --full"))
    #expect(report.code == "openbis.unreadable-answer" || report.code == "openbis.not-json", "\(report.code)")
    #expect(report.message.contains("createReportFromAggregationService"))
    #expect(try await user.content() == before)
  }

  @Test func `case 58: texts with U+0000 are stored completely`() async throws {
    let user = try await LabUser.loggedIn { $0.faults = [SimulatorFaultRule(.nulTexts)] }
    try await user.run("sync")
    let usual = try await LabUser.synced()
    let id = try #require(user.server.permIDs(400..<401).first)
    let header = try await user.entity(id)["summaryHeader"].text
    #expect(header == "a\u{0}b" + (try await usual.entity(id)["summaryHeader"].text ?? ""))
    let found = try await user.plugin.run("search", ["text": .text("PROBE"), "anywhere": true]).value.list
    #expect(found?.isEmpty == false)
    #expect(Harm.found(in: try user.plugin.text(try await user.entity(id)), allowing: ["\n"]).isEmpty)
  }

  @Test(arguments: [SimulatorFault.gzip, .chunked, .connectionClose])
  func `case 59: a body may be compressed, chunked, or end with the connection`(_ fault: SimulatorFault) async throws {
    let user = try await LabUser.loggedIn { $0.faults = [SimulatorFaultRule(fault)] }
    try await user.run("sync")
    #expect(try await user.content() == LabUser.synced().content())
  }

  @Test func `case 59: a body without a length ends with the connection`() async throws {
    let server = try FixtureServer { request in
      let id = (try? Value(json: request.body))?["id"].integer ?? 0
      let text = #"{"jsonrpc":"2.0","id":\#(id),"result":\#(TableText.v1(["PERM_ID", "REFCON"], [["A", "{}"]]))}"#
      return FixtureReply(200, Array(text.utf8), type: "application/json-rpc", .unstated)
    }
    let connection = RPCConnection(ServerAddress(base: server.address), .init(.init(isOffline: false)))
    let session = RPCSession(connection, user: "anna", key: .none, token: Secret("anna-1"))
    let channel = RowChannel(capacity: .max)
    let summary = try await TableService(session, host: .v1, dataStore: "DSS1").rows(.navigation, into: channel)
    #expect(summary.rowCount == 1)
    // The client does not ask for the status 100, so that it need not wait for servers that send it.
    #expect(server.requests.allSatisfy { $0.headers["expect"] == nil })
    server.stop()
  }
}
