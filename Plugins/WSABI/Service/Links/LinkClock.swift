import PluginAPI

/// The clock of links, which tells the time and waits; tests have their own.
struct LinkClock: Sendable {
  var now: @Sendable () -> Instant
  /// Waits for a number of milliseconds.
  ///
  /// It throws an error when the task is canceled.
  var sleep: @Sendable (_ milliseconds: Int) async throws -> Void

  /// Waits for a task until its time is over, and then cancels it.
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
