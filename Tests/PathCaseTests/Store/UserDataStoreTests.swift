import PluginAPI
import PluginStore
import PluginText
import TestSupport
import Testing

@testable import PathCase

struct UserDataStoreTests {
  @Test(arguments: StorePlace.available) func `the user's layouts are stored, replaced and deleted`(
    _ place: StorePlace
  ) async throws {
    let fixture = try await UserDataFixture.made(place)
    let store = fixture.store
    var layout = try #require(MawSamples.small.layouts.first)
    #expect(try await store.layout(of: "v") == nil)
    layout = try await store.save(layout)
    layout.nodes.removeFirst()
    layout = try await store.save(layout)
    #expect(try await store.layout(of: "v") == layout)
    #expect(try await fixture.reopened().layouts() == [layout])
    try await store.remove(layout)
    #expect(try await store.layout(of: "v") == nil)
    #expect(try await store.layouts().isEmpty)
  }

  @Test(arguments: StorePlace.available) func `the nodes of a large layout keep their order`(
    _ place: StorePlace
  ) async throws {
    let fixture = try await UserDataFixture.made(place)
    let store = fixture.store
    var layout = FrozenLayout(pathway: "large")
    for number in 0..<1000 {
      layout.nodes.append(FrozenNode(ref: Identifier("n\(number % 7)"), clone: "\(number)", x: -0.1, y: 1e-300))
    }
    layout = try await store.save(layout)
    #expect(try await store.layout(of: "large") == layout)
  }

  @Test(arguments: StorePlace.available) func `observations keep their order, and pools are compared by bytes`(
    _ place: StorePlace
  ) async throws {
    let fixture = try await UserDataFixture.made(place)
    let store = fixture.store
    let observations = [
      SavedObservation(pool: "caf\u{E9}", levels: LevelSet([.available])),
      SavedObservation(pool: "cafe\u{301}", levels: LevelSet([.unavailable, .severelyAccumulated])),
    ]
    let saved = try await store.save(SavedObservations(name: "day 1", rows: observations))
    try await store.save(SavedObservations(name: "Day 0"))
    #expect(try await store.observations("day 1")?.rows == observations)
    #expect(try await store.observations("Day 0")?.rows == [])
    #expect(try await store.observations("day 2") == nil)
    #expect(try await store.observationNames() == ["Day 0", "day 1"])
    try await store.remove(saved)
    #expect(try await store.observationNames() == ["Day 0"])
  }

  @Test(arguments: StorePlace.available) func `scenarios are stored by pathway and name`(
    _ place: StorePlace
  ) async throws {
    let fixture = try await UserDataFixture.made(place)
    let store = fixture.store
    try await store.save(SavedScenario(name: "fasting", pathway: "v"))
    var scenario = try await store.save(SavedScenario(name: "fasting", pathway: "w"))
    scenario.activities = [.init(process: "r", state: .backward), .init(process: "t-a", state: .idle)]
    scenario = try await store.save(scenario)
    // Two names that look the same are different names.
    let other = try await store.save(SavedScenario(name: "caf\u{E9}", pathway: "w"))
    let another = try await store.save(
      SavedScenario(name: "cafe\u{301}", pathway: "w", activities: [.init(process: "r", state: .forward)]))
    #expect(try await store.scenarios(of: "w") == [another, other, scenario])
    try await store.remove(scenario)
    #expect(try await store.scenarios(of: "w") == [another, other])
    #expect(try await store.scenarios(of: "v").count == 1)
  }

