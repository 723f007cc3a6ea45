internal import Synchronization

/// A gate that pauses a stream while its receiver has no room.
///
/// While the gate is closed, no more data is read from the server, which then waits as well. Data that was already
/// read, up to 64 KiB before decoding, is still delivered. The pause does not count as silence of the server, but it
/// does count toward the request's deadline. A gate serves one stream at a time.
public final class HTTPGate: Sendable {
  private struct State {
    var isClosed = false
    var ticket: TransferTicket?
  }

  private let state = Mutex(State())

  /// Creates an open gate.
  public init() {}

  /// A Boolean value indicating whether the stream is paused.
  public var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Pauses the stream after the piece being delivered, or before the next one.
  ///
  /// May be called on any thread.
  public func close() { state.withLock { $0.isClosed = true } }

  /// Resumes the stream.
  ///
  /// May be called on any thread.
  public func open() {
    let ticket = state.withLock { state -> TransferTicket? in
      defer { state.isClosed = false }
      return state.isClosed ? state.ticket : nil
    }
    if let ticket { TransferThread.shared.resume(ticket) }
  }

  /// Sets the transfer that the gate pauses and resumes.
  func attach(_ ticket: TransferTicket) { state.withLock { $0.ticket = ticket } }
}
