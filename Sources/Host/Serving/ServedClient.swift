import Glibc
import PluginAPI
import Synchronization

/// One client of `serve`: its requests, which run at the same time, and their responses.
final class ServedClient: Sendable {
  /// A request that is not answered yet.
  private enum Call {
    /// It waits for its turn.
    case waiting(ServedRequest)
    case running(Task<Void, Never>, takesTurn: Bool, finishes: Bool)
  }

  private struct State {
    var calls: [Value: Call] = [:]
    /// The ids of the calls that wait, in order.
    var waiting: [Value] = []
    var waitingBytes = 0
    /// The number of running calls that take turns.
    var runningCount = 0
    /// Requests to the client.
    var questions: [Value: CheckedContinuation<Value, Never>] = [:]
    var lastQuestion = 0
    var isEnding = false
    var hasEnded = false
    var ended: CheckedContinuation<Void, Never>?
    /// A Boolean value indicating whether the input is not read any more.
    var hasInputEnded = false
    var inputEnded: CheckedContinuation<Void, Never>?
    /// The two ends of the connection that ends a wait for input; -1 while nothing waits.
    var wake: (reading: Int32, writing: Int32) = (-1, -1)
  }

  private static let timers = WorkQueue("workbench.serve-timers")

  let limits: ServeLimits
  private let input: Int32
  private let output: ServeOutput
  private let service: any ServedProtocol
  private let isShared: Bool
  private let state = Mutex(State())

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - input: The descriptor that its messages come from; it stays open.
  ///   - output: The descriptor for messages to it; it stays open, and may be the same.
  ///   - isShared: True if the server has other clients: ``run()`` then waits for all calls, unless its task is canceled.
  init(input: Int32, output: Int32, service: any ServedProtocol, limits: ServeLimits, isShared: Bool = false) {
    (self.input, self.service, self.limits, self.isShared) = (input, service, limits, isShared)
    self.output = ServeOutput(descriptor: output, limit: limits.unreadBytes)
  }

  /// Serves the client until its input ends, ``end()`` is called or the task is canceled, and until its calls ended.
  func run() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasEnded = state.withLock { state in
          if !state.hasEnded { state.ended = continuation }
          return state.hasEnded
        }
        if hasEnded { continuation.resume() }
        let wake = openWake()
        WorkQueue("workbench.serve-input", isUrgent: true).async { self.readMessages(wake: wake) }
      }
    } onCancel: {
      end()
      if isShared { abandonLateCalls() }
    }
    await output.end(withinSeconds: limits.flushSeconds)
    await service.end()
  }

  /// Waits until nothing reads the input any more, which is soon after ``run()``.
  func inputEnd() async {
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        if !state.hasInputEnded { state.inputEnded = continuation }
        return state.hasInputEnded
      }
      if hasEnded { continuation.resume() }
    }
  }

  /// Cancels all calls; calls that finish their work get more time than others.
  func end() {
    let open = state.withLock { state -> OpenWork? in
      if state.isEnding { return nil }
      state.isEnding = true
      defer { (state.waiting, state.waitingBytes, state.questions) = ([], 0, [:]) }
      for id in state.waiting {
        // Before the connection can end, which it does once no call is left.
        answerCanceled(id)
        state.calls[id] = nil
      }
      var byte: UInt8 = 0
      if state.wake.writing >= 0 { _ = write(state.wake.writing, &byte, 1) }
      let tasks = state.calls.values.compactMap { if case .running(let task, _, _) = $0 { task } else { nil } }
      return OpenWork(tasks: tasks, questions: Array(state.questions.values))
    }
    guard let open else { return }
    for task in open.tasks { task.cancel() }
    for question in open.questions { question.resume(returning: nil) }
    resumeIfDone()
    // One of several clients keeps its slot, so that it cannot accumulate calls that do not end.
    if !isShared { abandonLateCalls() }
  }

  private func abandonLateCalls() {
    Self.timers.async(afterSeconds: limits.endSeconds) { [weak self] in self?.abandonCalls(isFinal: false) }
    Self.timers.async(afterSeconds: limits.finishingSeconds) { [weak self] in self?.abandonCalls(isFinal: true) }
  }

  /// Opens the connection that ends a wait for input.
  ///
  /// - Returns: The descriptor to wait for; -1 if there are no descriptors left.
  private func openWake() -> Int32 {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return -1 }
    state.withLock { $0.wake = (ends[0], ends[1]) }
    return ends[0]
  }

  /// The work at the end of the connection.
  private struct OpenWork: Sendable {
    var tasks: [Task<Void, Never>]
    /// The requests to the client.
    var questions: [CheckedContinuation<Value, Never>]
  }

  private func resumeIfDone() {
    let ended = state.withLock { state in
      state.isEnding && state.calls.isEmpty ? Self.takeEnd(&state) : nil
    }
    ended?.resume()
  }

  /// Ends without the calls that do not end.
  private func abandonCalls(isFinal: Bool) {
    let ended = state.withLock { state -> CheckedContinuation<Void, Never>? in
      let finishes = state.calls.values.contains { if case .running(_, _, finishes: true) = $0 { true } else { false } }
      return isFinal || !finishes ? Self.takeEnd(&state) : nil
    }
    ended?.resume()
  }

  private static func takeEnd(_ state: inout State) -> CheckedContinuation<Void, Never>? {
    state.hasEnded = true
    defer { state.ended = nil }
    return state.ended
  }
}

