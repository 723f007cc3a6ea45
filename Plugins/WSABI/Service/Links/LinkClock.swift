import PluginAPI

/// The time, and waiting for it; tests have one of their own.
struct LinkClock: Sendable {
  var now: @Sendable () -> Instant
  /// Waits so many milliseconds.
  ///
  /// It throws when the task is cancelled.
  var sleep: @Sendable (_ milliseconds: Int) async throws -> Void
}
