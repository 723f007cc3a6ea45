import Foundation
import PluginAPI
import PluginNet
import PluginServer
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HTTPServerTests {
  private func client(_ change: (inout HTTPClient.Configuration) -> Void = { _ in }) -> HTTPClient {
    var configuration = HTTPClient.Configuration(isOffline: false)
    configuration.repeatLimit = 0
    change(&configuration)
    return HTTPClient(configuration)
  }

  /// Returns the code of a request's error; the status if there is none.
  private func outcome(_ server: HTTPServer, _ path: String = "/", deadline: Double = 120) async -> String {
    var request = HTTPRequest(server.url + path)
    request.deadlineInSeconds = deadline
    do {
      let answer = try await client().send(request)
      return "\(answer.head.status) \(answer.text)"
    } catch {
      return (error as? HTTPError)?.report.code ?? "\(error)"
    }
  }

  @Test func `a handler receives method, path, query, fields and body, and its response is sent`() async throws {
    let server = try HTTPServer { request in
      let body = try await request.body.whole()
      let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
      let words = [request.method, request.path, query, request.header("x-kind") ?? "", "\(body.count)"]
      return ServerResponse(
        201, headers: [.init("X-Answer", "yes")], .bytes(Array(words.joined(separator: "|").utf8)))
    }
    var request = HTTPRequest(server.url + "/a%20b/c%2Fd?x=1%262&y=&z&x=a+b", body: [1, 2, 3])
    request.headers["X-Kind"] = "test"
    let answer = try await client().send(request)
    #expect(answer.head.status == 201 && answer.head.headers["X-Answer"] == "yes")
    #expect(answer.text == "POST|/a b/c/d|x=1&2;y=;z=;x=a b|test|3")
    await server.stop()
  }

  @Test func `connections are reused, and a small response is sent in one piece`() async throws {
    let server = try HTTPServer { ServerResponse(text: "\($0.path)!") }
    let texts = ["/one", "/two", "/three"].map { "GET \($0) HTTP/1.1\r\nHost: x\r\n\r\n" }
    let answers = await RawClient.talk(server.port, texts, until: "!")
    #expect(answers.map(\.count) == [1, 1, 1])
    #expect(answers.allSatisfy { $0.first?.hasPrefix("HTTP/1.1 200 OK\r\n") == true })
    await server.stop()
  }

  @Test func `a server responds while every thread of the task pool is blocked`() async throws {
    let server = try HTTPServer { ServerResponse(text: "\($0.path)!") }
    let answered = DispatchSemaphore(value: 0)
    let cores = ProcessInfo.processInfo.activeProcessorCount
    for _ in 0..<cores { Task { Self.block(on: answered) } }
    let script = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=60).read().decode())"
    let outcome = try BuiltProgram.run(
      URL(fileURLWithPath: "/usr/bin/python3"), ["-c", script, server.url + "/busy"])
    for _ in 0..<cores { answered.signal() }
    #expect(outcome.status == 0 && outcome.output == "/busy!\n", "\(outcome.errors)")
    await server.stop()
  }

  private static func block(on semaphore: DispatchSemaphore) { semaphore.wait() }

  @Test func `an error of the handler becomes status 500`() async throws {
    struct Trouble: Error {}
    let server = try HTTPServer { _ in throw Trouble() }
    #expect(await outcome(server) == "500 the server failed\n")
    await server.stop()
  }

  @Test(.enabled(if: TLSServer.isAvailable, "openssl is not installed"))
  func `clients that trust the certificate connect by HTTPS`()
    async throws
  {
    // Another server's certificate, with its key beside it.
    let identity = try TLSServer([:])
    let key = identity.certificate.deletingLastPathComponent().appendingPathComponent("key.pem")
    var configuration = HTTPServer.Configuration()
    configuration.certificate = Array(try Data(contentsOf: identity.certificate))
    configuration.key = Array(try Data(contentsOf: key))
    let server = try HTTPServer(configuration) { ServerResponse(text: "safe \($0.path)") }
    let request = HTTPRequest("https://localhost:\(server.port)/x")
    let pinned = client { $0.pins = ["localhost": .init([identity.pin], trustsAlone: true)] }
    #expect(try await pinned.send(request).text == "safe /x")
    let signed = client { $0.certificates = identity.certificate.path }
    #expect(try await signed.send(request).text == "safe /x")
    await #expect(throws: HTTPError.self) { try await client().send(request) }
    await server.stop()
  }

  @Test(.enabled(if: TLSServer.isAvailable, "openssl is not installed"))
  func `clients without a known certificate are refused if one is required`() async throws {
    // Each signed its own: the client's is its authority too.
    let (identity, known, stranger) = (try TLSServer([:]), try TLSServer([:]), try TLSServer([:]))
    func key(_ server: TLSServer) -> URL {
      server.certificate.deletingLastPathComponent().appendingPathComponent("key.pem")
    }
    var configuration = HTTPServer.Configuration()
    configuration.certificate = Array(try Data(contentsOf: identity.certificate))
    configuration.key = Array(try Data(contentsOf: key(identity)))
    configuration.clientAuthorities = Array(try Data(contentsOf: known.certificate))
    let asked = Counter()
    let server = try HTTPServer(configuration) { _ in
      asked.add(1)
      return ServerResponse(text: "known")
    }
    let request = HTTPRequest("https://localhost:\(server.port)/")
    func answer(_ shown: TLSServer?) async -> String? {
      let client = client {
        $0.pins = ["localhost": .init([identity.pin], trustsAlone: true)]
        $0.clientCertificate = shown?.certificate.path
        $0.clientKey = shown.map { key($0).path }
      }
      return try? await client.send(request).text
    }
    #expect(await answer(nil) == nil)
    #expect(await answer(stranger) == nil)
    #expect(asked.value == 0)
    #expect(await answer(known) == "known")
    await server.stop()
  }

  /// A connection without room is delayed by seconds, and finally abandoned by its client.
  @Test func `the queue of waiting connections is as long as the system allows`() async throws {
    let server = try HTTPServer { _ in ServerResponse() }
    let text = try String(contentsOfFile: "/proc/sys/net/core/somaxconn", encoding: .utf8)
    let system = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(try #require(Self.room(ofListenerAt: server.port)) == min(system, 4096))
    await server.stop()
  }

  /// Returns the number of connections that may wait at a listener of this process.
  ///
  /// - Source: Linux, net/ipv4/tcp.c (`tcp_get_info`: of a listener `tcpi_sacked` is its backlog).
  private static func room(ofListenerAt port: Int) -> Int? {
    for descriptor in Int32(0)..<20_000 {
      var isListening: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0, isListening != 0 else {
        continue
      }
      var name = sockaddr_in()
      size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isNamed = withUnsafeMutableBytes(of: &name) { bytes in
        bytes.baseAddress.map { getsockname(descriptor, $0.assumingMemoryBound(to: sockaddr.self), &size) == 0 }
          ?? false
      }
      guard isNamed, Int(UInt16(bigEndian: name.sin_port)) == port else { continue }
      var facts = [UInt32](repeating: 0, count: 64)
      size = socklen_t(4 * facts.count)
      guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &facts, &size) == 0 else { return nil }
      return Int(facts[7])
    }
    return nil
  }

  @Test func `requests are handled concurrently`() async throws {
    // No request is answered before all have arrived.
    let gate = Gate(count: 30)
    let server = try HTTPServer { request in
      await gate.pass()
      return ServerResponse(text: request.path)
    }
    let texts = await withTaskGroup(of: String.self) { group in
      for number in 0..<30 { group.addTask { await outcome(server, "/\(number)") } }
      return await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(texts == Set((0..<30).map { "200 /\($0)" }))
    await server.stop()
  }

  @Test func `a large body arrives in chunks, at the rate of its reader`() async throws {
    let server = try HTTPServer { request in
      var (sum, largest) = (0, 0)
      while let piece = try await request.body.next() {
        sum += piece.count
        largest = max(largest, piece.count)
      }
      return ServerResponse(text: "\(sum) \(largest <= 1 << 20)")
    }
    let body = [UInt8](repeating: 7, count: 40 << 20)
    #expect(try await client().send(HTTPRequest(server.url, body: body)).text == "\(40 << 20) true")
    await server.stop()
  }

  @Test func `a large response is produced at the rate of its client`() async throws {
    let (made, taken) = (Counter(), Counter())
    let total = 200 << 20
    let server = try HTTPServer { _ in
      ServerResponse(
        200,
        .stream(length: nil) { out in
          let piece = [UInt8](repeating: 1, count: 1 << 18)
          for _ in 0..<total / piece.count {
            try await out.write(piece)
            made.add(piece.count)
          }
        })
    }
    let ahead = Counter()
    var request = HTTPRequest(server.url)
    request.limitInBytes = total
    try await client().stream(request) { piece in
      taken.add(piece.count)
      ahead.raise(to: made.value - taken.value)
      return .more
    }
    #expect(taken.value == total)
    // The system's buffers on both sides of a connection, and the bytes ready to be sent.
    #expect(ahead.value < 64 << 20)
    await server.stop()
  }

  @Test func `writing a stream fails once its client disconnects`() async throws {
    let ended = Gate(count: 2)
    let server = try HTTPServer { _ in
      ServerResponse(
        200,
        .stream(length: nil) { out in
          do { while true { try await out.write([UInt8](repeating: 1, count: 1 << 16)) } } catch {
            await ended.pass()
            throw error
          }
        })
    }
    try await client().stream(HTTPRequest(server.url)) { _ in .enough }
    await ended.pass()
    await server.stop()
  }

  @Test func `a stopping server finishes its responses and accepts no more requests`() async throws {
    let (arrived, goes) = (Gate(count: 2), Gate(count: 2))
    let server = try HTTPServer { _ in
      await arrived.pass()
      await goes.pass()
      return ServerResponse(text: "done")
    }
    async let answer = outcome(server)
    await arrived.pass()
    async let stopped: Void = server.stop(deadlineInSeconds: 60)
    // Refused as soon as the server has begun to stop.
    while await outcome(server, deadline: 1) != "net.not-connected" {}
    await goes.pass()
    await stopped
    #expect(await answer == "200 done")
  }

  @Test func `servers can be stopped while clients connect and disconnect`() async throws {
    for _ in 0..<50 {
      let server = try HTTPServer { _ in ServerResponse(text: "x") }
      let outcomes = await withTaskGroup(of: String.self) { group in
        for _ in 0..<12 { group.addTask { await outcome(server) } }
        group.addTask {
          await server.stop(deadlineInSeconds: 0)
          return "net."
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.allSatisfy { $0 == "200 x" || $0.hasPrefix("net.") && $0 != "net.timed-out" })
    }
  }

  @Test func `stopping cuts off responses that miss the deadline`() async throws {
    let begun = Gate(count: 2)
    let isFirst = Counter()
    let server = try HTTPServer { _ in
      ServerResponse(
        200,
        .stream(length: nil) { out in
          while true {
            try await out.write([UInt8](repeating: 1, count: 1 << 16))
            if isFirst.value == 0 {
              isFirst.add(1)
              await begun.pass()
            }
          }
        })
    }
    let url = server.url
    async let end = { () async -> String in
      do {
        try await client().stream(HTTPRequest(url, limitInBytes: .max)) { _ in .more }
        return "ended"
      } catch { return (error as? HTTPError)?.report.code ?? "\(error)" }
    }()
    await begun.pass()
    await server.stop(deadlineInSeconds: 0)
    #expect(["net.cut-short", "net.failed"].contains(await end))
    // A second time does nothing.
    await server.stop()
  }

  @Test func `malformed requests are refused, and the server continues`() async throws {
    var configuration = HTTPServer.Configuration()
    configuration.bodyInBytes = 1000
    configuration.headInBytes = 4096
    let server = try HTTPServer(configuration) { request in
      ServerResponse(text: "\(try await request.body.whole().count)")
    }
    let long = String(repeating: "x", count: 10_000)
    for text in [
      "rubbish\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
    ] {
      let answer = await RawClient.talk(server.port, Array(text.utf8))
      #expect(
        answer.isEmpty || answer.hasPrefix("HTTP/1.1 400") || answer.hasPrefix("HTTP/1.0 400"), "\(text): \(answer)")
    }
    let head = await RawClient.talk(server.port, Array("GET / HTTP/1.1\r\nHost: x\r\nX: \(long)\r\n\r\n".utf8))
    #expect(head.contains(" 431 ") || head.contains(" 413 ") || head.contains(" 414 "))
    let body = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 10000\r\n\r\n" + long
    #expect(await RawClient.talk(server.port, Array(body.utf8)).contains(" 413 "))
    #expect(try await client().send(HTTPRequest(server.url, body: [1, 2])).text == "2")
    await server.stop()
  }

  @Test func `a port in use, a bad address and a bad certificate are errors`() async throws {
    let server = try HTTPServer { _ in ServerResponse() }
    var configuration = HTTPServer.Configuration()
    configuration.port = server.port
    let taken = #expect(throws: ServerError.self) { try HTTPServer(configuration) { _ in ServerResponse() } }
    #expect(
      taken?.description
        == "port \(server.port) of '127.0.0.1' is in use by another program; use another port, or 0 for a free one")
    configuration.address = "example.org"
    #expect(throws: ServerError.badAddress("example.org")) { try HTTPServer(configuration) { _ in ServerResponse() } }
    configuration = .init()
    configuration.certificate = Array("no certificate".utf8)
    #expect(throws: ServerError.badCertificate) { try HTTPServer(configuration) { _ in ServerResponse() } }
    await server.stop()
  }

  @Test func `simulated faults reach the client`() async throws {
    let bytes = Array("0123456789".utf8)
    let faults: [String: ServerResponse.Fault] = [
      "/cut": .cut(after: 4), "/reset": .reset(after: 0), "/stall": .stall(after: 4),
      "/drip": .drip(bytes: 3, milliseconds: 1), "/overstated": .overstated(by: 5),
      "/closed": .unanswered(isReset: false), "/gone": .unanswered(isReset: true),
    ]
    let server = try HTTPServer { ServerResponse(type: "text/plain", bytes, fault: faults[$0.path]) }
    #expect(await outcome(server, "/cut") == "net.cut-short")
    #expect(await outcome(server, "/overstated") == "net.cut-short")
    #expect(await outcome(server, "/drip") == "200 0123456789")
    #expect(await outcome(server, "/stall", deadline: 2) == "net.timed-out")
    #expect(["net.cut-short", "net.failed", "net.not-connected"].contains(await outcome(server, "/reset")))
    for path in ["/closed", "/gone"] {
      #expect(["net.cut-short", "net.failed", "net.not-connected"].contains(await outcome(server, path)))
    }
    #expect(await outcome(server, "/") == "200 0123456789")
    await server.stop(deadlineInSeconds: 0)
  }

  @Test func `a simulated fault sends chunks of the stated size`() async throws {
    let server = try HTTPServer { _ in
      ServerResponse(type: "text/plain", Array("abcde".utf8), fault: .chunks(of: 2))
    }
    let request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    let answer = await RawClient.talk(server.port, Array(request.utf8))
    #expect(answer.hasSuffix("\r\n\r\n2\r\nab\r\n2\r\ncd\r\n1\r\ne\r\n0\r\n\r\n"))
    await server.stop()
  }

  @Test func `a raw response is sent unchanged`() async throws {
    let raw = Array("HTTP/1.1 299 Odd\r\nContent-Length: 2\r\n\r\n0123".utf8)
    let server = try HTTPServer { _ in ServerResponse(200, .bytes(raw), fault: .raw) }
    #expect(await outcome(server) == "299 01")
    await server.stop(deadlineInSeconds: 0)
    let other = try HTTPServer { _ in ServerResponse(200, .bytes(Array("220 no web\r\n\r\n".utf8)), fault: .raw) }
    #expect(await outcome(other) == "net.damaged")
    await other.stop(deadlineInSeconds: 0)
  }
}

/// A barrier that opens once a number of tasks have arrived.
private actor Gate {
  private var missing: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(count: Int) {
    missing = count
  }

  func pass() async {
    missing -= 1
    if missing > 0 { return await withCheckedContinuation { waiting.append($0) } }
    for one in waiting { one.resume() }
    waiting = []
  }
}

private final class Counter: Sendable {
  private let state = Mutex(0)
  var value: Int { state.withLock { $0 } }
  func add(_ count: Int) { state.withLock { $0 += count } }
  func raise(to count: Int) { state.withLock { $0 = max($0, count) } }
}
