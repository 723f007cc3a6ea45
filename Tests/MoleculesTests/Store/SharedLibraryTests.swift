import Foundation
import PluginAPI
import PluginPostgres
import PluginStore
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

/// A library that several users share.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.absence)), .timeLimit(.minutes(20)))
struct SharedLibraryTests {
  private func filled(_ titles: [String], _ database: SharedDatabase? = nil) async throws -> LibraryFixture {
    let fixture = LibraryFixture(database)
    for title in titles { _ = try await fixture.store.add(LibraryFixture.new(title, file: title + ".pdb")) }
    return fixture
  }

  private func titles(_ store: LibraryStore) async throws -> [String] {
    try await store.snapshot().molecules.map(\.title).sorted()
  }

  /// Shares a library in a database and ignores the progress.
  private func share(_ fixture: LibraryFixture, _ database: SharedDatabase) async throws -> SharedStoreSummary {
    try await fixture.store.share(to: database.address) { _ in }
  }

  @Test func `a library is shared with all its data, and the user's own is unchanged`() async throws {
    let database = try SharedDatabase()
    let fixture = try await filled(["ONE", "TWO", "THREE"], database)
    let before = try await fixture.store.snapshot()
    let metadata = try await fixture.store.metadata(of: 2)
    #expect(fixture.store.sharedAddress == nil)
    #expect(try await share(fixture, database) == SharedStoreSummary(copied: 3, known: 0))
    for store in [fixture.store, fixture.reopened()] {
      #expect(store.sharedAddress == database.address)
      let shared = try await store.snapshot()
      #expect(shared.molecules == before.molecules && shared.isInitialised && shared.outdated.isEmpty)
      #expect(try await store.metadata(of: 2) == metadata)
      #expect(try await store.matches("two") == [2])
      let new = try LibraryFixture.new("THREE", file: "THREE.pdb")
      var expected = new.molecule
      expected.id = 3
      #expect(try await store.molecule(3).decoded() == expected)
      #expect(try await store.original(of: shared.molecules[2]) == new.original)
      #expect(try await store.check().isEmpty)
    }
    _ = try await fixture.store.add(LibraryFixture.new("FOUR"))
    try await fixture.store.unshare()
    for store in [fixture.store, fixture.reopened()] {
      #expect(store.sharedAddress == nil)
      #expect(try await store.snapshot() == before)
    }
    #expect(fixture.files() == ["ONE.pdb", "THREE.pdb", "TWO.pdb"])
    #expect(try await share(fixture, database) == SharedStoreSummary(copied: 0, known: 3))
    #expect(try await titles(fixture.store) == ["FOUR", "ONE", "THREE", "TWO"])
  }

  @Test func `sharing adds to the molecules shared by other users`() async throws {
    let database = try SharedDatabase()
    let first = try await filled(["ONE", "TWO"], database)
    let second = try await filled(["TWO", "THREE"])
    #expect(try await share(first, database) == SharedStoreSummary(copied: 2, known: 0))
    #expect(try await share(second, database) == SharedStoreSummary(copied: 1, known: 1))
    #expect(try await titles(first.store) == ["ONE", "THREE", "TWO"])
    #expect(try await second.store.check().isEmpty)
  }

  @Test func `users can share the same molecules concurrently, in different orders`() async throws {
    let database = try SharedDatabase()
    let names = (0..<60).map { "MOLECULE \($0)" }
    let first = try await filled(names, database)
    let second = try await filled(names.reversed(), database)
    async let one = share(first, database)
    async let two = share(second, database)
    let summaries = try await [one, two]
    #expect(summaries.map(\.copied).reduce(0, +) == 60)
    #expect(try await titles(second.store) == names.sorted())
  }

  @Test func `a molecule without an original is shared, and missing originals are stored again`()
    async throws
  {
    let database = try SharedDatabase()
    let fixture = try await filled(["ONE", "TWO", "THREE"], database)
    try fixture.store.local.originals.remove("TWO.pdb")
    #expect(try await share(fixture, database).copied == 3)
    #expect(try await fixture.store.check().map(\.code) == ["molecules.original-missing"])
    try database.run("DELETE FROM original WHERE digest = (SELECT file_digest FROM molecule WHERE title = 'ONE')")
    try database.run("UPDATE original SET bytes = 'other'")
    let codes = ["molecules.original-missing", "molecules.original-missing", "molecules.original-changed"]
    #expect(try await fixture.store.check().map(\.code) == codes)
    #expect(try await share(fixture, database).known == 3)
    #expect(try await fixture.store.check().map(\.code) == ["molecules.original-missing"])
    _ = try await fixture.store.add(LibraryFixture.new("TWO", file: "TWO.pdb"))
    #expect(try await fixture.store.check().isEmpty)
  }

