import Foundation
import PluginText
import TestSupport
import Testing

/// `workbench store …` with the library of molecules, run by the built program.
struct StoreProcessTests {
  let home: PluginHome
  private static let name = "molecules:library"
  /// The output of the check of all stores.
  private static let whole =
    "note: no damage found: \(name), openbis:servers, pathcase:database, pathcase:user-data, wsabi:people\n"

  /// A library with the starters.
  init() throws {
    home = try PluginHome(withPlugin: false)
    let list = try home.runPlain("molecules", "list")
    #expect(list.status == 0, "\(list.errors)")
  }

  private var store: URL { home.home.appendingPathComponent("data/stores/molecules/library.sqlite") }
  private var originals: URL { home.home.appendingPathComponent("data/stores/molecules/originals") }

  /// Returns the contents of the library.
  private func list() throws -> String { try home.runPlain("molecules", "list", "--json").output }

  private func backup(_ name: String = "library.backup") throws -> URL {
    let file = home.folder.url(name)
    let run = try home.runPlain("store", "backup", Self.name, file.path, "--json")
    #expect(run.status == 0 && run.record["file"] as? String == file.path)
    return file
  }

  /// Replaces the store's file with other bytes, and removes SQLite's extra files.
  private func replaceStore(by bytes: [UInt8]) throws {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.path + suffix) }
    try Data(bytes).write(to: store)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store.path)
  }

  @Test func `checking all stores does not create the people store, which needs a key`() throws {
    #expect(try home.runPlain("store", "check").status == 0)
    #expect(try home.runPlain("wsabi", "store", "status", "--json").record["exists"] as? Bool == false)
    let key = home.folder.url("key").path
    #expect(try home.runPlain("wsabi", "store", "init", "--new-key-file", key).status == 0)
  }

  @Test func `list shows the store's path and size, and check finds no damage`() throws {
    let row = try #require(
      try home.runPlain("store", "list", "--json").rows.first { $0["name"] as? String == Self.name })
    #expect(row["path"] as? String == store.path)
    #expect(row["schemaVersion"] as? Int == 2 && (row["bytes"] as? Int ?? 0) > 4096)
    #expect((row["summary"] as? String)?.contains("backups do not include") == true)
    #expect(row["backend"] as? String == "sqlite")
    let check = try home.runPlain("store", "check")
    #expect(check.status == 0 && check.output.isEmpty && check.errors == Self.whole)
    let fresh = try PluginHome(withPlugin: false)
    let unused = try fresh.runPlain("store", "list", "--json").rows.first { $0["name"] as? String == Self.name }
    #expect(unused?["bytes"] is NSNull)
  }

  @Test func `a command leaves the store's file without a write-ahead log`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: store.deletingLastPathComponent().path)
    #expect(files.filter { $0.hasPrefix("library.sqlite") } == ["library.sqlite"])
  }

  @Test func `a restored backup has only its own content and renders without originals`() throws {
    let before = try list()
    let file = try backup()
    #expect(try home.runPlain("molecules", "delete", "1", "--yes").status == 0)
    let later = try home.folder.write(Array(Self.structure.utf8), "later.pdb")
    #expect(try home.runPlain("molecules", "import", later.path).status == 0)
    #expect(try list() != before)
    let restore = try home.runPlain("store", "restore", Self.name, file.path, "--yes", "--json")
    #expect(restore.status == 0 && restore.record["store"] as? String == Self.name)
    #expect(try list() == before)
    // The original of the deleted molecule is gone; that of the one imported later is kept unchanged.
    let check = try home.runPlain("store", "check", Self.name, "--json")
    #expect(check.status == 0)
    #expect(
      Set(check.rows.compactMap { $0["code"] as? String })
        == ["molecules.original-missing", "molecules.file-ignored"])
    #expect(FileManager.default.fileExists(atPath: originals.appendingPathComponent("later.pdb").path))
    let picture = home.folder.url("one.png")
    let drawn = try home.runPlain("molecules", "render", "1", "--size", "40x30", "--output", picture.path)
    #expect(drawn.status == 0)
    #expect(try Data(contentsOf: picture).starts(with: [0x89, 0x50, 0x4E, 0x47]))
    // Importing it again adds it.
    #expect(try home.runPlain("molecules", "import", later.path).status == 0)
    #expect(try home.runPlain("molecules", "info", "9XYZ", "--json").record["atoms"] as? Int == 1)
  }

  @Test func `backup and restore work while another process uses the store`() throws {
    let script = try CommandLineProcess(
      ["script", "-", "--json"], environment: ["WORKBENCH_HOME": home.home.path])
    func ask(_ line: String) -> String {
      script.write(line + "\n")
      var answer = ""
      while !answer.contains("\n") {
        let some = script.readSome()
        if some.isEmpty { break }
        answer += some
      }
      return answer
    }
    let before = ask("molecules list")
    #expect(before.contains("CAFFEINE"))
    let file = try backup()
    #expect(ask("molecules delete 2 --yes").contains("2"))
    let without = ask("molecules list")
    #expect(without != before)
    #expect(try home.runPlain("store", "restore", Self.name, file.path, "--yes").status == 0)
    #expect(ask("molecules list") == before)
    #expect(try script.finish().status == 0)
  }

  @Test func `a file that is not a backup leaves the store unchanged`() throws {
    let before = try list()
    let good = [UInt8](try Data(contentsOf: try backup()))
    var damaged = good
    for index in good.count / 2..<good.count / 2 + 20_000 { damaged[index] = 0xA5 }
    let cases: [(name: String, bytes: [UInt8], codes: Set<String>)] = [
      ("garbage", Array(String(repeating: "no database ", count: 1000).utf8), ["store.not-a-database"]),
      ("cut", Array(good[..<(good.count / 2)]), ["store.foreign-backup", "store.damaged"]),
      ("damaged", damaged, ["store.foreign-backup", "store.damaged"]),
    ]
    for entry in cases {
      let file = try home.folder.write(entry.bytes, entry.name + ".backup")
      let run = try home.runPlain("store", "restore", Self.name, file.path, "--yes", "--json")
      #expect(run.status == 5 && entry.codes.contains(run.errorCode ?? ""), "\(entry.name): \(run.errors)")
      #expect(run.errorMessage.contains(file.path))
    }
    #expect(
      try home.runPlain("store", "restore", Self.name, home.folder.url("nothing").path, "--yes").status == 3)
    #expect(try home.runPlain("store", "restore", "molecules:libary", "/dev/null", "--yes").status == 3)
    #expect(try list() == before)
    #expect(try home.runPlain("store", "check", Self.name, "--json").rows.isEmpty)
    #expect(home.names("data/stores/molecules").allSatisfy { !$0.contains("damaged") && !$0.contains("restoring") })
  }

  @Test func `a backup never overwrites a file`() throws {
    let file = try home.folder.write([1, 2, 3], "mine")
    let run = try home.runPlain("store", "backup", Self.name, file.path, "--json")
    #expect(run.status == 7 && run.errorCode == "host.file-exists")
    #expect(try Data(contentsOf: file) == Data([1, 2, 3]))
    let named = try home.runPlain("store", "backup", Self.name, "--json").record["file"] as? String
    #expect(named.map { FileManager.default.fileExists(atPath: $0) } == true)
    #expect(named?.hasPrefix(home.home.path) == true)
  }

  @Test func `export prints every table with all rows`() throws {
    let run = try home.runPlain("store", "export", Self.name, "--json")
    #expect(run.status == 0 && run.record["store"] as? String == "library")
    let tables = try #require(run.record["tables"] as? [String: [[String: Any]]])
    #expect(
      tables.keys.sorted() == ["metadata", "molecule", "piece", "refused_file", "removal", "setting"])
    let molecules = try home.runPlain("molecules", "list", "--json").rows
    #expect(tables["molecule"]?.compactMap { $0["id"] as? Int } == molecules.compactMap { $0["id"] as? Int })
    // A hierarchy, annotations, and for each model atoms and bonds.
    #expect(tables["piece"]?.count == molecules.reduce(0) { $0 + 2 + 2 * ($1["models"] as? Int ?? 0) })
    #expect(tables["piece"]?.allSatisfy { ($0["content"] as? String)?.isEmpty == false } == true)
  }

  @Test func `check finds damage, and restoring a backup repairs it`() throws {
    let before = try list()
    let file = try backup()
    #expect(try home.runPlain("store", "check", "--json").rows.isEmpty)
    let good = [UInt8](try Data(contentsOf: file))
    var damaged = good
    for index in good.count / 2..<good.count - 4096 { damaged[index] = 0xA5 }
    for bytes in [damaged, Array("this is no database\n".utf8)] {
      try replaceStore(by: bytes)
      let check = try home.runPlain("store", "check", Self.name, "--json")
      #expect(check.status == 1 && check.errorCode == "host.damaged-store")
      #expect(check.rows.contains { $0["severity"] as? String == "error" })
      #expect(try home.runPlain("store", "restore", Self.name, file.path, "--yes").status == 0)
      #expect(try list() == before)
      #expect(try home.runPlain("store", "check", Self.name, "--json").rows.isEmpty)
    }
  }

  @Test func `a damaged library is rebuilt from its originals, as the error suggests`() throws {
    #expect(try home.runPlain("molecules", "delete", "2", "--yes").status == 0)
    let before = try list()
    let good = [UInt8](try Data(contentsOf: try backup()))
    var flipped = good
    var random = SplitMix64(seed: 21)
    for _ in 0..<200 { flipped[Int.random(in: 100..<good.count, using: &random)] ^= 0xFF }
    for bytes in [flipped, Array("this is no database\n".utf8), Array(good[..<4096])] {
      try replaceStore(by: bytes)
      let check = try home.runPlain("store", "check", Self.name, "--json")
      #expect(check.status == 1 && check.errors.contains("workbench store rebuild molecules:library"))
      #expect(try home.runPlain("store", "rebuild", Self.name).status == 7)
      let rebuild = try home.runPlain("store", "rebuild", Self.name, "--yes", "--json")
      let kept = try #require(rebuild.record["damagedFile"] as? String, "\(rebuild.errors)")
      #expect(rebuild.status == 0)
      #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: kept))) == bytes)
      #expect(try home.runPlain("store", "check", Self.name, "--json").rows.isEmpty)
      let now = try home.runPlain("molecules", "list", "--json").rows
      #expect(Set(now.compactMap { $0["title"] as? String }) == Set(try Self.titles(in: before)))
      #expect(now.allSatisfy { ($0["atoms"] as? Int ?? 0) > 0 })
    }
    #expect(home.names("data/stores/molecules").allSatisfy { !$0.contains("rebuilding") && !$0.contains("restoring") })
  }

  @Test func `a store without a source to rebuild from is not rebuilt`() throws {
    let run = try home.runPlain("store", "rebuild", "wsabi:people", "--yes", "--json")
    #expect(run.status == 7 && run.errorCode == "host.cannot-rebuild" && run.errors.contains("store restore"))
    #expect(try home.runPlain("store", "rebuild", "molecules:libary", "--yes").status == 3)
  }

  @Test func `a store of personal data stays on this machine`() throws {
    let run = try home.runPlain("store", "unshare", "wsabi:people", "--yes", "--json")
    #expect(run.status == 7 && run.errorCode == "host.not-shareable", "\(run.errors)")
  }

  private static func titles(in list: String) throws -> [String] {
    let rows = try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: Any]] ?? []
    return rows.compactMap { $0["title"] as? String }
  }

  /// One atom; made for this test.
  private static let structure = """
    HEADER    TEST                                    01-JAN-26   9XYZ
    TITLE     ONE ATOM
    HETATM    1  O   HOH A   1       1.000   2.000   3.000  1.00 10.00           O
    END

    """
}
