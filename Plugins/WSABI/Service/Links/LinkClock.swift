import PluginAPI

/// The time, and waiting for it; tests have one of their own.
struct LinkClock: Sendable {
  var now: @Sendable () -> Instant
  /// Waits so many milliseconds.
  ///
  /// It throws when the task is cancelled.
  var sleep: @Sendable (_ milliseconds: Int) async throws -> Void

  /// Waits for work until its time is over, and cancels what is left of it then.
  func wait(for work: Task<Void, Never>, milliseconds: Int) async {
    let (ended, end) = AsyncStream.makeStream(of: Never.self)
    Task {
      await work.value
      end.finish()
    }
    let limit = Task {
      try? await sleep(milliseconds)
      end.finish()
    }
    for await _ in ended {}
    work.cancel()
    limit.cancel()
  }
}
