import Foundation
import PluginAPI
import PluginStore
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

struct ExportCommandTests {
  private func plugin() async throws -> (plugin: TestPlugin, file: String, folder: String) {
    let plugin = try await LibraryFixture.plugin()
    let file = try LibraryFixture.file("A PEPTIDE'S TITLE", named: "peptide.pdb", in: plugin)
    return (plugin, file, plugin.context.folders.state)
  }

  @Test(arguments: [("pdb", "out.pdb"), ("mmcif", "out.cif"), ("xyz", "out.xyz")])
  func `an exported molecule is read again in each format`(format: String, name: String) async throws {
    let (plugin, file, folder) = try await plugin()
    let path = folder + "/" + name
    let result = try await plugin.run(
      "export", ["molecule": .list([.text(file)]), "format": .text(format), "output": .text(path)])
    #expect(result.value["file"] == .text(path))
    #expect(result.value["atoms"] == 6)
    let again = try await plugin.run("info", ["molecule": .text(path)])
    #expect(again.value["atoms"] == 6)
    #expect(again.value["title"].text?.hasPrefix("A PEPTIDE'S TITLE") == true)
  }

  @Test(arguments: ["pdb", "mmcif"])
  func `a selected part of a molecule is exported with the file's statements about it`(format: String) async throws {
    guard SharedData.molecules != nil else { return }
    let (plugin, _, folder) = try await plugin()
    let source = try #require(SharedData.molecules).appendingPathComponent("pdb/4hhb.pdb.gz").path
    let path = folder + "/part." + (format == "pdb" ? "pdb" : "cif")
    let result = try await plugin.run(
      "export",
      ["molecule": .list([.text(source)]), "output": .text(path), "select": "chain B and not water or resn HEM"])
    let whole = try await plugin.run("info", ["molecule": .text(source)]).value
    let part = try await plugin.run("info", ["molecule": .text(path)]).value
    let wanted = try await plugin.run(
      "select", ["molecule": .text(source), "selection": "chain B and not water or resn HEM"]
    ).value
    #expect(part["atoms"] == wanted["atoms"] && result.value["atoms"] == wanted["atoms"])
    #expect(part["chains"] == 4 && part["waters"] == 0 && whole["waters"] != 0)
    #expect((part["helices"].integer ?? 0) > 5 && (part["helices"].integer ?? 0) < (whole["helices"].integer ?? 0))
    let bonds = try await plugin.run(
      "bonds", ["molecule": .text(source), "select": "chain B and not water or resn HEM"])
    #expect(part["bonds"].integer == bonds.value.table?.rowCount)
  }

