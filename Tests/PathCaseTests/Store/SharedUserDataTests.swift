import Foundation
import PluginAPI
import PluginPostgres
import PluginStore
import PluginTesting
import PluginText
import TestSupport
import Testing

@testable import PathCase

/// Data that several users share.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.absence)), .timeLimit(.minutes(20)))
struct SharedUserDataTests {
  private static let network = ImportedNetwork(
    id: "core", name: "Core", format: "SBML", file: "core.xml", sha256: SHA256.hexadecimal(of: [0, 255]),
    importedAt: 1_800_000_000)

  /// Returns data on this machine: an item of each kind.
  ///
  /// - Parameter database: The database in which it will be shared.
  private func filled(_ database: SharedDatabase) async throws -> UserDataFixture {
    let fixture = try UserDataFixture(database)
    try await fixture.store.save(try #require(MawSamples.small.layouts.first))
    try await fixture.store.save(SavedObservations.sample("day 1"))
    try await fixture.store.save(
      SavedScenario(name: "fasting", pathway: "w", activities: [.init(process: "r", state: .backward)]))
    try await fixture.store.save(Self.network, content: [0, 255])
    return fixture
  }

  @Test func `all data is shared, and the user's own data stays unchanged`() async throws {
    let database = try UserDataFixture.database()
    let fixture = try await filled(database)
    let own = try await fixture.store.layouts()
    #expect(try await fixture.share(to: database.address) == SharedStoreSummary(copied: 4, known: 0))
    for store in [fixture.store, fixture.reopened()] {
      #expect(store.sharedAddress == database.address && store.hasData)
      let layout = try #require(try await store.layout(of: "v"))
      #expect(layout.hasContent(of: own[0]))
      #expect(try await store.observations("day 1")?.rows == SavedObservations.sample("day 1").rows)
      #expect(try await store.scenarios(of: "w").first?.activities.count == 1)
      #expect(try await store.networks().map(\.name) == ["Core"])
      #expect(try await store.networkContent("core") == [0, 255])
      #expect(try await store.check().isEmpty)
    }
    try await fixture.store.save(SavedObservations.sample("day 2"))
    try await fixture.store.unshare()
    for store in [fixture.store, fixture.reopened()] {
      #expect(store.sharedAddress == nil)
      #expect(try await store.layouts() == own)
      #expect(try await store.observationNames() == ["day 1"])
    }
    #expect(try await fixture.share(to: database.address) == SharedStoreSummary(copied: 0, known: 4))
    #expect(try await fixture.store.observationNames() == ["day 1", "day 2"])
  }

  @Test func `sharing adds to shared data without replacing any`() async throws {
    let database = try UserDataFixture.database()
    let first = try await filled(database)
    let second = try UserDataFixture(database)
    try await second.store.save(SavedObservations.sample("day 1", of: "b-c"))
    try await second.store.save(SavedObservations.sample("day 2"))
    var network = Self.network
    (network.file, network.importedAt) = ("other.xml", 1)
    try await second.store.save(network, content: [0, 255])
    #expect(try await first.share(to: database.address).copied == 4)
    #expect(try await second.share(to: database.address) == SharedStoreSummary(copied: 1, known: 1, notCopied: 1))
    #expect(try await second.store.observations("day 1")?.rows == SavedObservations.sample("day 1").rows)
    #expect(try await first.store.observationNames() == ["day 1", "day 2"])
    #expect(try await second.store.networks().map(\.file) == ["core.xml"])
    try await second.store.unshare()
    #expect(try await second.store.observations("day 1")?.rows.map(\.pool) == ["b-c"])
  }

  @Test func `a database that changes a copy is refused, and the data stays on this machine`() async throws {
    let database = try UserDataFixture.database()
    _ = try await UserDataFixture.made(in: database)
    let fixture = try await filled(database)
    let own = try await fixture.store.layouts()
    try database.alter("layout_node", by: "new.x := new.x + 1")
    // The second time as well: the copy that differs did not stay.
    for _ in 1...2 {
      let error = await #expect(throws: ErrorReport.self) { _ = try await fixture.share(to: database.address) }
      #expect(error?.code == "pathcase.copy-differs" && error?.exitStatus == 1)
      #expect(error?.message.hasSuffix("the same content: layout 'v'") == true)
      #expect(fixture.store.sharedAddress == nil && fixture.reopened().sharedAddress == nil)
      #expect(try database.rows("SELECT pathway FROM layout").isEmpty)
      #expect(try await fixture.store.layouts() == own)
    }
    try database.run("DROP TRIGGER altering ON layout_node")
    #expect(try await fixture.share(to: database.address) == SharedStoreSummary(copied: 4, known: 0))
  }

  @Test func `several users share the same data concurrently`() async throws {
    let database = try UserDataFixture.database()
    let (first, second) = (try await filled(database), try await filled(database))
    async let one = first.share(to: database.address)
    async let two = second.share(to: database.address)
    let summaries = try await [one, two]
    #expect(summaries.map(\.copied).reduce(0, +) == 4 && summaries.allSatisfy { $0.notCopied == 0 })
    #expect(try await second.store.layouts().count == 1)
  }

  @Test func `a user without data shares nothing and creates no data file`() async throws {
    let database = try UserDataFixture.database()
    let fixture = try UserDataFixture(database)
    #expect(try await fixture.share(to: database.address) == SharedStoreSummary(copied: 0, known: 0))
    #expect(try await fixture.store.layouts().isEmpty)
    #expect(fixture.folder.names == ["user-data.shared"])
  }

  @Test func `a reader sees the data and cannot change it`() async throws {
    let database = try UserDataFixture.database()
    let owner = try await UserDataFixture.made(in: database)
    try await owner.store.save(SavedObservations.sample("day 1"))
    let reader = try await filled(database)
    let address = database.address(of: try database.user(in: "workbench_reader"))
    #expect(try await reader.share(to: address) == SharedStoreSummary(copied: 0, known: 1, notCopied: 3))
    let observations = try #require(try await reader.store.observations("day 1"))
    let attempts: [@Sendable (UserDataStore) async throws -> Void] = [
      { _ = try await $0.save(SavedObservations.sample("day 2")) }, { _ = try await $0.save(observations) },
      { try await $0.remove(observations) },
    ]
    for attempt in attempts {
      let error = await #expect(throws: PostgresError.self) { try await attempt(reader.store) }
      #expect(error?.report.code == "store.no-permission" && error?.report.exitStatus == 7)
    }
    #expect(try await owner.store.observations("day 1") == observations)
  }

  @Test func `writers change everything and delete what they added, and owners delete everything`() async throws {
    let database = try UserDataFixture.database()
    let owner = try await UserDataFixture.made(in: database)
    let (ada, bob) = (try database.user(in: "workbench_writer"), try database.user(in: "workbench_writer"))
    let first = try await UserDataFixture.made(in: database, as: ada)
    let second = try await UserDataFixture.made(in: database, as: bob)
    let layout = try await first.store.save(try #require(MawSamples.small.layouts.first))
    let refusal = UserDataError.sharing.addedByOther("layout 'v'", user: ada)
    await #expect(throws: refusal) { try await second.store.remove(layout) }
    var changed = layout
    changed.nodes.removeLast()
    let saved = try await second.store.save(changed)
    // Changing is not adding.
    await #expect(throws: refusal) { try await second.store.remove(saved) }
    #expect(try await first.store.layouts() == [saved])
    try await first.store.remove(saved)
    try await owner.store.remove(try await second.store.save(SavedObservations.sample("day 1")))
    #expect(try await first.store.observationNames().isEmpty)
    #expect(try database.rows("SELECT pathway FROM layout_node").isEmpty)
  }

  @Test func `another client's change is announced to subscribers`() async throws {
    let database = try UserDataFixture.database()
    let other = try await UserDataFixture.made(in: database)
    let fixture = try await UserDataFixture.made(in: database)
    let (changes, announced) = AsyncStream.makeStream(of: Set<String>.self)
    let store = UserDataStore(folder: fixture.folder.path) { announced.yield($0) }
    store.listen()
    try await other.store.save(SavedObservations.sample("day 1"))
    for await _ in changes { if try await store.observationNames() == ["day 1"] { break } }
    // The connection is made by now: only the notification announces this change.
    try await other.store.save(SavedObservations.sample("day 2"))
    for await tables in changes {
      #expect(tables == ["layout", "observations", "scenario", "network"])
      if try await store.observationNames() == ["day 1", "day 2"] { break }
    }
    await store.close()
  }

  @Test func `shared data is exported, and neither backed up nor restored`() async throws {
    let database = try UserDataFixture.database()
    let fixture = try await filled(database)
    _ = try await fixture.share(to: database.address)
    let value = try await fixture.store.export()
    let tables = value["tables"]
    #expect(value["store"] == "user-data" && value["schemaVersion"] == 1)
    #expect(tables["layout"].table?.row(0)["pathway"] == "v" && tables["layout"].table?.row(0)["height"] == 20.5)
    #expect(tables["layout_node"].table?.rowCount == 3 && tables["layout_path"].table?.rowCount == 1)
    #expect(tables["observation"].table?.row(0)["pool"] == "a-c")
    #expect(tables["scenario_activity"].table?.row(0)["process"] == "r")
    #expect(tables["network"].table?.row(0)["content"] == .bytes([0, 255]))
    let attempts: [@Sendable (UserDataStore) async throws -> Void] = [
      { try await $0.backup(to: "/nowhere") }, { try await $0.restore(from: "/nowhere") },
    ]
    for attempt in attempts {
      let error = await #expect(throws: ErrorReport.self) { try await attempt(fixture.store) }
      #expect(error?.code == "pathcase.user-data-shared" && error?.exitStatus == 7)
      #expect(error?.advice?.contains("workbench store unshare pathcase:user-data") == true)
    }
  }

  @Test func `commands draw and freeze shared layouts`() async throws {
    let database = try UserDataFixture.database()
    let (ada, bob) = (try await plugin(), try await plugin())
    for user in [ada, bob] { _ = try await store(of: user).share(to: database.address) { _ in } }
    #expect(try await ada.run("freeze", ["pathway": "w-urea"]).value["isOwn"] == true)
    for user in [ada, bob] {
      #expect(try await user.run("layout", ["network": "w-urea"]).value["engine"] == "frozen")
    }
    _ = try await bob.run("freeze", ["pathway": "w-urea", "remove": true])
    // Ada's program does not listen: it still knows the deleted layout, until it fails to replace it.
    #expect(await ada.report("freeze", ["pathway": "w-urea"])?.code == "store.changed-meanwhile")
    #expect(try await ada.run("freeze", ["pathway": "w-urea"]).value["isOwn"] == true)
    for user in [ada, bob] { try await store(of: user).close() }
  }

  @Test func `an unreachable server is an error, and own data returns only after unsharing`() async throws {
    let plugin = try await plugin()
    _ = try await plugin.run("freeze", ["pathway": "w-urea"])
    let store = try store(of: plugin)
    let folder = plugin.context.folders.data
    await store.close()
    try "postgresql://ada@127.0.0.1:1/lab\n".write(
      toFile: folder + "/user-data.shared", atomically: true, encoding: .utf8)
    let shared = UserDataStore(folder: folder)
    let attempts: [@Sendable (UserDataStore) async throws -> Void] = [
      { _ = try await $0.layouts() }, { _ = try await $0.save(SavedObservations.sample("day 1")) },
      { _ = try await $0.check() },
    ]
    for attempt in attempts {
      let error = await #expect(throws: PostgresError.self) { try await attempt(shared) }
      #expect(error?.report.code == "store.unreachable" && error?.report.exitStatus == 6)
    }
    // The pathways of the database are drawn all the same, with a warning.
    let later = try await TestPlugin(
      PathCasePlugin(), resources: PathwayShelfTests.resources, isOffline: false, home: home(of: plugin))
    let drawn = try await later.run("layout", ["network": "w-urea"])
    #expect(drawn.value["engine"] == "layers" && drawn.diagnostics.map(\.code) == ["store.unreachable"])
    #expect(await later.report("freeze", ["pathway": "w-urea"])?.code == "store.unreachable")
    try await shared.unshare()
    #expect(try await shared.layouts().map(\.pathway) == ["w-urea"])
  }

  private func plugin() async throws -> TestPlugin {
    try await TestPlugin(PathCasePlugin(), resources: PathwayShelfTests.resources, isOffline: false)
  }

  private func store(of plugin: TestPlugin) throws -> UserDataStore {
    try plugin.context.store("user-data", as: UserDataStore.self)
  }

  /// Returns the folder that has the folders of a plugin.
  private func home(of plugin: TestPlugin) -> String {
    String(plugin.context.folders.data.dropLast("/data".count))
  }
}
