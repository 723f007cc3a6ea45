import Foundation
import PluginAPI
import PluginNet
import TestSupport
import Testing

/// Requests to servers that respond incorrectly: each has its own outcome.
struct HTTPFailureTests {
  /// Returns the error of a request.
  private func error(_ request: HTTPRequest, _ client: HTTPClient = HTTPClientTests.client()) async -> HTTPError? {
    do {
      _ = try await client.send(request)
      return nil
    } catch {
      return error as? HTTPError
    }
  }

  @Test func `an offline client sends no request`() async throws {
    let server = try FixtureServer { _ in .text("x") }
    let error = await error(HTTPRequest(server.address), HTTPClientTests.client(isOffline: true))
    #expect(error == .offline(address: server.address))
    #expect(error?.report.code == "net.offline" && error?.report.exitStatus == 6)
    #expect(server.connections == 0)
  }

  @Test(arguments: ["", "files.rcsb.org", "ftp://host/x", "file:///etc/passwd", "http://", "http://a b/", "https:///x"])
  func `an address that is not HTTP is refused`(address: String) async {
    #expect(await error(HTTPRequest(address))?.report.code == "net.bad-address")
  }

  @Test func `a refused connection is reported in the system's words`() async throws {
    let server = try FixtureServer { _ in .text("x") }
    server.stop()
    let report = await error(HTTPRequest(server.address))?.report
    #expect(report?.code == "net.not-connected")
    #expect(report?.message.contains("Connection refused") == true)
  }

  @Test func `an unknown host name is an error`() async {
    // No name server is asked for a label of more than 63 letters (RFC 1035, section 2.3.4).
    let code = await error(HTTPRequest("http://" + String(repeating: "a", count: 64) + ".test/"))?.report.code
    #expect(code == "net.unknown-host")
  }

  @Test(.timeLimit(.minutes(5))) func `a response that arrives too slowly ends at the deadline`() async throws {
    let server = try FixtureServer { _ in FixtureReply(200, [UInt8](repeating: 1, count: 1000), .drip(milliseconds: 50))
    }
    var request = HTTPRequest(server.address)
    request.deadlineInSeconds = 2
    #expect(await error(request) == .timedOut(host: "127.0.0.1", seconds: 2))
  }

  @Test(.timeLimit(.minutes(5))) func `a response that stalls times out`() async throws {
    let server = try FixtureServer { _ in FixtureReply(200, [1, 2, 3], .stuck(after: 1)) }
    var request = HTTPRequest(server.address)
    (request.deadlineInSeconds, request.stallInSeconds) = (nil, 2)
    #expect(await error(request) == .timedOut(host: "127.0.0.1", seconds: 2))
  }

  @Test func `a body above the limit is refused, with or without a stated length`() async throws {
    let server = try FixtureServer { request in
      FixtureReply(200, [UInt8](repeating: 1, count: 1 << 20), request.path == "/stated" ? .whole : .endless)
    }
    for path in ["/stated", "/endless"] {
      let error = await error(HTTPRequest(server.address + path, limitInBytes: 100_000))
      #expect(error == .tooLarge(address: server.address + path, limitInBytes: 100_000))
    }
  }

  @Test func `the limit applies to the uncompressed body`() async throws {
    let packed = try GzipFixture.packed([UInt8](repeating: 0, count: 50 << 20))
    #expect(packed.count < 100_000)
    let server = try FixtureServer { _ in FixtureReply(200, packed, headers: [("Content-Encoding", "gzip")]) }
    let error = await error(HTTPRequest(server.address, limitInBytes: 1 << 20))
    #expect(error?.report.code == "net.too-large")
  }

  @Test func `content that does not match its stated encoding is damaged`() async throws {
    let server = try FixtureServer { _ in
      FixtureReply(200, Array("no gzip at all".utf8), headers: [("Content-Encoding", "gzip")])
    }
    #expect(await error(HTTPRequest(server.address))?.report.code == "net.damaged")
  }

