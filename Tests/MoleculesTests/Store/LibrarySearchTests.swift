import Foundation
import PluginAPI
import PluginStore
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

struct LibrarySearchTests {
  @Test(arguments: StorePlace.available)
  func `molecules are searched by words of code, title, compounds and authors`(_ place: StorePlace) async throws {
    let fixture = try await LibraryFixture.made(place)
    _ = try await fixture.store.add(LibraryFixture.new("HYDROLASE OF YEAST", file: "a.pdb"))
    _ = try await fixture.store.add(LibraryFixture.new("A HYDROLASE IN CRÈME", file: "b.pdb", code: "2XYZ"))
    let expected = [
      ("hydrolase", [1, 2]), ("HYDRO", [1, 2]), ("hydrolase yeast", [1]), ("1abc", [1]), ("bee", [1, 2]),
      ("peptide", [1, 2]), ("journal", []), ("nothing", []), ("yeast nothing", []), ("crème", [2]),
      ("creme", [2]), ("\"yeast OR mouse\"*", []), ("yeast\"", [1]), ("yeast\\", [1]), ("yeast' | 'creme", []),
    ]
    for (text, ids) in expected {
      #expect(try await fixture.store.matches(text)?.sorted() == ids, "\(text)")
    }
  }

  @Test(arguments: ["", "  ", "...", "-- '"])
  func `a text without words is not a search`(text: String) async throws {
    let fixture = LibraryFixture()
    #expect(try await fixture.store.matches(text) == nil)
  }

  @Test(arguments: StorePlace.available) func `a match in the code ranks above one in the title`(_ place: StorePlace)
    async throws
  {
    let fixture = try await LibraryFixture.made(place)
    _ = try await fixture.store.add(LibraryFixture.new("COMPARED WITH 2XYZ", file: "a.pdb"))
    _ = try await fixture.store.add(LibraryFixture.new("SOMETHING ELSE", file: "b.pdb", code: "2XYZ"))
    #expect(try await fixture.store.matches("2xyz") == [2, 1])
  }

  @Test(arguments: StorePlace.available) func `search words are updated and deleted with their molecule`(
    _ place: StorePlace
  ) async throws {
    let fixture = try await LibraryFixture.made(place)
    let id = try await fixture.store.add(LibraryFixture.new("BEFORE")).id
    try await fixture.store.replace(id, by: LibraryFixture.new("AFTER"))
    #expect(try await fixture.store.matches("before") == [])
    #expect(try await fixture.store.matches("after") == [id])
    try await fixture.store.delete(id)
    #expect(try await fixture.store.matches("after") == [])
    let words = try await fixture.store.local.sqlite.read {
      try $0.value("SELECT count(*) FROM molecule_words").integer
    }
    #expect(words == 0)
  }

  @Test func `a library of the first schema gets its search words and is marked as outdated`() async throws {
    let fixture = LibraryFixture()
    try FileManager.default.createDirectory(atPath: fixture.originals, withIntermediateDirectories: true)
    let old = SQLiteStore(
      name: "library", path: fixture.root + "/library.sqlite", migrations: Array(LibraryMigrations.all.prefix(1)))
    try await old.write { connection in
      try connection.execute(
        """
        INSERT INTO molecule VALUES
          (7, '1OLD', 'AN OLD ENTRY', 'ENZYME', 'PDB', 1, 1, 1, 1, 0, 0, 0, 'old.pdb', 1, 'digest', 'old.pdb')
        """)
      try connection.execute("INSERT INTO metadata VALUES (7, 0, 4, '', 'C.ELDER'), (7, 1, 0, 'Keywords', 'AGED')")
    }
    await old.close()
    #expect(try await fixture.store.matches("old enzyme elder aged") == [7])
    #expect(try await fixture.store.snapshot().outdated.map(\.id) == [7])
  }

  @Test func `the list shows matches, the best first`() async throws {
    let plugin = try await LibraryFixture.plugin()
    for (title, code) in [("COMPARED WITH 2XYZ", "1ABC"), ("ANOTHER", "3DEF"), ("WHAT IT IS", "2XYZ")] {
      let path = try LibraryFixture.file(title, named: code + ".pdb", code: code, in: plugin)
      _ = try await plugin.run("import", ["file": .list([.text(path)])])
    }
    let table = try #require(try await plugin.run("list", ["match": "2xyz"]).value.table)
    #expect((0..<table.rowCount).map { table.row($0)["code"]?.text } == ["2XYZ", "1ABC"])
    #expect(try await plugin.run("list", ["match": " "]).value.table?.rowCount == 3)
  }
}
