import Foundation
import Glibc
import PluginText
import TestSupport
import Testing

/// `workbench store share|unshare` by the built program, with a real server.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.absence)), .timeLimit(.minutes(20)))
struct StoreShareTests {
  private static let library = "molecules:library"

  /// Returns a database for a library of molecules.
  private func database(on server: PostgresServer? = nil) throws -> SharedDatabase {
    try SharedDatabase(schema: "molecules_library", on: server)
  }

  /// Returns a home with the starters.
  private func home() throws -> PluginHome {
    let home = try PluginHome(withPlugin: false)
    let list = try home.runPlain("molecules", "list")
    #expect(list.status == 0, "\(list.errors)")
    return home
  }

  /// Returns the titles of the molecules in the library that a home uses.
  private func titles(_ home: PluginHome) throws -> [String] {
    try home.runPlain("molecules", "list", "--json").rows.compactMap { $0["title"] as? String }.sorted()
  }

  /// Returns the back end of the library.
  private func backend(_ home: PluginHome) throws -> String? {
    let rows = try home.runPlain("store", "list", "--json").rows
    return rows.first { $0["name"] as? String == Self.library }?["backend"] as? String
  }

  /// Writes a file of one atom and returns its path.
  private func file(_ title: String, in home: PluginHome) throws -> String {
    let text = """
      TITLE     \(title)
      HETATM    1  O   HOH A   1       1.000   2.000   3.000  1.00 10.00           O
      END

      """
    return try home.folder.write(Array(text.utf8), title.lowercased() + ".pdb").path
  }

  @Test func `users of a shared library see each other's imports, and unsharing returns each to the own library`()
    throws
  {
    let database = try database()
    let (ada, bob) = (try home(), try PluginHome(withPlugin: false))
    let own = try titles(ada)
    let first = try ada.runPlain("store", "share", Self.library, database.address, "--yes", "--json")
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.record["copied"] as? Int == own.count && first.record["backend"] as? String == database.address)
    let second = try bob.runPlain("store", "share", Self.library, database.address, "--yes", "--json")
    #expect(second.status == 0 && second.record["copied"] as? Int == 0, "\(second.errors)")
    for user in [ada, bob] { #expect(try backend(user) == database.address) }
    let importing = try ada.runPlain("molecules", "import", file("IMPORTED", in: ada))
    #expect(importing.status == 0, "\(importing.errors)")
    #expect(try titles(bob) == (own + ["IMPORTED"]).sorted())
    #expect(try bob.runPlain("molecules", "import", file("OTHER", in: bob)).status == 0)
    #expect(try titles(ada) == (own + ["IMPORTED", "OTHER"]).sorted())
    let refused = try ada.runPlain("store", "unshare", Self.library, "--json")
    #expect(refused.status == 7 && refused.errorCode == "host.not-confirmed")
    let unshared = try ada.runPlain("store", "unshare", Self.library, "--yes", "--json")
    #expect(unshared.status == 0 && unshared.record["backend"] as? String == "sqlite", "\(unshared.errors)")
    #expect(try titles(ada) == own && backend(ada) == "sqlite")
    #expect(try titles(bob).count == own.count + 2)
    let again = try ada.runPlain("store", "unshare", Self.library, "--yes", "--json")
    #expect(again.status == 7 && again.errorCode == "host.store-not-shared")
    let back = try ada.runPlain("store", "share", Self.library, database.address, "--yes", "--json")
    #expect(back.record["copied"] as? Int == 0 && back.record["known"] as? Int == own.count, "\(back.errors)")
  }

  @Test func `an address that cannot be used has its exit status and code, and the library stays`() throws {
    let database = try database()
    let home = try home()
    let own = try titles(home)
    let address = database.address
    func changed(_ old: String, _ new: String) -> String { address.replacingOccurrences(of: old, with: new) }
    let user = address.dropFirst("postgresql://".count).prefix { $0 != "@" }
    let name = try #require(address.split(separator: "/").dropFirst(2).first).prefix { $0 != "?" }
    let cases: [(address: String, outcome: String)] = [
      ("mysql://127.0.0.1/lab", "2 store.bad-address"), ("postgresql://ada@[::1/lab", "2 store.bad-address"),
      (changed("\(user)@", "\(user):secret@"), "7 store.password-in-address"),
      ("postgresql://db.example.org/lab?sslmode=require", "7 store.insecure-address"),
      ("postgresql://ada@127.0.0.1:1/lab", "6 store.unreachable"),
      (changed("/\(name)?", "/nothing?"), "3 store.no-database"),
      (changed("\(user)@", "nobody@"), "7 store.login-refused"),
      (changed("/passfile", "/none"), "7 store.login-refused"),
    ]
    for (address, expected) in cases {
      let outcome = try home.runPlain("store", "share", Self.library, address, "--yes", "--json")
      #expect("\(outcome.status) \(outcome.errorCode ?? "")" == expected, "\(address): \(outcome.errors)")
      #expect(outcome.output == "" && !outcome.errors.contains("secret"))
      #expect(try backend(home) == "sqlite")
    }
    #expect(home.names("data/stores/molecules").allSatisfy { !$0.contains("shared") })
    #expect(try titles(home) == own)
  }

