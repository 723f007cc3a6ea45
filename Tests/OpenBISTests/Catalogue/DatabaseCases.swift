import Foundation
import PluginAPI
import PluginSimulation
import PluginTesting
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// The effects of a server's database on its responses: late commits, ties, rights, moved projects, the cost of pages.
///
/// Each time, the cache and the server must be equal after two refreshes, and nothing may be removed that the server
/// still has.
@Suite(.timeLimit(.minutes(10)))
struct DatabaseCases {
  private static let ways = ["", "--native"]

  private func lab(
    _ options: String, entities: Int = 300, importSize: Int = 1,
    _ change: (inout SimulatorConfiguration) -> Void = { _ in }
  ) async throws -> LabUser {
    try await LabUser.synced(.plain, options) { configuration in
      (configuration.entities, configuration.importSize) = (entities, importSize)
      change(&configuration)
    }
  }

  /// Returns the content of a newly filled cache.
  private func fresh(_ user: LabUser, _ options: String) async throws -> CacheContent {
    let other = try await LabUser(server: user.server)
    try await other.logIn(options)
    try await other.run("sync --no-index")
    return try await other.content()
  }

  private func expectEqual(_ user: LabUser, _ options: String, _ label: String = "") async throws {
    let (found, wanted) = (try await user.content(), try await fresh(user, options))
    #expect(found == wanted, "\(label): \(found.differences(from: wanted))")
  }

  /// A change made by a transaction.
  enum LateChange: String, CaseIterable, Sendable {
    case added, modified, deleted

    func make(at server: SimulatorServer) {
      switch self {
      case .added: server.addEntity(header: "late")
      case .modified: server.modify(server.permIDs(7..<9))
      case .deleted: server.delete(server.permIDs(19..<20))
      }
    }
  }

  @Test(arguments: LateChange.allCases, [300.0, 3600, 36_000])
  func `an object committed long after the server's timestamp is fetched`(
    _ change: LateChange, _ seconds: Double
  ) async throws {
    let user = try await lab("--native")
    let before = try await user.content().entities.count
    user.server.add(SimulatorFaultRule(.lateCommit))
    change.make(at: user.server)
    try await user.run("sync --no-index")
    #expect(try await user.content().entities.count == before)
    user.server.advanceClock(bySeconds: seconds)
    try await user.run("sync --no-index")
    user.server.heal()
    for _ in 0..<2 { try await user.run("sync --no-index") }
    try await expectEqual(user, "--native", change.rawValue)
  }

  @Test(arguments: LateChange.allCases)
  func `table requests overlap by a quarter of an hour, so that short transactions are not lost`(_ change: LateChange)
    async throws
  {
    let user = try await lab("")
    user.server.add(SimulatorFaultRule(.lateCommit))
    change.make(at: user.server)
    try await user.run("sync --no-index")
    user.server.heal()
    for _ in 0..<2 { try await user.run("sync --no-index") }
    try await expectEqual(user, "", change.rawValue)
  }

  @Test(arguments: [LateChange.added, .deleted])
  func `objects that a long import adds or deletes are found by the lists of categories`(
    _ change: LateChange
  ) async throws {
    let user = try await LabUser.synced(.tagBrowser)
    let before = try await user.content()
    user.server.add(SimulatorFaultRule(.lateCommit))
    change.make(at: user.server)
    user.server.advanceClock(bySeconds: 36_000)
    try await user.run("sync --no-index")
    #expect(try await user.content() == before)
    user.server.heal()
    user.server.forgetCalls()
    try await user.run("sync --no-index")
    #expect(user.server.log.filter { $0 == "ROOT" }.count == 4)
    try await expectEqual(user, "", change.rawValue)
  }

  @Test(arguments: LateChange.allCases)
  func `tables without lists of children miss a long import until a full sync is due`(_ change: LateChange)
    async throws
  {
    let user = try await lab("")
    let before = try await user.content()
    user.server.add(SimulatorFaultRule(.lateCommit))
    change.make(at: user.server)
    user.server.advanceClock(bySeconds: 36_000)
    try await user.run("sync --no-index")
    user.server.heal()
    // Nothing shows what is missing.
    for _ in 0..<2 { try await user.run("sync --no-index") }
    #expect(try await user.content() == before)
    let now = user.plugin.context.now()
    user.plugin.context.setNow(Instant(seconds: now.seconds + 8 * 86_400))
    try await user.run("sync --no-index")
    try await expectEqual(user, "", change.rawValue)
  }

