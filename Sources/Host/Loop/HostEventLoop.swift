internal import CHost
import PluginAPI
import Synchronization

/// The event loop of the process: Dispatch's main queue, which is the main actor.
final class HostEventLoop: EventLoop {
  /// Called on the loop after each turn that ran something; the interface draws then.
  private let afterTurn = Mutex<LoopWork?>(nil)
  /// Notices when the loop does not come round.
  let watchdog = Watchdog()
  private let inbox = Mutex<[LoopWork]>([])

  /// Work of the loop.
  ///
  /// Bare closures in an array or a mutex would be wrapped once more at each access: with an allocation each time and,
  /// if they stay there, one more nested call per turn.
  private struct LoopWork: Sendable {
    let run: @MainActor @Sendable () -> Void
  }

  /// Sets a function that runs once after each batch of work.
  func setAfterTurn(_ work: (@MainActor @Sendable () -> Void)?) {
    afterTurn.withLock { $0 = work.map(LoopWork.init) }
  }

  func post(_ work: @escaping @MainActor @Sendable () -> Void) {
    let wasEmpty = inbox.withLock { inbox in
      inbox.append(LoopWork(run: work))
      return inbox.count == 1
    }
    if wasEmpty { MainQueue.async { self.drain() } }
  }

  /// Runs the queued work, in order; work posted meanwhile is in the next batch.
  @MainActor private func drain() {
    beginTurn()
    let batch = inbox.withLock { inbox in
      let batch = inbox
      inbox = []
      return batch
    }
    for work in batch { work.run() }
    afterTurn.withLock { $0 }?.run()
  }

  private func beginTurn() {
    chost_crash_note_loop_thread()
    chost_crash_prepare_thread()
    watchdog.turnBegan()
  }

  func schedule(
    after delayInSeconds: Double, every intervalInSeconds: Double?, _ work: @escaping @MainActor @Sendable () -> Void
  ) -> any Cancellable {
    let timer = WorkSource(.timer(afterSeconds: delayInSeconds, everySeconds: intervalInSeconds), on: nil)
    let handle = SourceHandle(timer)
    timer.start {
      if intervalInSeconds == nil { handle.end() }
      // Between its time and its turn the timer may be canceled.
      self.post { if !handle.isCancelled { work() } }
    }
    return handle
  }

  func watch(
    fileDescriptor: Int32, for readiness: Readiness, _ work: @escaping @MainActor @Sendable () -> Void
  ) -> any Cancellable {
    let event: WorkSource.Event
    switch readiness {
    case .reading: event = .readable(fileDescriptor)
    case .writing: event = .writable(fileDescriptor)
    @unknown default: preconditionFailure("the host knows every case of its own contract")
    }
    let source = WorkSource(event, on: nil)
    // The work runs at once, not through the inbox: it must take the bytes before the source looks again.
    source.start {
      MainActor.assumeIsolated {
        self.beginTurn()
        work()
        self.afterTurn.withLock { $0 }?.run()
      }
    }
    return SourceHandle(source)
  }

  func background(
    _ label: String,
    _ work: @escaping @Sendable (any WorkProgress) throws -> any Sendable,
    onProgress: (@MainActor @Sendable (Progress) -> Void)?,
    completion: @escaping @MainActor @Sendable (WorkOutcome) -> Void
  ) -> any Cancellable {
    let job = BackgroundJob(loop: self, onProgress: onProgress, completion: completion)
    job.start(label, work)
    return job
  }
}

/// Ends a source.
private final class SourceHandle: Cancellable {
  private let source: WorkSource
  private let cancelled = Atomic(false)

  init(_ source: WorkSource) {
    self.source = source
  }

  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  func cancel() {
    cancelled.store(true, ordering: .releasing)
    end()
  }

  /// Ends the source; work it has already posted still runs.
  func end() { source.cancel() }
}
