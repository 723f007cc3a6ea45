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
