import BenchmarkSupport
import Glibc

/// A recipe for Snakemake with a job for each shard, against a workflow with a job for each item.
struct RecipeCase {
  var program: BatchProgram
  /// A structure file.
  var file: String

  private static let (itemCount, shardCount) = (100, 8)

  func measure() throws {
    let name = "batch: processor time of Snakemake for \(Self.itemCount) items"
    guard Program.run(["sh", "-c", "command -v snakemake >/dev/null"]) == 0 else {
      return Measurement.skip(name, because: "Snakemake is absent")
    }
    let list = try program.list(Array(repeating: file, count: Self.itemCount), "recipe-items.txt")
    let recipe = program.scratch.path + "/recipe.smk"
    guard program.plan("recipe", ["--items", list], shards: Self.shardCount),
      Program.run([program.path, "batch", "script", program.run("recipe"), "--engine", "snakemake", "--output", recipe])
        == 0
    else { return Measurement.skip(name, because: "the plan failed") }
    let peer = try program.scratch.write(Array(jobs.utf8), name: "jobs.smk")
    guard let own = run(recipe, "recipe-work"), let theirs = run(peer, "jobs-work") else {
      return Measurement.skip(name, because: "Snakemake failed")
    }
    Measurement(
      name, own, unit: "ms", peer: ("a job for each item", theirs), maximumRatio: 0.05
    ).print()
    let jobs = Program.number([
      "sh", "-c", "ls '\(program.run("recipe"))/attempts' | grep -vc '[.]plan[.]log$'",
    ])
    Measurement(
      "batch: jobs of Snakemake for \(Self.shardCount) shards", jobs ?? .infinity, unit: "jobs",
      bar: Double(Self.shardCount)
    ).print()
  }

  /// A workflow that runs the program once for each item.
  private var jobs: String {
    """
    rule all:
        input: expand("{n}.json", n=range(\(Self.itemCount)))
    rule one:
        output: "{n}.json"
        shell: "'\(program.path)' molecules secondary-structure '\(file)' --json > {output}"

    """
  }

  /// Runs a workflow and returns its processor time in milliseconds; nil if it failed.
  private func run(_ workflow: String, _ folder: String) -> Double? {
    let words = ["snakemake", "--snakefile", workflow, "--cores", "2", "--directory", program.run(folder), "--quiet"]
    guard let usage = Program.usage(words), usage.status == 0 else { return nil }
    return usage.processorMilliseconds
  }
}
