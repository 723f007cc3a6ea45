internal import Glibc
internal import Synchronization

/// A thread for one blocking piece of work.
public enum OwnThread {
  /// Runs a piece of work on a thread of its own.
  public static func run(_ work: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Work(work))
    if pthread_create(&thread, nil, runOwnThread, box.toOpaque()) == 0 {
      pthread_detach(thread)
    } else {
      box.takeRetainedValue().run()
    }
  }

  /// Runs a piece of work on a thread of its own and waits for it without blocking another.
  ///
  /// - Parameter work: The work; its argument is a function that throws `CancellationError` once the waiting task is
  ///   canceled.
  /// - Throws: The error that the work throws.
  public static func value<Result: Sendable>(
    _ work: @escaping @Sendable (_ checkCancellation: () throws -> Void) throws -> Result
  ) async throws -> Result {
    let mark = CancellationMark()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        run { continuation.resume(with: Swift.Result { try work(mark.check) }) }
      }
    } onCancel: {
      mark.isSet.store(true, ordering: .relaxed)
    }
  }
}

/// A flag that indicates whether the waiting task was canceled.
private final class CancellationMark: Sendable {
  let isSet = Atomic(false)

  func check() throws {
    if isSet.load(ordering: .relaxed) { throw CancellationError() }
  }
}

/// A piece of work passed to the thread.
private final class Work: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runOwnThread(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let box { Unmanaged<Work>.fromOpaque(box).takeRetainedValue().run() }
  return nil
}

/// The processors of this machine.
public enum Processors {
  /// The number of online processors; at least 1.
  public static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
