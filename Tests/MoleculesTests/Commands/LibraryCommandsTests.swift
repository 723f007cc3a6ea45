import Foundation
import PluginAPI
import PluginTesting
import Testing

@testable import Molecules

struct LibraryCommandsTests {
  @Test func `the plugin follows every rule of the contract that can be tested from outside`() async throws {
    let found = await PluginConformance.check(MoleculesPlugin(), resources: LibraryFixture.resources)
    // The command line's contract contains both: the host's `--color auto|always|never` and that of `render`, and the
    // host's `--output` for pictures and that of `export` for files.
    let expected = [
      "command 'animate' has option '--color', which is the host's own",
      "command 'render' has option '--color', which is the host's own",
      "command 'export' has option '--output', which is the host's own",
    ]
    #expect(
      found.filter { $0.severity != .note && $0.severity != .debug && !expected.contains($0.message) } == [])
  }

  @Test func `the list has the keys that scripts rely on`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let table = try #require(try await plugin.run("list").value.table)
    #expect(table.columns.map(\.name) == ["id", "code", "title", "format", "atoms", "bonds", "models", "addedAt"])
    let caffeine = try #require(
      (0..<table.rowCount).map { table.row($0) }.first { $0["title"]?.text?.hasPrefix("CAFFEINE") == true })
    #expect(caffeine["atoms"] == 24)
    #expect(caffeine["bonds"] == 25)
    #expect(caffeine["addedAt"]?.date != nil)
  }

  @Test func `import reports ids and counts, and keeps the original file`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = try LibraryFixture.file("PEPTIDE", named: "peptide.pdb", in: plugin)
    let result = try await plugin.run("import", ["file": .list([.text(path)])])
    let first = try #require(result.value.list?.first)
    #expect(first["id"] == 1)
    #expect(first["atoms"] == 6)
    #expect(first["bonds"] == 5)
    #expect(first["wasKnown"] == false)
    #expect(FileManager.default.fileExists(atPath: plugin.context.folders.data + "/originals/peptide.pdb"))
    #expect(plugin.context.notifications.map(\.topic) == ["molecules.library-changed"])
    let text = try plugin.text(result.value)
    #expect(text.contains("1ABC") && text.contains("6 atoms, 5 bonds"))
  }

  @Test func `a molecule without a title or code is named after its file`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = plugin.context.folders.state + "/methane.xyz"
    try "2\n\nC 0 0 0\nH 1.1 0 0\n".write(toFile: path, atomically: true, encoding: .utf8)
    let imported = try await plugin.run("import", ["file": .list([.text(path)])]).value
    #expect(try plugin.text(imported).split(separator: " ").prefix(2).joined(separator: " ").hasPrefix("1 methane.xyz"))
    let table = try #require(try await plugin.run("list").value.table)
    #expect(table.row(0)["title"] == "methane.xyz")
    for molecule in ["1", path] {
      let info = try await plugin.run("info", ["molecule": .text(molecule)]).value
      #expect(info["title"].isNull)
      #expect(try plugin.text(info).hasPrefix("methane.xyz"))
    }
  }

  @Test func `importing a file that is already in the library is reported`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = try LibraryFixture.file("PEPTIDE", named: "peptide.pdb", in: plugin)
    _ = try await plugin.run("import", ["file": .list([.text(path)])])
    let again = try await plugin.run("import", ["file": .list([.text(path)])])
    #expect(again.diagnostics.map(\.code) == ["molecules.already-imported"])
    #expect(again.value.list?.first?["id"] == 1)
    #expect(try await plugin.run("list").value.table?.rowCount == 1)
  }

  @Test func `valid files are imported, and the error names the one that is not`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let good = try LibraryFixture.file("GOOD", named: "good.pdb", in: plugin)
    let bad = plugin.context.folders.state + "/bad.pdb"
    try "nonsense".write(toFile: bad, atomically: true, encoding: .utf8)
    let report = await plugin.report("import", ["file": .list([.text(bad), .text(good)])])
    #expect(report?.code == "molecules.unreadable-file")
    #expect(report?.exitStatus == 5)
    #expect(report?.details["failed"] == .list([.text(bad)]))
    #expect(try await plugin.run("list").value.table?.rowCount == 1)
  }

  @Test(arguments: [
    ("", "molecules.unreadable-file", 5), ("nonsense", "molecules.unreadable-file", 5),
    ("TITLE     NO ATOMS\nEND\n", "molecules.no-coordinates", 5), ("\u{1F}", "molecules.unreadable-file", 5),
  ])
  func `a file that is not a structure has a stable error code`(content: String, code: String, status: Int32)
    async throws
  {
    let plugin = try await LibraryFixture.plugin()
    let path = plugin.context.folders.state + "/bad.pdb"
    try content.write(toFile: path, atomically: true, encoding: .utf8)
    let report = try #require(await plugin.report("import", ["file": .list([.text(path)])]))
    #expect((report.code, report.exitStatus) == (code, status))
    #expect(report.message.contains("bad.pdb"))
    let info = try #require(await plugin.report("info", ["molecule": .text(path)]))
    #expect((info.code, info.exitStatus) == (code, status))
  }

  @Test func `folders and missing files are distinguished from unreadable files`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let folder = await plugin.report("import", ["file": .list([.text(plugin.context.folders.state)])])
    #expect(folder?.code == "molecules.no-database")
    let missing = await plugin.report("import", ["file": .list(["/nowhere/at/all.pdb"])])
    #expect(missing?.code == "molecules.file-not-found")
    #expect(missing?.exitStatus == 3)
    let named = await plugin.report("info", ["molecule": "/nowhere/at/all.pdb"])
    #expect(named?.code == "molecules.file-not-found")
  }

  @Test func `deleting a molecule deletes its original`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = try LibraryFixture.file("PEPTIDE", named: "peptide.pdb", in: plugin)
    _ = try await plugin.run("import", ["file": .list([.text(path)])])
    let result = try await plugin.run("delete", ["molecule": "1abc"])
    #expect(result.value["id"] == 1)
    #expect(try plugin.text(result.value).hasPrefix("Deleted 1"))
    #expect(!FileManager.default.fileExists(atPath: plugin.context.folders.data + "/originals/peptide.pdb"))
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(await plugin.report("delete", ["molecule": "1"])?.exitStatus == 3)
  }

  @Test func `open remembers the molecule viewed last`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let result = try await plugin.run("open", ["molecule": "caffeine"])
    let store = try MoleculeLibrary(plugin.context).store
    #expect(try await store.snapshot().lastViewed == result.value["id"].integer)
  }

  @Test func `the error about an unknown molecule suggests the nearest`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = try LibraryFixture.file("PEPTIDE", named: "peptide.pdb", code: "4HHB", in: plugin)
    _ = try await plugin.run("import", ["file": .list([.text(path)])])
    let report = try #require(await plugin.report("info", ["molecule": "4HHC"]))
    #expect(report.code == "molecules.unknown-molecule")
    #expect(report.exitStatus == 3)
    #expect(report.advice == "did you mean '4HHB'?")
  }

  @Test func `an ambiguous code is refused with the numbers of its molecules`() async throws {
    let plugin = try await LibraryFixture.plugin()
    for title in ["ONE", "TWO"] {
      let path = try LibraryFixture.file(title, named: title + ".pdb", in: plugin)
      _ = try await plugin.run("import", ["file": .list([.text(path)])])
    }
    let report = try #require(await plugin.report("info", ["molecule": "1abc"]))
    #expect(report.code == "molecules.ambiguous-molecule")
    #expect(report.advice == "give the number of one: 1, 2")
    #expect(try await plugin.run("info", ["molecule": "tw"]).value["id"] == 2)
  }

  @Test func `every error of the plugin has a declared code`() {
    let declared = Set(MoleculeError.codes.map(\.code))
    #expect(declared.count == MoleculeError.codes.count)
    let reports: [any ReportableError] = [
      MoleculeError.unknown("x", nearest: nil, isEmpty: false), MoleculeError.ambiguous("x", ids: [1, 2]),
      MoleculeError.file(.missing(path: "x")), MoleculeError.file(.refused(path: "x")),
      MoleculeError.file(.failed(path: "x", reason: "y")), MoleculeError.unreadable(path: "x", reason: "y"),
      MoleculeError.unknownModel(2, count: 1), LibraryError.unknownMolecule(1),
      LibraryError.originalNotKept(file: "x", reason: "y"), LibraryError.originalNotRemoved(file: "x", reason: "y"),
      LibraryError.originalUnreadable(file: "x", reason: "y"),
    ]
    #expect(reports.map(\.report.code).filter { !declared.contains($0) } == [])
  }

  @Test func `files added to the library's folder are imported and reported`() async throws {
    let plugin = try await LibraryFixture.plugin()
    _ = try await plugin.run("list")
    let folder = try MoleculeLibrary(plugin.context).store.local.originals
    _ = try folder.keep(Array(LibraryFixture.text("FIRST").utf8), as: "first.pdb") { _ in false }
    _ = try folder.keep(Array(LibraryFixture.text("SECOND").utf8), as: "second.pdb") { _ in false }
    let told = try await plugin.run("list")
    #expect(told.value.table?.rowCount == 2)
    #expect(told.diagnostics.map(\.code) == ["molecules.files-taken-in"])
    #expect(
      told.diagnostics.first?.message == "imported from the folder beside the library: 'first.pdb' and 1 more")
    #expect(try await plugin.run("list").diagnostics.isEmpty)
  }
}
