import Foundation
import PluginAPI
import PluginStore
import Testing

struct MigrationTests {
  let folder = StoreFolder()

  @Test(arguments: [1, 2, 3]) func `a store of any older version is migrated to the newest`(version: Int) async throws {
    let old = folder.stations(versions: version)
    let insert =
      version == 3 ? "INSERT INTO station VALUES (1, 'Brest', 'BREST')" : "INSERT INTO station VALUES (1, 'Brest')"
    try await old.write { try $0.execute(insert) }
    await old.close()
    let new = folder.stations()
    #expect(
      try await new.read { try $0.first("SELECT name, code FROM station") { $0.values } }
        == ["Brest", "BREST"].map { .text($0) })
    #expect(try await new.read { try $0.value("SELECT count(*) FROM height") } == .integer(version == 1 ? 1 : 0))
    #expect(try await new.read { try $0.value("PRAGMA user_version") } == .integer(3))
    #expect(try await new.check().isEmpty)
    await #expect(throws: StoreError.self, "references hold again after the migrations") {
      try await new.write { try $0.execute("INSERT INTO height VALUES (99, 0, 1)") }
    }
  }

  @Test func `a file of a newer version is refused and not changed`() async throws {
    let new = folder.stations()
    try await new.write { try $0.execute("INSERT INTO station VALUES (1, 'Brest', 'B')") }
    await new.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: new.path))
    let old = folder.stations(versions: 2)
    let error = StoreError.newerSchema(path: old.path, found: 3, supported: 2)
    await #expect(throws: error) { try await old.write { _ in } }
    #expect(try await old.check().map(\.code) == ["store.newer-schema"])
    await old.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: new.path)) == before)
  }

  @Test(arguments: [-1, -2_147_483_648])
  func `a file with an impossible version is damaged and not changed`(version: Int) async throws {
    let store = folder.stations()
    try await store.write { try $0.execute("PRAGMA user_version = \(version)") }
    await store.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: store.path))
    let again = folder.stations()
    let error = await #expect(throws: StoreError.self) { try await again.read { _ in } }
    #expect(error?.report.code == "store.damaged")
    #expect(error?.description.contains("its schema version \(version) is impossible; restore a backup") == true)
    #expect(try await again.check().map(\.code) == ["store.damaged"])
    await again.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == before)
  }

  @Test func `a failed migration leaves the previous version`() async throws {
    let folder = folder
    func store(_ last: Migration) -> SQLiteStore {
      SQLiteStore(
        name: "stations", path: folder.file("s.sqlite"), migrations: Array(StoreFolder.migrations.prefix(1)) + [last])
    }
    let broken = store(Migration(2, "broken", sql: "CREATE TABLE extra (a); CREATE TABLE station (b);"))
    await #expect(throws: StoreError.self) { try await broken.read { _ in } }
    await broken.close()
    let dangling = store(
      Migration(2, "dangling", sql: "CREATE TABLE part (of INTEGER REFERENCES station); INSERT INTO part VALUES (5);"))
    let error = await #expect(throws: StoreError.self) { try await dangling.read { _ in } }
    #expect(error?.description.contains("migration 2 'dangling' failed: rows of table 'part' refer") == true)
    await dangling.close()
    let fixed = store(Migration(2, "good", sql: "CREATE TABLE extra (a);"))
    #expect(try await fixed.read { try $0.value("SELECT count(*) FROM extra") } == .integer(0))
  }

  @Test func `a new file opened by several stores at once is migrated once`() async throws {
    let stores = (0..<8).map { _ in folder.stations() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores {
        group.addTask { _ = try await store.read { try $0.value("SELECT count(*) FROM station") } }
      }
      try await group.waitForAll()
    }
    #expect(try await stores[0].check().isEmpty)
  }

  @Test func `a gap between migrations is a precondition failure`() async {
    await #expect(processExitsWith: .failure) {
      _ = SQLiteStore(name: "x", path: "/nowhere", migrations: [Migration(2, "second", sql: "")])
    }
  }
}
