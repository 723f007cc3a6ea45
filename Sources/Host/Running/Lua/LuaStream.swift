import PluginAPI
import Synchronization

/// A running command whose results a script reads one by one; the command waits while many are unread.
final class LuaStream: Sendable {
  private struct State {
    /// The task of the command; nil before it starts.
    var task: Task<Void, Never>?
    /// Elements that were emitted but not taken.
    var rows: ArraySlice<Value> = []
    /// The calls of `emit` that wait.
    var producers: [CheckedContinuation<Void, Never>] = []
    var consumer: CheckedContinuation<Void, Never>?
    var isClosed = false
    var isEnded = false
    var failure: (any Error)?
  }

  private let state = Mutex(State())
  /// The number of elements at which the command waits, and the largest number that is taken at once.
  private static let most = 256

  /// Starts the command.
  ///
  /// - Parameter run: Runs the command; its values go to ``emit(_:)``.
  @MainActor func start(_ run: @escaping @MainActor @Sendable () async throws -> Void) {
    let task = Task { @MainActor in
      do {
        try await run()
        self.end(nil)
      } catch {
        self.end(error)
      }
    }
    state.withLock { $0.task = task }
  }

  /// Receives elements from the command, and waits while many are unread.
  ///
  /// - Throws: `CancellationError` once the script does not want more.
  nonisolated(nonsending) func emit(_ elements: [Value]) async throws {
    try Task.checkCancellation()
    await withCheckedContinuation { continuation in
      let (waits, consumer) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
        if state.isClosed { return (false, nil) }
        state.rows += elements
        let waits = state.rows.count >= Self.most
        if waits { state.producers.append(continuation) }
        if state.rows.isEmpty { return (waits, nil) }
        defer { state.consumer = nil }
        return (waits, state.consumer)
      }
      consumer?.resume()
      if !waits { continuation.resume() }
    }
    if state.withLock({ $0.isClosed }) { throw CancellationError() }
    try Task.checkCancellation()
  }

  /// Returns the next elements; empty at the end.
  ///
  /// - Throws: The error of the command; `CancellationError` if the script was canceled.
  nonisolated(nonsending) func next() async throws -> [Value] {
    try await withTaskCancellationHandler {
      while true {
        if let rows = try take() { return rows }
        await withCheckedContinuation { continuation in
          let isReady = state.withLock { state in
            if !state.rows.isEmpty || state.isEnded { return true }
            state.consumer = continuation
            return false
          }
          if isReady { continuation.resume() }
        }
      }
    } onCancel: {
      close()
    }
  }

  /// Ends the command, unless it has ended.
  func close() {
    let (task, producers) = state.withLock { state in
      state.isClosed = true
      state.rows = []
      defer { state.producers = [] }
      return (state.task, state.producers)
    }
    task?.cancel()
    for producer in producers { producer.resume() }
  }

  /// A Boolean value indicating whether the command has ended.
  var hasEnded: Bool { state.withLock { $0.isEnded } }

  /// Waits until the command has ended.
  func finish() async {
    close()
    await state.withLock { $0.task }?.value
  }

  /// Takes elements; nil if there are none yet, empty at the end.
  private func take() throws -> [Value]? {
    let (rows, producers, failure, isEnded) = state.withLock { state in
      let rows = Array(state.rows.prefix(Self.most))
      state.rows = state.rows.dropFirst(rows.count)
      var producers: [CheckedContinuation<Void, Never>] = []
      if state.rows.count < Self.most { swap(&producers, &state.producers) }
      return (rows, producers, state.failure, state.isEnded)
    }
    for producer in producers { producer.resume() }
    if !rows.isEmpty { return rows }
    if let failure { throw failure }
    return isEnded ? [] : nil
  }

  private func end(_ error: (any Error)?) {
    let consumer = state.withLock { state in
      state.isEnded = true
      // A command that was closed has nothing to report.
      if !(state.isClosed && error is CancellationError) { state.failure = error }
      defer { state.consumer = nil }
      return state.consumer
    }
    consumer?.resume()
  }
}