  @Test func `while the server is down the shared library is an error, and unsharing works`() throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let database = try database(on: server)
    let home = try home()
    let own = try titles(home)
    #expect(try home.runPlain("store", "share", Self.library, database.address, "--yes").status == 0)
    #expect(try home.runPlain("molecules", "import", file("IMPORTED", in: home)).status == 0)
    server.stop()
    let later = try file("LATER", in: home)
    for words in [["molecules", "list"], ["molecules", "import", later], ["store", "check", Self.library]] {
      let outcome = try home.runPlain(words + ["--json"])
      #expect(outcome.status == 6 && outcome.errorCode == "store.unreachable", "\(words): \(outcome.errors)")
    }
    #expect(try backend(home) == database.address)
    #expect(try home.runPlain("store", "unshare", Self.library, "--yes").status == 0)
    #expect(try titles(home) == own)
    let refused = try home.runPlain("store", "share", Self.library, database.address, "--yes", "--json")
    #expect(refused.status == 6 && refused.errorCode == "store.unreachable")
    #expect(try backend(home) == "sqlite")
    try server.start()
    #expect(try home.runPlain("store", "share", Self.library, database.address, "--yes").status == 0)
    #expect(try titles(home) == (own + ["IMPORTED"]).sorted())
  }

  @Test func `a library whose share is killed at any moment is unchanged, and sharing again completes it`() throws {
    let database = try database()
    let home = try home()
    let files = try (0..<20).map { try file("MOLECULE \($0)", in: home) }
    #expect(try home.runPlain(["molecules", "import"] + files).status == 0)
    let titles = try titles(home)
    try expectWholeAfterKills(Self.library, home, database, count: titles.count) {
      #expect(try self.titles(home) == titles)
      try database.run("DELETE FROM molecule")
    }
  }

  @Test func `pathway data whose share is killed at any moment is unchanged, and sharing again completes it`() throws {
    let database = try SharedDatabase(schema: "pathcase_user_data")
    let home = try PluginHome(withPlugin: false)
    let names = (10..<30).map { "m\($0)" }
    for name in names {
      let model = """
        {"id": "\(name)", "compartments": {"c": ""}, "genes": [],
         "metabolites": [{"id": "a_c", "name": "", "compartment": "c"}],
         "reactions": [{"id": "in", "name": "", "metabolites": {"a_c": 1}, "lower_bound": 0, "upper_bound": 7.5,
          "gene_reaction_rule": "", "objective_coefficient": 0}]}
        """
      let file = try home.folder.write(Array(model.utf8), name + ".json")
      let outcome = try home.runPlain("pathcase", "import", file.path)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(try home.runPlain("pathcase", "freeze", "w-tca").status == 0)
    try expectWholeAfterKills("pathcase:user-data", home, database, count: names.count + 1) {
      let imports = try home.runPlain("pathcase", "imports", "--json").rows
      #expect(imports.compactMap { $0["id"] as? String } == names)
      for table in ["layout", "network"] { try database.run("DELETE FROM \(table)") }
    }
  }

  /// Kills shares of a store at random moments and repeats each, with nothing of the store's own files changed.
  ///
  /// - Parameters:
  ///   - count: The number of items in the store.
  ///   - check: Checks the shared content, and deletes it from the database.
  private func expectWholeAfterKills(
    _ store: String, _ home: PluginHome, _ database: SharedDatabase, count: Int, check: () throws -> Void
  ) throws {
    let own = try contents(of: store, home)
    #expect(!own.isEmpty)
    var random = SplitMix64(seed: 24)
    for _ in 0..<8 {
      let words = ["store", "share", store, database.address, "--yes"]
      let share = try CommandLineProcess(words, environment: ["WORKBENCH_HOME": home.home.path])
      usleep(UInt32.random(in: 2_000...150_000, using: &random))
      share.send(SIGKILL)
      _ = share.wait()
      #expect(try contents(of: store, home) == own)
      let outcome = try home.runPlain("store", "share", store, database.address, "--yes", "--json")
      let (copied, known) = (outcome.record["copied"] as? Int ?? 0, outcome.record["known"] as? Int ?? 0)
      #expect(outcome.status == 0 && copied + known == count, "\(outcome.output)\(outcome.errors)")
      #expect(outcome.record["notCopied"] as? Int == 0)
      #expect(try home.runPlain("store", "check", store).status == 0)
      try check()
      #expect(try home.runPlain("store", "unshare", store, "--yes").status == 0)
      #expect(try contents(of: store, home) == own)
    }
  }

  /// Returns the bytes of a store's file and of the files in folders beside it.
  private func contents(of store: String, _ home: PluginHome) throws -> [String: Data] {
    let parts = store.split(separator: ":")
    let folder = home.home.appendingPathComponent("data/stores/\(parts[0])")
    let paths = FileManager.default.subpaths(atPath: folder.path) ?? []
    let files = paths.filter { $0 == "\(parts[1]).sqlite" || $0.hasPrefix("originals/") }
    return try Dictionary(
      uniqueKeysWithValues: files.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) })
  }
}
