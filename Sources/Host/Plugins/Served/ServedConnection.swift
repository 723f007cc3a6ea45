import PluginAPI
import Synchronization

/// The connection of a child process to the host, with the requests of both.
final class ServedConnection: Sendable {
  /// Receives the answer to a request, on the thread that reads.
  private struct Pending: Sendable {
    var receive: @Sendable (Result<Value, any Error>) -> Void
  }

  private struct State {
    var lastID = 0
    var pending: [Int: Pending] = [:]
    /// True once the host has closed its end: no answers will come.
    var isClosed = false
  }

  /// The bytes that the host may leave unread before values wait.
  private static let unreadBytes = 1 << 20
  private static let longestFrame = 1 << 30

  private let output: ServeOutput
  private let state = Mutex(State())

  /// Creates a connection that writes to a descriptor.
  init(output descriptor: Int32) { output = ServeOutput(descriptor: descriptor, limit: Self.unreadBytes) }

  /// Passes on the requests and notifications of the host until it closes its end; blocks the thread.
  func read(_ descriptor: Int32, _ receive: (RPCMessage) -> Void) {
    readAll(descriptor, receive)
    let pending = state.withLock { state in
      defer { (state.isClosed, state.pending) = (true, [:]) }
      return state.pending
    }
    for request in pending.values { request.receive(.failure(CancellationError())) }
  }

  private func readAll(_ descriptor: Int32, _ receive: (RPCMessage) -> Void) {
    var splitter = FrameSplitter(limit: Self.longestFrame)
    while let chunk = try? HostFile.readChunk(descriptor, named: "input"), let frames = splitter.add(chunk) {
      for frame in frames {
        // The host is this program, so its messages can be read.
        guard let message = try? RPCMessage(frame, in: .frames) else { return }
        switch message {
        case .request, .notification: receive(message)
        case .result(let id, let result): finish(id, .success(result))
        case .failure(let id, let failure): finish(id, .failure(failure.error(of: "host")))
        }
      }
    }
  }

  private func finish(_ id: Value, _ result: Result<Value, any Error>) {
    let pending = id.integer.flatMap { id in state.withLock { $0.pending.removeValue(forKey: id) } }
    pending?.receive(result)
  }

  private func send(_ message: RPCMessage) { output.write(message.bytes(in: .frames)) }

  /// Sends a notification.
  func notify(_ method: String, _ parameters: Value) {
    send(.notification(method: method, parameters: parameters))
  }

  /// Waits until the host has read enough.
  func room() async { await output.room() }

  /// Answers a request of the host.
  func respond(to id: Int, _ result: Result<Value, any Error>) {
    switch result {
    case .success(let value): send(.result(id: .integer(id), value))
    case .failure(let error): send(.failure(id: .integer(id), RPCFailure(error)))
    }
  }

  /// Sends a request.
  ///
  /// - Parameter receive: Called once, on the thread that reads; at once if the host has closed its end.
  /// - Returns: Its id.
  @discardableResult
  func request(
    _ method: String, _ parameters: Value,
    _ receive: @escaping @Sendable (Result<Value, any Error>) -> Void = { _ in }
  ) -> Int {
    let (id, isClosed) = state.withLock { state in
      state.lastID += 1
      if !state.isClosed { state.pending[state.lastID] = Pending(receive: receive) }
      return (state.lastID, state.isClosed)
    }
    if isClosed {
      receive(.failure(CancellationError()))
      return id
    }
    send(.request(id: .integer(id), method: method, parameters: parameters))
    return id
  }

  /// Sends a request and blocks the thread until its answer, which the host gives at once.
  func wait(_ method: String, _ parameters: Value) throws -> Value {
    let awaited = AwaitedAnswer<Value>()
    request(method, parameters) { awaited.put($0) }
    return try awaited.wait()
  }

  /// Sends a request and waits for its answer; it is canceled with the task.
  func ask(_ method: String, _ parameters: Value) async throws -> Value {
    try Task.checkCancellation()
    let mailbox = CallMailbox()
    let id = request(method, parameters) { mailbox.put(.ended($0)) }
    return try await withTaskCancellationHandler {
      try await mailbox.end()
    } onCancel: {
      notify("$/cancel", ["id": .integer(id)])
      mailbox.put(.ended(.failure(CancellationError())))
    }
  }
}
