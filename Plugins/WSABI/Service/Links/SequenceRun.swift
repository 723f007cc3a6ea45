import Synchronization

/// A sequence in progress: its observer, the recorder of its captures, and its cancellation.
final class SequenceRun: Sendable {
  /// The progress of a sequence.
  enum Progress: Sendable, Hashable {
    case asking(SequenceStep)
    /// The status; nil if there was no response.
    case answered(SequenceStep, OperationStatus?)
    case waiting(OperationStatus, milliseconds: Int)
    /// Another client has the lock; the service's message about it.
    case held(message: String)
    case canceling
    /// A lock left by a dead process was released, or not.
    case leftLock(isGivenBack: Bool)
  }

  /// Called around each capture.
  struct CaptureHooks: Sendable {
    /// Records that a capture is about to be requested; if this fails, no request is sent.
    var willCapture: @Sendable (SensorUUID) async throws -> Void = { _ in }
    /// Records the result, before anything else happens.
    var didCapture: @Sendable (SequenceEvent) async -> Void = { _ in }
  }

  let hooks: CaptureHooks
  let tell: @Sendable (Progress) -> Void
  /// True if each step is tried once, without waiting.
  let isQuick: Bool
  /// True if it downloads leftover data while captures run, and ends with them.
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

  /// Ends the run as soon as possible: waits end now, an operation of the sensor is canceled at the service.
  func cancel() {
    let works = state.withLock { state in
      state.isCancelled = true
      return Array(state.works.values)
    }
    for end in works { end() }
  }

  /// Registers an action for the cancel, called at once if it already happened; until ``forget(_:)``.
  ///
  /// - Returns: The token for ``forget(_:)``.
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

  /// Waits, but not beyond the cancel.
  ///
  /// - Returns: True if the whole time passed.
  func sleep(_ milliseconds: Int, _ clock: LinkClock) async -> Bool {
    if isQuick { return false }
    await doing { _ = try? await clock.sleep(milliseconds) }
    return !isCancelled
  }

  /// Runs a task that is canceled with the run; at once if the run was already canceled.
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
