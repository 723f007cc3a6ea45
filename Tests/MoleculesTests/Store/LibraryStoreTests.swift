import Foundation
import PluginAPI
import PluginStore
import TestSupport
import Testing

@testable import Molecules

struct LibraryStoreTests {
  @Test(arguments: StorePlace.available) func `a stored molecule and its original are restored`(
    _ place: StorePlace
  ) async throws {
    let fixture = try await LibraryFixture.made(place)
    let new = try LibraryFixture.new("PEPTIDE")
    let (id, wasKnown) = try await fixture.store.add(new)
    #expect((id, wasKnown) == (1, false))
    var expected = new.molecule
    expected.id = 1
    let reopened = fixture.reopened()
    #expect(try await reopened.molecule(1).decoded() == expected)
    #expect(try await reopened.original(of: reopened.summary(of: 1)) == new.original)
    #expect(try await reopened.digest(of: 1) == new.digest)
    #expect(try await reopened.id(ofSource: "test.pdb") == 1)
    #expect(fixture.files() == (place == .local ? ["test.pdb"] : []))
  }

  @Test(arguments: StorePlace.available) func `the list has counts, code, title and time`(
    _ place: StorePlace
  ) async throws {
    let fixture = try await LibraryFixture.made(place)
    _ = try await fixture.store.add(LibraryFixture.new("PEPTIDE"))
    let summary = try #require(try await fixture.reopened().snapshot().molecules.first)
    #expect(summary.code == "1ABC")
    #expect(summary.title == "PEPTIDE")
    #expect(summary.compound == "TEST PEPTIDE")
    #expect(summary.format == "PDB")
    #expect(summary.counts == MoleculeCounts(models: 1, chains: 1, residues: 2, atoms: 6, bonds: 5))
    #expect(summary.addedAt == Instant(seconds: 1_800_000_000, nanoseconds: 5))
  }

  @Test(arguments: StorePlace.available) func `importing the same file updates the molecule under its number`(
    _ place: StorePlace
  ) async throws {
    let fixture = try await LibraryFixture.made(place)
    let new = try LibraryFixture.new("PEPTIDE")
    _ = try await fixture.store.add(new)
    var again = new
    again.molecule.bonds = [[]]
    let second = try await fixture.store.add(again)
    #expect((second.id, second.wasKnown) == (1, true))
    #expect(try await fixture.store.snapshot().molecules.map(\.file) == ["test.pdb"])
    #expect(try await fixture.store.check().isEmpty)
    #expect(try await fixture.store.molecule(1).decoded().bonds == [[]])
  }

  @Test func `importing the same file restores a missing original`() async throws {
    let fixture = LibraryFixture()
    let new = try LibraryFixture.new("PEPTIDE")
    _ = try await fixture.store.add(new)
    try FileManager.default.removeItem(atPath: fixture.originals + "/test.pdb")
    #expect(try await fixture.store.add(new).wasKnown)
    #expect(try await fixture.store.check().isEmpty)
  }

  @Test func `partial files of ended processes are removed, and those of running ones are not`() async throws {
    let fixture = LibraryFixture()
    _ = try await fixture.store.add(LibraryFixture.new("ONE"))
    let (dead, living) = (".a.pdb.2147483646.part", ".b.pdb.\(ProcessInfo.processInfo.processIdentifier).part")
    for name in [dead, living] { try Data().write(to: URL(fileURLWithPath: fixture.originals + "/" + name)) }
    _ = try await fixture.store.add(LibraryFixture.new("TWO", file: "two.pdb"))
    #expect(fixture.files() == [living, "test.pdb", "two.pdb"])
  }

  @Test func `another file with the same name is renamed`() async throws {
    let fixture = LibraryFixture()
    _ = try await fixture.store.add(LibraryFixture.new("ONE", file: "/a/test.pdb.gz"))
    _ = try await fixture.store.add(LibraryFixture.new("TWO", file: "/b/test.pdb.gz"))
    #expect(fixture.files() == ["test-2.pdb.gz", "test.pdb.gz"])
  }

  @Test func `names of originals cannot leave the folder or hide`() {
    #expect(Originals.cleaned("../../etc/passwd") == "passwd")
    #expect(Originals.cleaned(".hidden.pdb") == "_hidden.pdb")
    #expect(Originals.cleaned("..") == "_.")
    #expect(Originals.cleaned("/") == "molecule")
    #expect(Originals.cleaned("a\u{1}b\n.pdb") == "ab.pdb")
  }

  @Test func `deleting removes the row, its parts and the file, and numbers are not reused`() async throws {
    let fixture = LibraryFixture()
    _ = try await fixture.store.add(LibraryFixture.new("ONE"))
    try await fixture.store.delete(1)
    #expect(fixture.files().isEmpty)
    let left = try await fixture.store.local.sqlite.read { connection in
      try ["molecule", "metadata", "piece", "removal"].map {
        try connection.value("SELECT count(*) FROM \($0)").integer ?? -1
      }
    }
    #expect(left == [0, 0, 0, 0])
    #expect(try await fixture.store.add(LibraryFixture.new("TWO")).id == 2)
  }

