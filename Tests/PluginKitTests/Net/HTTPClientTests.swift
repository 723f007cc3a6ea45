import Foundation
import PluginAPI
import PluginNet
import TestSupport
import Testing

/// Requests to servers that respond correctly.
struct HTTPClientTests {
  /// Returns a client that retries without delay.
  static func client(isOffline: Bool = false) -> HTTPClient {
    var configuration = HTTPClient.Configuration(isOffline: isOffline)
    configuration.firstDelayInSeconds = 0
    return HTTPClient(configuration)
  }

  @Test func `a response has its status, case-insensitive headers and body`() async throws {
    let server = try FixtureServer { _ in FixtureReply(200, Array("hello".utf8), type: "Text/Plain; charset=utf-8") }
    let answer = try await Self.client().send(HTTPRequest(server.address + "/a?b=c"))
    #expect(answer.head.status == 200 && answer.text == "hello")
    #expect(answer.head.mediaType == "text/plain")
    #expect(answer.head.headers["content-length"] == "5")
    #expect(answer.head.statedLength == 5)
    #expect(server.requests.map(\.target) == ["/a?b=c"])
    #expect(server.requests[0].method == "GET")
  }

  @Test func `a body is sent as POST with the headers given`() async throws {
    let server = try FixtureServer { FixtureReply(200, $0.body) }
    let body = Array("<a>é</a>".utf8)
    let request = HTTPRequest(
      server.address + "/soap", body: body, headers: ["Content-Type": "text/xml", "X-Line": "one\r\nX-Two: two"])
    #expect(try await Self.client().send(request).body == body)
    let asked = try #require(server.requests.first)
    #expect(asked.method == "POST")
    #expect(asked.headers["content-type"] == "text/xml")
    #expect(asked.headers["x-two"] == nil)
    #expect(asked.headers["expect"] == nil)
  }

  @Test func `one connection serves several requests`() async throws {
    let server = try FixtureServer { _ in .text("x") }
    for _ in 0..<5 { _ = try await Self.client().send(HTTPRequest(server.address)) }
    #expect(server.requests.count == 5)
    #expect(server.connections == 1)
  }

  @Test func `a response without a body is valid`() async throws {
    let server = try FixtureServer { _ in FixtureReply(204) }
    let answer = try await Self.client().send(HTTPRequest(server.address))
    #expect(answer.head.status == 204 && answer.body.isEmpty)
  }

  @Test func `an error status is returned, and becomes an error when checked`() async throws {
    let server = try FixtureServer { _ in .text("<html>no</html>", status: 404, type: "text/html") }
    let answer = try await Self.client().send(HTTPRequest(server.address + "/1abc"))
    #expect(answer.head.status == 404 && answer.text == "<html>no</html>")
    #expect(server.requests.count == 1)
    let error = #expect(throws: HTTPError.self) { try answer.head.checked() }
    #expect(error?.report.code == "net.status")
    #expect(error?.report.message.contains("404") == true)
    #expect(error?.report.exitStatus == 6)
  }

  @Test func `gzip is requested as content encoding and uncompressed`() async throws {
    let content = [UInt8](repeating: 65, count: 100_000)
    let packed = try GzipFixture.packed(content)
    let server = try FixtureServer { request in
      FixtureReply(
        200, packed, headers: [("Content-Encoding", "gzip"), ("X-Asked", request.headers["accept-encoding"] ?? "")])
    }
    let answer = try await Self.client().send(HTTPRequest(server.address))
    #expect(answer.body == content)
    #expect(answer.head.headers["x-asked"]?.contains("gzip") == true)
    var raw = HTTPRequest(server.address)
    raw.decodesContent = false
    #expect(try await Self.client().send(raw).body == packed)
  }

  @Test func `redirects are followed, and the response has the final address`() async throws {
    let server = try FixtureServer { $0.path == "/old" ? .redirect("/new") : .text("there") }
    let answer = try await Self.client().send(HTTPRequest(server.address + "/old"))
    #expect(answer.text == "there")
    #expect(answer.head.address == server.address + "/new")
    #expect(answer.head.headers["location"] == nil)
  }

  @Test func `a stream arrives in chunks, and its receiver can end it`() async throws {
    let server = try FixtureServer { _ in FixtureReply(200, [UInt8](repeating: 1, count: 4096), .endless) }
    let taken = Tally()
    let head = try await Self.client().stream(HTTPRequest(server.address, limitInBytes: .max)) { piece in
      taken.add(piece.count) >= 100_000 ? .enough : .more
    }
    #expect(head.status == 200)
    #expect(taken.value >= 100_000 && taken.value < 200_000)
  }

  @Test func `a stream of a hundred megabytes arrives in chunks of at most 64 KiB`() async throws {
    let sent = [UInt8](repeating: 7, count: 1 << 20)
    let server = try FixtureServer { _ in FixtureReply(200, sent, .endless) }
    let (taken, large) = (Tally(), Tally())
    try await Self.client().stream(HTTPRequest(server.address, limitInBytes: .max)) { piece in
      large.add(piece.count > 1 << 16 ? 1 : 0)
      return taken.add(piece.count) >= 100 << 20 ? .enough : .more
    }
    #expect(taken.value >= 100 << 20 && large.value == 0)
  }
}

/// Adds up on any thread.
final class Tally: Sendable {
  private let sum = NSLock()
  nonisolated(unsafe) private var total = 0

  @discardableResult func add(_ count: Int) -> Int {
    sum.lock()
    defer { sum.unlock() }
    total += count
    return total
  }

  var value: Int { add(0) }
}
