import Foundation
import PluginAPI
import PluginStore
import PluginTesting
import PluginText
import TestSupport
import Testing

@testable import Molecules

/// Tests of rebuilding a damaged library from the originals beside it.
struct LibraryRebuildTests {
  /// Returns a closed library of three molecules.
  private func filled() async throws -> LibraryFixture {
    let fixture = LibraryFixture()
    for title in ["ONE", "TWO", "THREE"] {
      _ = try await fixture.store.add(LibraryFixture.new(title, file: title + ".pdb"))
    }
    try await fixture.store.local.setInitialised()
    try await fixture.store.setLastViewed(2)
    await fixture.store.close()
    return fixture
  }

  private func damage(_ fixture: LibraryFixture, _ change: (inout [UInt8]) -> Void) throws {
    let path = fixture.root + "/library.sqlite"
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    change(&bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  @Test func `a readable library is rebuilt with its numbers and settings`() async throws {
    let fixture = try await filled()
    let store = fixture.reopened()
    let before = try await store.snapshot()
    let replacement = try await store.replaceByOriginals()
    #expect(replacement.before == 3 && replacement.lost.isEmpty)
    #expect(FileManager.default.fileExists(atPath: replacement.damagedFile))
    let after = try await store.snapshot()
    #expect(after.outdated.map(\.id) == [1, 2, 3] && after.isInitialised && after.lastViewed == 2)
    #expect(after.molecules.map(\.addedAt) == before.molecules.map(\.addedAt))
    #expect(after.molecules.map(\.file) == before.molecules.map(\.file))
  }

  @Test func `a file that is not a database is replaced, and its originals can be imported`() async throws {
    let fixture = try await filled()
    try damage(fixture) { $0 = Array("no database at all, not a bit of it".utf8) }
    let store = fixture.reopened()
    let error = await #expect(throws: LibraryDamage.self) { _ = try await store.snapshot() }
    #expect(error?.report.code == "store.not-a-database")
    #expect(error?.report.advice?.contains("store rebuild molecules:library") == true)
    #expect(try await store.replaceByOriginals().before == nil)
    let snapshot = try await store.snapshot()
    #expect(snapshot.isInitialised && snapshot.molecules.isEmpty)
    #expect(try await store.strayFiles(snapshot) == ["ONE.pdb", "THREE.pdb", "TWO.pdb"])
  }

  @Test func `a molecule without an original is reported as lost`() async throws {
    let fixture = try await filled()
    try fixture.reopened().local.originals.remove("TWO.pdb")
    let store = fixture.reopened()
    let replacement = try await store.replaceByOriginals()
    #expect(replacement.before == 3 && replacement.lost == ["TWO"])
    #expect(try await store.snapshot().molecules.map(\.id) == [1, 3])
  }

  @Test func `an emptied file had an unknown number of molecules`() async throws {
    let fixture = try await filled()
    try damage(fixture) { $0 = [] }
    #expect(try await fixture.reopened().replaceByOriginals().before == nil)
  }

  @Test func `a row missing from the table but not from its index makes the number unknown`() async throws {
    let fixture = try await filled()
    let store = fixture.reopened()
    // SQLite takes the stated number of cells of the table's only page; the third row is then gone from the table alone.
    let (root, pageSize) = try await store.local.sqlite.read { connection in
      (
        try connection.value("SELECT rootpage FROM sqlite_schema WHERE name = 'molecule'").integer ?? 0,
        try connection.value("PRAGMA page_size").integer ?? 0
      )
    }
    await store.close()
    try damage(fixture) { $0[(root - 1) * pageSize + 4] = 2 }
    #expect(try await fixture.reopened().replaceByOriginals().before == nil)
  }

  @Test func `the command reports losses only if it counted the molecules`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let library = try MoleculeLibrary(plugin.context)
    _ = try await library.opened()
    _ = try await library.store.add(LibraryFixture.new("ONE", file: "ONE.pdb"))
    let counted = try await plugin.run("rebuild library")
    #expect(counted.value["before"] == 1 && counted.value["lost"] == .list([]) && counted.diagnostics.isEmpty)
    try await library.store.local.sqlite.write { try $0.execute("DELETE FROM setting") }
    let uncounted = try await plugin.run("rebuild library")
    #expect(uncounted.value["molecules"] == 1)
    #expect(uncounted.value["before"] == .null && uncounted.value["lost"] == .null)
    #expect(uncounted.diagnostics.map(\.code) == ["molecules.rebuilt-uncounted"])
  }

  @Test func `a changed original becomes a separate molecule`() async throws {
    let fixture = try await filled()
    try LibraryFixture.text("OTHER").write(
      toFile: fixture.originals + "/ONE.pdb", atomically: true, encoding: .utf8)
    let store = fixture.reopened()
    #expect(try await store.replaceByOriginals().lost.isEmpty)
    let snapshot = try await store.snapshot()
    #expect(snapshot.molecules.map(\.id) == [2, 3])
    #expect(try await store.strayFiles(snapshot) == ["ONE.pdb"])
  }

  @Test(arguments: 0..<8) func `flipped bytes never trap, and no molecule with an original is lost`(
    _ seed: UInt64
  ) async throws {
    let fixture = try await filled()
    var random = SplitMix64(seed: seed)
    try damage(fixture) { bytes in
      for _ in 0..<200 { bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 0xFF }
    }
    let store = fixture.reopened()
    _ = try await store.replaceByOriginals()
    let snapshot = try await store.snapshot()
    let files = Set(snapshot.molecules.map(\.file) + (try await store.strayFiles(snapshot)))
    #expect(files == ["ONE.pdb", "TWO.pdb", "THREE.pdb"])
    #expect(try await store.check().allSatisfy { $0.severity != .error })
  }
}
