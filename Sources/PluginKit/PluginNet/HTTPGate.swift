internal import Synchronization

/// Holds a stream back while its receiver has no room, and lets it go on.
///
/// While it is closed no more is read from the server, which then waits as well; what was read already, up to 64 KiB and
/// what comes of it when encodings are undone, is still handed over. That time does not count as silence of the server,
/// but it does count for the deadline of the request. One gate serves one stream at a time.
public final class HTTPGate: Sendable {
  private struct State {
    var isClosed = false
    var ticket: TransferTicket?
  }

  private let state = Mutex(State())

  /// Creates an open gate.
  public init() {}

  /// Whether the stream is held back.
  public var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Holds the stream back, from the next piece on if this is not called while one is handed over; for any thread.
  public func close() { state.withLock { $0.isClosed = true } }

  /// Lets the stream go on; for any thread.
  public func open() {
    let ticket = state.withLock { state -> TransferTicket? in
      defer { state.isClosed = false }
      return state.isClosed ? state.ticket : nil
    }
    if let ticket { TransferThread.shared.resume(ticket) }
  }

  /// Notes the transfer that is held back and let go on.
  func attach(_ ticket: TransferTicket) { state.withLock { $0.ticket = ticket } }
}