  @Test(arguments: LateChange.allCases)
  func `an object committed late among many recent ones is fetched`(_ change: LateChange) async throws {
    let user = try await filledJustNow(entities: 3000)
    try await user.run("sync --no-index")
    user.server.add(SimulatorFaultRule(.lateCommit))
    change.make(at: user.server)
    try await user.run("sync --no-index")
    user.server.advanceClock(bySeconds: 300)
    user.server.heal()
    for _ in 0..<2 { try await user.run("sync --no-index") }
    try await expectEqual(user, "--native", change.rawValue)
  }

  @Test func `objects with equal timestamps are neither lost nor removed when their order changes between pages`()
    async throws
  {
    let user = try await LabUser.loggedIn(.plain, "--native") { configuration in
      (configuration.entities, configuration.importSize) = (2000, 2000)
      configuration.faults = [SimulatorFaultRule(.unstableTies)]
    }
    try await user.run("sync --no-index")
    #expect(try await user.content().entities.keys.count { $0.hasPrefix("SAMPLE.") } == 2000)
    let full = try await user.run("sync --full --no-index")
    #expect(full.value["removed"] == 0 && full.value["added"] == 0)
    try await expectEqual(user, "--native")
    user.server.modify(user.server.permIDs(700..<702))
    user.server.delete(user.server.permIDs(1908..<1909))
    for _ in 0..<2 { try await user.run("sync --no-index") }
    try await expectEqual(user, "--native", "changed")
  }

  @Test func `paging ends for a server that ignores from and count`() async throws {
    let user = try await LabUser.loggedIn(.plain, "--native") { configuration in
      configuration.entities = 2600
      configuration.faults = [SimulatorFaultRule(.ignoresPaging)]
    }
    try await user.run("sync --no-index")
    #expect(user.server.callCount < 40)
    try await user.run("sync --full --no-index")
    user.server.heal()
    try await expectEqual(user, "--native")
  }

  @Test func `a search that failed because results changed meanwhile is repeated`() async throws {
    let user = try await lab("--native")
    user.server.add(SimulatorFaultRule(.translationChanged, times: 2))
    user.server.modify(user.server.permIDs(7..<9))
    try await user.run("sync --no-index")
    try await expectEqual(user, "--native")
  }

  @Test(arguments: ways)
  func `revoked and granted rights are detected by a refresh`(_ options: String) async throws {
    let user = try await lab(options)
    let whole = try await user.content().entities.count
    user.server.add(SimulatorFaultRule(.rightsChange))
    for _ in 0..<2 { try await user.run("sync --no-index") }
    #expect(try await user.content().entities.count < whole)
    try await expectEqual(user, options, "withdrawn")
    user.server.heal()
    for _ in 0..<2 { try await user.run("sync --no-index") }
    #expect(try await user.content().entities.count == whole)
    try await expectEqual(user, options, "granted")
  }

  @Test func `revoked and granted rights on single objects are detected by counts`() async throws {
    let user = try await lab("--native")
    let hidden = Set(user.server.permIDs(40..<60))
    user.server.hide(hidden, from: "alice")
    for _ in 0..<2 { try await user.run("sync --no-index") }
    try await expectEqual(user, "--native", "withdrawn")
    user.server.show(hidden, to: "alice")
    for _ in 0..<2 { try await user.run("sync --no-index") }
    try await expectEqual(user, "--native", "granted")
  }

  @Test(arguments: ways)
  func `objects in a moved project get their new identifiers`(_ options: String) async throws {
    let user = try await lab(options)
    user.server.moveProject(0, toSpace: 2)
    for _ in 0..<2 { try await user.run("sync --no-index") }
    try await expectEqual(user, options)
    if !options.isEmpty {
      let moved = try await user.entity("SAMPLE." + user.server.permIDs(0..<1)[0])
      #expect(moved["identifier"].text?.hasPrefix("/LAB_3/PROJECT_1/") == true)
    }
  }

