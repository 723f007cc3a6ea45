internal import CHost
import Glibc
import PluginAPI

/// Slurm, through its command-line programs.
///
/// - Source: Slurm 22.05 manual pages of `sbatch`, `squeue`, `sacct`, `scancel` and `scontrol`.
struct Slurm: BatchEngine {
  /// The environment of Slurm's programs, such as `PATH` and `SLURM_CONF`.
  let environment: [String: String]

  /// The time limit of Slurm's programs; without a server they try for some seconds and fail.
  private static let patienceInMilliseconds: Int32 = 30_000
  /// The maximum number of bytes that they may print: some hundred thousand tasks.
  private static let outputLimit = 1 << 26

  let taskVariable = "SLURM_ARRAY_TASK_ID"

  func arrayLimit() throws -> Int {
    let text = try answer(of: "scontrol", ["show", "config"])
    guard let limit = Self.arrayLimit(in: text) else {
      throw BatchError.noSlurm("'scontrol show config' has no MaxArraySize")
    }
    return limit
  }

  func submit(_ job: BatchJob) throws -> String {
    let outcome = try run("sbatch", Self.arguments(job), lock: job.lock)
    if outcome.status == 0, let identifier = Self.identifier(in: outcome.output) { return identifier }
    if Self.isUnreachable(outcome) { throw unreachable("sbatch", outcome) }
    throw BatchError.jobRefused(
      "Slurm refused the job: \(Self.reason(outcome))", advice: "change the options of the jobs")
  }

  /// Returns the arguments of `sbatch`.
  static func arguments(_ job: BatchJob) -> [String] {
    let options = job.options
    var words = ["--parsable", "--requeue", "--open-mode=append"]
    words += ["--signal=B:TERM@\(JobTime.noticeInSeconds)", "--cpus-per-task=1"]
    if let partition = options.partition { words.append("--partition=" + partition) }
    if let time = options.time { words.append("--time=" + time) }
    if let memory = options.memory { words.append("--mem=" + memory) }
    words += options.further
    // The last of two equal options counts.
    words += ["--job-name=" + job.run, "--comment=\(job.note)", "--chdir=" + job.folder]
    if let count = job.taskCount {
      words.append("--array=0-\(count - 1)" + (options.mostRunning.map { "%\($0)" } ?? ""))
      words.append("--output=\(job.note).%a.txt")
    } else {
      words.append("--output=\(job.note).txt")
    }
    if !job.predecessors.isEmpty {
      words.append("--dependency=afterany:" + job.predecessors.joined(separator: ":"))
    }
    return words + [job.script]
  }

  func tasks(of run: String) throws -> [EngineTask] {
    // '--json' folds waiting tasks into one entry.
    Self.tasks(
      in: try answer(of: "squeue", ["--noheader", "-r", "-t", "all", "-n", run, "-o", "%F|%K|%T|%r|%k"]))
  }

  func history(of jobs: [String]) -> [String] {
    guard !jobs.isEmpty else { return [] }
    // '--json' reports success for failed tasks.
    let words = ["-X", "-n", "-P", "-j", jobs.joined(separator: ","), "-o", "JobID,State,ExitCode"]
    return Self.endedStates(in: (try? answer(of: "sacct", words)) ?? "")
  }

  func cancel(_ run: String) throws { _ = try answer(of: "scancel", ["--name=" + run]) }

  /// The end of a program.
  private struct Outcome {
    /// The exit status; nil if the program was killed, such as after the time limit.
    var status: Int32?
    /// The text that it printed, errors included.
    var output: String
  }

  private func answer(of name: String, _ arguments: [String]) throws -> String {
    let outcome = try run(name, arguments)
    guard outcome.status == 0 else { throw unreachable(name, outcome) }
    return outcome.output
  }