// MARK: - Messages of the client

extension ServedClient {
  /// Reads messages until the input ends.
  private func readMessages(wake: Int32) {
    var splitter = LineSplitter(limit: limits.lineBytes)
    while let chunk = nextChunk(wake: wake) {
      for piece in splitter.pieces(adding: chunk) { receive(piece) }
    }
    if !isEnding, let line = splitter.takeRemainder() { receive(.line(line)) }
    end()
    let ended = state.withLock { state in
      state.hasInputEnded = true
      for descriptor in [state.wake.reading, state.wake.writing] where descriptor >= 0 { close(descriptor) }
      state.wake = (-1, -1)
      defer { state.inputEnded = nil }
      return state.inputEnded
    }
    ended?.resume()
  }

  private var isEnding: Bool { state.withLock { $0.isEnding } }

  /// Returns the next bytes; nil at the end.
  private func nextChunk(wake: Int32) -> [UInt8]? {
    while true {
      output.waitForRoom()
      var ready = [input, wake].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      if !isEnding { poll(&ready, nfds_t(ready.count), wake < 0 ? 100 : -1) }
      if isEnding { return nil }
      if ready[0].revents == 0 { continue }
      do throws(HostFileError) {
        return try HostFile.readChunk(input, named: "the input of the client")
      } catch {
        if case .cannot(_, _, code: EAGAIN) = error { continue }
        return nil
      }
    }
  }

  private func receive(_ piece: LineSplitter.Piece) {
    if !output.hasRoom { output.waitForRoom() }
    switch piece {
    case .tooLong: refuse(nil, ServeError.lineTooLong(limit: limits.lineBytes))
    case .line(let line):
      if line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { return }
      do throws(RPCMessage.Problem) {
        receive(try RPCMessage(line: line), bytes: line.count)
      } catch {
        switch error.kind {
        case .notJSON: refuse(nil, ServeError.notJSON(error.message))
        case .notAMessage: refuse(error.id, ServeError.badRequest(error.message))
        }
      }
    }
  }

  private func receive(_ message: RPCMessage, bytes: Int) {
    switch message {
    case .request(let id, let method, let parameters):
      if let canceled = service.canceledRequest(by: method, parameters) {
        let json = JSONWriter.bytes(of: ["canceled": .bool(cancel(canceled))])
        output.write(RPCMessage.line(answering: id, .result, json: json))
      } else {
        start(id, method, parameters, bytes: bytes)
      }
    case .notification(let method, let parameters):
      if let canceled = service.canceledRequest(by: method, parameters) { _ = cancel(canceled) }
    case .result(let id, let value): takeQuestion(id)?.resume(returning: value)
    case .failure(let id, _): takeQuestion(id)?.resume(returning: nil)
    }
  }

  /// Cancels a request.
  ///
  /// - Returns: False if there is none of that id.
  private func cancel(_ id: Value) -> Bool {
    let call = state.withLock { state -> Call? in
      guard let call = state.calls[id] else { return nil }
      if case .waiting(let request) = call {
        state.calls[id] = nil
        state.waiting.removeAll { $0 == id }
        state.waitingBytes -= request.bytes
      }
      return call
    }
    switch call {
    case .waiting: answerCanceled(id)
    case .running(let task, _, _): task.cancel()
    case nil: return false
    }
    return true
  }

  private func answerCanceled(_ id: Value) {
    if service.answersCanceled { refuse(id, CancellationError()) }
  }

  private func refuse(_ id: Value, _ error: any Error) {
    output.write(Self.line(answering: id, error))
  }

  private static func line(answering id: Value, _ error: any Error) -> [UInt8] {
    RPCMessage.line(answering: id, .error, json: JSONWriter.bytes(of: RPCFailure(served: error).json))
  }
}

// MARK: - Calls

extension ServedClient {
  private func start(_ id: Value, _ method: String, _ parameters: Value, bytes: Int) {
    do throws(ErrorReport) {
      let parameters = try service.decoded(parameters, of: method)
      start(ServedRequest(id: id, method: method, parameters: parameters, bytes: bytes, client: self))
    } catch {
      refuse(id, error)
    }
  }

