import PluginStore
import Testing

@testable import PathCase

struct UserDataStoreTests {
  @Test func `own layouts are kept, replaced and forgotten`() async throws {
    let folder = try PathCaseFolder()
    let store = UserDataStore(path: folder.path + "/user.sqlite")
    var layout = try #require(MawSamples.small.layouts.first)
    #expect(try await store.layout(of: "v") == nil)
    try await store.save(layout)
    layout.nodes.removeFirst()
    try await store.save(layout)
    #expect(try await store.layout(of: "v") == layout)
    #expect(try await store.removeLayout(of: "v"))
    #expect(try await store.removeLayout(of: "v") == false)
    #expect(try await store.layout(of: "v") == nil)
  }

  @Test func `observations keep their order and their pools by bytes`() async throws {
    let folder = try PathCaseFolder()
    let store = UserDataStore(path: folder.path + "/user.sqlite")
    let observations = [
      SavedObservation(pool: "caf\u{E9}", levels: LevelSet([.available])),
      SavedObservation(pool: "cafe\u{301}", levels: LevelSet([.unavailable, .severelyAccumulated])),
    ]
    try await store.save(observations, as: "day 1")
    try await store.save([], as: "day 0")
    #expect(try await store.observations("day 1") == observations)
    #expect(try await store.observations("day 0") == [])
    #expect(try await store.observations("day 2") == nil)
    #expect(try await store.observationNames() == ["day 0", "day 1"])
    #expect(try await store.removeObservations("day 1"))
    #expect(try await store.observationNames() == ["day 0"])
  }

  @Test func `scenarios are kept by pathway and name`() async throws {
    let folder = try PathCaseFolder()
    let store = UserDataStore(path: folder.path + "/user.sqlite")
    let scenario = SavedScenario(
      name: "fasting", pathway: "w",
      activities: [.init(process: "r", state: .backward), .init(process: "t-a", state: .idle)])
    try await store.save(SavedScenario(name: "fasting", pathway: "v"))
    try await store.save(SavedScenario(name: "fasting", pathway: "w"))
    try await store.save(scenario)
    #expect(try await store.scenarios(of: "w") == [scenario])
    #expect(try await store.removeScenario("fasting", of: "w"))
    #expect(try await store.scenarios(of: "w").isEmpty)
    #expect(try await store.scenarios(of: "v").count == 1)
  }

  @Test func `imported networks are kept with their bytes`() async throws {
    let folder = try PathCaseFolder()
    let store = UserDataStore(path: folder.path + "/user.sqlite")
    let network = ImportedNetwork(
      id: "core", name: "E. coli core", format: "SBML", file: "core.xml", sha256: String(repeating: "0", count: 64),
      importedAt: 1_800_000_000)
    try await store.save(network, content: [1, 2])
    try await store.save(network, content: [0, 255])
    #expect(try await store.networks() == [network])
    #expect(try store.networkContent("core") == [0, 255])
    #expect(try store.networkContent("Core") == nil)
    #expect(try await store.removeNetwork("core"))
    #expect(try await store.networks().isEmpty)
  }

  @Test func `what an earlier version kept is still there`() async throws {
    let folder = try PathCaseFolder()
    let path = folder.path + "/user.sqlite"
    let earlier = SQLiteStore(name: "pathcase", path: path, migrations: [UserDataMigrations.all[0]])
    try await earlier.write { try $0.execute("INSERT INTO observations VALUES ('day 1')") }
    await earlier.close()
    let store = UserDataStore(path: path)
    #expect(try await store.observations("day 1") == [])
    #expect(try await store.networks().isEmpty && store.schemaVersion == 2)
    #expect(try await store.check().isEmpty)
  }
}
