import PluginAPI

/// Recipes for job engines: Slurm, Snakemake and GNU parallel.
extension RunRecipe {
  /// The largest number of tasks in an array that Slurm accepts by default.
  private static let usualArrayLimit = 1000

  /// The script for `sbatch`, an array with a task for each shard; those beyond an array's limit need another call.
  ///
  /// `batch submit` also queries the limit, and resubmits missing shards.
  func slurm() -> String {
    let last = min(plan.shardCount, Self.usualArrayLimit)
    let memory = memoryInMebibytes.map { "\n#SBATCH --mem=\($0)M" } ?? ""
    // The worker gets the signal, and finishes its current item.
    let time =
      timeLimitInMinutes.map {
        "\n#SBATCH --time=\($0)\n#SBATCH --signal=B:TERM@\(JobTime.noticeInSeconds)"
      } ?? ""
    let more =
      last < plan.shardCount
      ? "\n# Shards after \(last): sbatch --array=1-\(min(plan.shardCount - last, last)) FILE \(last), and so on." : ""
    return """
      #!/bin/sh
      #SBATCH --job-name=workbench-\(shortID)
      #SBATCH --array=1-\(last)
      #SBATCH --cpus-per-task=1\(memory)\(time)
      # The shards of a run of Workbench: sbatch [OPTION of sbatch …] FILE\(more)
      # A completed shard ends at once.
      exec \(line) "$((${1:-0} + SLURM_ARRAY_TASK_ID))"
      """
  }

  /// The Snakefile: a rule whose outputs are the markers of the shards.
  ///
  /// Snakemake removes an output before its job, and a worker writes the marker again. Names have the run's identifier,
  /// so that other workflows can include several recipes. Python reads the escapes of JSON.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.unfit-folder` for braces, which Snakemake reads as wildcards
  ///   even in lists of files.
  func snakemake() throws(ErrorReport) -> String {
    guard !folder.path.contains(where: { "{}".contains($0) }) else {
      throw BatchError.unfitFolder(
        "Snakemake reads the braces in '\(folder.name)' as wildcards",
        advice: "rename the folder, and plan the run again")
    }
    let megabytes = memoryInMebibytes.map { "mem_mb=\(($0 << 20) / 1_000_000 + 1)" }
    let hints = [megabytes, timeLimitInMinutes.map { "runtime=\($0)" }].compactMap(\.self)
    let resources = hints.isEmpty ? "" : "\n  resources: \(hints.joined(separator: ", "))"
    return """
      # The shards of a run of Workbench: snakemake --snakefile FILE --cores N
      # A marker of a finished shard is a hint: 'batch work' runs only items without a record.
      from pathlib import Path

      RUN_\(shortID) = \(JSONWriter.text(of: .text(folder.path)))
      WORK_\(shortID) = \(JSONWriter.text(of: .list(words.map(Value.text))))

      onstart: Path(RUN_\(shortID), "cancel").unlink(missing_ok=True)

      rule workbench_\(shortID):
        input: [f"{RUN_\(shortID)}/done/{shard:05}.json" for shard in range(1, \(plan.shardCount + 1))]

      rule workbench_\(shortID)_shard:
        output: RUN_\(shortID) + "/done/{shard,[0-9]+}.json"
        params: work=lambda wildcards: WORK_\(shortID) + [str(int(wildcards.shard))]
        retries: 2\(resources)
        shell: "{params.work:q} > /dev/null"
      """
  }

  /// The script for GNU parallel.
  ///
  /// The job is a function, because parallel replaces braces in the arguments of a job. The log of its jobs is in the
  /// run's folder and removed with it: another run in that folder begins without one.
  func parallel() -> String {
    let memory = memoryInMebibytes.map { " --memfree \($0)M" } ?? ""
    // Current items are finished after SIGTERM.
    let time = timeLimitInMinutes.map { " --timeout \($0 * 60) --termseq TERM,60000,KILL,25" } ?? ""
    return """
      #!/usr/bin/env bash
      # The shards of a run of Workbench: bash FILE [OPTION of parallel …]
      # Repeat this command to run shards that have not finished.
      set -eu
      work() { exec \(line) "$1" > /dev/null; }
      export -f work
      export PARALLEL_SHELL=$BASH
      rm -f \(FilePath.quoted(folder.cancel))
      seq \(plan.shardCount) | parallel --joblog \(FilePath.quoted(folder.done + "/parallel.log")) \\
        --resume-failed --halt never\(memory)\(time) "$@" work
      """
  }
}
