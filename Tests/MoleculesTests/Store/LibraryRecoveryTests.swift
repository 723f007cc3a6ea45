import Foundation
import PluginAPI
import PluginStore
import PluginTesting
import Testing

@testable import Molecules

/// Tests of starts after the previous process was killed between two steps.
struct LibraryRecoveryTests {
  private func library(_ plugin: TestPlugin) throws -> MoleculeLibrary { try MoleculeLibrary(plugin.context) }

  private func drop(_ text: String, _ name: String, _ library: MoleculeLibrary) throws {
    let folder = library.store.local.originals.folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
  }

  @Test func `a stored file without a row is imported`() async throws {
    let library = try library(try await LibraryFixture.plugin())
    try drop(LibraryFixture.text("DROPPED"), "dropped.pdb", library)
    let molecules = try await library.opened().molecules
    #expect(molecules.map(\.title) == ["DROPPED"])
    #expect(molecules.map(\.file) == ["dropped.pdb"])
    #expect(try await library.opened().molecules.count == 1)
  }

  @Test func `a file that is still being written is ignored`() async throws {
    let library = try library(try await LibraryFixture.plugin())
    try drop("ATOM", ".half.pdb.123.part", library)
    #expect(try await library.opened().molecules.isEmpty)
  }

  @Test func `an unfinished removal is completed, and the file does not return`() async throws {
    let library = try library(try await LibraryFixture.plugin())
    let id = try await library.store.add(LibraryFixture.new("GONE")).id
    try await library.store.local.sqlite.write { connection in
      try connection.execute("INSERT INTO removal (file) VALUES ('test.pdb')")
      try connection.execute("DELETE FROM molecule WHERE id = ?", [id])
    }
    let snapshot = try await library.opened()
    #expect(snapshot.molecules.isEmpty)
    #expect(library.store.local.originals.files().isEmpty)
    #expect(try await library.store.snapshot().removals.isEmpty)
  }

  @Test func `a row that cannot be committed leaves no file`() async throws {
    let library = try library(try await LibraryFixture.plugin())
    try await library.store.local.sqlite.write {
      try $0.execute(script: "CREATE TRIGGER full BEFORE INSERT ON piece BEGIN SELECT RAISE(ABORT, 'full'); END")
    }
    await #expect(throws: (any Error).self) { _ = try await library.store.add(LibraryFixture.new("LOST")) }
    #expect(library.store.local.originals.files().isEmpty)
    #expect(try await library.store.snapshot().molecules.isEmpty)
  }

  @Test func `the first start imports the starters in the order of their names`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let snapshot = try await library(plugin).opened()
    #expect(snapshot.isInitialised)
    let files = snapshot.molecules.map(\.file)
    #expect(files.count >= 7)
    #expect(files == files.sorted())
    #expect(snapshot.molecules.allSatisfy { $0.counts.atoms > 0 && $0.counts.bonds > 0 })
  }

  @Test func `an interrupted first start is repeated without duplicates`() async throws {
    let library = try library(try await LibraryFixture.plugin(starters: true))
    _ = try await library.importFile(LibraryFixture.resources + "/Starters/caffeine.pdb")
    let molecules = try await library.opened().molecules
    #expect(molecules.count { $0.file.hasPrefix("caffeine") } == 1)
    #expect(Set(molecules.map(\.file)).count == molecules.count)
  }

  @Test func `a deleted starter is not imported again`() async throws {
    let library = try library(try await LibraryFixture.plugin(starters: true))
    let first = try #require(try await library.opened().molecules.first)
    try await library.store.delete(first.id)
    #expect(try await library.opened().molecules.allSatisfy { $0.file != first.file })
  }

  @Test func `a file that is not a structure is reported once and ignored until it changes`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let store = try library(plugin).store
    try drop("nonsense", "bad.pdb", try library(plugin))
    let first = try await plugin.run("list")
    #expect(first.diagnostics.map(\.code) == ["molecules.file-ignored"])
    #expect(try await plugin.run("list").diagnostics.isEmpty)
    #expect(try await store.check().map(\.code) == ["molecules.file-ignored"])
    try drop(LibraryFixture.text("GOOD NOW"), "bad.pdb", try library(plugin))
    #expect(try await plugin.run("list").value.table?.rowCount == 1)
  }

  @Test func `pieces of another version are replaced from the original`() async throws {
    let library = try library(try await LibraryFixture.plugin())
    let id = try await library.store.add(LibraryFixture.new("OLD FORM")).id
    try await library.store.local.sqlite.write {
      try $0.execute("UPDATE piece SET content = x'00' WHERE kind = 'atoms'")
    }
    await #expect(throws: ColumnError.self) { _ = try await library.store.molecule(id).decoded() }
    #expect(try await library.molecule("\(id)").structure.atoms.count == 6)
  }
}