  /// Runs a program.
  ///
  /// - Parameter lock: A descriptor that the program inherits; nil for none.
  private func run(_ name: String, _ arguments: [String], lock: Int32? = nil) throws -> Outcome {
    // The shell finds the program, and joins its messages with its output.
    let script = #"command -v "$0" >/dev/null || exit \#(Self.notFound); exec "$0" "$@" 2>&1"#
    var words = (["sh", "-c", script, name] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0.key + "=" + $0.value) } + [nil]
    defer { for text in words + variables { free(text) } }
    let result = chost_run_child(
      "/bin/sh", &words, &variables, lock ?? -1, Self.outputLimit, Self.patienceInMilliseconds)
    defer { free(result.output) }
    let output = String(decoding: UnsafeBufferPointer(start: result.output, count: result.count), as: UTF8.self)
    guard result.end == chost_child_exited else { return Outcome(status: nil, output: output) }
    if result.status == Self.notFound {
      throw BatchError.noSlurm(
        "Slurm is not on this machine: '\(name)' is not in PATH",
        advice: "use a machine of the cluster, or '--executor local'")
    }
    return Outcome(status: result.status, output: output)
  }

  private static let notFound: Int32 = 127

  private func unreachable(_ name: String, _ outcome: Outcome) -> ErrorReport {
    BatchError.noSlurm(
      "Slurm does not respond to '\(name)': \(Self.reason(outcome))", advice: "try again later", isRetryable: true)
  }
}

/// The texts of Slurm's programs.
extension Slurm {
  /// Returns the identifier in the output of `sbatch --parsable`, which site's plugins may have added messages to.
  static func identifier(in text: String) -> String? {
    // A federation adds the name of the cluster.
    let words = text.split(separator: "\n").map { $0.prefix { $0 != ";" } }
    return words.last { !$0.isEmpty && $0.allSatisfy(\.isWholeNumber) }.map(String.init)
  }

  /// Returns `MaxArraySize` in the output of `scontrol show config`; indices are below it.
  static func arrayLimit(in text: String) -> Int? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 3, words[0] == "MaxArraySize", words[1] == "=" { return Int(words[2]).map { max(1, $0) } }
    }
    return nil
  }

  /// Returns the tasks in the output of `squeue` with the format `%F|%K|%T|%r|%k`.
  static func tasks(in text: String) -> [EngineTask] {
    text.split(separator: "\n").compactMap { line -> EngineTask? in
      let fields = line.split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
      guard fields.count >= 5 else { return nil }
      return EngineTask(
        job: fields[0], index: Int(fields[1]), state: fields[2], reason: fields[3] == "None" ? nil : fields[3],
        note: Int(fields[4]), isLive: !endStates.contains(fields[2]))
    }
  }

  /// Returns the states of ended tasks in the output of `sacct` with the columns JobID, State and ExitCode.
  static func endedStates(in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line -> String? in
      let fields = line.split(separator: "|", omittingEmptySubsequences: false)
      // The state of a canceled task names the user: 'CANCELLED by 1000'.
      guard fields.count == 3, let state = fields[1].split(separator: " ").first.map(String.init) else { return nil }
      return endStates.contains(state) ? state : nil
    }
  }

  /// The states of jobs that do not run again.
  private static let endStates: Set<String> = [
    "BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REVOKED",
    "TIMEOUT",
  ]

  /// Returns the last line that a failed program printed, without the program's name.
  private static func reason(_ outcome: Outcome) -> String {
    guard outcome.status != nil else { return "no response in time" }
    let lines = outcome.output.split(separator: "\n")
    // An unknown option is followed by a hint at the help.
    guard let line = lines.last(where: { !$0.hasPrefix("Try ") }) else { return "no message" }
    let start = line.indices.last { line[$0...].hasPrefix(": ") }.map { line.index($0, offsetBy: 2) }
    return String(line[(start ?? line.startIndex)...])
  }

  /// Returns true if a failed program did not reach Slurm, so that it may have accepted a job or not.
  private static func isUnreachable(_ outcome: Outcome) -> Bool {
    let messages = [
      "Unable to contact", "Could not establish a configuration", "Socket timed out", "Connection refused",
      "Zero Bytes were transmitted or received",
    ]
    return outcome.status == nil || messages.contains(where: reason(outcome).hasPrefix)
  }
}
