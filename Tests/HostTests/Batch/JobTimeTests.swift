import Foundation
import PluginAPI
import Testing

@testable import Host

struct JobTimeTests {
  /// - Source: manual page of `sbatch`, option `--time`.
  @Test(arguments: [
    ("90", 5400), ("1:30", 90), ("1:00:00", 3600), ("00:00:01", 1), ("2-12", 216_000), ("2-12:30", 217_800),
    ("2-12:30:15", 217_815), ("0", 0), ("9999999", 599_999_940),
  ])
  func `time limits are read in all forms of Slurm`(text: String, seconds: Int) {
    #expect(JobTime.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "1h", "1:", ":30", "1:2:3:4", "-5", "2-", "-", "1-2-3", "1-2:3:4:5", " 90", "1.5", "+5", "10000000", "٣",
  ])
  func `other text is not a time limit`(text: String) {
    #expect(JobTime.seconds(text) == nil)
  }
}

/// The option `--time` of commands.
@MainActor struct JobTimeOptionTests {
  @Test func `a recipe has whole minutes, and no limit for unlimited time`() async throws {
    let run = try CommandLineRun()
    let items = try run.file("items.txt", "granite\n")
    let folder = run.home + "/run"
    try await run("batch", "plan", folder, "--items", items, "--", "sample", "info", "{}")
    func recipe(_ time: String) async throws -> String {
      try await run.output("batch", "script", folder, "--engine", "snakemake", "--time", time)
    }
    #expect(try await recipe("1:00:01").contains("runtime=61"))
    #expect(try await recipe("UNLIMITED").contains("runtime") == false)
    for time in ["soon", "0"] {
      let error = await run.error("batch", "script", folder, "--engine", "snakemake", "--time", time)
      #expect(error?.code == "batch.bad-time" && error?.exitStatus == 2)
      #expect(error?.message == "'\(time)' is not a time limit")
    }
    // A worker of Slurm stops a minute before the limit.
    let short = await run.error("batch", "script", folder, "--engine", "slurm", "--time", "1")
    #expect(short?.code == "batch.bad-time")
  }

  @Test func `unsuitable options are refused before the run is planned`() async throws {
    let run = try CommandLineRun()
    let items = try run.file("items.txt", "granite\n")
    let folder = run.home + "/run"
    let lines = [
      (["submit", folder, "--time", "soon"], "batch.bad-time"),
      (["run", folder, "--executor", "slurm", "--time", "soon"], "batch.bad-time"),
      // A worker stops a minute before the limit.
      (["submit", folder, "--time", "1"], "batch.bad-time"),
      (["submit", folder, "--allow-network"], "batch.not-allowed"),
      (["run", folder, "--partition", "long"], "batch.unused-option"),
      (["plan", folder, "--executor", "slurm", "--time", "1"], "batch.bad-time"),
      (["plan", folder, "--time", "1:00:00"], "batch.unused-option"),
      (["plan", folder, "--executor", "slurm", "--workers", "2"], "batch.unused-option"),
      (["plan", folder, "--executor", "slurm", "--allow-network"], "batch.not-allowed"),
      (["run", folder, "--executor", "slurm", "--workers", "2", "--dry-run"], "batch.unused-option"),
    ]
    for (words, code) in lines {
      let error = await run.error(["batch"] + words + ["--items", items, "--", "sample", "info", "{}"])
      #expect(error?.code == code)
    }
    #expect(!FileManager.default.fileExists(atPath: folder))
  }
}
