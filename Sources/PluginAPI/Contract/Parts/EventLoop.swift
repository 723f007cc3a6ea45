/// One ordered queue on the main actor: everything that changes state runs there, in order.
public protocol EventLoop: AnyObject, Sendable {
  /// Puts a piece of work at the end of the queue. May be called on any thread; never waits.
  func post(_ work: @escaping @MainActor @Sendable () -> Void)

  /// Runs a piece of work later.
  ///
  /// - Parameters:
  ///   - delayInSeconds: The time from now to the first run, 0 or more.
  ///   - intervalInSeconds: The time between runs; nil for one run.
  ///   - work: What to run on the loop.
  /// - Returns: What ends the timer: once it is cancelled on the loop, the work does not run again. The timer goes on if
  ///   that is thrown away.
  @discardableResult
  func schedule(
    after delayInSeconds: Double, every intervalInSeconds: Double?, _ work: @escaping @MainActor @Sendable () -> Void
  ) -> any Cancellable

  /// Calls back on the loop while a file descriptor is ready.
  ///
  /// - Returns: What ends the watch; the descriptor must stay open until then.
  func watch(
    fileDescriptor: Int32, for readiness: Readiness, _ work: @escaping @MainActor @Sendable () -> Void
  ) -> any Cancellable

  /// Runs blocking or heavy work on a thread of its own, never on the cooperative pool.
  ///
  /// - Parameters:
  ///   - label: What people read while it runs.
  ///   - work: The work; reports progress and looks for cancellation through its argument.
  ///   - onProgress: Called on the loop with the latest report; nil if nobody looks.
  ///   - completion: Called on the loop, once.
  /// - Returns: What cancels the work: its `isCancelled` becomes true, and its outcome is cancelled whatever it returns.
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
  /// - Throws: What the work throws; `CancellationError` if the calling task was cancelled.
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

/// What a file descriptor is watched for.
public enum Readiness: Sendable {
  /// Bytes can be read, or the other end was closed.
  case reading
  /// Bytes can be written.
  case writing
}

/// Something that can be ended.
public protocol Cancellable: Sendable {
  /// Ends it; later calls do nothing. May be called on any thread.
  func cancel()
}

/// How background work ended.
public enum WorkOutcome: Sendable {
  /// It returned.
  case finished(any Sendable)
  /// It threw.
  case failed(any Error)
  /// It was cancelled.
  case cancelled
}

extension WorkOutcome {
  /// The result of work that finished.
  ///
  /// - Throws: What the work threw; `CancellationError` if it was cancelled.
  @usableFromInline func result() throws -> any Sendable {
    switch self {
    case .finished(let result): return result
    case .failed(let error): throw error
    case .cancelled: throw CancellationError()
    }
  }
}

/// What background work sees of the world that waits for it.
public protocol WorkProgress: Sendable {
  /// Whether the work should end now.
  var isCancelled: Bool { get }

  /// Tells how far the work is. Cheap; the host drops what comes faster than people can see.
  func report(_ progress: Progress)
}

extension WorkProgress {
  /// Throws `CancellationError` if the work should end now.
  public func checkCancellation() throws {
    if isCancelled { throw CancellationError() }
  }
}