  @Test func `an unreachable data store affects only its files`() async throws {
    let user = try await lab("--native")
    user.server.modify(user.server.permIDs(0..<1))
    user.server.add(SimulatorFaultRule(.dataStoreDown))
    let dataSet = try #require(
      try await user.content().entities.keys.first { $0.hasPrefix("DATA_SET.") && $0.hasSuffix("-1") })
    let result = try await user.plugin.run("detail", ["perm-id": .text(dataSet)])
    #expect(result.value["properties"].list?.contains { $0["value"].text?.contains("(changed 1)") == true } == true)
    #expect(result.diagnostics.map(\.code) == ["openbis.files-unknown"])
    #expect(result.diagnostics.first?.message.contains("127.0.0.1:1") == true)
    let sample = "SAMPLE." + user.server.permIDs(0..<1)[0]
    let drilled = try await user.plugin.run("drill", ["perm-id": .text(sample)])
    #expect(!drilled.diagnostics.contains { $0.code == "openbis.offline" })
    let before = try await user.content()
    for _ in 0..<2 { try await user.run("sync --no-index") }
    #expect(try await user.content() == before)
  }

  @Test @MainActor func `screens stay online while only the data store is unreachable`() async throws {
    let user = try await lab("--native")
    user.server.modify(user.server.permIDs(0..<1))
    user.server.add(SimulatorFaultRule(.dataStoreDown))
    let dataSet = try #require(
      try await user.content().entities.keys.first { $0.hasPrefix("DATA_SET.") && $0.hasSuffix("-1") })
    let size = Size(width: 90, height: 24)
    for (name, arguments) in [("detail", ["perm-id": .text(dataSet)]), ("browser", [:])] as [(String, Record)] {
      let screen = try user.plugin.screen(name, arguments, size: size)
      await screen.settle()
      screen.press("r")
      await screen.settle()
      screen.advance(by: 1)
      await screen.settle()
      #expect(user.server.callCount > 0)
      let status = screen.controller.status.map(\.text)
      #expect(!status.contains { $0.contains("offline") }, "\(name): \(status)")
      user.server.forgetCalls()
    }
    let properties = try await user.entity(dataSet)["properties"].list ?? []
    #expect(properties.contains { $0["value"].text?.contains("(changed 1)") == true })
    // The same screens go offline without the application server.
    await user.server.stop()
    let screen = try user.plugin.screen("detail", ["perm-id": .text(dataSet)], size: size)
    await screen.settle()
    screen.press("r")
    await screen.settle()
    screen.advance(by: 1)
    await screen.settle()
    #expect(screen.controller.status.map(\.text) == ["offline · o to go online"])
  }

  @Test func `files shown as entities stay while their data store is unreachable, and are updated afterwards`()
    async throws
  {
    let user = try await LabUser.loggedIn(.plain, "--native") { $0.entities = 50 }
    let folder = CacheFolder()
    let rules = #"{"mapping":1,"rules":[{"kind":"DATA_SET","root":true,"pages":"*.png"}]}"#
    try rules.write(toFile: folder.path + "/pages.json", atomically: true, encoding: .utf8)
    try await user.run("mapping use \(folder.path)/pages.json")
    func files() async throws -> Int { try await user.content().entities.keys.count { $0.hasPrefix("FILE.") } }
    user.server.add(SimulatorFaultRule(.dataStoreDown))
    let result = try await user.run("sync --no-index")
    #expect(result.diagnostics.map(\.code) == ["openbis.files-unknown"] && result.value["added"] == 5)
    #expect(try await files() == 0)
    user.server.heal()
    try await user.run("sync --no-index")
    #expect(try await files() == 10)
    user.server.add(SimulatorFaultRule(.dataStoreDown))
    #expect(try await user.run("sync --full --no-index").value["removed"] == 0)
    #expect(try await files() == 10)
  }

  @Test(arguments: ["", "--full"])
  func `files shown as entities are removed with the data sets that the user may no longer read`(_ options: String)
    async throws
  {
    let user = try await LabUser.loggedIn(.plain, "--native") { $0.entities = 50 }
    let folder = CacheFolder()
    let rules = #"{"mapping":1,"rules":[{"kind":"DATA_SET","group":"{type}","pages":"*.png"}]}"#
    try rules.write(toFile: folder.path + "/pages.json", atomically: true, encoding: .utf8)
    try await user.run("mapping use \(folder.path)/pages.json")
    try await user.run("sync --no-index")
    let whole = try await user.content()
    #expect(whole.entities.keys.count { $0.hasPrefix("FILE.") } == 10)
    user.server.add(SimulatorFaultRule(.notAllowed, on: "searchDataSets"))
    let result = try await user.run("sync --no-index \(options)")
    #expect(result.diagnostics.map(\.code).contains("openbis.kind-not-allowed"))
    // The groups, which show types of data sets, are gone too.
    #expect(try await user.content().entities.isEmpty)
    user.server.heal()
    try await user.run("sync --no-index")
    #expect(try await user.content() == whole)
  }

  @Test(arguments: NativeKind.allCases)
  func `a kind that the user may no longer read is removed from cache and search, and returns with the right`(
    _ kind: NativeKind
  ) async throws {
    let user = try await lab("--native")
    let other = try await LabUser(server: user.server)
    try await other.logIn("--native")
    let prefix = kind.rawValue + "."
    let known = try #require(try await user.content().entities.keys.filter { $0.hasPrefix(prefix) }.min())
    let header = try #require(try await user.entity(known)["summaryHeader"].text)
    func found() async throws -> [String] {
      let lists = try await user.run("search '\(header)' --anywhere --limit 1000000").values.compactMap(\.list)
      // The id of an object that others name stays, without any text.
      return lists.flatMap { $0 }.filter { $0["summaryHeader"] != "" }.compactMap { $0["permId"].text }
    }
    #expect(try await found().contains(known))
    user.server.add(SimulatorFaultRule(.notAllowed, on: "search\(kind.name)s"))
    let withdrawn = try await user.run("sync")
    #expect(withdrawn.diagnostics.map(\.code).contains("openbis.kind-not-allowed"))
    #expect(withdrawn.value["removed"].integer ?? 0 > 0)
    // A cache that never held the kind cannot show anything of it.
    try await other.run("sync")
    for _ in 0..<2 {
      let (content, wanted) = (try await user.content().without([]), try await other.content().without([]))
      #expect(content == wanted, "\(content.differences(from: wanted))")
      #expect(try await !found().contains { $0.hasPrefix(prefix) })
      try await user.run("sync")
    }
    user.server.heal()
    for _ in 0..<2 { try await user.run("sync") }
    let (content, wanted) = (try await user.content().without([]), try await fresh(user, "--native").without([]))
    #expect(content == wanted, "granted: \(content.differences(from: wanted))")
    #expect(try await found().contains(known))
  }

  @Test(arguments: [SimulatorFault.scriptFails, .emptyBody, .noResult])
  func `a search that fails for reasons other than rights removes nothing`(_ fault: SimulatorFault) async throws {
    let user = try await lab("--native")
    let before = try await user.content()
    for kind in NativeKind.allCases {
      user.server.add(SimulatorFaultRule(fault, on: "search\(kind.name)s"))
      #expect(await user.report("sync --full --no-index") != nil)
      user.server.heal()
      #expect(try await user.content() == before, "\(kind)")
    }
  }

  @Test(arguments: ways)
  func `a user who has lost every right can read nothing`(_ options: String) async throws {
    let user = try await lab(options)
    user.server.add(SimulatorFaultRule(.notAllowed))
    #expect(await user.report("sync --no-index")?.code == "openbis.not-allowed")
    #expect(try await user.content().entities.isEmpty)
    user.server.heal()
    try await user.run("sync --no-index")
    try await expectEqual(user, options)
  }

  @Test func `a refusal of all tables empties the cache with a warning`() async throws {
    var configuration = SimulatorConfiguration(shape: .plain)
    configuration.entities = 50
    let lab = HastyLab(try SimulatorServer(configuration))
    try await lab.sync()
    let count = try await lab.cache.counts().entities
    #expect(count >= 50 && lab.warnings.value.isEmpty)
    lab.server.add(SimulatorFaultRule(.notAllowed))
    // The second time the cache is empty already.
    for _ in 0..<2 { await #expect(throws: RPCError.self) { try await lab.sync() } }
    #expect(try await lab.cache.counts().entities == 0)
    #expect(lab.warnings.value.map(\.code) == ["openbis.rights-lost"])
    #expect(lab.warnings.value.first?.message.hasSuffix(": \(count)") == true)
  }

  @Test func `one refused table removes nothing`() async throws {
    let user = try await lab("")
    let before = try await user.content()
    user.server.add(SimulatorFaultRule(.notAllowed, on: "ROOT"))
    #expect(await user.report("sync --full --no-index")?.code == "openbis.not-allowed")
    #expect(try await user.content() == before)
    user.server.heal()
    try await user.run("sync --no-index")
    try await expectEqual(user, "")
  }

  @Test func `details keep properties from a refused kind, and a refresh removes them`() async throws {
    let user = try await LabUser.loggedIn(.plain, "--native") { $0.entities = 50 }
    let folder = CacheFolder()
    let rules = """
      {"mapping":1,"rules":[{"kind":"DATA_SET","root":true,"takes":["sample"]},{"kind":"SAMPLE","show":false}]}
      """
    try rules.write(toFile: folder.path + "/taking.json", atomically: true, encoding: .utf8)
    try await user.run("mapping use \(folder.path)/taking.json")
    try await user.run("sync --no-index")
    let whole = try await user.content()
    user.server.add(SimulatorFaultRule(.notAllowed, on: "getSamples"))
    let result = try await user.run("sync --full --no-index")
    #expect(result.diagnostics.map(\.code) == ["openbis.kind-not-allowed"])
    let lacking = try await user.content()
    let taking = try #require(whole.entities.keys.filter { lacking.entities[$0] != whole.entities[$0] }.min())
    user.server.heal()
    try await user.run("sync --no-index")
    #expect(try await user.content() == whole)
    let properties = try await user.entity(taking)["properties"]
    user.server.add(SimulatorFaultRule(.notAllowed, on: "getSamples"))
    user.server.forgetCalls()
    #expect(try await user.run("detail \(taking)").diagnostics.isEmpty)
    #expect(user.server.log.contains("getSamples"))
    #expect(try await user.entity(taking)["properties"] == properties)
  }

  /// The faults of a server's searches, of its sessions and of its data store.
  static let refreshFaults: [SimulatorFault] = [
    .unstableTies, .ignoresPaging, .translationChanged, .pageCost, .dataStoreDown, .dssPage, .noRanges, .sessionLimit,
  ]

  /// A refresh from tables is affected by only two of these faults: a data store that is down, where their service
  /// runs, and a limit of sessions.
  ///
  /// Tables have neither pages nor an order that the cache depends on. No refresh downloads files, so `dss-page` and
  /// `no-ranges` must not change any.
  @Test(arguments: refreshFaults, ways)
  func `cache and server are equal after two refreshes under a fault, and no existing object is removed`(
    _ fault: SimulatorFault, _ options: String
  ) async throws {
    let user = try await LabUser.synced(.plain, options) { ($0.entities, $0.importSize) = (1500, 500) }
    let before = try await user.content()
    user.server.add(SimulatorFaultRule(fault, times: fault.usualTimes))
    user.server.addEntity(header: "new")
    user.server.modify(user.server.permIDs(700..<702))
    let gone = user.server.permIDs(908..<909)[0]
    user.server.delete([gone])
    user.server.forgetCalls()
    for _ in 0..<2 {
      // Logins elsewhere, five of which end the session of the refresh.
      if fault == .sessionLimit { try await logInElsewhere(user.server, times: 5) }
      guard options.isEmpty, fault == .dataStoreDown else {
        try await user.run("sync --no-index")
        continue
      }
      #expect(await user.report("sync --no-index")?.code == "openbis.remote-error")
      #expect(try await user.content() == before)
    }
    let met = Set(user.server.calls.filter { $0.fault == fault }.map(\.method))
    let searches = met.subtracting(["searchSpaces"])
    #expect(searches.isEmpty == (options.isEmpty || fault.stage == .standing), "\(searches)")
    if options.isEmpty, fault == .dataStoreDown {
      user.server.heal()
      for _ in 0..<2 { try await user.run("sync --no-index") }
    }
    let removed = Set(before.entities.keys).subtracting(try await user.content().entities.keys)
    #expect(removed == [options.isEmpty ? gone : "SAMPLE." + gone])
    user.server.heal()
    try await expectEqual(user, options, fault.rawValue)
  }

  /// Logs the user in from other computers, each with a session of its own.
  private func logInElsewhere(_ server: SimulatorServer, times: Int) async throws {
    for _ in 0..<times { try await LabUser(server: server).logIn() }
  }

  // MARK: Cost

  @Test(arguments: [1, 20_000])
  func `a first refresh examines each object a few times, not once for each page`(_ importSize: Int) async throws {
    let user = try await LabUser.loggedIn(.plain, "--native") { configuration in
      (configuration.entities, configuration.importSize) = (20_000, importSize)
    }
    try await user.run("sync --no-index")
    #expect(try await user.content().entities.keys.count { $0.hasPrefix("SAMPLE.") } == 20_000)
    #expect(
      user.server.examinedObjects < 12 * 22_000, "\(user.server.examinedObjects) in \(user.server.callCount) calls")
  }

  @Test func `objects with equal timestamps are fetched in pages of the usual size, with few examinations of each`()
    async throws
  {
    var examinedPerObject: [Double] = []
    for entities in [4000, 16_000] {
      let user = try await LabUser.loggedIn(.plain, "--native") { configuration in
        (configuration.entities, configuration.importSize) = (entities, entities)
      }
      user.server.forgetCalls()
      try await user.run("sync --no-index")
      #expect(try await user.content().entities.keys.count { $0.hasPrefix("SAMPLE.") } == entities)
      let searches = user.server.calls.filter { $0.method == "searchSamples" }
      let counts = searches.compactMap { $0.parameters.dropFirst().first?["count"].integer }
      #expect(counts.allSatisfy { $0 <= NativeSync.pageSize }, "\(counts)")
      #expect(searches.count < 2 * entities / (NativeSync.pageSize - 1) + 20, "\(searches.count)")
      examinedPerObject.append(Double(user.server.examinedObjects) / Double(entities))
    }
    #expect(examinedPerObject[1] < examinedPerObject[0] + 2.5, "\(examinedPerObject)")
  }

  @Test func `a refresh with few changes needs few calls`() async throws {
    let user = try await lab("--native", entities: 20_000)
    user.server.forgetCalls()
    try await user.run("sync --no-index")
    #expect(user.server.callCount <= 16, "\(user.server.log)")
    user.server.addEntity(header: "new")
    user.server.modify(user.server.permIDs(700..<701))
    user.server.delete(user.server.permIDs(9000..<9001))
    user.server.forgetCalls()
    let result = try await user.run("sync --no-index")
    #expect(result.value["removed"] == 2)
    #expect(user.server.callCount <= 45, "\(user.server.callCount): \(user.server.log)")
    #expect(user.server.sentBytes < 2_000_000, "\(user.server.sentBytes)")
    try await expectEqual(user, "--native")
  }

  @Test func `recently imported objects are compared by ids, not fetched again`() async throws {
    let user = try await filledJustNow(entities: 3000)
    try await user.run("sync --no-index")
    user.server.modify(user.server.permIDs(700..<701))
    user.server.forgetCalls()
    try await user.run("sync --no-index")
    #expect(user.server.sentBytes < 4_500_000, "\(user.server.sentBytes)")
    try await expectEqual(user, "--native")
  }

  /// Returns a user logged in to a server whose lab was filled a minute ago.
  private func filledJustNow(entities: Int) async throws -> LabUser {
    let user = try await LabUser.loggedIn(.plain, "--native") { $0.entities = entities }
    user.server.advanceClock(bySeconds: Double(SimulatedTime.birth + 60_000 - user.server.now) / 1000)
    return user
  }
}
