import PluginAPI
import Synchronization
import TestSupport
import Testing

@testable import Host

/// The end of calls and clients.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct ServedCancellationTests {
  @Test func `a canceled call ends with its own error code`() async throws {
    let trial = try ServeTrial()
    trial.request(1, "served.hold")
    await trial.plugin.isHeld.wait()
    #expect(try await trial.call("cancel", ["id": 1], id: 2)["result"] == ["canceled": true])
    let error = try await trial.response(to: 1)["error"]
    #expect(error["code"] == -32_800 && error["data"]["code"] == "host.serve-canceled")
    #expect(try await trial.call("cancel", ["id": 1], id: 3)["result"] == ["canceled": false])
    #expect(trial.plugin.runningCount == 0)
    try await trial.end()
  }

  @Test func `calls beyond the limit wait and can be canceled while waiting`() async throws {
    var limits = ServeLimits()
    limits.calls = 1
    let trial = try ServeTrial(limits: limits)
    trial.request(1, "served.hold")
    trial.request(2, "sample.echo", ["a"])
    trial.request(3, "sample.echo", ["b"])
    await trial.plugin.isHeld.wait()
    // Methods that run no command do not wait.
    #expect(try await trial.call("hello")["result"]["protocol"] == 1)
    trial.send(#"{"jsonrpc":"2.0","method":"cancel","params":{"id":2}}"#)
    #expect(try await trial.response(to: 2)["error"]["code"] == -32_800)
    trial.send(#"{"jsonrpc":"2.0","method":"cancel","params":{"id":1}}"#)
    #expect(try await trial.response(to: 3)["result"] == ["b"])
    try await trial.end()
  }

  @Test func `a thousand canceled calls leave nothing running`() async throws {
    let trial = try ServeTrial()
    for id in 1...1000 {
      trial.request(.integer(id), "served.hold")
      trial.send(#"{"jsonrpc":"2.0","method":"cancel","params":{"id":\#(id)}}"#)
    }
    var (open, codes) = (Set(1...1000), Set<Value>())
    while !open.isEmpty, let message = try await trial.next() {
      codes.insert(message["error"]["code"])
      open.remove(message["id"].integer ?? 0)
    }
    #expect(open.isEmpty && codes == [-32_800] && trial.plugin.runningCount == 0)
    #expect(try await trial.call("sample.echo", ["a"])["result"] == ["a"])
    #expect(try await trial.end().isEmpty)
  }

  @Test func `the end of the input cancels running calls`() async throws {
    let trial = try ServeTrial()
    trial.request(1, "served.hold")
    await trial.plugin.isHeld.wait()
    let rest = try await trial.end()
    #expect(rest.map { $0["error"]["code"] } == [-32_800])
    #expect(trial.plugin.runningCount == 0)
  }

  @Test func `at the end of the input, a command that changes data over the network finishes`() async throws {
    let trial = try ServeTrial()
    trial.request(1, "served.finish")
    await trial.plugin.isHeld.wait()
    #expect(try await trial.end().map { $0["result"] } == ["finished"])
  }

  @Test func `a signal cancels running calls like the end of the input`() async throws {
    let trial = try ServeTrial()
    trial.request(1, "served.hold")
    await trial.plugin.isHeld.wait()
    trial.stop()
    #expect(try await trial.ended().map { $0["error"]["code"] } == [-32_800])
  }

  @Test func `a stream pauses while its client does not read, without delaying other clients`() async throws {
    var limits = ServeLimits()
    limits.unreadBytes = 1 << 16
    let (silent, reading) = (try ServeTrial(limits: limits), try ServeTrial())
    silent.request(1, "call", ["command": "served.flood", "stream": true])
    await until { silent.plugin.emittedCount > 0 }
    for _ in 0..<200 { #expect(try await reading.call("sample.echo", ["a"])["result"] == ["a"]) }
    // A pipe takes 64 KiB, and as much waits unread; each value has 10 KB.
    #expect(silent.plugin.emittedCount < 40)
    silent.send(#"{"jsonrpc":"2.0","method":"cancel","params":{"id":1}}"#)
    #expect(try await silent.response(to: 1)["error"]["code"] == -32_800)
    try await silent.end()
    try await reading.end()
  }

  @Test func `stopping the server does not wait for a client that does not read`() async throws {
    var limits = ServeLimits()
    (limits.unreadBytes, limits.flushSeconds) = (1 << 16, 0.01)
    let trial = try ServeTrial(limits: limits)
    trial.request(1, "call", ["command": "served.flood", "stream": true])
    await until { trial.plugin.emittedCount > 0 }
    trial.stop()
    await trial.isOver()
    try await trial.end()
  }

  @Test func `a result too large for one message is refused`() async throws {
    var limits = ServeLimits()
    limits.resultBytes = 1000
    let trial = try ServeTrial(limits: limits)
    let error = try await trial.call("served.long", ["count": 1000])["error"]["data"]
    #expect(error["code"] == "host.serve-result-too-large")
    try await trial.end()
  }

  @Test func `a stream may exceed the largest message, but none of its values may`() async throws {
    var limits = ServeLimits()
    limits.resultBytes = 1000
    let trial = try ServeTrial(limits: limits)
    let many: Value = ["command": "sample.count", "arguments": [200], "stream": true]
    trial.request(1, "call", many)
    var count = 0
    while let message = try await trial.next(), message["method"] == "emit" { count += 1 }
    #expect(count == 200)
    let large: Value = ["command": "served.long", "arguments": [1000], "stream": true]
    #expect(try await trial.call("call", large)["error"]["data"]["code"] == "host.serve-result-too-large")
    try await trial.end()
  }

  @Test func `responses are created only as the client reads`() async throws {
    var limits = ServeLimits()
    (limits.unreadBytes, limits.calls) = (1 << 14, 1)
    let service = CountedService()
    let trial = try ServeTrial(limits: limits, service: service)
    for id in 1...20 { trial.request(.integer(id), "large") }
    await until { service.counts.received == 20 }
    service.isOpen.open()
    await until { service.counts.answered > 0 }
    for _ in 0..<1000 { await Task.yield() }
    #expect(service.counts.answered == 1)
    for id in 1...20 { #expect(try await trial.response(to: .integer(id))["result"].text?.isEmpty == false) }
    #expect(service.counts.answered == 20)
    try await trial.end()
  }

  @Test func `methods that describe commands wait like other calls`() async throws {
    var limits = ServeLimits()
    limits.calls = 1
    let trial = try ServeTrial(limits: limits)
    trial.request(1, "served.hold")
    trial.request(2, "commands")
    trial.request(3, "schema", ["command": "sample.list"])
    await trial.plugin.isHeld.wait()
    #expect(try await trial.call("cancel", ["id": 3], id: 4)["result"] == ["canceled": true])
    trial.send(#"{"jsonrpc":"2.0","method":"cancel","params":{"id":1}}"#)
    let all = try await trial.response(to: 2)["result"]
    #expect(all.list?.contains { $0["method"] == "served.hold" } == true)
    #expect(try await trial.response(to: 3)["error"]["code"] == -32_800)
    #expect(try await trial.call("commands")["result"] == all)
    try await trial.end()
  }

  @Test func `a disconnected client is not removed while its calls run`() async throws {
    var limits = ServeLimits()
    (limits.endSeconds, limits.finishingSeconds) = (0, 0)
    let (trial, other) = (try ServeTrial(limits: limits, isShared: true), try ServeTrial())
    trial.request(1, "served.stubborn")
    await trial.plugin.isHeld.wait()
    trial.closeInput()
    await trial.inputEnd()
    let end = Flag()
    let waiting = Task {
      await trial.isOver()
      end.isSet = true
    }
    for _ in 0..<200 { #expect(try await other.call("sample.echo", ["a"])["result"] == ["a"]) }
    #expect(!end.isSet)
    trial.plugin.isReleased.open()
    await waiting.value
    #expect(try await trial.ended().count == 1)
    try await other.end()
  }

  @Test func `stopping a shared server does not wait for endless calls`() async throws {
    var limits = ServeLimits()
    (limits.endSeconds, limits.finishingSeconds) = (0.01, 0.01)
    let trial = try ServeTrial(limits: limits, isShared: true)
    trial.request(1, "served.stubborn")
    await trial.plugin.isHeld.wait()
    trial.cancel()
    await trial.isOver()
    trial.plugin.isReleased.open()
    try await trial.end()
  }

  @Test func `input is no longer read after the end, even if it remains open`() async throws {
    let trial = try ServeTrial()
    #expect(try await trial.call("sample.echo", ["a"])["result"] == ["a"])
    trial.stop()
    await trial.isOver()
    await trial.inputEnd()
    try await trial.end()
  }
}

@MainActor private final class Flag {
  var isSet = false
}

/// A protocol that counts the requests that it receives and answers, with 200 KB each.
private final class CountedService: ServedProtocol {
  private let state = Mutex<(received: Int, answered: Int)>((0, 0))
  /// Opened to let it answer.
  let isOpen = Door()

  var counts: (received: Int, answered: Int) { state.withLock { $0 } }

  var answersCanceled: Bool { true }

  func takesTurn(_ method: String) -> Bool { true }

  func canceledRequest(by method: String, _ parameters: Value) -> Value? {
    state.withLock { $0.received += 1 }
    return nil
  }

  func response(to request: ServedRequest) async throws -> [UInt8] {
    await isOpen.wait()
    state.withLock { $0.answered += 1 }
    return JSONWriter.bytes(of: .text(String(repeating: "x", count: 200_000)))
  }

  func end() {}
}
