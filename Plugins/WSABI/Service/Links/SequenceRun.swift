import Synchronization

/// A sequence under way: who is told of it, who writes down its captures, and the way to end it.
final class SequenceRun: Sendable {
  /// The progress of a sequence.
  enum Progress: Sendable, Hashable {
    case asking(SequenceStep)
    /// The status; nil if no answer came.
    case answered(SequenceStep, OperationStatus?)
    case waiting(OperationStatus, milliseconds: Int)
    /// Somebody else has the lock; what the service says of it.
    case held(message: String)
    case canceling
    /// A lock that a dead process left at the sensor is given back, or not.
    case leftLock(isGivenBack: Bool)
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
  /// True if each step is tried once, without waiting.
  let isQuick: Bool
  /// True if it fetches leftover data beside captures, and ends with them.
  let isBesideCaptures: Bool
  private struct State {
    var isCancelled = false
    /// The tasks that a cancel ends.
    var works: [Int: @Sendable () -> Void] = [:]
    var count = 0
  }
  private let state = Mutex(State())

  init(
    hooks: CaptureHooks = CaptureHooks(), isQuick: Bool = false, isBesideCaptures: Bool = false,
    tell: @escaping @Sendable (Progress) -> Void = { _ in }
  ) {
    self.hooks = hooks
    self.isQuick = isQuick
    self.isBesideCaptures = isBesideCaptures
    self.tell = tell
  }

  /// True if the user canceled the run.
  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Ends it as soon as that can be done: waits end now, an operation of the sensor is cancelled at the service.
  func cancel() {
    let works = state.withLock { state in
      state.isCancelled = true
      return Array(state.works.values)
    }
    for end in works { end() }
  }

  /// Has something done when it is cancelled, at once if it was before; until ``forget(_:)``.
  ///
  /// - Returns: By what it is forgotten.
  func whenCancelled(_ end: @escaping @Sendable () -> Void) -> Int {
    let (number, isCancelled) = state.withLock { state in
      state.count += 1
      if !state.isCancelled { state.works[state.count] = end }
      return (state.count, state.isCancelled)
    }
    if isCancelled { end() }
    return number
  }

  func forget(_ number: Int) { state.withLock { $0.works[number] = nil } }

  /// Waits, at most until it is cancelled.
  ///
  /// - Returns: Whether the time went by.
  func sleep(_ milliseconds: Int, _ clock: LinkClock) async -> Bool {
    if isQuick { return false }
    await doing { _ = try? await clock.sleep(milliseconds) }
    return !isCancelled
  }

  /// Does something whose task is cancelled with the run; at once if that was cancelled before.
  func doing<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    let task = Task { await work() }
    let number = whenCancelled { task.cancel() }
    defer { forget(number) }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
