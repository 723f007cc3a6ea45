internal import CServing
internal import Synchronization

/// A request and its response, shared by the server's thread and the handler's task.
///
/// Under the lock, either side does what it can, then wakes the other or pauses: the connection is suspended, the task
/// waits.
final class Exchange: Sendable {
  private struct State {
    /// The address of the connection; valid until the exchange is over.
    var connection: UInt
    var isSuspended = false
    /// A Boolean value indicating whether the connection should be closed.
    var isCut = false
    /// A Boolean value indicating whether the server's thread is done with it.
    var isOver = false
    var task: Task<Void, Never>?

    var incoming: [UInt8] = []
    var received = 0
    var isReceived = false
    /// A Boolean value indicating whether the response is complete, so that the rest of the body is discarded.
    var discards = false
    var reader: CheckedContinuation<[UInt8]?, any Error>?

    var response: ServerResponse?
    var outgoing: ArraySlice<UInt8> = []
    var isProduced = false
    var fault: FaultOnPurpose?
    var writer: CheckedContinuation<Void, any Error>?
  }

  /// The maximum number of bytes buffered between the two sides.
  private static let roomInBytes = 1 << 18

  private let limitInBytes: Int
  private let state: Mutex<State>

  init(connection: OpaquePointer, limitInBytes: Int) {
    self.limitInBytes = limitInBytes
    state = Mutex(State(connection: UInt(bitPattern: connection)))
  }

  // MARK: The handler's side

  /// Starts the handler's task.
  func start(_ request: ServerRequest, _ handler: @escaping HTTPServer.Handler) {
    let task = Task(executorPreference: HandlerThreads.shared) {
      do {
        let response = try await handler(request)
        let body = response.faultyBody
        self.answer(response, body)
        if case .stream(_, let producer) = body { try await producer(ResponseBody(exchange: self)) }
        self.finish(nil)
      } catch {
        self.fail(error)
      }
    }
    let isOver = state.withLock { state in
      state.task = task
      return state.isOver || state.isCut
    }
    if isOver { task.cancel() }
  }

  func nextPiece() async throws -> [UInt8]? {
    try await withCheckedThrowingContinuation { continuation in
      let ready: Result<[UInt8]?, any Error>? = state.withLock { state in
        if state.isOver || state.isCut { return .failure(CancellationError()) }
        if state.received > limitInBytes { return .failure(ServerError.bodyTooLarge(limitInBytes: limitInBytes)) }
        if !state.incoming.isEmpty {
          defer { state.incoming = [] }
          Self.resume(&state)
          return .success(state.incoming)
        }
        if state.isReceived { return .success(nil) }
        state.reader = continuation
        return nil
      }
      if let ready { continuation.resume(with: ready) }
    }
  }

  func write(_ bytes: [UInt8]) async throws {
    try await withCheckedThrowingContinuation { continuation in
      let ready: Result<Void, any Error>? = state.withLock { state in
        if state.isOver || state.isCut { return .failure(CancellationError()) }
        // Bytes are sent without a copy if nothing else is buffered.
        if state.outgoing.isEmpty { state.outgoing = bytes[...] } else { state.outgoing += bytes }
        Self.resume(&state)
        if state.outgoing.count < Self.roomInBytes { return .success(()) }
        state.writer = continuation
        return nil
      }
      if let ready { continuation.resume(with: ready) }
    }
  }

  private func answer(_ response: ServerResponse, _ body: ServerResponse.Body) {
    state.withLock { state in
      state.response = response
      state.response?.body = body
      state.discards = true
      state.incoming = []
      Self.resume(&state)
    }
  }

  private func finish(_ fault: FaultOnPurpose?) {
    state.withLock { state in
      state.isProduced = true
      state.fault = fault
      Self.resume(&state)
    }
  }

  /// Responds with an error for a handler that failed, or ends a response that was begun.
  private func fail(_ error: any Error) {
    if state.withLock({ $0.response != nil }) { return finish(error as? FaultOnPurpose ?? FaultOnPurpose()) }
    let status = if case .bodyTooLarge? = error as? ServerError { 413 } else { 500 }
    let response = ServerResponse(status, text: status == 413 ? "the body is too large\n" : "the server failed\n")
    answer(response, response.body)
    finish(nil)
  }

  /// Resumes the connection if it is suspended.
  private static func resume(_ state: inout State) {
    guard state.isSuspended, !state.isOver else { return }
    state.isSuspended = false
    serving_resume(OpaquePointer(bitPattern: state.connection))
  }

  private static func suspend(_ state: inout State) {
    state.isSuspended = true
    serving_suspend(OpaquePointer(bitPattern: state.connection))
  }

