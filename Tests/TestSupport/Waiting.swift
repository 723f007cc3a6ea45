@preconcurrency internal import Glibc
internal import Synchronization

/// Yields until a condition holds, or until the task is canceled, as by the time limit of a suite.
public func until(
  isolation: isolated (any Actor)? = #isolation, _ isSo: () async throws -> Bool
) async rethrows {
  while !Task.isCancelled, try await !isSo() { await Task.yield() }
}

/// Waits until the task is canceled.
///
/// - Throws: `CancellationError`, always.
public func untilCanceled() async throws -> Never {
  await Door().wait()
  throw CancellationError()
}

/// Blocks the thread until a condition holds that has no notification, such as an entry of `/proc`.
///
/// Polls every 5 ms, and gives up after two minutes.
/// - Returns: True if the condition holds.
public func polls(until isSo: () -> Bool) -> Bool {
  for _ in 0..<24_000 {
    if isSo() { return true }
    poll(nil, 0, 5)
  }
  return isSo()
}

/// A door that is shut until it is opened.
public final class Door: Sendable {
  private let state = Mutex<(isOpen: Bool, waiting: [AsyncStream<Never>.Continuation])>((false, []))

  public init() {}

  /// Waits until it is open, or until the task is canceled.
  public func wait() async {
    let (stream, end) = AsyncStream.makeStream(of: Never.self)
    let isOpen = state.withLock { state in
      if !state.isOpen { state.waiting.append(end) }
      return state.isOpen
    }
    if isOpen { end.finish() }
    for await _ in stream {}
  }

  public func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for end in waiting { end.finish() }
  }
}
