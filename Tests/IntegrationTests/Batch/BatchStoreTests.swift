import Foundation
import TestSupport
import Testing

/// Batch runs whose items are ids, which workers look up in a backup of the store that the run was planned with.
@Suite(.timeLimit(.minutes(10)))
struct BatchStoreTests {
  private let folder: TemporaryFolder
  private var run: String { folder.url("run").path }

  init() throws { folder = try TemporaryFolder() }

  /// Runs the program with a home, which stands for a machine with stores of its own.
  @discardableResult
  private func workbench(on home: String, _ words: [String]) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(
      BuiltProgram.workbench, words,
      environment: [
        "WORKBENCH_HOME": folder.url(home).path, "WORKBENCH_PLUGIN_PATH": nil, "TMPDIR": folder.path.path,
      ])
  }

  /// Plans a run of a library with one more molecule than the starters, on the machine `here`.
  ///
  /// - Returns: The id of the molecule.
  private func plan(_ command: [String]) throws -> Int {
    let file = try folder.write(Array("3\nmine\nO 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\n".utf8), "water.xyz").path
    let imported = try workbench(on: "here", ["molecules", "import", file, "--json"])
    let id = try #require(imported.rows.first?["id"] as? Int, "\(imported.errors)")
    let planned = try workbench(
      on: "here", ["batch", "plan", run, "--from", "molecules list", "--probe", "2", "--"] + command)
    #expect(planned.status == 0, "\(planned.errors)")
    return id
  }

  @Test func `ids refer to the store at planning, on every machine`() throws {
    let id = try plan(["molecules", "info", "{id}"])
    let expected = try workbench(on: "here", ["molecules", "info", "\(id)", "--json"]).output.dropLast()
    #expect(try workbench(on: "here", ["molecules", "delete", "\(id)"]).status == 0)
    let outcome = try workbench(on: "there", ["batch", "run", run, "--json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let gathered = try workbench(on: "there", ["batch", "gather", run]).output.split(separator: "\n")
    #expect(gathered.count == id && gathered.last?.contains(#""value":\#(expected),"#) == true)
    // The user's own store is neither used nor changed.
    let own = try workbench(on: "there", ["molecules", "list", "--json"]).rows
    #expect(own.count == id - 1)
    #expect(try workbench(on: "there", ["batch", "verify", run, "--sample", "3"]).status == 0)
    #expect(try workbench(on: "there", ["batch", "remove", run, "--yes"]).status == 0)
    #expect(!FileManager.default.fileExists(atPath: run))
  }

  @Test func `ids of a plugin with a shared store are refused without the network`() throws {
    // Restoring makes the folder of a store that the bundled database does not need.
    let backup = folder.url("database.backup").path
    #expect(try workbench(on: "here", ["store", "backup", "pathcase:database", backup]).status == 0)
    #expect(try workbench(on: "here", ["store", "restore", "pathcase:database", backup, "--yes"]).status == 0)
    try folder.write(
      Array("postgresql://ada@127.0.0.1:1/lab\n".utf8), "here/data/stores/pathcase/user-data.shared")
    let list = try folder.write(Array("w-tca\n".utf8), "ids.txt").path
    let line = ["batch", "plan", run, "--items", list, "--probe", "0"]
    let refused = try workbench(on: "here", line + ["--json", "--", "pathcase", "info", "{}"])
    #expect(refused.status == 7 && refused.errorCode == "batch.not-allowed", "\(refused.errors)")
    #expect(refused.errorMessage.contains("pathcase:user-data"))
    let allowed = try workbench(on: "here", line + ["--allow-network", "--", "pathcase", "info", "{}"])
    #expect(allowed.status == 0, "\(allowed.errors)")
    // The database of pathways is backed up, though the other store is not.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url("run/stores/pathcase").path)
    #expect(names.sorted() == ["database", "user-data.shared"])
  }

  @Test func `a damaged backup of a store is refused`() throws {
    _ = try plan(["molecules", "info", "{id}"])
    let file = folder.url("run/stores/molecules/library")
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: file)
    let outcome = try workbench(on: "there", ["batch", "run", run, "--json"])
    #expect(outcome.status == 5 && outcome.errorCode == "batch.broken-run", "\(outcome.errors)")
  }

  @Test func `a run on files contains no backup of a store`() throws {
    let file = try folder.write(Array("3\nmine\nO 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\n".utf8), "water.xyz").path
    try workbench(on: "here", ["molecules", "list"])
    let outcome = try workbench(on: "here", ["batch", "run", run, "--files", file, "--", "molecules", "info", "{}"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.url("run/stores").path))
  }
}

/// Batch runs whose items are ids in a shared store.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.absence)), .timeLimit(.minutes(10)))
struct BatchSharedStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func workbench(on home: String, _ words: [String]) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(
      BuiltProgram.workbench, words,
      environment: [
        "WORKBENCH_HOME": folder.url(home).path, "WORKBENCH_PLUGIN_PATH": nil, "TMPDIR": folder.path.path,
      ])
  }

  @Test func `ids refer to the shared store and the backed-up one, on every machine`() throws {
    let model = """
      {"id": "m", "compartments": {"c": ""}, "genes": [],
       "metabolites": [{"id": "a_c", "name": "", "compartment": "c"}],
       "reactions": [
        {"id": "in", "name": "", "metabolites": {"a_c": 1}, "lower_bound": 0, "upper_bound": 7.5,
         "gene_reaction_rule": "", "objective_coefficient": 1}]}
      """
    let file = try folder.write(Array(model.utf8), "m.json").path
    let imported = try workbench(on: "here", ["pathcase", "import", file, "--id", "ours"])
    #expect(imported.status == 0, "\(imported.errors)")
    let database = try SharedDatabase(schema: "pathcase_user_data")
    let shared = try workbench(on: "here", ["store", "share", "pathcase:user-data", database.address, "--yes"])
    #expect(shared.status == 0, "\(shared.errors)")
    let run = folder.url("run").path
    let list = try folder.write(Array("ours\nw-tca\n".utf8), "ids.txt").path
    let planned = try workbench(
      on: "here",
      ["batch", "plan", run, "--items", list, "--probe", "0", "--allow-network", "--", "pathcase", "info", "{}"])
    #expect(planned.status == 0, "\(planned.errors)")
    let outcome = try workbench(on: "there", ["batch", "run", run, "--json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let gathered = try workbench(on: "there", ["batch", "gather", run]).output.split(separator: "\n")
    #expect(gathered.count == 2 && gathered.first?.contains(#""id":"ours","value":{"#) == true, "\(gathered)")
    // The other machine's own data is neither used nor shared.
    #expect(!FileManager.default.fileExists(atPath: folder.url("there/data/stores/pathcase/user-data.shared").path))
    #expect(try workbench(on: "there", ["pathcase", "info", "ours"]).status != 0)
  }
}