  @Test func `an original in several rows is restored whole`() async throws {
    let fixture = try await LibraryFixture.made(.shared)
    let small = try LibraryFixture.new("LARGE")
    let bytes = small.original + (0..<(5 << 19)).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let large = NewMolecule(molecule: small.molecule, original: bytes, source: "", addedAt: small.addedAt)
    _ = try await fixture.store.add(large)
    #expect(try await fixture.store.original(of: fixture.store.summary(of: 1)) == bytes)
    #expect(try await fixture.store.check().isEmpty)
  }

  @Test func `a share that loses its connection leaves whole molecules, and can be repeated`() async throws {
    let database = try SharedDatabase()
    _ = try await LibraryFixture.made(in: database)
    let fixture = try await filled((0..<6).map { "MOLECULE \($0)" }, database)
    // Larger than a batch: the first one is committed before the connection is lost.
    _ = try await fixture.store.add(LibraryFixture.new("LARGE", size: 9 << 20))
    for title in ["LATER", "LAST"] { _ = try await fixture.store.add(LibraryFixture.new(title, file: title + ".pdb")) }
    let last = try LibraryFixture.new("LAST", file: "LAST.pdb").digest
    try database.run(
      """
      CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN new; END $$
      """)
    try database.run(
      "CREATE TRIGGER lose BEFORE INSERT ON original FOR EACH ROW WHEN (new.digest = '\(last)') EXECUTE FUNCTION lose()"
    )
    let error = await #expect(throws: PostgresError.self) { _ = try await share(fixture, database) }
    #expect(error?.report.code == "store.unreachable")
    #expect(fixture.store.sharedAddress == nil && fixture.reopened().sharedAddress == nil)
    #expect(try database.rows("SELECT count(*) FROM molecule").first?[0] == .integer(7))
    #expect(try database.rows("SELECT count(DISTINCT digest) FROM original").first?[0] == .integer(7))
    try database.run("DROP TRIGGER lose ON original")
    #expect(try await share(fixture, database) == SharedStoreSummary(copied: 2, known: 7))
    #expect(try await titles(fixture.store).count == 9)
    #expect(try await fixture.store.check().isEmpty)
  }

