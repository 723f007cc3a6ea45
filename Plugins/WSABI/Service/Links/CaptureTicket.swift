import Synchronization

/// An order to capture an item, from the order to its end.
///
/// A cancel also reaches it while no request is sent to its sensor: before its turn, between two attempts, and during
/// the review of a capture.
final class CaptureTicket: Sendable {
  let item: Int
  private let state = Mutex(false)

  init(item: Int) { self.item = item }

  /// True if the user canceled the order.
  var isCancelled: Bool { state.withLock { $0 } }

  func cancel() { state.withLock { $0 = true } }
}
