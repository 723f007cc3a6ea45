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
  /// The largest request in bytes that is sent while the child runs another item: the channel holds it, even if the
  /// child never reads it.
  private static let largestAhead = 1 << 16

  private let job: Job
  private let progress: any WorkProgress
  private let template: CommandTemplate
  private let limits: ChildProcess.Limits
  private let core: () -> Int?
  private var child: ChildProcess?

  /// - Parameter core: Returns the processor core that its children are bound to; nil for any.
  init(_ job: Job, _ progress: any WorkProgress, core: @escaping () -> Int? = { nil }) throws {
    (self.job, self.progress, self.core) = (job, progress, core)
    template = try job.plan.template
    limits = ChildProcess.Limits(
      seconds: job.plan.limits.itemTimeoutInSeconds, mebibytes: job.plan.limits.itemMemoryInMebibytes)
  }

  /// Runs the missing items of a shard, with a new log.
  ///
  /// Items that were running when an attempt was lost are last, each in a child of its own.
  /// - Throws: `CancellationError` if the work was interrupted; ``HostFileError`` if a record cannot be written.
  func work(on shard: Int) throws -> End {
    let names = job.folder.logs()[shard] ?? []
    let records = try ShardRecords(of: job.folder, logs: names, retries: RetryNotes(of: job.folder))
    var items = try MissingItems(of: shard, in: job.folder, records)
    defer { items.close() }
    if let first = try items.next() {
      let log = try AttemptLog(of: shard, in: job.folder, run: job.plan.id, job.logs)
      defer { log.close() }
      do {
        let end = try run(first, &items, log)
        switch end {
        case .done: try log.end("done")
        case .stopped: try log.end("stopped")
        case .canceled: try log.end("canceled")
        }
        if end != .done { return end }
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

  /// Runs items until all have records.
  ///
  /// - Throws: An error of reading the next item, once the items before it have records.
  private func run(_ first: ItemLine.Entry, _ items: inout MissingItems, _ log: AttemptLog) throws -> End {
    var line = ItemLine([first])
    var readError: (any Error)?
    while true {
      do {
        while readError == nil, line.needsItem, let next = try items.next() { line.add(next) }
      } catch {
        readError = error
      }
      if line.isEmpty {
        if let readError { throw readError }
        return .done
      }
      if let end = try reasonToStop() {
        // The child has begun the next item.
        if line.running != nil { endChild() }
        return end
      }
      try send(&line, log)
      if line.running != nil { try receive(&line, log) }
    }
  }

  /// Sends the next items, as many as the child takes.
  private func send(_ line: inout ItemLine, _ log: AttemptLog) throws {
    while let next = line.next {
      if let losses = next.losses, losses >= Self.losses {
        line.drop()
        try add(lost(next.item), log)
        continue
      }
      let request = ItemRequest(
        item: next.item, words: try template.words(for: next.item), tries: next.tries + 1, folder: job.folder.path,
        picture: RunFolder.picture(of: next.item.number)
      ).line
      if line.running != nil, request.count > Self.largestAhead { return }
      if next.isSuspect { endChild() }
      let child = try self.child ?? ChildProcess(job.launch, core: core())
      self.child = child
      if line.running == nil { try log.begin(next.item.number, isSynced: next.isSuspect) }
      line.send()
      child.send(request)
    }
  }

  /// Waits for the answer of the item that runs.
  private func receive(_ line: inout ItemLine, _ log: AttemptLog) throws {
    guard let child, let running = line.running else { return }
    let answer = try child.answer(limits) {
      try log.beat()
      if core() == nil { child.unbind() }
      return progress.isCancelled
    }
    switch answer {
    case .success(let answer):
      guard let record = ItemAnswer.line(of: answer, item: running.item.number) else {
        // A plugin may have written something else to the channel.
        endChild()
        return try count(.exited(0), &line, log)
      }
      if answer[0] == ItemAnswer.retryable, running.tries < Self.tries {
        line.retry()
        if let next = line.running { try log.begin(next.item.number, isSynced: false) }
      } else {
        line.finish()
        try add(record, log, next: line.running)
      }
      if running.isSuspect { endChild() }
    case .failure(let ending):
      self.child = nil
      switch ending.death {
      case .abandoned: throw CancellationError()
      case .exited(BatchChild.notStarted):
        throw BatchError.childFailed(
          "the process for items cannot start in '\(job.plan.folder)'", advice: "plan the run in a folder that exists")
      case .exited, .signaled, .timedOut, .outOfMemory: try count(ending.death, &line, log)
      }
    }
  }

  /// Counts a crash against the item that ran, which gets a record after the last one.
  private func count(_ death: ChildProcess.Death, _ line: inout ItemLine, _ log: AttemptLog) throws {
    let ended = line.takeBack { entry in
      if death == .signaled(SIGKILL) { entry.kills += 1 } else { entry.deaths += 1 }
    }
    guard let ended, ended.deaths >= Self.deathsOfItem || ended.kills >= Self.outsideKills else { return }
    line.drop()
    try add(failed(ended.item, death, ended.tries), log)
  }

  /// Adds a record.
  ///
  /// - Parameter next: The item that runs now; nil for none.
  private func add(_ record: some Collection<UInt8>, _ log: AttemptLog, next: ItemLine.Entry? = nil) throws {
    try log.add(record, next: next?.item.number)
    job.onRecord()
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
