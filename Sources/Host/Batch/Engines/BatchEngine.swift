import PluginAPI

/// The executors of runs: this machine, or a batch system.
enum BatchExecutor: String, Sendable, CaseIterable {
  case local, slurm

  /// Returns the batch system; nil for this machine.
  ///
  /// - Parameter environment: The environment of the programs that query it.
  func engine(_ environment: [String: String]) -> (any BatchEngine)? {
    switch self {
    case .local: nil
    case .slurm: Slurm(environment: environment)
    }
  }
}

/// A batch system, whose jobs run the shards of a run.
///
/// It only starts workers: the run's folder decides what is done, and states of jobs are hints.
protocol BatchEngine: Sendable {
  /// The variable with the index of a task in its array, counted from 0.
  var taskVariable: String { get }

  /// Returns the maximum number of tasks in one array.
  ///
  /// - Throws: ``ErrorReport`` if the batch system does not answer.
  func arrayLimit() throws -> Int

  /// Submits a job and returns its identifier.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.job-refused` if the batch system refuses the job.
  func submit(_ job: BatchJob) throws -> String

  /// Returns the tasks of all jobs with the name of a run that the batch system knows.
  func tasks(of run: String) throws -> [EngineTask]

  /// Returns the states of tasks that ended, from the records of the batch system; none if it keeps no records.
  func history(of jobs: [String]) -> [String]

  /// Cancels all jobs with the name of a run.
  func cancel(_ run: String) throws
}

/// A job to submit.
struct BatchJob: Sendable, Equatable {
  /// The identifier of the run, which is the job's name.
  var run: String
  /// The number of the job's note, which is the job's comment.
  var note: Int
  /// The path of the script.
  var script: String
  /// The folder for the job's output.
  var folder: String
  /// The number of tasks; nil for a job that is not an array.
  var taskCount: Int?
  /// The jobs after whose end it may start.
  var predecessors: [String]
  var options: JobOptions
  /// The lock of submissions, which the program that submits the job inherits: it may outlive this process.
  var lock: Int32?
}

/// A task of a job, as the batch system reports it.
struct EngineTask: Sendable, Equatable {
  var job: String
  /// The index in its array, counted from 0; nil for a job that is not an array.
  var index: Int?
  var state: String
  /// The reason why it waits or failed; nil if there is none.
  var reason: String?
  /// The number of the job's note; nil if the job has no comment.
  var note: Int?
  /// A Boolean value indicating whether the task may still run.
  var isLive: Bool
}

/// The options of a run's jobs.
struct JobOptions: Sendable, Equatable {
  var partition: String?
  var time: String?
  var memory: String?
  /// The maximum number of tasks that run at a time.
  var mostRunning: Int?
  /// Further options of the batch system's own program.
  var further: [String] = []
  /// The absolute path of the file that receives the results of the finished run.
  var gather: String?
  var allowsOtherVersion = false

  init() {}

  /// Creates the options of a call; omitted ones keep the values of the last submission.
  init(_ call: CommandCall, else last: JobOptions?) {
    partition = call["partition"].text ?? last?.partition
    time = call["time"].text ?? last?.time
    memory = call["memory"].text ?? last?.memory
    mostRunning = call["max-running"].integer ?? last?.mostRunning
    let words = call.texts("sbatch").map { $0.hasPrefix("-") ? $0 : "--" + $0 }
    further = words.isEmpty ? last?.further ?? [] : words
    gather = call["gather"].text.map(HostFile.absolute) ?? last?.gather
    allowsOtherVersion = call.flag("allow-other-version") || last?.allowsOtherVersion ?? false
  }

  init(_ value: Value) {
    (partition, time, memory) = (value["partition"].text, value["time"].text, value["memory"].text)
    mostRunning = value["maxRunning"].integer
    further = value["further"].list?.compactMap(\.text) ?? []
    gather = value["gather"].text
    allowsOtherVersion = value["allowOtherVersion"].bool ?? false
  }

  var value: Value {
    [
      "partition": .optional(partition), "time": .optional(time), "memory": .optional(memory),
      "maxRunning": .optional(mostRunning), "further": .list(further.map(Value.text)), "gather": .optional(gather),
      "allowOtherVersion": .bool(allowsOtherVersion),
    ]
  }
}
