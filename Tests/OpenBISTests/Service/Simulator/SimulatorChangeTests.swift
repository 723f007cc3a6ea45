import PluginAPI
import PluginJSON
import PluginNet
import PluginTesting
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

@Suite(.timeLimit(.minutes(2)))
struct SimulatorChangeTests {
  private func core(_ shape: SimulatorShape, entities: Int = 200) -> SimulatorCore {
    var configuration = SimulatorConfiguration(shape: shape)
    (configuration.entities, configuration.categories) = (entities, 4)
    return SimulatorCore(configuration)
  }

  private func text(_ rows: SimulatedRows) async throws -> [UInt8] {
    var buffer = WireBuffer()
    try await rows.write(.v1, &buffer) { _ in }
    return buffer.bytes
  }

  @Test(arguments: SimulatorShape.allCases)
  func `equal seeds create equal labs, and other seeds different ones`(_ shape: SimulatorShape) {
    func texts(_ seed: UInt64) -> [String] {
      var configuration = SimulatorConfiguration(shape: shape)
      configuration.seed = seed
      let view = SimulatorCore(configuration).view(hidden: [])
      return (0..<50).compactMap { view.entity($0).map { $0.permID + $0.summary + $0.propertiesText } }
    }
    #expect(texts(1) == texts(1) && texts(1) != texts(2) && texts(1).count == 50)
  }

  @Test(arguments: SimulatorShape.allCases)
  func `parents and children agree, and entities are found by both ids`(_ shape: SimulatorShape) {
    let view = core(shape).view(hidden: [])
    for index in 0..<view.count {
      guard let entity = view.entity(index) else { continue }
      #expect(view.index(ofPermID: entity.permID) == index)
      #expect(view.index(ofNativePermID: entity.native.permID) == index)
      for child in entity.native.children { #expect(view.entity(child)?.native.parents.contains(index) == true) }
      for parent in entity.native.parents { #expect(view.entity(parent)?.native.children.contains(index) == true) }
    }
    #expect(view.index(ofPermID: "nobody") == nil && view.index(ofPermID: "20240101120000000-0") == nil)
  }

  @Test func `rows written directly equal those written from entities also after changes`() async throws {
    let core = core(.plain, entities: 1000)
    let ids = (0..<60).compactMap { core.view(hidden: []).entity($0)?.permID }
    core.modify([ids[8], ids[9]])
    core.delete([ids[21], ids[44]])
    _ = core.addEntity(header: "New", category: 0, children: [ids[0]])
    let view = core.view(hidden: [])
    let columns = ["PERM_ID", "REFCON", "CATEGORY", "SUMMARY_HEADER", "SUMMARY", "CHILDREN", "ROOT_LEVEL", "DELETED"]
    let members = view.members(of: 0)
    let quick = try await text(SimulatedRows(view: view, columns: columns, members: members, since: 0))
    let slow = try await text(SimulatedRows(view: view, columns: columns, members: members, since: 1))
    #expect(quick == slow && members.count == 251)
    // The parent no longer lists the deleted child.
    let parent = try #require(view.entity(20))
    #expect(parent.children == [ids[22], ids[23]])
    #expect(view.entity(0)?.native.parents == [1000])
  }

  @Test func `a lab that changes over time modifies, adds and removes entities`() {
    let core = core(.yeastlab)
    let before = core.lab.count
    for turn in 0..<50 { core.changeSomething(turn) }
    let changes = core.view(hidden: []).changes
    #expect(changes.added.count == 10 && !changes.deleted.isEmpty && changes.modified.count > 20)
    #expect(core.view(hidden: []).count == before + 10)
  }

  @Test func `a changed probe is sent again, and every delta lists all deletions`() async throws {
    let server = try SimulatorServer()
    let caller = SimulatorCaller(server)
    let token = try await caller.logIn()
    let probes: Value = ["PERM_ID": "PROBES", "REFCON": "x"]
    func roots(_ since: Int) async throws -> [[String: String]] {
      try await caller.rows(
        token, ["requestKey": "ROOT", "entities": [probes], "lastupdate": .text("\(since / 1000).000000")])
    }
    server.advanceClock(bySeconds: 10)
    let now = server.now
    // Nothing is new, so everything is sent.
    #expect(try await roots(now).count == 320)
    server.advanceClock(bySeconds: 10)
    server.modify(server.permIDs(300..<301))
    server.delete(server.permIDs(0..<1))
    let rows = try await roots(now)
    #expect(rows.count == 3 && rows[1]["SUMMARY"]?.hasSuffix("(changed 1)") == true && rows[2]["DELETED"] == "true")
    #expect(try await roots(now + 1_000_000).last?["DELETED"] == "true")
    await server.stop()
  }

  @Test func `services of the application server are found`() async throws {
    let server = try SimulatorServer()
    let caller = SimulatorCaller(server)
    let token = try await caller.answer(.application, "login", ["alice", "wonderland"])["result"]
    let found = try await caller.answer(.application, "searchCustomASServices", [token, .null, .null])["result"]
    #expect(found["objects"].list?.map { $0["code"]["permId"].text } == ["ipad-read-service-v1"])
    let match = try await caller.answer(
      .application, "searchGlobally",
      [
        token,
        [
          "@type": "as.dto.global.search.GlobalSearchCriteria", "operator": "AND",
          "criteria": [
            [
              "@type": "as.dto.global.search.GlobalSearchTextCriteria",
              "fieldValue": ["@type": "as.dto.common.search.StringContainsValue", "value": "PROBE-31"],
            ]
          ],
        ], ["@type": "as.dto.global.fetchoptions.GlobalSearchObjectFetchOptions", "from": 0, "count": 5],
      ])["result"]
    #expect(match["totalCount"].integer == 11 && match["objects"].list?.count == 5)
    #expect(match["objects"].list?[0]["match"].text == "Code: PROBE-31")
    await server.stop()
  }

  @Test(.timeLimit(.minutes(10))) func `the command runs until it is canceled`() async throws {
    let plugin = try await TestPlugin(OpenBISPlugin())
    let task = Task { try await plugin.run("simulate", ["shape": "plain", "entities": 10]) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
