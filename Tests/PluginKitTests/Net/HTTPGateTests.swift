import Foundation
import PluginAPI
import PluginNet
import TestSupport
import Testing

/// Holding streams back.
struct HTTPGateTests {
  private static let megabytes = [UInt8](repeating: 7, count: 16 << 20)

  /// So much may come after a gate was closed.
  private static let slack = 256 << 10

  @Test(.timeLimit(.minutes(5))) func `a closed gate pauses the server until it is opened`() async throws {
    let server = try FixtureServer { $0.path == "/large" ? FixtureReply(200, Self.megabytes) : .text("x") }
    let (gate, taken) = (HTTPGate(), Tally())
    let client = HTTPClientTests.client()
    let address = server.address
    let begun = AsyncStream.makeStream(of: Void.self)
    let stream = Task {
      try await client.stream(HTTPRequest(address + "/large", limitInBytes: .max), gate: gate) { piece in
        if taken.add(piece.count) == piece.count { gate.close() }
        begun.continuation.yield()
        return .more
      }
    }
    for await _ in begun.stream { break }
    // The thread of all transfers has time for all of the stream meanwhile, and does not take it.
    for _ in 0..<200 { _ = try await client.send(HTTPRequest(address)) }
    #expect(taken.value > 0 && taken.value <= Self.slack)
    #expect(server.sentBytes < Self.megabytes.count)
    gate.open()
    #expect(try await stream.value.status == 200)
    #expect(taken.value == Self.megabytes.count)
  }

  @Test(.timeLimit(.minutes(5)), arguments: [false, true])
  func `a stream that is paused at every chunk arrives whole`(isPacked: Bool) async throws {
    let content = Self.megabytes
    let packed = isPacked ? try GzipFixture.packed(content) : content
    let server = try FixtureServer { _ in
      FixtureReply(200, packed, headers: isPacked ? [("Content-Encoding", "gzip")] : [])
    }
    let (gate, taken) = (HTTPGate(), Tally())
    try await HTTPClientTests.client().stream(HTTPRequest(server.address, limitInBytes: .max), gate: gate) { piece in
      taken.add(piece.count)
      gate.close()
      Thread.detachNewThread { gate.open() }
      return .more
    }
    #expect(taken.value == content.count)
  }

  @Test(.timeLimit(.minutes(5))) func `time at a closed gate does not count as a stall`() async throws {
    let server = try FixtureServer {
      $0.path == "/large"
        ? FixtureReply(200, Self.megabytes) : FixtureReply(200, [1, 2, 3, 4, 5], .drip(milliseconds: 900))
    }
    let (gate, taken) = (HTTPGate(), Tally())
    let client = HTTPClientTests.client()
    var request = HTTPRequest(server.address + "/large", limitInBytes: .max)
    (request.deadlineInSeconds, request.stallInSeconds) = (nil, 3)
    let large = request
    let begun = AsyncStream.makeStream(of: Void.self)
    let stream = Task {
      try await client.stream(large, gate: gate) { piece in
        if taken.add(piece.count) == piece.count { gate.close() }
        begun.continuation.yield()
        return .more
      }
    }
    for await _ in begun.stream { break }
    // Four and a half seconds by the server's clock.
    _ = try await client.send(HTTPRequest(server.address + "/slow"))
    gate.open()
    _ = try await stream.value
    #expect(taken.value == Self.megabytes.count)
  }

  @Test(.timeLimit(.minutes(5))) func `a paused stream can be canceled`() async throws {
    let server = try FixtureServer { _ in FixtureReply(200, Self.megabytes) }
    let gate = HTTPGate()
    let address = server.address
    let begun = AsyncStream.makeStream(of: Void.self)
    let stream = Task {
      try await HTTPClientTests.client().stream(HTTPRequest(address, limitInBytes: .max), gate: gate) { _ in
        gate.close()
        begun.continuation.yield()
        return .more
      }
    }
    for await _ in begun.stream { break }
    stream.cancel()
    await #expect(throws: CancellationError.self) { try await stream.value }
    // Nothing waits there any more.
    gate.open()
  }

  @Test(.timeLimit(.minutes(5)), arguments: [false, true])
  func `a receiver can end a stream that was paused`(isPacked: Bool) async throws {
    let packed = isPacked ? try GzipFixture.packed(Self.megabytes) : Self.megabytes
    let server = try FixtureServer { _ in
      FixtureReply(200, packed, headers: isPacked ? [("Content-Encoding", "gzip")] : [])
    }
    let (gate, taken) = (HTTPGate(), Tally())
    let head = try await HTTPClientTests.client().stream(
      HTTPRequest(server.address, limitInBytes: .max), gate: gate
    ) { piece in
      if taken.add(piece.count) > 1 << 20 { return .enough }
      gate.close()
      Thread.detachNewThread { gate.open() }
      return .more
    }
    #expect(head.status == 200)
    #expect(taken.value > 1 << 20 && taken.value < Self.megabytes.count)
  }

  @Test func `opening a gate without a stream does nothing`() {
    let gate = HTTPGate()
    gate.close()
    #expect(gate.isClosed)
    gate.open()
    #expect(!gate.isClosed)
  }
}