  @Test(arguments: StorePlace.available) func `imported networks are stored with their bytes`(
    _ place: StorePlace
  ) async throws {
    let fixture = try await UserDataFixture.made(place)
    let store = fixture.store
    let network = ImportedNetwork(
      id: "core", name: "E. coli core", format: "SBML", file: "core.xml", sha256: SHA256.hexadecimal(of: [0, 255]),
      importedAt: 1_800_000_000)
    try await store.save(network, content: [1, 2])
    #expect(try await store.check().map(\.code) == ["pathcase.network-changed"])
    var stored = try #require(try await store.networks().first)
    try await store.save(stored, content: [0, 255])
    stored = try #require(try await store.networks().first)
    #expect(try await store.check().isEmpty)
    #expect(try await store.networkContent("core") == [0, 255])
    #expect(try await store.networkContent("Core") == nil)
    let version = stored.version
    stored.version = nil
    #expect(stored == network)
    stored.version = version
    try await store.remove(stored)
    #expect(try await store.networks().isEmpty)
  }

  @Test(arguments: StorePlace.available) func `an item changed since it was read is not overwritten`(
    _ place: StorePlace
  ) async throws {
    let fixture = try await UserDataFixture.made(place)
    let (store, other) = (fixture.store, fixture.reopened())
    let first = try await store.save(SavedObservations.sample("day 1"))
    var changed = first
    changed.rows.append(SavedObservation(pool: "b-c", levels: LevelSet([.unavailable])))
    let mine = changed
    var theirs = first
    theirs.rows = []
    theirs = try await other.save(theirs)
    let refused: [@Sendable (SavedObservations) async throws -> Void] = [
      { _ = try await store.save($0) }, { try await store.remove($0) },
      { _ = try await store.save(SavedObservations(name: $0.name)) },
    ]
    for attempt in refused {
      let error = await #expect(throws: ErrorReport.self) { try await attempt(mine) }
      #expect(error?.code == "store.changed-meanwhile" && error?.exitStatus == 7)
      #expect(error?.message.contains("observations 'day 1'") == true)
    }
    #expect(try await store.observations("day 1") == theirs)
    // An item that was deleted and stored again is a different item.
    try await other.remove(theirs)
    let again = try await other.save(SavedObservations.sample("day 1"))
    await #expect(throws: ErrorReport.self) { _ = try await store.save(mine) }
    #expect(try await store.observations("day 1") == again)
  }

  @Test(arguments: StorePlace.available) func `of several concurrent writers only one replaces the item`(
    _ place: StorePlace
  ) async throws {
    let fixture = try await UserDataFixture.made(place)
    let first = try await fixture.store.save(SavedObservations.sample("day 1"))
    let stored = await withTaskGroup(of: SavedObservations?.self) { group in
      for writer in 0..<8 {
        group.addTask {
          var mine = first
          mine.rows = SavedObservations.sample("day 1", of: Identifier("pool \(writer)")).rows
          return try? await fixture.reopened().save(mine)
        }
      }
      return await group.reduce(into: [SavedObservations]()) { if let saved = $1 { $0.append(saved) } }
    }
    #expect(stored.count == 1)
    #expect(try await fixture.store.observations("day 1") == stored.first)
  }

  @Test func `data stored by an earlier version is migrated`() async throws {
    let fixture = try UserDataFixture()
    let earlier = SQLiteStore(
      name: "pathcase", path: fixture.store.path, migrations: Array(UserDataMigrations.all.prefix(2)))
    try await earlier.write { connection in
      try connection.execute("INSERT INTO observations VALUES ('day 1')")
      try connection.execute("INSERT INTO layout VALUES ('w', 1, NULL)")
      try connection.execute("INSERT INTO network VALUES ('n', 'N', 'SBML', 'n.xml', '', 1, x'')")
    }
    await earlier.close()
    let store = fixture.store
    #expect(store.schemaVersion == 3)
    var observations = try #require(try await store.observations("day 1"))
    observations.rows = SavedObservations.sample("").rows
    observations = try await store.save(observations)
    #expect(try await store.observations("day 1") == observations)
    let layout = try #require(try await store.layout(of: "w"))
    #expect(layout.width == 1 && layout.height == nil && layout.nodes.isEmpty)
    try await store.remove(layout)
    try await store.remove(try #require(try await store.networks().first))
    #expect(try await store.check().isEmpty)
  }
}
