import Foundation
import PluginAPI
import PluginStore
import PluginTesting
import Testing

@testable import Molecules

/// Tests of reading originals again after readers or the schema were extended.
struct LibraryRescanTests {
  private func outdate(_ store: LibraryStore) async throws {
    try await store.local.sqlite.write { try $0.execute("UPDATE molecule SET reading = 0, atoms = 0, title = 'STALE'") }
  }

  @Test func `a molecule of an older reader is updated from its original, under its number`() async throws {
    let library = try MoleculeLibrary(try await LibraryFixture.plugin().context)
    let id = try await library.store.add(LibraryFixture.new("FRESH")).id
    let before = try await library.store.snapshot().molecules
    try await outdate(library.store)
    #expect(try await library.store.snapshot().outdated.map(\.id) == [id])
    let snapshot = try await library.opened()
    #expect(snapshot.molecules == before)
    #expect(snapshot.outdated.isEmpty)
    #expect(try await library.store.matches("fresh") == [id])
  }

  @Test func `a molecule without its original is unchanged, and reported once`() async throws {
    let told = Told()
    let library = try MoleculeLibrary(try await LibraryFixture.plugin().context, warn: { told.add($0) })
    let id = try await library.store.add(LibraryFixture.new("LONELY")).id
    try await outdate(library.store)
    try library.store.local.originals.remove("test.pdb")
    let snapshot = try await library.opened()
    #expect(snapshot.molecules.map(\.title) == ["STALE"])
    #expect(try await library.store.molecule(id).decoded().structure.atoms.count == 6)
    _ = try await library.opened()
    #expect(told.codes == ["molecules.original-not-read-anew"])
  }

  @Test func `a copy of a stored molecule's file is left in place and not retried`() async throws {
    let library = try MoleculeLibrary(try await LibraryFixture.plugin().context)
    _ = try await library.store.add(LibraryFixture.new("TWICE"))
    let copy = library.store.local.originals.folder + "/copy.pdb"
    try LibraryFixture.text("TWICE").write(toFile: copy, atomically: true, encoding: .utf8)
    #expect(try await library.opened().molecules.count == 1)
    #expect(library.store.local.originals.files().sorted() == ["copy.pdb", "test.pdb"])
    #expect(try await library.store.strayFiles(library.store.snapshot()).isEmpty)
    #expect(try await library.store.check().map(\.code) == ["molecules.file-ignored"])
  }

  /// The reported diagnostics, collected on any thread.
  private final class Told: @unchecked Sendable {
    // Guarded by the lock.
    private var all: [Diagnostic] = []
    private let lock = NSLock()

    func add(_ diagnostic: Diagnostic) { lock.withLock { all.append(diagnostic) } }

    var codes: [String] { lock.withLock { all.map(\.code) } }
  }
}