  @Test func `one of several models is exported, and an empty selection is refused`() async throws {
    let (plugin, file, folder) = try await plugin()
    let frames = folder + "/frames.xyz"
    try "1\none\nC 0 0 0\n2\ntwo\nN 1 0 0\nO 2 0 0\n".write(toFile: frames, atomically: true, encoding: .utf8)
    let path = folder + "/second.xyz"
    let second = try await plugin.run(
      "export", ["molecule": .list([.text(frames)]), "model": 2, "output": .text(path)])
    #expect(second.value["models"] == 1 && second.value["atoms"] == 2)
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("N "))
    let missing = await plugin.report("export", ["molecule": .list([.text(frames)]), "model": 3, "format": "xyz"])
    #expect(missing?.code == "molecules.unknown-model")
    let empty = await plugin.report(
      "export", ["molecule": .list([.text(file)]), "select": "resn QQQ", "output": .text(folder + "/none.pdb")])
    #expect(empty?.code == "molecules.empty-selection")
    #expect(!FileManager.default.fileExists(atPath: folder + "/none.pdb"))
  }

  @Test func `the format follows from the file name, and is required without one`() async throws {
    let (plugin, file, folder) = try await plugin()
    let result = try await plugin.run(
      "export", ["molecule": .list([.text(file)]), "output": .text(folder + "/x.mmcif")])
    #expect(result.value["format"] == "mmcif")
    let report = await plugin.report("export", ["molecule": .list([.text(file)])])
    #expect(report?.code == "molecules.format-missing")
    let several = await plugin.report("export", ["molecule": .list([.text(file), .text(file)]), "format": "xyz"])
    #expect(several?.code == "molecules.one-molecule")
  }

  @Test func `an output file in a missing folder is distinguished from a missing molecule`() async throws {
    let (plugin, file, folder) = try await plugin()
    let path = folder + "/missing/a.pdb"
    let report = await plugin.report("export", ["molecule": .list([.text(file)]), "output": .text(path)])
    #expect(report?.code == "molecules.file-not-written" && report?.kind == .notFound)
    #expect(report?.message == "'\(path)' cannot be written: no such file or directory")
    #expect(report?.advice == "create its folder first" && report?.details == ["file": .text(path)])
  }

  @Test func `the exported database has the tables, columns and codes of the original program`() async throws {
    let (plugin, file, folder) = try await plugin()
    let path = folder + "/molecules.sql"
    _ = try await plugin.run(
      "export", ["molecule": .list([.text(file)]), "format": "sql-1.2", "output": .text(path)])
    let store = SQLiteStore(name: "copy", path: path, migrations: [])
    let (atoms, bonds, head, data, version) = try await store.read { connection in
      (
        try connection.list("SELECT molecule, residue, structure, element, x FROM atoms ORDER BY id") {
          [$0.number(0), $0.number(1), $0.number(2), $0.number(3), $0.number(4)]
        },
        try connection.list("SELECT residue, structure, bond_type, start_x, end_x FROM bonds ORDER BY id") {
          [$0.number(0), $0.number(1), $0.number(2), $0.number(3), $0.number(4)]
        },
        try connection.list("SELECT * FROM molecules") { $0.values },
        try connection.list("SELECT type, value FROM metadata ORDER BY type") { "\($0.integer(0)) \($0.text(1))" },
        try connection.value("SELECT version FROM database_settings").integer
      )
    }
    await store.close()
    #expect(version == 1)
    #expect(atoms[0] == [1, 9, 1, 3, 0])
    #expect(atoms[1] == [1, 9, 1, 0, 1.46])
    #expect(atoms[4] == [1, 10, 1, 3, 3.3])
    #expect(bonds.count == 5)
    #expect(bonds.contains([9, 1, 1, 2, 1.2]))
    #expect(head.count == 1)
    #expect(head[0].prefix(8).map(\.text).compactMap { $0 } == ["peptide.pdb", "A PEPTIDE'S TITLE", "TEST PEPTIDE"])
    #expect(head[0][4...7].map(\.integer) == [0, 6, 5, 1])
    #expect(head[0][11].number == 0 && head[0][14].number == 3.9)
    #expect(
      data == [
        "0 MUS MUSCULUS", "1 A.BEE,C.DEE", "3 A JOURNAL TITLE", "4 J.TEST V. 1 2 2003", "5 GLY ALA",
      ])
  }

  @Test func `a folder of the original program is imported, also rows whose file is missing`() async throws {
    let (plugin, file, folder) = try await plugin()
    let gone = try LibraryFixture.file("GONE", named: "gone.pdb", code: "2XYZ", in: plugin)
    let documents = folder + "/Documents"
    try FileManager.default.createDirectory(atPath: documents, withIntermediateDirectories: true)
    _ = try await plugin.run(
      "export",
      [
        "molecule": .list([.text(file), .text(gone)]), "format": "sql-1.2",
        "output": .text(documents + "/molecules.sql"),
      ])
    // The file beside the database has no title, so that of the database is kept.
    let text = LibraryFixture.text("A PEPTIDE'S TITLE").split(separator: "\n").filter { !$0.hasPrefix("TITLE") }
    try text.joined(separator: "\n").write(toFile: documents + "/PEPTIDE.pdb", atomically: true, encoding: .utf8)
    let result = try await plugin.run("import", ["file": .list([.text(documents)])])
    let molecules = try #require(result.value.list)
    #expect(molecules.map { $0["title"].text } == ["A PEPTIDE'S TITLE", "GONE"])
    #expect(molecules.map { $0["atoms"].integer } == [6, 6])
    #expect(molecules.map { $0["bonds"].integer } == [5, 5])
    #expect(molecules.map { $0["residues"].integer } == [2, 2])
    #expect(result.diagnostics.map(\.code) == ["molecules.legacy-rebuilt"])
    let info = try await plugin.run("info", ["molecule": "2"])
    #expect(info.value["metadata"]["source"] == "MUS MUSCULUS")
    #expect(info.value["metadata"]["journalTitle"] == "A JOURNAL TITLE")
    #expect(info.value["metadata"]["authors"] == .list(["A.BEE", "C.DEE"]))
    let atoms = try #require(try await plugin.run("atoms", ["molecule": "2"]).value.table)
    #expect((0..<6).map { atoms.row($0)["name"]?.text } == ["N", "CA", "C", "O", "N1", "C1"])
  }

  @Test func `the import of a named database includes only the files of its molecules`() async throws {
    let (plugin, file, folder) = try await plugin()
    let documents = folder + "/Documents"
    try FileManager.default.createDirectory(atPath: documents, withIntermediateDirectories: true)
    let database = documents + "/m.sql"
    _ = try await plugin.run("export", ["molecule": .list([.text(file)]), "output": .text(database)])
    try FileManager.default.copyItem(atPath: file, toPath: documents + "/peptide.pdb")
    let other = try LibraryFixture.file("OTHER", named: "other.pdb", in: plugin)
    try FileManager.default.moveItem(atPath: other, toPath: documents + "/other.pdb")
    let imported = try await plugin.run("import", ["file": .list([.text(database)])])
    #expect(imported.value.list?.map { $0["file"] } == [.text(documents + "/peptide.pdb")])
    #expect(imported.diagnostics.isEmpty)
  }

  @Test func `a folder without a database and a database of another program are refused`() async throws {
    let (plugin, _, folder) = try await plugin()
    let empty = folder + "/empty"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    #expect(await plugin.report("import", ["file": .list([.text(empty)])])?.code == "molecules.no-database")
    let store = SQLiteStore(name: "other", path: empty + "/molecules.sql", migrations: [])
    try await store.write { try $0.execute("CREATE TABLE other (x INTEGER)") }
    await store.close()
    let report = await plugin.report("import", ["file": .list([.text(empty)])])
    #expect(report?.code == "molecules.unreadable-file")
    try "SQLite format 3\0 and nothing of it".write(
      toFile: empty + "/molecules.sql", atomically: true, encoding: .utf8)
    #expect(await plugin.report("import", ["file": .list([.text(empty)])])?.code == "molecules.unreadable-file")
  }
}
