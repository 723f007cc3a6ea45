import Synchronization

/// What was ordered to be captured for an item, from the order to its end.
///
/// A cancel reaches it also while its sensor is asked nothing: before its turn, between two attempts, and while a capture
/// is looked at.
final class CaptureTicket: Sendable {
  let item: Int
  private let state = Mutex(false)

  init(item: Int) { self.item = item }

  /// Whether the user wants no more of it.
  var isCancelled: Bool { state.withLock { $0 } }

  func cancel() { state.withLock { $0 = true } }
}
