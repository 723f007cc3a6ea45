import PluginAPI
import PluginSimulation
import PluginTesting
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Refreshes in unusual situations: rows left out, another back end, an outdated list of categories.
struct RefreshCases {
  @Test func `case 22: nothing is removed if rows were skipped`() async throws {
    let user = try await LabUser.synced(.yeastlab) { $0.dialect = .mid }
    let before = try await user.content()
    user.server.add(SimulatorFaultRule(.raggedRows, on: "NAVIGATION"))
    let result = try await user.run("sync --full")
    #expect(result.diagnostics.contains { $0.code == "openbis.nothing-pruned" })
    #expect(result.value["removed"] == 0 && result.value["skipped"] != 0)
    #expect(Set(before.entities.keys).isSubset(of: try await user.content().entities.keys))
  }

  @Test func `another back end replaces all data of the previous one`() async throws {
    let user = try await LabUser.synced(.demo)
    let tables = try await user.content()
    try await user.logIn("--native")
    #expect(try await user.content() == tables)
    try await user.run("sync")
    let native = try await user.content()
    let other = try await LabUser(.demo, server: user.server)
    try await other.logIn("--native")
    try await other.run("sync")
    let alone = try await other.content()
    #expect(native == alone, "\(native.differences(from: alone))")
    try await user.logIn()
    try await user.run("sync")
    #expect(try await user.content() == tables)
    // Nothing is requested again if nothing has changed.
    try await user.logIn()
    #expect(try await user.state().wantsAll == false)
  }

  @Test func `a chosen data store stays chosen, and its data replaces the previous data`() async throws {
    let user = try await LabUser.synced(.demo) { $0.dataStores = ["DSS1", "DSS2"] }
    #expect(try await user.accounts().first?.dataStore == "DSS1")
    try await user.logIn("--data-store DSS2")
    #expect(try await user.state().replacesAll)
    try await user.logIn()
    #expect(try await user.accounts().first?.dataStore == "DSS2")
    #expect(try await user.state().replacesAll)
    let before = try await user.content()
    try await user.run("sync")
    #expect(try await user.content() == before)
    #expect(try await !user.state().replacesAll)
  }

  @Test func `an interrupted refresh resumes although a category of its list is missing`() async throws {
    let user = try await LabUser.synced(.yeastlab)
    let before = try await user.content()
    var state = try await user.state()
    state.generation += 1
    state.unfinished = UnfinishedSync(startedAt: 1_800_000_000, isFull: true)
    state.unfinished?.pending = [EntityReference(permID: "GONE", refcon: "{}")]
    state.unfinished?.categories = 1
    let cache = EntityStore(path: try await user.cachePath())
    try await cache.saveState(state.encoded)
    user.server.add(SimulatorFaultRule(.scriptFails, on: "ROOT", times: 1))
    try await user.run("sync")
    #expect(user.server.log.filter { $0 == "NAVIGATION" }.count == 1)
    #expect(try await user.content() == before)
    // A remaining problem is reported.
    try await cache.saveState(state.encoded)
    user.server.add(SimulatorFaultRule(.scriptFails, on: "ROOT"))
    #expect(await user.report("sync") != nil)
    user.server.heal()
    user.server.forgetCalls()
    try await cache.saveState(state.encoded)
    try await user.run("sync --full")
    #expect(user.server.log.first { $0 == "NAVIGATION" || $0 == "ROOT" } == "NAVIGATION")
    await cache.close()
  }

  @Test func `a category whose list changes without rows is requested completely once`() async throws {
    let lab = try await WrittenLab()
    func write(_ children: String, rows: [String] = []) {
      let all = [WrittenLab.root("C", children: children)] + rows.map { WrittenLab.root($0) }
      lab.write("ROOT", WrittenLab.rootColumns + ["DELETED"], all.map { $0 + [""] })
    }
    func requestsAll() async throws -> [Bool] {
      let known = lab.parameters("ROOT").count
      try await lab.run("sync")
      return lab.parameters("ROOT").dropFirst(known).map { $0["lastupdate"] == "0.000000" }
    }
    write(#"["A","B"]"#, rows: ["A", "B"])
    #expect(try await requestsAll() == [true])
    write(#"["A","B","D"]"#, rows: ["D"])
    #expect(try await requestsAll() == [false])
    write(#"["A","B","D","NOBODY"]"#)
    #expect(try await requestsAll() == [false, true])
    #expect(try await requestsAll() == [false])
    write(#"["A","D","NOBODY"]"#)
    #expect(try await requestsAll() == [false, true])
    write(#"["D","NOBODY"]"#, rows: ["A"])
    #expect(try await requestsAll() == [false])
  }

  @Test func `details of a category are read from the cache`() async throws {
    let user = try await LabUser.synced(.demo)
    let result = try await user.run("detail PROBES")
    #expect(result.diagnostics.isEmpty && user.server.callCount == 0)
    #expect(result.value["state"].list?.contains("missingOnServer") == false)
  }

  @Test func `a response with too many categories is refused`() async throws {
    let folder = CacheFolder()
    let setting = SyncSetting(cache: folder.store(), clock: { 0 }, report: { _ in }, warn: { _ in })
    let rows = (0..<3).map { EntityRow("A\($0)") }
    #expect(try await setting.rows(limit: 3) { $0.push(rows) }.0.count == 3)
    await #expect(throws: UselessResult("it has more than 2 rows")) {
      try await setting.rows(limit: 2) { $0.push(rows) }
    }
  }

  // MARK: Objects

  @Test func `drilling requests the kinds that the mapping lists below an object`() async throws {
    let user = try await LabUser.synced(.demo, "--native")
    let before = try await user.content()
    user.server.addEntity(header: "New below")
    let experiments = before.entities.keys.filter { $0.hasPrefix("EXPERIMENT.") }
    for experiment in experiments { _ = try await user.plugin.run("drill", ["perm-id": .text(experiment)]) }
    #expect(user.server.log.contains("searchSamples") && user.server.log.contains("searchDataSets"))
    let after = try await user.content()
    let new = Set(after.entities.keys).subtracting(before.entities.keys)
    let sample = try #require(new.first { $0.hasPrefix("SAMPLE.") })
    #expect(after.edges.contains { $0.hasPrefix("EXPERIMENT.") && $0.hasSuffix("> \(sample)") })
    // Existing entities keep their parents.
    #expect(before.edges.isSubset(of: after.edges))
  }
}
