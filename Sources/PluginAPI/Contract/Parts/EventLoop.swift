internal import Synchronization

/// An ordered queue on the main actor.
///
/// All code that changes state runs there, in order.
public protocol EventLoop: AnyObject, Sendable {
  /// Appends a piece of work to the queue. May be called on any thread; never waits.
  func post(_ work: @escaping @MainActor @Sendable () -> Void)

  /// Runs a piece of work later.
  ///
  /// - Parameters:
  ///   - delayInSeconds: The time from now to the first run, 0 or more.
  ///   - intervalInSeconds: The time between runs; nil for one run.
  ///   - work: The work to run on the loop.
  /// - Returns: A handle that cancels the timer. Once it is canceled on the loop, the work does not run again. The
  ///   timer continues if the handle is discarded.
  @discardableResult
  func schedule(
    after delayInSeconds: Double, every intervalInSeconds: Double?, _ work: @escaping @MainActor @Sendable () -> Void
  ) -> any Cancellable

  /// Calls back on the loop while a file descriptor is ready.
  ///
  /// - Returns: A handle that ends the watch; the descriptor must stay open until then.
  func watch(
    fileDescriptor: Int32, for readiness: Readiness, _ work: @escaping @MainActor @Sendable () -> Void
  ) -> any Cancellable

  /// Runs blocking or heavy work on a thread of its own, never on the cooperative pool.
  ///
  /// - Parameters:
  ///   - label: The label that users see while the work runs.
  ///   - work: The work; it reports progress, and learns of cancellation, through its argument.
  ///   - onProgress: Called on the loop with the latest report; nil if nothing observes progress.
  ///   - completion: Called on the loop, once.
  /// - Returns: A handle that cancels the work: its `isCancelled` becomes true, and its outcome is canceled, whatever
  ///   it returns.
  @discardableResult
  func background(
    _ label: String,
    _ work: @escaping @Sendable (any WorkProgress) throws -> any Sendable,
    onProgress: (@MainActor @Sendable (Progress) -> Void)?,
    completion: @escaping @MainActor @Sendable (WorkOutcome) -> Void
  ) -> any Cancellable
}

extension EventLoop {
  /// Runs blocking or heavy work on a thread of its own and waits for it without blocking any thread.
  ///
  /// - Returns: The result of the work.
  /// - Throws: The error that the work throws; `CancellationError` if the calling task was canceled.
  @inlinable public func compute<Result: Sendable>(
    _ label: String, _ work: @escaping @Sendable (any WorkProgress) throws -> Result,
    onProgress: (@MainActor @Sendable (Progress) -> Void)? = nil
  ) async throws -> Result {
    let handle = CancellableSlot()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Result, any Error>) in
        let running = background(label, { try work($0) }, onProgress: onProgress) { outcome in
          do {
            guard let result = try outcome.result() as? Result else {
              preconditionFailure("an event loop gives what the work returned")
            }
            continuation.resume(returning: result)
          } catch {
            continuation.resume(throwing: error)
          }
        }
        handle.fill(running)
      }
    } onCancel: {
      handle.cancel()
    }
  }
}

/// The readiness that a file descriptor is watched for.
public enum Readiness: Sendable {
  /// Bytes can be read, or the other end was closed.
  case reading
  /// Bytes can be written.
  case writing
}

/// An operation that can be canceled.
public protocol Cancellable: Sendable {
  /// Cancels the operation; later calls do nothing. May be called on any thread.
  func cancel()
}

/// The outcome of background work.
public enum WorkOutcome: Sendable {
  /// The work returned a result.
  case finished(any Sendable)
  /// The work threw an error.
  case failed(any Error)
  /// The work was canceled.
  case cancelled
}

extension WorkOutcome {
  /// Returns the result of finished work.
  ///
  /// - Throws: The error that the work threw; `CancellationError` if it was canceled.
  @usableFromInline func result() throws -> any Sendable {
    switch self {
    case .finished(let result): return result
    case .failed(let error): throw error
    case .cancelled: throw CancellationError()
    }
  }
}

/// The link from background work to its caller, for progress and cancellation.
public protocol WorkProgress: Sendable {
  /// A Boolean value indicating whether the work should end now.
  var isCancelled: Bool { get }

  /// Reports the progress. Cheap: the host drops reports that come faster than users can see.
  func report(_ progress: Progress)
}

extension WorkProgress {
  /// Throws `CancellationError` if the work should end now.
  public func checkCancellation() throws {
    if isCancelled { throw CancellationError() }
  }
}

/// A slot for the operation that a task's cancellation must cancel, whichever of the two arrives first.
@usableFromInline final class CancellableSlot: Sendable {
  private struct State {
    var isCancelled = false
    var target: (any Cancellable)?
  }

  private let state = Mutex(State())

  @usableFromInline init() {}

  @usableFromInline func fill(_ target: any Cancellable) {
    let cancelNow = state.withLock { state in
      state.target = target
      return state.isCancelled
    }
    if cancelNow { target.cancel() }
  }

  @usableFromInline func cancel() {
    let target = state.withLock { state in
      state.isCancelled = true
      return state.target
    }
    target?.cancel()
  }
}
