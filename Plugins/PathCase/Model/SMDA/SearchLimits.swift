/// How much a search may take, and whether it goes on.
struct SearchLimits: Sendable {
  /// How many states may be kept at once, all processes together; each takes 20 to 60 bytes.
  var states = 6_000_000
  /// Whether nobody waits any more; asked every few thousand states.
  var isCancelled: @Sendable () -> Bool = { false }

  /// Looks whether to go on.
  ///
  /// - Throws: `CancellationError`.
  func check() throws {
    if isCancelled() { throw CancellationError() }
  }
}
