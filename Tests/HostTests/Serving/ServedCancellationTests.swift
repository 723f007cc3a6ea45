import PluginAPI
import TestSupport
import Testing

@testable import Host

/// The end of calls and clients.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct ServedCancellationTests {
  @Test func `a canceled call ends with an error of its own`() async throws {
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

  @Test func `calls beyond the limit wait, and can be canceled while they wait`() async throws {
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

  @Test func `a thousand canceled calls leave nothing that runs`() async throws {
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

  @Test func `a command that changes something over the network finishes at the end`() async throws {
    let trial = try ServeTrial()
    trial.request(1, "served.finish")
    await trial.plugin.isHeld.wait()
    #expect(try await trial.end().map { $0["result"] } == ["finished"])
  }

  @Test func `a signal ends the server as the end of the input does`() async throws {
    let trial = try ServeTrial()
    trial.request(1, "served.hold")
    await trial.plugin.isHeld.wait()
    trial.stop()
    #expect(try await trial.ended().map { $0["error"]["code"] } == [-32_800])
  }

  @Test func `a stream stops while the client does not read, and other clients go on`() async throws {
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

  @Test func `a server that is ended does not wait for a client that does not read`() async throws {
    var limits = ServeLimits()
    (limits.unreadBytes, limits.flushSeconds) = (1 << 16, 0.01)
    let trial = try ServeTrial(limits: limits)
    trial.request(1, "call", ["command": "served.flood", "stream": true])
    await until { trial.plugin.emittedCount > 0 }
    trial.stop()
    await trial.isOver()
    try await trial.end()
  }

  @Test func `a result that is too large for one message is refused`() async throws {
    var limits = ServeLimits()
    limits.resultBytes = 1000
    let trial = try ServeTrial(limits: limits)
    let error = try await trial.call("served.long", ["count": 1000])["error"]["data"]
    #expect(error["code"] == "host.serve-result-too-large")
    let streamed: Value = ["command": "served.long", "arguments": [1000], "stream": true]
    #expect(try await trial.call("call", streamed)["result"] == ["emitted": 1])
    try await trial.end()
  }
}
