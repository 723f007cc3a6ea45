/// The resource limits of a search, including cancellation.
struct SearchLimits: Sendable {
  /// The maximum number of states stored at once, over all processes.
  var states = 6_000_000
  /// The maximum size of the links and counts of all states, in bytes.
  var sizeInBytes = 1 << 30
  /// Returns true if the search was canceled; called every few thousand states.
  var isCancelled: @Sendable () -> Bool = { false }

  /// Checks for cancellation.
  ///
  /// - Throws: `CancellationError`.
  func check() throws {
    if isCancelled() { throw CancellationError() }
  }
}