  @Test func `a canceled share changes nothing`() async throws {
    let database = try SharedDatabase()
    let fixture = try await filled(["ONE", "TWO"], database)
    let task = Task {
      try await fixture.store.share(to: database.address) { progress in
        if progress.label == "copying molecules" { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(fixture.store.sharedAddress == nil)
    #expect(try database.rows("SELECT count(*) FROM molecule").first?[0] == .integer(0))
  }

  @Test func `a database that changes an original is refused, and the library stays on this machine`() async throws {
    let database = try SharedDatabase()
    _ = try await LibraryFixture.made(in: database)
    let fixture = try await filled(["ONE", "TWO"], database)
    let one = try LibraryFixture.new("ONE", file: "ONE.pdb").digest
    try database.alter("original", where: "new.digest = '\(one)'", by: "new.bytes := new.bytes || '\\x00'::bytea")
    try await expectCopyDiffers(fixture, database)
    #expect(try database.rows("SELECT count(*) FROM molecule").first?[0] == .integer(2))
    try database.run("DROP TRIGGER altering ON original")
    #expect(try await share(fixture, database) == SharedStoreSummary(copied: 0, known: 2))
    #expect(try await fixture.store.check().isEmpty)
  }

  @Test func `a database that drops a molecule is refused, and the library stays on this machine`() async throws {
    let database = try SharedDatabase()
    _ = try await LibraryFixture.made(in: database)
    let fixture = try await filled(["ONE", "TWO"], database)
    try database.alter("molecule", where: "new.title = 'ONE'", by: "RETURN NULL")
    try await expectCopyDiffers(fixture, database)
    try database.run("DROP TRIGGER altering ON molecule")
    #expect(try await share(fixture, database) == SharedStoreSummary(copied: 1, known: 1))
  }

  /// Expects that sharing the molecules ONE and TWO fails because the database has another ONE or none.
  private func expectCopyDiffers(_ fixture: LibraryFixture, _ database: SharedDatabase) async throws {
    let error = await #expect(throws: ErrorReport.self) { _ = try await share(fixture, database) }
    #expect(error?.code == "molecules.copy-differs" && error?.exitStatus == 1)
    #expect(error?.message.hasSuffix("the same content: 'ONE.pdb'") == true)
    #expect(fixture.store.sharedAddress == nil && fixture.reopened().sharedAddress == nil)
    #expect(try await titles(fixture.store) == ["ONE", "TWO"])
  }

  @Test func `a share that waits too long for another client's lock is an error and changes nothing`() async throws {
    let database = try SharedDatabase()
    _ = try await LibraryFixture.made(in: database)
    let fixture = try await filled(["ONE"], database)
    let other = try PostgresConnection(PostgresAddress(database.address), timeoutInSeconds: 60)
    defer { other.close() }
    // As an import does until it is committed.
    try other.execute("BEGIN")
    try other.execute("LOCK TABLE molecules_library.molecule IN ROW EXCLUSIVE MODE")
    let error = await #expect(throws: PostgresError.self) {
      _ = try await fixture.store.share(to: database.address + "&options=-c%20lock_timeout%3D200") { _ in }
    }
    #expect(error?.report.code == "store.locked" && error?.report.exitStatus == 7)
    #expect(fixture.store.sharedAddress == nil && fixture.reopened().sharedAddress == nil)
    #expect(try database.rows("SELECT id FROM molecule").isEmpty)
    try other.execute("ROLLBACK")
    #expect(try await share(fixture, database).copied == 1)
  }

  @Test func `eight concurrent writers lose nothing and make no duplicates`() async throws {
    let database = try SharedDatabase()
    let first = try await LibraryFixture.made(in: database)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for writer in 0..<8 {
        group.addTask {
          let fixture = try await LibraryFixture.made(in: database)
          var added = 0
          for number in 0..<10 {
            // Half of the files are the same for all.
            let title = number % 2 == 0 ? "COMMON \(number)" : "OWN \(writer) \(number)"
            if try await !fixture.store.add(LibraryFixture.new(title, file: "a.pdb")).wasKnown { added += 1 }
          }
          return added
        }
      }
      let added = try await group.reduce(0, +)
      #expect(added == 45)
    }
    let molecules = try await first.store.snapshot().molecules
    #expect(molecules.count == 45 && Set(molecules.map(\.title)).count == 45)
    #expect(try await first.store.digests().count == 45)
    #expect(try await first.store.check().isEmpty)
    for molecule in molecules {
      let structure = try await first.store.molecule(molecule.id).decoded().structure
      #expect(structure.atoms.count == 6 && structure.metadata.title == molecule.title)
    }
  }

  @Test func `a reader can read the library but not change it`() async throws {
    let database = try SharedDatabase()
    let owner = try await LibraryFixture.made(in: database)
    let id = try await owner.store.add(LibraryFixture.new("ONE")).id
    let reader = try await LibraryFixture.made(in: database, as: database.user(in: "workbench_reader"))
    #expect(try await titles(reader.store) == ["ONE"])
    #expect(try await reader.store.molecule(id).decoded().structure.atoms.count == 6)
    try await reader.store.setLastViewed(id)
    #expect(try await reader.store.snapshot().lastViewed == id)
    #expect(try await owner.store.snapshot().lastViewed == nil)
    let attempts: [@Sendable (LibraryStore) async throws -> Void] = [
      { _ = try await $0.add(LibraryFixture.new("TWO")) }, { _ = try await $0.add(LibraryFixture.new("ONE")) },
      { try await $0.delete(id) },
    ]
    for attempt in attempts {
      let error = await #expect(throws: PostgresError.self) { try await attempt(reader.store) }
      #expect(error?.report.code == "store.no-permission" && error?.report.exitStatus == 7)
    }
    try database.run("UPDATE molecule SET reading = 0")
    #expect(try await reader.store.snapshot().outdated.isEmpty)
    #expect(try await owner.store.snapshot().outdated.map(\.id) == [id])
    #expect(try await titles(owner.store) == ["ONE"])
  }

  @Test func `a reader uses the library, and the reader's own molecules are not copied`() async throws {
    let database = try SharedDatabase()
    let owner = try await LibraryFixture.made(in: database)
    _ = try await owner.store.add(LibraryFixture.new("ONE"))
    let reader = LibraryFixture()
    _ = try await reader.store.add(LibraryFixture.new("ONE"))
    _ = try await reader.store.add(LibraryFixture.new("TWO"))
    let address = database.address(of: try database.user(in: "workbench_reader"))
    let summary = try await reader.store.share(to: address) { _ in }
    #expect(summary == SharedStoreSummary(copied: 0, known: 1, notCopied: 1))
    #expect(try await titles(reader.store) == ["ONE"])
    try await reader.store.unshare()
    #expect(try await titles(reader.store) == ["ONE", "TWO"])
  }

  @Test func `writers can delete what they added, and owners everything`() async throws {
    let database = try SharedDatabase()
    let owner = try await LibraryFixture.made(in: database)
    let (ada, bob) = (try database.user(in: "workbench_writer"), try database.user(in: "workbench_writer"))
    let first = try await LibraryFixture.made(in: database, as: ada)
    let second = try await LibraryFixture.made(in: database, as: bob)
    let ids = [
      try await first.store.add(LibraryFixture.new("ONE")).id, try await first.store.add(LibraryFixture.new("TWO")).id,
    ]
    let refusal = LibraryStore.sharingErrors.addedByOther("molecule '\(ids[0])'", user: ada)
    await #expect(throws: refusal) { try await second.store.delete(ids[0]) }
    // Reading a file again is not deleting.
    let again = try await second.store.add(LibraryFixture.new("ONE"))
    #expect((again.id, again.wasKnown) == (ids[0], true))
    await #expect(throws: refusal) { try await second.store.delete(ids[0]) }
    try await first.store.delete(ids[0])
    try await owner.store.delete(ids[1])
    #expect(try await titles(second.store).isEmpty)
    #expect(try database.rows("SELECT digest FROM original").isEmpty)
  }

  @Test func `another client's import is announced to observers`() async throws {
    let database = try SharedDatabase()
    let other = try await LibraryFixture.made(in: database)
    let fixture = try await LibraryFixture.made(in: database)
    let (changes, announced) = AsyncStream.makeStream(of: Void.self)
    let store = LibraryStore(folder: fixture.root) { announced.yield() }
    store.listen()
    _ = try await other.store.add(LibraryFixture.new("ONE"))
    for await _ in changes { if try await titles(store) == ["ONE"] { break } }
    // The connection is made by now: only the notification announces this change.
    _ = try await other.store.add(LibraryFixture.new("TWO"))
    for await _ in changes { if try await titles(store) == ["ONE", "TWO"] { break } }
    await store.close()
  }

  @Test func `a shared library has no starters, and a deleted molecule can be restored`() async throws {
    let database = try SharedDatabase()
    let plugin = try await LibraryFixture.plugin(starters: true, isOffline: false)
    let library = try MoleculeLibrary(plugin.context)
    _ = try await library.store.share(to: database.address) { _ in }
    #expect(try await library.opened().molecules.isEmpty)
    let id = try await library.store.add(LibraryFixture.new("ONE")).id
    let aside = try await library.setAside(id)
    try await library.store.delete(id)
    #expect(try await library.opened().molecules.isEmpty)
    #expect(try await library.importFile(aside.path).wasKnown == false)
    #expect(try await titles(library.store) == ["ONE"])
    await library.store.close()
  }

  @Test func `outdated molecules and damaged pieces are read from the original on the server`() async throws {
    let database = try SharedDatabase()
    let library = try MoleculeLibrary(try await LibraryFixture.plugin(isOffline: false).context)
    _ = try await library.store.share(to: database.address) { _ in }
    let id = try await library.store.add(LibraryFixture.new("FRESH")).id
    try database.run("UPDATE piece SET content = '\\x00' WHERE kind = 'atoms'")
    #expect(try await library.molecule("\(id)").structure.atoms.count == 6)
    try database.run("UPDATE molecule SET reading = 0, atoms = 0, title = 'STALE', words = ''")
    let snapshot = try await library.opened()
    #expect(snapshot.molecules.map(\.title) == ["FRESH"] && snapshot.outdated.isEmpty)
    #expect(try await library.store.molecule(id).decoded().structure.atoms.count == 6)
    #expect(try await library.store.matches("fresh") == [id])
    await library.store.close()
  }

  @Test func `a shared library can be exported, but not backed up, restored or rebuilt`() async throws {
    let fixture = try await LibraryFixture.made(.shared)
    let store = fixture.store
    _ = try await store.add(LibraryFixture.new("ONE"))
    let value = try await store.export()
    #expect(value["store"] == "library" && value["tables"]["molecule"].table?.row(0)["title"]?.text == "ONE")
    #expect((value["tables"]["metadata"].table?.rowCount ?? 0) > 5)
    let attempts: [@Sendable (LibraryStore) async throws -> Void] = [
      { try await $0.backup(to: "/nowhere") }, { try await $0.restore(from: "/nowhere") },
      { _ = try await $0.replaceByOriginals() },
    ]
    for attempt in attempts {
      let error = await #expect(throws: ErrorReport.self) { try await attempt(store) }
      #expect(error?.code == "molecules.library-shared" && error?.exitStatus == 7)
      #expect(error?.advice?.contains("workbench store unshare molecules:library") == true)
    }
  }
}

/// A shared library that cannot be reached.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.absence)), .timeLimit(.minutes(10)))
struct UnreachableLibraryTests {
  @Test func `an unreachable server is an error, and unsharing restores the user's own library`()
    async throws
  {
    let fixture = LibraryFixture()
    _ = try await fixture.store.add(LibraryFixture.new("OWN"))
    try "postgresql://ada@127.0.0.1:1/lab\n".write(
      toFile: fixture.root + "/library.shared", atomically: true, encoding: .utf8)
    let store = fixture.reopened()
    #expect(store.sharedAddress == "postgresql://ada@127.0.0.1:1/lab")
    let attempts: [@Sendable (LibraryStore) async throws -> Void] = [
      { _ = try await $0.snapshot() }, { _ = try await $0.add(LibraryFixture.new("NEW")) },
      { _ = try await $0.check() },
      { _ = try await $0.matches("own") },
    ]
    for attempt in attempts {
      let error = await #expect(throws: PostgresError.self) { try await attempt(store) }
      #expect(error?.report.code == "store.unreachable" && error?.report.exitStatus == 6)
    }
    try await store.unshare()
    #expect(try await store.snapshot().molecules.map(\.title) == ["OWN"])
    #expect(try await fixture.reopened().snapshot().molecules.map(\.title) == ["OWN"])
  }