  @Test func `a redirect loop ends with an error`() async throws {
    let server = try FixtureServer { _ in .redirect("/again") }
    #expect(await error(HTTPRequest(server.address)) == .tooManyRedirects(address: server.address, limit: 5))
    #expect(server.requests.count == 6)
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x"])
  func `a redirect to another protocol is refused`(target: String) async throws {
    let server = try FixtureServer { _ in .redirect(target) }
    #expect(await error(HTTPRequest(server.address))?.report.code == "net.protocol-refused")
  }

  @Test func `a connection lost before the whole response is retried a limited number of times`() async throws {
    let calls = Tally()
    let server = try FixtureServer { _ in
      calls.add(1) < 3 ? FixtureReply(200, Array("whole".utf8), .reset(after: 2)) : .text("whole")
    }
    #expect(try await HTTPClientTests.client().send(HTTPRequest(server.address)).text == "whole")
    let always = try FixtureServer { _ in FixtureReply(200, Array("whole".utf8), .cut(after: 2)) }
    #expect(await error(HTTPRequest(always.address))?.report.code == "net.cut-short")
    #expect(always.requests.count == 3)
  }

  @Test func `a request that may not be repeated is sent once`() async throws {
    let server = try FixtureServer { _ in FixtureReply(200, Array("whole".utf8), .cut(after: 2)) }
    #expect(await error(HTTPRequest(server.address, body: [1]))?.report.code == "net.cut-short")
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [429, 502, 503, 504]) func `a request to a busy server is retried`(status: Int) async throws {
    let calls = Tally()
    let server = try FixtureServer { _ in
      calls.add(1) == 1 ? FixtureReply(status, headers: [("Retry-After", "0")]) : .text("here")
    }
    #expect(try await HTTPClientTests.client().send(HTTPRequest(server.address)).text == "here")
    #expect(server.requests.count == 2)
  }

  @Test func `a request is not retried if the server demands a long wait`() async throws {
    let server = try FixtureServer { _ in FixtureReply(429, headers: [("Retry-After", "3600")]) }
    let answer = try await HTTPClientTests.client().send(HTTPRequest(server.address))
    #expect(server.requests.count == 1)
    let report = #expect(throws: HTTPError.self) { try answer.head.checked() }?.report
    #expect(report?.code == "net.busy" && report?.isRetryable == true)
    #expect(report?.advice == "try again in 3600 s")
  }

  @Test(arguments: [400, 401, 403, 404, 410]) func `a request with a client error is not retried`(status: Int)
    async throws
  {
    let server = try FixtureServer { _ in FixtureReply(status) }
    _ = try await HTTPClientTests.client().send(HTTPRequest(server.address))
    #expect(server.requests.count == 1)
  }

  @Test func `an error of the receiver ends the request and is thrown`() async throws {
    struct Enough: Error {}
    let server = try FixtureServer { _ in FixtureReply(200, [1], .endless) }
    await #expect(throws: Enough.self) {
      try await HTTPClientTests.client().stream(HTTPRequest(server.address)) { _ in throw Enough() }
    }
    await #expect(throws: Enough.self) {
      try await HTTPClientTests.client().stream(
        HTTPRequest(server.address), onHead: { _ in throw Enough() }, receive: { _ in .more })
    }
  }

  @Test(.timeLimit(.minutes(5))) func `canceling a stalled request does not wait for the server`() async throws {
    let server = try FixtureServer { _ in FixtureReply(200, [UInt8](repeating: 1, count: 1000), .stuck(after: 10)) }
    for _ in 0..<5 {
      let task = Task { try await HTTPClientTests.client().send(HTTPRequest(server.address)) }
      #expect(await Task.detached { server.waitForBody() }.value)
      task.cancel()
      let result = await task.result
      #expect(throws: CancellationError.self) { try result.get() }
    }
  }

  @Test func `a canceled task sends no request`() async throws {
    let server = try FixtureServer { _ in .text("x") }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await HTTPClientTests.client().send(HTTPRequest(server.address))
    }
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(server.requests.isEmpty)
  }
}