  /// Ends the exchange: the server's thread closes its connection at the next opportunity.
  func cut() {
    let task = state.withLock { state in
      state.isCut = true
      Self.resume(&state)
      return state.task
    }
    task?.cancel()
    wakeAll()
  }

  // MARK: The side of the server's thread

  /// Receives a piece of the body, or sends the response at its end.
  func take(_ bytes: UnsafePointer<UInt8>?, _ count: inout Int, _ read: serving_reader) -> serving_step {
    var waiting: (CheckedContinuation<[UInt8]?, any Error>, Result<[UInt8]?, any Error>)?
    defer { if let (reader, result) = waiting { reader.resume(with: result) } }
    return state.withLock { state in
      if state.isCut { return SERVING_DROP }
      if count > 0 { return receive(UnsafeBufferPointer(start: bytes, count: count), &count, &state, &waiting) }
      state.isReceived = true
      if let reader = state.reader {
        state.reader = nil
        waiting = (reader, .success(nil))
      }
      guard let response = state.response else {
        Self.suspend(&state)
        return SERVING_GO_ON
      }
      return send(response, read, state.connection)
    }
  }

  private func receive(
    _ bytes: UnsafeBufferPointer<UInt8>, _ count: inout Int, _ state: inout State,
    _ waiting: inout (CheckedContinuation<[UInt8]?, any Error>, Result<[UInt8]?, any Error>)?
  ) -> serving_step {
    if !state.discards, state.incoming.count >= Self.roomInBytes {
      Self.suspend(&state)
      return SERVING_GO_ON
    }
    state.received += bytes.count
    count = 0
    if state.discards {
      // A small unwanted body is skipped.
      return state.received > limitInBytes + Self.roomInBytes ? SERVING_DROP : SERVING_GO_ON
    }
    if let reader = state.reader {
      state.reader = nil
      let isTooLarge = state.received > limitInBytes
      waiting = (
        reader, isTooLarge ? .failure(ServerError.bodyTooLarge(limitInBytes: limitInBytes)) : .success(Array(bytes))
      )
    } else {
      state.incoming.append(contentsOf: bytes)
    }
    return SERVING_GO_ON
  }

  private func send(_ response: ServerResponse, _ read: serving_reader, _ connection: UInt) -> serving_step {
    if case .unanswered(let isReset)? = response.fault {
      if isReset { serving_reset(OpaquePointer(bitPattern: connection)) }
      return SERVING_DROP
    }
    if response.fault == .raw, case .bytes(let bytes) = response.body {
      serving_write(OpaquePointer(bitPattern: connection), bytes, bytes.count)
      return SERVING_DROP
    }
    let answer =
      switch response.body {
      case .bytes(let bytes): serving_answer_bytes(bytes, bytes.count)
      case .stream(let length, _):
        serving_answer_stream(read, Int64(length ?? -1), Unmanaged.passUnretained(self).toOpaque())
      }
    guard let answer else { return SERVING_DROP }
    for field in response.headers { _ = serving_answer_field(answer, field.name, field.value) }
    let isSent = serving_answer_send(OpaquePointer(bitPattern: connection), UInt32(clamping: response.status), answer)
    return isSent == 0 ? SERVING_DROP : SERVING_GO_ON
  }

  /// Writes the next bytes of a streamed response.
  func fill(_ room: UnsafeMutableRawBufferPointer) -> Int {
    var waiting: CheckedContinuation<Void, any Error>?
    defer { waiting?.resume() }
    return state.withLock { state in
      if state.isCut { return -2 }
      if state.outgoing.isEmpty {
        guard state.isProduced else {
          Self.suspend(&state)
          return 0
        }
        if state.fault?.isReset == true { serving_reset(OpaquePointer(bitPattern: state.connection)) }
        return state.fault == nil ? -1 : -2
      }
      // Bytes passed together are sent as one chunk if no length is stated.
      let most = if case .chunks(let size)? = state.response?.fault { max(1, size) } else { room.count }
      let count = min(room.count, most, state.outgoing.count)
      state.outgoing.prefix(count).withUnsafeBytes { room.copyMemory(from: $0) }
      state.outgoing = state.outgoing.count == count ? [] : state.outgoing.dropFirst(count)
      if state.outgoing.count < Self.roomInBytes / 2 {
        waiting = state.writer
        state.writer = nil
      }
      return count
    }
  }

  /// Records that the server's thread is done with it.
  func end() {
    let task = state.withLock { state in
      state.isOver = true
      return state.task
    }
    task?.cancel()
    wakeAll()
  }

  private func wakeAll() {
    let (reader, writer) = state.withLock { state in
      defer { (state.reader, state.writer) = (nil, nil) }
      return (state.reader, state.writer)
    }
    reader?.resume(throwing: CancellationError())
    writer?.resume(throwing: CancellationError())
  }
}