  private func start(_ request: ServedRequest) {
    let takesTurn = service.takesTurn(request.method)
    let refusal = state.withLock { state -> ErrorReport? in
      if state.isEnding { return ServeError.canceled }
      if state.calls[request.id] != nil {
        return ServeError.badRequest("the id \(request.id.shortText) is in use by an unanswered request")
      }
      if state.calls.count >= limits.openRequests {
        return ServeError.busy("more than \(limits.openRequests) requests are unanswered")
      }
      guard takesTurn, state.runningCount >= limits.calls else {
        begin(request, takesTurn: takesTurn, &state)
        return nil
      }
      if state.waitingBytes + request.bytes > limits.waitingBytes {
        return ServeError.busy("requests of more than \(limits.waitingBytes >> 20) MiB wait for their turn")
      }
      state.calls[request.id] = .waiting(request)
      state.waiting.append(request.id)
      state.waitingBytes += request.bytes
      return nil
    }
    if let refusal { refuse(request.id, refusal) }
  }

  private func begin(_ request: ServedRequest, takesTurn: Bool, _ state: inout State) {
    if takesTurn { state.runningCount += 1 }
    // It cannot end before it is recorded, as its end waits for the lock.
    let task = Task { @MainActor in await self.perform(request) }
    state.calls[request.id] = .running(task, takesTurn: takesTurn, finishes: false)
  }

  @MainActor private func perform(_ request: ServedRequest) async {
    var line: [UInt8]
    do {
      try Task.checkCancellation()
      // Responses are not made before the client has read others.
      try await waitForRoom()
      let json = try await service.response(to: request)
      try await waitForRoom()
      if json.count > ServeLimits.quickBytes { return await finishOffActor(request, json) }
      line = RPCMessage.line(answering: request.id, .result, json: json)
    } catch {
      line = error is CancellationError && !service.answersCanceled ? [] : Self.line(answering: request.id, error)
    }
    finish(request, line)
  }

  /// Waits until the client has read enough.
  ///
  /// - Throws: `CancellationError` if the task was canceled before that.
  private func waitForRoom() async throws {
    while !output.hasRoom, !Task.isCancelled { await output.room() }
    if !output.hasRoom { throw CancellationError() }
  }

  /// Ends a request with a large result.
  @concurrent private func finishOffActor(_ request: ServedRequest, _ json: [UInt8]) async {
    finish(request, RPCMessage.line(answering: request.id, .result, json: json))
  }

  /// Ends a request: its id is free, and the next call has its turn.
  private func finish(_ request: ServedRequest, _ line: [UInt8]) {
    state.withLock { state in
      if case .running(_, takesTurn: true, _) = state.calls.removeValue(forKey: request.id) { state.runningCount -= 1 }
      if !line.isEmpty { output.write(line) }
      guard state.runningCount < limits.calls, let next = state.waiting.first else { return }
      state.waiting.removeFirst()
      guard case .waiting(let waiting) = state.calls[next] else { return }
      state.waitingBytes -= waiting.bytes
      begin(waiting, takesTurn: true, &state)
    }
    if output.isClosed { end() }
    resumeIfDone()
  }

  /// Records that a call finishes its work after cancellation.
  func finishes(_ id: Value) {
    state.withLock { state in
      guard case .running(let task, let takesTurn, _) = state.calls[id] else { return }
      state.calls[id] = .running(task, takesTurn: takesTurn, finishes: true)
    }
  }
}

// MARK: - Messages to the client

extension ServedClient {
  /// Sends a notification that may be left out.
  ///
  /// - Returns: False if it was left out, as the client does not read.
  @discardableResult
  func notify(_ method: String, _ parameters: Value) -> Bool {
    guard output.hasRoom else { return false }
    output.write(RPCMessage.notification(method: method, parameters: parameters).line)
    return true
  }

  /// Sends the line of a notification, once the client has read enough.
  ///
  /// - Throws: `CancellationError` if the task was canceled in the meantime.
  func send(_ line: [UInt8]) async throws {
    while !output.hasRoom {
      try Task.checkCancellation()
      await output.room()
    }
    output.write(line)
    if output.isClosed {
      // The client has ended, though its input may still be open elsewhere.
      end()
      throw CancellationError()
    }
  }

  /// Sends a request to the client and waits for its response.
  ///
  /// - Returns: The result; null if the client responded with an error or has ended.
  /// - Throws: `CancellationError` if the task was canceled.
  func ask(_ method: String, _ parameters: Value) async throws -> Value {
    let id: Value = state.withLock { state in
      state.lastQuestion += 1
      return .text("ask-\(state.lastQuestion)")
    }
    let response = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Value, Never>) in
        let isOpen = state.withLock { state in
          if state.isEnding || Task.isCancelled { return false }
          state.questions[id] = continuation
          return true
        }
        guard isOpen else { return continuation.resume(returning: nil) }
        output.write(RPCMessage.request(id: id, method: method, parameters: parameters).line)
      }
    } onCancel: {
      takeQuestion(id)?.resume(returning: nil)
    }
    try Task.checkCancellation()
    return response
  }

  private func takeQuestion(_ id: Value) -> CheckedContinuation<Value, Never>? {
    state.withLock { $0.questions.removeValue(forKey: id) }
  }
}
