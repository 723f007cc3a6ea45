import Glibc
import PluginAPI

/// Runs the items of shards that have no record yet, in children of its own.
final class ShardWorker {
  /// The end of the work on a shard.
  enum End: Equatable {
    /// Every item has a record.
    case done
    /// A signal asked the worker to stop; the current record was finished.
    case stopped
    /// The file `cancel` asked for it.
    case canceled
  }

  /// The state that all workers of a process share.
  struct Job: Sendable {
    var folder: RunFolder
    var plan: RunPlan
    var launch: ChildProcess.Launch
    /// Set when a signal asks the workers to stop.
    var stop: StopFlag
    /// The logs that the workers write.
    var logs = OpenLogs()
    /// Called when an item has a new record.
    var onRecord: @Sendable () -> Void
  }

  /// The tries of an item that ends its child, or gives an error that may be gone at the next try.
  private static let deathsOfItem = 2
  private static let tries = 3
  /// The tries of an item whose child is killed from outside: its own code does not send SIGKILL, but a system without
  /// memory does, each time.
  private static let outsideKills = 8
  /// The long losses after which an item is given up.
  private static let losses = 3

  private let job: Job
  private let progress: any WorkProgress
  private let template: CommandTemplate
  private let limits: ChildProcess.Limits
  private var child: ChildProcess?

  init(_ job: Job, _ progress: any WorkProgress) throws {
    (self.job, self.progress) = (job, progress)
    template = try job.plan.template
    limits = ChildProcess.Limits(
      seconds: job.plan.limits.itemTimeoutInSeconds, mebibytes: job.plan.limits.itemMemoryInMebibytes)
  }

  /// Runs what is missing of a shard, in a new log.
  ///
  /// Items that were running when an attempt was lost are last, each in a child of its own.
  /// - Throws: `CancellationError` if the work was interrupted; ``HostFileError`` if a record cannot be written.
  func work(on shard: Int) throws -> End {
    let names = job.folder.logs()[shard] ?? []
    let records = try ShardRecords(of: job.folder, logs: names, retries: RetryNotes(of: job.folder))
    let missing = try job.folder.items(of: shard).filter { records.stored[$0.number] == nil }
    if !missing.isEmpty {
      let log = try AttemptLog(of: shard, in: job.folder, run: job.plan.id, job.logs)
      defer { log.close() }
      let ordered =
        missing.filter { records.suspects[$0.number] == nil }
        + missing.filter { records.suspects[$0.number] != nil }
      do {
        for item in ordered {
          if let end = try reasonToStop() {
            try log.end(end == .stopped ? "stopped" : "canceled")
            return end
          }
          try run(item, log, losses: records.suspects[item.number])
          job.onRecord()
        }
        try log.end("done")
      } catch {
        // The interrupt itself ended the log.
        if !(error is CancellationError) { try? log.end("failed") }
        throw error
      }
    }
    try RunSummary(of: job.folder, shards: [shard]).mark(shard, job.folder)
    return .done
  }

  private func reasonToStop() throws -> End? {
    try progress.checkCancellation()
    if job.stop.isSet { return .stopped }
    return job.folder.isCanceled ? .canceled : nil
  }

  /// Runs an item until it has a record.
  ///
  /// - Parameter losses: The long losses of an item that was running when an attempt was lost; nil for others.
  private func run(_ item: BatchItem, _ log: AttemptLog, losses: Int?) throws {
    if let losses, losses >= Self.losses { return try log.add(lost(item)) }
    if losses != nil { endChild() }
    defer { if losses != nil { endChild() } }
    try log.begin(item.number, isSynced: losses != nil)
    var (deaths, kills, tries) = (0, 0, 0)
    while true {
      tries += 1
      let request = ItemRequest(
        item: item, words: try template.words(for: item), tries: tries, folder: job.folder.path,
        picture: RunFolder.picture(of: item.number))
      switch try answer(to: request, log) {
      case .success(let answer):
        // A plugin may have written something else to the channel.
        guard let line = ItemAnswer.line(of: answer) else {
          endChild()
          deaths += 1
          if deaths >= Self.deathsOfItem { return try log.add(failed(item, .exited(0), tries)) }
          continue
        }
        if answer[0] == ItemAnswer.retryable, tries < Self.tries { continue }
        return try log.add(line)
      case .failure(let ending):
        child = nil
        switch ending.death {
        case .abandoned: throw CancellationError()
        case .exited(BatchChild.notStarted):
          throw BatchError.childFailed(
            "the process for items cannot start in '\(job.plan.folder)'", advice: "plan the run in a folder that exists"
          )
        case .signaled(SIGKILL): kills += 1
        case .exited, .signaled, .timedOut, .outOfMemory: deaths += 1
        }
        if deaths >= Self.deathsOfItem || kills >= Self.outsideKills {
          return try log.add(failed(item, ending.death, tries))
        }
      }
    }
  }

  private func answer(
    to request: ItemRequest, _ log: AttemptLog
  ) throws -> Result<[UInt8], ChildProcess.Ending> {
    let child = try self.child ?? ChildProcess(job.launch)
    self.child = child
    return try child.ask(request, limits) {
      try log.beat()
      return progress.isCancelled
    }
  }

  private func failed(
    _ item: BatchItem, _ death: ChildProcess.Death, _ tries: Int
  ) throws(CancellationError) -> [UInt8] {
    let report: ErrorReport
    switch death {
    case .timedOut:
      report = BatchError.itemTimedOut(
        "not finished after \(GenericText.inline(.number(limits.seconds))) seconds",
        advice: "plan a new run with a larger '--item-timeout'")
    case .outOfMemory:
      report = BatchError.itemOutOfMemory(
        "took more than \(limits.mebibytes ?? 0) MiB of memory", advice: "plan a new run with a larger '--item-memory'")
    case .signaled(let signal):
      report = BatchError.itemCrashed(
        "the process of the item crashed", details: ["signal": .text(PluginProbe.name(ofSignal: signal))])
    case .exited(let status):
      report = BatchError.itemCrashed(
        "the process of the item ended without a result", details: ["status": .integer(Int(status))])
    case .abandoned: throw CancellationError()
    }
    return record(item, report, tries: tries)
  }

  private func lost(_ item: BatchItem) -> [UInt8] {
    record(
      item,
      BatchError.itemLost(
        "\(Self.losses) workers were lost after a minute or more of this item", advice: "check its memory use"),
      tries: 0)
  }

  private func record(_ item: BatchItem, _ report: ErrorReport, tries: Int) -> [UInt8] {
    LogFrame.line(
      ItemRecord.document(
        item: item.number, head: item.head, result: .failure(report), diagnostics: [],
        run: ["tries": .integer(tries)]))
  }

  /// Ends the child; the next item gets a new one.
  func endChild() {
    child?.end()
    child = nil
  }
}
