import Synchronization

/// A sequence under way: who is told of it, who writes down its captures, and the way to end it.
final class SequenceRun: Sendable {
  /// What is told while it goes.
  enum Progress: Sendable, Hashable {
    case asking(SequenceStep)
    /// The status; nil if no answer came.
    case answered(SequenceStep, OperationStatus?)
    case waiting(OperationStatus, milliseconds: Int)
    case canceling
  }

  /// Called around each capture.
  struct CaptureHooks: Sendable {
    /// Writes down that a capture is about to be asked for; without it nothing is asked.
    var willCapture: @Sendable (SensorUUID) async throws -> Void = { _ in }
    /// Writes down what came of it, before anything else happens.
    var didCapture: @Sendable (SequenceEvent) async -> Void = { _ in }
  }

  let hooks: CaptureHooks
  let tell: @Sendable (Progress) -> Void
  private struct State {
    var isCancelled = false
    /// What ends when it is cancelled.
    var works: [Int: @Sendable () -> Void] = [:]
    var count = 0
  }
  private let state = Mutex(State())

  init(hooks: CaptureHooks = CaptureHooks(), tell: @escaping @Sendable (Progress) -> Void = { _ in }) {
    self.hooks = hooks
    self.tell = tell
  }

  /// Whether the user wants no more of it.
  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Ends it as soon as that can be done: waits end now, an operation of the sensor is cancelled at the service.
  func cancel() {
    let works = state.withLock { state in
      state.isCancelled = true
      return Array(state.works.values)
    }
    for end in works { end() }
  }

  /// Waits, at most until it is cancelled.
  ///
  /// - Returns: Whether the time went by.
  func sleep(_ milliseconds: Int, _ clock: LinkClock) async -> Bool {
    await doing { _ = try? await clock.sleep(milliseconds) }
    return !isCancelled
  }

  /// Does something whose task is cancelled with the run; at once if that was cancelled before.
  func doing<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    let task = Task { await work() }
    let number: Int? = state.withLock { state in
      guard !state.isCancelled else { return nil }
      state.count += 1
      state.works[state.count] = { task.cancel() }
      return state.count
    }
    if number == nil { task.cancel() }
    defer { if let number { state.withLock { state in state.works[number] = nil } } }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