  @Test func `a library without the network does not connect to its server`() async throws {
    let database = try SharedDatabase()
    let fixture = try await LibraryFixture.made(in: database)
    _ = try await fixture.store.add(LibraryFixture.new("ONE"))
    let store = LibraryStore(folder: fixture.root, isOffline: true)
    store.listen()
    let attempts: [@Sendable (LibraryStore) async throws -> Void] = [
      { _ = try await $0.snapshot() }, { _ = try await $0.add(LibraryFixture.new("NEW")) },
      { _ = try await $0.check() }, { _ = try await $0.export() },
      { _ = try await $0.share(to: database.address) { _ in } },
    ]
    for attempt in attempts {
      let error = await #expect(throws: PostgresError.self) { try await attempt(store) }
      #expect(error?.report.code == "store.unreachable")
      #expect(error?.report.message.contains("the network is turned off") == true)
    }
    #expect(store.sharedAddress == database.address)
    #expect(try await fixture.store.snapshot().molecules.map(\.title) == ["ONE"])
    await store.close()
  }

  @Test func `an unreadable address is an error`() async throws {
    let fixture = LibraryFixture()
    let file = fixture.root + "/library.shared"
    try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
    let error = await #expect(throws: ErrorReport.self) { _ = try await fixture.reopened().snapshot() }
    #expect(error?.code == "molecules.shared-address-unreadable")
    #expect(error?.message.hasSuffix("in '\(file)' could not be read: it is not a plain file") == true)
    #expect(fixture.reopened().sharedAddress == "unknown address")
  }

  @Test func `an address with a password is refused before it is stored`() async throws {
    let fixture = LibraryFixture()
    let error = await #expect(throws: PostgresError.self) {
      _ = try await fixture.store.share(to: "postgresql://ada:secret@127.0.0.1/lab") { _ in }
    }
    #expect(error?.report.code == "store.password-in-address")
    #expect(fixture.store.sharedAddress == nil && fixture.reopened().sharedAddress == nil)
  }
}
