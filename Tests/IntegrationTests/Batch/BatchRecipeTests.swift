import Foundation
import TestSupport
import Testing

/// Recipes of `batch script`, run by the engines that are installed.
@Suite(.timeLimit(.minutes(10)))
struct BatchRecipeTests {
  /// A planned run in a folder whose name must be quoted, and an engine without the variables of the tests.
  private struct Recipe {
    let home: BatchHome
    private let work: TemporaryFolder
    private let file: URL

    init(_ engine: String, items: Int, shards: Int) throws {
      home = try BatchHome(run: "it's \"é\" $HOME run")
      work = try TemporaryFolder()
      file = work.url("recipe")
      try home.planNested(items, shards: shards)
      let outcome = try home.workbench([
        "batch", "script", home.run.path, "--engine", engine, "--output", file.path,
      ])
      #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.errors)")
    }

    /// Runs an engine in an empty folder.
    func run(_ engine: URL, _ words: (_ file: String, _ folder: String) -> [String]) throws -> BuiltProgram.Outcome {
      try BuiltProgram.run(
        engine, words(file.path, work.path.path),
        environment: [
          "HOME": work.path.path, "WORKBENCH_HOME": nil, "WORKBENCH_PLUGIN_PATH": nil, "SWIFT_BACKTRACE": "enable=no",
          "XDG_CACHE_HOME": nil,
        ], deadlineInSeconds: 300)
    }

    func parallel() throws -> BuiltProgram.Outcome {
      try run(URL(fileURLWithPath: "/bin/bash")) { file, _ in [file, "--jobs", "2"] }
    }

    /// The rows of parallel's log of jobs, without its header.
    var jobs: [Substring] {
      get throws {
        let log = home.run.appendingPathComponent("done/parallel.log")
        return try String(contentsOf: log, encoding: .utf8).split(separator: "\n").dropFirst().map(\.self)
      }
    }

    func shard(_ number: Int) -> URL { home.run.appendingPathComponent("shards/0000\(number).jsonl") }
    func marker(_ number: Int) -> URL { home.run.appendingPathComponent("done/0000\(number).json") }

    /// Expects that each shard was run once, and all results are there.
    func expectResults(_ items: Int, shards: Int) throws {
      #expect(home.logs.count == shards)
      let gathered = try home.workbench(["batch", "gather", home.run.path])
      #expect(gathered.output == BatchHome.nested(items), "\(gathered.errors)")
    }
  }

  private static let snakemake = InstalledProgram.url("snakemake")
  private static let cwltool = InstalledProgram.url("cwltool")

  @Test(.enabled(if: InstalledProgram.url("parallel") != nil, "GNU parallel is absent"))
  func `GNU parallel runs each shard once, then only the failed one again`() throws {
    let recipe = try Recipe("parallel", items: 40, shards: 4)
    // The shard fails at once; others go on.
    let hidden = recipe.home.run.appendingPathComponent("hidden")
    try FileManager.default.moveItem(at: recipe.shard(2), to: hidden)
    #expect(try recipe.parallel().status == 1)
    #expect(try recipe.jobs.count == 4)
    #expect(recipe.home.logs.count == 3)
    try FileManager.default.moveItem(at: hidden, to: recipe.shard(2))
    // A canceled run is resumed.
    #expect(try recipe.home.batch("cancel").status == 0)
    let outcome = try recipe.parallel()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try recipe.jobs.count == 5)
    #expect(try recipe.jobs.last?.hasPrefix("2\t") == true)
    try recipe.expectResults(40, shards: 4)
    #expect(try recipe.parallel().status == 0)
    #expect(try recipe.jobs.count == 5)
    // The log of jobs is a part of the run.
    #expect(try recipe.home.batch("remove", ["--yes"]).status == 0)
    #expect(!FileManager.default.fileExists(atPath: recipe.home.run.path))
  }

  @Test(.enabled(if: snakemake != nil, "Snakemake is absent"))
  func `Snakemake runs each shard once, then only shards without a marker`() throws {
    let engine = try #require(Self.snakemake)
    let recipe = try Recipe("snakemake", items: 40, shards: 4)
    #expect(try recipe.home.batch("cancel").status == 0)
    func run() throws -> BuiltProgram.Outcome {
      try recipe.run(engine) { file, folder in
        ["--snakefile", file, "--cores", "2", "--directory", folder, "--nocolor"]
      }
    }
    let outcome = try run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    try recipe.expectResults(40, shards: 4)
    let second = try run()
    #expect(second.status == 0 && second.errors.contains("Nothing to be done"), "\(second.errors)")
    // Markers are hints: without one a job runs, but no item does.
    try FileManager.default.removeItem(at: recipe.marker(3))
    let third = try run()
    #expect(third.status == 0 && !third.errors.contains("Nothing to be done"), "\(third.errors)")
    #expect(FileManager.default.fileExists(atPath: recipe.marker(3).path))
    try recipe.expectResults(40, shards: 4)
  }

  @Test(.enabled(if: cwltool != nil, "cwltool is absent"))
  func `the CWL reference implementation accepts the workflow and runs each shard once`() throws {
    let engine = try #require(Self.cwltool)
    let recipe = try Recipe("cwl", items: 20, shards: 2)
    let valid = try recipe.run(engine) { file, _ in ["--validate", file] }
    #expect(valid.status == 0, "\(valid.errors)")
    let outcome = try recipe.run(engine) { file, folder in ["--outdir", folder + "/results", file] }
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect((outcome.record["summaries"] as? [Any])?.count == 2)
    try recipe.expectResults(20, shards: 2)
  }
}
