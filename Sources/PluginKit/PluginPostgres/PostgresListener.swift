internal import Glibc
internal import Synchronization

/// A connection on a thread of its own that waits for notifications of a channel.
final class PostgresListener: Sendable {
  private struct State {
    var isConnected = false
    var isEnding = false
    /// The end of a pair of sockets that wakes the thread; nil unless it runs.
    var waker: Int32?
    /// The tasks that wait for the end of the thread.
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let address: PostgresAddress
  private let channel: String
  private let onChange: @Sendable () -> Void
  private let state = Mutex(State())

  /// Creates a listener that does nothing yet.
  ///
  /// - Parameter onChange: Called on the thread after notifications, and each time the connection was made.
  init(address: PostgresAddress, channel: String, onChange: @escaping @Sendable () -> Void) {
    (self.address, self.channel, self.onChange) = (address, channel, onChange)
  }

  /// True while changes are announced as they happen.
  var isConnected: Bool { state.withLock { $0.isConnected } }

  private var isEnding: Bool { state.withLock { $0.isEnding } }

  /// Starts the thread, unless it runs or was asked to end.
  func start() {
    let wakened: Int32? = state.withLock { state in
      var ends: [Int32] = [-1, -1]
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      // Without free descriptors there would be no connection either.
      if state.waker != nil || state.isEnding || socketpair(AF_UNIX, kind, 0, &ends) != 0 { return nil }
      state.waker = ends[1]
      return ends[0]
    }
    if let wakened { DetachedThread.run { self.run(until: wakened) } }
  }

  /// Asks the thread to end.
  func requestEnd() {
    state.withLock { state in
      state.isEnding = true
      if let waker = state.waker { shutdown(waker, Int32(SHUT_RDWR)) }
    }
  }

  /// Ends the thread and waits for it.
  func end() async {
    requestEnd()
    await withCheckedContinuation { continuation in
      let isRunning = state.withLock { state in
        if state.waker != nil { state.waiting.append(continuation) }
        return state.waker != nil
      }
      if !isRunning { continuation.resume() }
    }
  }

  /// Listens until a socket is readable, which is when the other end was shut down.
  private func run(until wakened: Int32) {
    var pauseInMilliseconds: Int32 = 100
    while !isEnding {
      do {
        let connection = try PostgresConnection(address) { self.isEnding }
        defer {
          state.withLock { $0.isConnected = false }
          connection.close()
        }
        try connection.listen(to: channel)
        state.withLock { $0.isConnected = true }
        pauseInMilliseconds = 100
        // Something may have changed before.
        onChange()
        try announceChanges(on: connection, until: wakened)
      } catch {
        // Whatever it was may pass: a server that restarts, or one without a free connection.
        var entry = pollfd(fd: wakened, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, pauseInMilliseconds)
        pauseInMilliseconds = min(2 * pauseInMilliseconds, 30_000)
      }
    }
    close(wakened)
    let waiting = state.withLock { state in
      if let waker = state.waker { close(waker) }
      state.waker = nil
      return state.waiting
    }
    for task in waiting { task.resume() }
  }

  private func announceChanges(on connection: PostgresConnection, until wakened: Int32) throws {
    while !isEnding {
      if try !connection.notifications().isEmpty { onChange() }
      var entries = [connection.socket, wakened].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      poll(&entries, 2, -1)
    }
  }
}
