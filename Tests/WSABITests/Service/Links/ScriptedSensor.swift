import Synchronization
import TestSupport

@testable import WSABI

/// A scripted service: responds with success unless scripted otherwise, and records its requests.
final class ScriptedSensor: SensorCaller {
  enum Reply: Sendable {
    case status(OperationStatus)
    case ids([SensorUUID])
    /// Ids beside a status other than success.
    case refused(OperationStatus, [SensorUUID])
    case fault(SensorFault.Kind, SensorFault.Reach)
    /// No response until it was canceled so often at the service; then this.
    indirect case untilCancelled(Reply, times: Int = 1)
    /// No answer until the test says so; then this.
    indirect case held(Reply)
    /// No answer, whatever happens.
    case never
  }

  private struct State {
    var information: WireDictionary
    var asked: [SensorRequest] = []
    var replies: [SensorOperation: [Reply]] = [:]
    var captures = 0
    var sessions = 0
    var running = 0
    var mostRunning = 0
    var cancelled: [(times: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var cancels = 0
    var configuration = WireDictionary()
    var held: [CheckedContinuation<Void, Never>] = []
    var isReleased = false
    var isSilent = false
    var silence: [AsyncStream<Never>.Continuation] = []
  }

  let address: SensorAddress
  /// The data of a download; by id.
  let data: @Sendable (SensorUUID) -> [UInt8]
  private let state: Mutex<State>
  /// Called at each request, before its answer.
  let onAsk: @Sendable (SensorRequest) -> Void

  init(
    _ name: String = "a", information: WireDictionary = WireDictionary(),
    data: @escaping @Sendable (SensorUUID) -> [UInt8] = { Array($0.text.utf8) },
    onAsk: @escaping @Sendable (SensorRequest) -> Void = { _ in }
  ) {
    address = SensorAddress(text: "http://\(name):80", host: name, port: 80, isSecure: false)
    state = Mutex(State(information: information))
    self.data = data
    self.onAsk = onAsk
  }

  /// The requested operations, in order.
  var asked: [SensorOperation] { state.withLock { $0.asked.map(\.operation) } }
  var requests: [SensorRequest] { state.withLock(\.asked) }
  /// The largest number of operations of the sensor that ran at the same time.
  var mostRunning: Int { state.withLock(\.mostRunning) }

  /// Says something else of itself from now on.
  func say(_ information: WireDictionary) { state.withLock { $0.information = information } }

  /// Answers an operation so, the next time and those after it in order.
  func script(_ operation: SensorOperation, _ replies: Reply...) {
    state.withLock { $0.replies[operation, default: []] += replies }
  }

  func serviceInformation(deadlineInSeconds: Double) async throws(SensorFault) -> ServiceInformation {
    let answer = try await ask(SensorRequest(.getServiceInfo), into: nil)
    return ServiceInformation(answer.metadata ?? WireDictionary(), namespace: .bioserv)
  }

  func ask(_ request: SensorRequest, into sink: (any DataSink)?) async throws(SensorFault) -> SensorAnswer {
    onAsk(request)
    let reply: Reply? = state.withLock { state in
      state.asked.append(request)
      if request.operation.isOfSensor {
        state.running += 1
        state.mostRunning = max(state.mostRunning, state.running)
      }
      guard let next = state.replies[request.operation]?.first else { return nil }
      state.replies[request.operation]?.removeFirst()
      return next
    }
    defer { if request.operation.isOfSensor { state.withLock { $0.running -= 1 } } }
    if request.operation == .cancel { wakeCancelled() }
    await Task.yield()
    return try await answer(request, reply, sink)
  }

  private func answer(
    _ request: SensorRequest, _ reply: Reply?, _ sink: (any DataSink)?
  ) async throws(SensorFault) -> SensorAnswer {
    switch reply {
    case .status(let status): return SensorAnswer(status: status, namespace: .bioserv)
    case .ids(let ids): return SensorAnswer(status: .success, captureIDs: ids, namespace: .bioserv)
    case .refused(let status, let ids): return SensorAnswer(status: status, captureIDs: ids, namespace: .bioserv)
    case .fault(let kind, let reach): throw SensorFault(kind, reach, request.operation, address: address.text)
    case .untilCancelled(let then, let times):
      await cancelAtService(times)
      return try await answer(request, then, sink)
    case .held(let then):
      await untilReleased()
      return try await answer(request, then, sink)
    case .never:
      fallSilent()
      await Door().wait()
      throw SensorFault(.cancelled, .unknown, request.operation, address: address.text)
    case nil: return try success(request, sink)
    }
  }

  /// Ends when the service first leaves a request without an answer.
  func untilSilent() -> AsyncStream<Never> {
    let (stream, end) = AsyncStream.makeStream(of: Never.self)
    let isSilent = state.withLock { state in
      state.silence.append(end)
      return state.isSilent
    }
    if isSilent { end.finish() }
    return stream
  }

  private func fallSilent() {
    let waiting = state.withLock { state in
      state.isSilent = true
      return state.silence
    }
    for end in waiting { end.finish() }
  }

  private func success(_ request: SensorRequest, _ sink: (any DataSink)?) throws(SensorFault) -> SensorAnswer {
    var answer = SensorAnswer(status: .success, namespace: .bioserv)
    switch request.operation {
    case .getServiceInfo: answer.metadata = state.withLock(\.information)
    case .register:
      answer.sessionID = state.withLock { state in
        state.sessions += 1
        return SequencePlayer.capture(900 + state.sessions)
      }
    case .capture:
      answer.captureIDs = state.withLock { state in
        state.captures += 1
        return [SequencePlayer.capture(state.captures)]
      }
    case .setConfiguration: state.withLock { $0.configuration = request.configuration ?? WireDictionary() }
    case .getConfiguration: answer.metadata = state.withLock(\.configuration)
    case .download:
      guard let capture = request.capture, let sink else { break }
      let bytes = data(capture)
      do { try bytes.withUnsafeBytes { try sink.write($0) } } catch {
        throw SensorFault(.failed(reason: "sink"), .answered, .download, address: address.text)
      }
      answer.data = SensorData(sizeInBytes: bytes.count, sha256: [])
    default: break
    }
    return answer
  }

  private func wakeCancelled() {
    let waiting = state.withLock { state in
      state.cancels += 1
      let count = state.cancels
      defer { state.cancelled.removeAll { $0.times <= count } }
      return state.cancelled.filter { $0.times <= count }
    }
    for waiter in waiting { waiter.continuation.resume() }
  }

  private func cancelAtService(_ times: Int) async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.cancels >= times { return true }
        state.cancelled.append((times, continuation))
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  /// Has what is held answered.
  func release() {
    let held = state.withLock { state in
      state.isReleased = true
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  private func untilReleased() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isReleased { state.held.append(continuation) }
        return state.isReleased
      }
      if isOver { continuation.resume() }
    }
  }
}
