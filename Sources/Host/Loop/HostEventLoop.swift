internal import CHost
@preconcurrency import Dispatch
import PluginAPI
import Synchronization

/// The event loop of the process: Dispatch's main queue, which is the main actor.
final class HostEventLoop: EventLoop {
  /// Called on the loop after each turn that ran something; the interface draws then.
  private let afterTurn = Mutex<(@MainActor @Sendable () -> Void)?>(nil)
  /// Notices when the loop does not come round.
  let watchdog = Watchdog()
  private let inbox = Mutex<[PostedWork]>([])

  /// Work that waits for its turn.
  ///
  /// An array of bare closures would wrap each one on its way in and again on its way out, with an allocation each time.
  private struct PostedWork: Sendable {
    let run: @MainActor @Sendable () -> Void
  }

  /// Sets what runs after each batch of work, once a batch.
  func setAfterTurn(_ work: (@MainActor @Sendable () -> Void)?) {
    afterTurn.withLock { $0 = work }
  }

  func post(_ work: @escaping @MainActor @Sendable () -> Void) {
    let wasEmpty = inbox.withLock { inbox in
      inbox.append(PostedWork(run: work))
      return inbox.count == 1
    }
    if wasEmpty { DispatchQueue.main.async { self.drain() } }
  }

  /// Runs what is in the inbox, in order; work posted meanwhile comes in the next batch.
  @MainActor private func drain() {
    beginTurn()
    let batch = inbox.withLock { inbox in
      let batch = inbox
      inbox = []
      return batch
    }
    for work in batch { work.run() }
    afterTurn.withLock { $0 }?()
  }

  private func beginTurn() {
    chost_crash_note_loop_thread()
    chost_crash_prepare_thread()
    watchdog.turnBegan()
  }

  func schedule(
    after delayInSeconds: Double, every intervalInSeconds: Double?, _ work: @escaping @MainActor @Sendable () -> Void
  ) -> any Cancellable {
    let timer = DispatchSource.makeTimerSource(queue: .main)
    let interval = intervalInSeconds.map { DispatchTimeInterval.nanoseconds(Int(max($0, 0.001) * 1e9)) } ?? .never
    timer.schedule(deadline: .now() + max(0, delayInSeconds), repeating: interval, leeway: .milliseconds(1))
    let handle = SourceHandle(timer)
    timer.setEventHandler {
      if intervalInSeconds == nil { handle.cancel() }
      self.post(work)
    }
    timer.activate()
    return handle
  }

  func watch(
    fileDescriptor: Int32, for readiness: Readiness, _ work: @escaping @MainActor @Sendable () -> Void
  ) -> any Cancellable {
    let handle: SourceHandle
    // The work runs at once, not through the inbox: it must take the bytes before the source looks again.
    let turn: @MainActor @Sendable () -> Void = {
      self.beginTurn()
      work()
      self.afterTurn.withLock { $0 }?()
    }
    switch readiness {
    case .reading:
      let source = DispatchSource.makeReadSource(fileDescriptor: fileDescriptor, queue: .main)
      source.setEventHandler { MainActor.assumeIsolated(turn) }
      handle = SourceHandle(source)
      source.activate()
    case .writing:
      let source = DispatchSource.makeWriteSource(fileDescriptor: fileDescriptor, queue: .main)
      source.setEventHandler { MainActor.assumeIsolated(turn) }
      handle = SourceHandle(source)
      source.activate()
    }
    return handle
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

/// Ends a Dispatch source.
private final class SourceHandle: Cancellable {
  private let source: any DispatchSourceProtocol

  init(_ source: any DispatchSourceProtocol) {
    self.source = source
  }

  func cancel() { source.cancel() }
}