  @Test(arguments: StorePlace.available) func `an unknown molecule cannot be deleted, opened or loaded`(
    _ place: StorePlace
  ) async throws {
    let fixture = try await LibraryFixture.made(place)
    let store = fixture.store
    await #expect(throws: LibraryError.unknownMolecule(7)) { try await store.delete(7) }
    await #expect(throws: LibraryError.unknownMolecule(7)) { try await store.setLastViewed(7) }
    await #expect(throws: LibraryError.unknownMolecule(7)) { _ = try await store.molecule(7) }
  }

  @Test(arguments: StorePlace.available) func `the last viewed molecule is stored until it is deleted`(
    _ place: StorePlace
  ) async throws {
    let fixture = try await LibraryFixture.made(place)
    _ = try await fixture.store.add(LibraryFixture.new("ONE"))
    try await fixture.store.setLastViewed(1)
    #expect(try await fixture.reopened().snapshot().lastViewed == 1)
    try await fixture.store.delete(1)
    #expect(try await fixture.reopened().snapshot().lastViewed == nil)
  }

  @Test func `a molecule without its original is readable, and the check reports it`() async throws {
    let fixture = LibraryFixture()
    _ = try await fixture.store.add(LibraryFixture.new("ONE"))
    #expect(try await fixture.store.check().isEmpty)
    try FileManager.default.removeItem(atPath: fixture.originals + "/test.pdb")
    #expect(try await fixture.store.molecule(1).decoded().structure.atoms.count == 6)
    #expect(try await fixture.store.check().map(\.code) == ["molecules.original-missing"])
    try Data("other".utf8).write(to: URL(fileURLWithPath: fixture.originals + "/test.pdb"))
    #expect(try await fixture.store.check().map(\.code) == ["molecules.original-changed"])
  }

  @Test func `a damaged database is reported, and the originals are untouched`() async throws {
    let fixture = LibraryFixture()
    _ = try await fixture.store.add(LibraryFixture.new("ONE"))
    await fixture.store.close()
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: fixture.store.path + suffix) }
    try Data(repeating: 0x5A, count: 8192).write(to: URL(fileURLWithPath: fixture.store.path))
    let error = await #expect(throws: LibraryDamage.self) { _ = try await fixture.reopened().snapshot() }
    #expect(error?.report.exitStatus == 5)
    #expect(error?.report.message.contains("library.sqlite") == true)
    #expect(error?.report.advice?.contains("store rebuild") == true)
    #expect(fixture.files() == ["test.pdb"])
  }

  @Test(arguments: StorePlace.available) func `metadata is stored by group in the order of the screen`(
    _ place: StorePlace
  ) async throws {
    let fixture = try await LibraryFixture.made(place)
    _ = try await fixture.store.add(LibraryFixture.new("ONE"))
    let entries = try await fixture.store.metadata(of: 1)
    let groups = entries.map(\.group.rawValue)
    #expect(groups == groups.sorted())
    #expect(entries.contains(MetadataEntry(group: .authors, label: "", text: "A.BEE, C.DEE")))
    #expect(entries.contains(MetadataEntry(group: .sequence, label: "Chain A", text: "GA")))
    #expect(entries.contains(MetadataEntry(group: .source, label: "TEST PEPTIDE", text: "MUS MUSCULUS")))
    #expect(entries.contains(MetadataEntry(group: .statistics, label: "File name", text: "test.pdb")))
  }

  @Test(arguments: StorePlace.available) func `changes of molecules are announced, and other changes are not`(
    _ place: StorePlace
  ) async throws {
    let changes = Counter()
    let fixture = try await LibraryFixture.made(place)
    let store = LibraryStore(folder: fixture.root) { changes.add() }
    _ = try await store.add(LibraryFixture.new("ONE"))
    try await store.setLastViewed(1)
    try await store.delete(1)
    #expect(changes.value == 2)
  }

  @Test(arguments: StorePlace.available) func `a deleted molecule leaves no data, and its number is not reused`(
    _ place: StorePlace
  ) async throws {
    let fixture = try await LibraryFixture.made(place)
    let store = fixture.store
    _ = try await store.add(LibraryFixture.new("ONE"))
    let molecule = try await store.summary(of: 1)
    try await store.delete(1)
    await #expect(throws: LibraryError.self) { _ = try await store.original(of: molecule) }
    #expect(try await store.snapshot().molecules.isEmpty)
    #expect(try await store.digests().isEmpty)
    #expect(try await store.metadata(of: 1).isEmpty)
    #expect(try await store.add(LibraryFixture.new("TWO")).id == 2)
  }
}
