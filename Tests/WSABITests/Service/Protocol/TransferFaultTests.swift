import PluginAPI
import PluginCompression
import PluginServer
import Synchronization
import Testing

@testable import WSABI

/// Faults in transit to a service and back, by the numbers of the catalog of faults.
@Suite struct TransferFaultTests {
  private let ok = resultDocument("<status>success</status>")

  /// Makes a first request, which opens the library and may take longer than the deadlines here.
  init() async throws { _ = await fault(try connectionForTests(to: "http://127.0.0.1:1/"), .complete(.capture)) }

  @Test func `1: a closed port is reported as unreachable, and nothing is sent`() async throws {
    let unbound = try connectionForTests(to: "http://127.0.0.1:1/Service")
    let refused = await fault(unbound, .complete(.capture))
    #expect(refused?.reach == .notSent)
    #expect(refused?.mayHaveHappened == false)
    #expect(refused?.word == "unreachable")
    #expect(refused?.report.code == "wsabi.sensor-unreachable")
    #expect(refused?.report.isRetryable == true)
  }

  @Test func `1: an unknown host is reported as unreachable`() async throws {
    let found = await fault(try connectionForTests(to: "http://sensor.invalid/"), .complete(.getServiceInfo))
    #expect(found?.reach == .notSent)
  }

  @Test func `1: a service that does not accept the connection in time received no request`() async throws {
    let listener = try DeafListener()
    let connection = try connectionForTests(to: listener.address) { $0.connectDeadlineInSeconds = 0.2 }
    let found = await fault(connection, .complete(.capture))
    #expect(found?.kind == .unreachable(reason: "the connection timed out"))
    #expect(found?.reach == .notSent)
  }

  @Test(arguments: [SensorOperation.getServiceInfo, .capture, .download])
  func `2: a service that never responds ends with the deadline`(operation: SensorOperation) async throws {
    let service = try RawService { _, _ in .sendAndWait([]) }
    let found = await fault(
      try connectionForTests(to: service.address), .complete(operation, deadlineInSeconds: 2), into: KeptBytes())
    #expect(found?.reach == .unknown)
    #expect(found?.word == "timedOut")
    #expect(found?.report.kind == .timedOut)
    #expect(service.heads.count <= 1)
  }

  @Test func `3: a header followed by silence ends with the deadline`() async throws {
    let head = Array("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 500\r\n\r\n<res".utf8)
    let service = try RawService { _, _ in .sendAndWait(head) }
    let found = await fault(
      try connectionForTests(to: service.address), .complete(.getServiceInfo, deadlineInSeconds: 2))
    #expect(found?.word == "timedOut")
  }

  @Test func `4: a response that trickles is rejected as too slow`() async throws {
    let document = Array(ok.utf8)
    let service = try AnsweringService(
      ServerResponse(type: "text/xml", document, fault: .drip(bytes: 1, milliseconds: 5)))
    let connection = try service.connection { $0.rateWindowInSeconds = 0.05 }
    let found = await fault(connection, .complete(.tryLock))
    #expect(found?.word == "tooSlow")
  }

  @Test func `5: a repeatable request is retried after a lost response`() async throws {
    let good = RawService.answer(ok)
    let service = try RawService { number, _ in number == 0 ? .close : number == 1 ? .reset : .sendAndClose(good) }
    let answer = try await connectionForTests(to: service.address).ask(.complete(.tryLock))
    #expect(answer.status == .success)
    #expect(service.heads.count == 3)
  }

  @Test func `5: a request whose response is always lost is sent four times`() async throws {
    let service = try RawService { _, _ in .close }
    let found = await fault(try connectionForTests(to: service.address), .complete(.getServiceInfo))
    #expect(found?.word == "cut")
    #expect(service.heads.count == 4)
  }

  @Test func `5: a retry that does not reach the service does not hide the attempt before it`() async throws {
    let box = Mutex<RawService?>(nil)
    let service = try RawService { _, _ in
      // The listener goes before the connection does.
      box.withLock { $0?.stopListening() }
      return .close
    }
    box.withLock { $0 = service }
    let found = await fault(try connectionForTests(to: service.address), .complete(.tryLock))
    #expect(found?.word == "unreachable")
    #expect(found?.reach == .unknown)
    box.withLock { $0 = nil }
  }

  @Test func `5: a request to a service that is busy by its HTTP status is retried`() async throws {
    let (ok, busy) = (RawService.answer(ok), RawService.answer("", status: "503 Busy"))
    let service = try RawService { number, _ in .sendAndClose(number == 0 ? busy : ok) }
    #expect(try await connectionForTests(to: service.address).ask(.complete(.cancel)).status == .success)
    #expect(service.heads.count == 2)
  }

  @Test(arguments: [SensorOperation.register, .capture, .beginCapture, .endCapture], [true, false])
  func `6 and 7: a request that must not happen twice is never retried`(
    operation: SensorOperation, isReset: Bool
  ) async throws {
    let service = try RawService { _, _ in isReset ? .reset : .close }
    let found = await fault(try connectionForTests(to: service.address), .complete(operation))
    #expect(found?.word == "cut")
    #expect(found?.reach == .unknown)
    #expect(found?.mayHaveHappened == true)
    #expect(service.heads.count == 1)
  }

  @Test func `7: a reused connection does not repeat a capture`() async throws {
    let good = RawService.answer(ok)
    let service = try RawService { _, head in head.contains("/capture/") ? .close : .send(good) }
    let connection = try connectionForTests(to: service.address)
    for _ in 0..<3 { _ = try await connection.ask(.complete(.tryLock)) }
    let found = await fault(connection, .complete(.capture))
    #expect(found?.word == "cut")
    #expect(service.heads.filter { $0.contains("/capture/") }.count == 1)
  }

  @Test func `7: a capture whose response is truncated has an unknown outcome`() async throws {
    let document = resultDocument(
      "<status>success</status><captureIds><element>\(TestID.capture)</element></captureIds>")
    let service = try AnsweringService(ServerResponse(type: "text/xml", Array(document.utf8), fault: .cut(after: 90)))
    let found = await fault(try service.connection(), .complete(.capture))
    #expect(found?.reach == .unknown)
    #expect(service.questions.count == 1)
  }

  @Test func `8: a response shorter than its length is not a response, and data is not requested again`() async throws {
    let data = Situation.someBytes(600_000)
    let document = resultDocument(
      "<status>success</status><metadata/><sensorData>\(base64Text(data))</sensorData>")
    let service = try AnsweringService(
      ServerResponse(type: "text/xml", Array(document.utf8), fault: .cut(after: 700_000)))
    let sink = KeptBytes()
    let found = await fault(try service.connection(), .complete(.download), into: sink)
    #expect(found?.word == "cut")
    #expect(service.questions.count == 1)
    #expect(sink.bytes.count < data.count)
  }

  @Test func `8: a response with an overstated length is not a response`() async throws {
    let service = try AnsweringService(
      ServerResponse(type: "text/xml", Array(ok.utf8), fault: .overstated(by: 5)))
    let found = await fault(try service.connection(), .complete(.capture))
    #expect(found?.word == "cut")
  }

  @Test func `9: a second document after the first is rejected`() async throws {
    let service = try AnsweringService(ok + ok)
    let found = await fault(try service.connection(), .complete(.tryLock))
    #expect(found?.word == "malformed")
  }

  @Test func `9: a second response after the first is never used for another request`() async throws {
    let glued = RawService.answer(ok) + RawService.answer(resultDocument("<status>failure</status>"))
    let service = try RawService { _, _ in .send(glued) }
    let connection = try connectionForTests(to: service.address)
    for _ in 0..<3 { #expect(try await connection.ask(.complete(.tryLock)).status == .success) }
  }

  @Test func `10: a gzipped response is read, and the limit applies to its uncompressed size`() async throws {
    let data = Situation.someBytes(3000)
    let document = resultDocument("<status>success</status><metadata/><sensorData>\(base64Text(data))</sensorData>")
    let packed = try Gzip.compress(Array(document.utf8))
    let service = try AnsweringService(
      ServerResponse(headers: [.init("Content-Type", "text/xml"), .init("Content-Encoding", "gzip")], .bytes(packed)))
    let sink = KeptBytes()
    _ = try await service.connection().ask(.complete(.download), into: sink)
    #expect(sink.bytes == data)
    let bomb = try Gzip.compress(
      Array(resultDocument("<message>\(String(repeating: "a", count: 5 << 20))</message>").utf8))
    let other = try AnsweringService(
      ServerResponse(headers: [.init("Content-Type", "text/xml"), .init("Content-Encoding", "gzip")], .bytes(bomb)))
    #expect(await fault(try other.connection(), .complete(.getServiceInfo))?.kind == .tooLarge(limitInBytes: 4 << 20))
  }

  @Test func `11: a header without an end is rejected`() async throws {
    let line = Array("X-Filler: \(String(repeating: "a", count: 1000))\r\n".utf8)
    let head = Array("HTTP/1.1 200 OK\r\n".utf8) + (0..<2000).flatMap { _ in line }
    let service = try RawService { _, _ in .sendAndWait(head) }
    let found = await fault(try connectionForTests(to: service.address), .complete(.capture))
    #expect(found?.kind == .malformed(reason: "its header has no end"))
  }

  @Test func `10: chunks of one byte, no length and gzip give the same bytes`() async throws {
    let data = Situation.someBytes(3000)
    let document = Array(
      resultDocument("<status>success</status><metadata/><sensorData>\(base64Text(data))</sensorData>").utf8)
    let service = try AnsweringService(ServerResponse(type: "application/xml", document, fault: .chunks(of: 1)))
    let sink = KeptBytes()
    _ = try await service.connection().ask(.complete(.download), into: sink)
    #expect(sink.bytes == data)
    let bare = Array("HTTP/1.0 200 OK\r\nContent-Type: text/xml\r\n\r\n".utf8) + document
    let unstated = try RawService { _, _ in .sendAndClose(bare) }
    let other = KeptBytes()
    _ = try await connectionForTests(to: unstated.address).ask(.complete(.download), into: other)
    #expect(other.bytes == data)
  }

  @Test func `12: a redirect to another host or port is rejected and reported`() async throws {
    for target in ["http://sensor.example/info", "http://127.0.0.1:1/info", "https://other.example/", "ftp://x/"] {
      let service = try AnsweringService(ServerResponse(302, headers: [.init("Location", target)]))
      let found = await fault(try service.connection(), .complete(.getServiceInfo))
      #expect(found?.word == "redirected")
      #expect(found?.report.kind == .refused)
    }
  }

  @Test func `12: a redirect within the service is followed, with the method and the body`() async throws {
    let ok = ok
    let service = try AnsweringService { number, _ in
      number == 1
        ? ServerResponse(307, headers: [.init("Location", "/moved")]) : ServerResponse(type: "text/xml", Array(ok.utf8))
    }
    let connection = try service.connection()
    _ = try await connection.ask(.complete(.tryLock))
    _ = try await connection.ask(.complete(.setConfiguration))
    #expect(service.questions.map(\.path).suffix(2) == [SituationTests.path(of: .setConfiguration), "/moved"])
    #expect(service.questions.last?.method == "POST")
    #expect(service.questions.last?.body.isEmpty == false)
  }

  @Test(arguments: [400, 403, 404, 405, 411, 415, 500, 503])
  func `13: an HTTP error is reported with its status`(status: Int) async throws {
    let service = try AnsweringService(
      ServerResponse(status, type: "text/html", Array("<html><body>no</body></html>".utf8)))
    let found = await fault(try service.connection(), .complete(.capture))
    #expect(found?.kind == .status(status))
    #expect(found?.reach == .answered)
    #expect(found?.mayHaveHappened == (status >= 500))
    #expect(found?.report.details["status"] == .integer(status))
    #expect(service.questions.count == 1)
  }

  @Test func `11: a response that is too large is rejected early`() async throws {
    let sent = SentBytes()
    let service = try AnsweringService { _, _ in
      ServerResponse(
        headers: [.init("Content-Type", "application/xml")],
        .stream(length: nil) { out in
          try await out.write(Array(resultDocument("").dropLast(9).utf8) + Array("<message>".utf8))
          for _ in 0..<100_000 { try await sent.write([UInt8](repeating: 0x61, count: 4096), to: out) }
        })
    }
    let found = await fault(try service.connection { $0.documentInBytes = 100_000 }, .complete(.getServiceInfo))
    #expect(found?.kind == .tooLarge(limitInBytes: 100_000))
    #expect(sent.count < Self.onTheWayInBytes)
  }

  /// The most unread data that two sockets and the server hold, with a margin.
  private static let onTheWayInBytes = 64 << 20

  /// A counter of the bytes that a service could send.
  private final class SentBytes: Sendable {
    private let sum = Atomic(0)

    var count: Int { sum.load(ordering: .relaxed) }

    func write(_ bytes: [UInt8], to body: ResponseBody) async throws {
      try await body.write(bytes)
      sum.add(bytes.count, ordering: .relaxed)
    }
  }

  @Test func `11: data that is too large is rejected early`() async throws {
    let text = base64Text(Situation.someBytes(30_000))
    let sent = SentBytes()
    let service = try AnsweringService { _, _ in
      ServerResponse(
        headers: [.init("Content-Type", "application/xml")],
        .stream(length: nil) { out in
          try await out.write(Array((resultDocument("").dropLast(9) + "<status>success</status><sensorData>").utf8))
          for _ in 0..<10_000 { try await sent.write(Array(text.utf8), to: out) }
        })
    }
    let sink = KeptBytes()
    let found = await fault(
      try service.connection { $0.dataInBytes = 1_000_000 }, .complete(.download), into: sink)
    #expect(found?.kind == .tooLarge(limitInBytes: 1_000_000))
    #expect(found?.report.advice == "raise the setting 'largest-capture' and download it again")
    #expect(sink.bytes.count <= 1_000_000 && sent.count < Self.onTheWayInBytes)
  }

  @Test func `data that states an excessive size is rejected before any of it is received`() async throws {
    let text = base64Text(Situation.someBytes(300_000))
    let start = Array((resultDocument("").dropLast(9) + "<status>success</status><sensorData>").utf8)
    let service = try AnsweringService { _, _ in
      ServerResponse(
        headers: [.init("Content-Type", "application/xml")],
        .stream(length: start.count + 10_000 * text.utf8.count) { out in
          try await out.write(start)
          for _ in 0..<10_000 { try await out.write(Array(text.utf8)) }
        })
    }
    let sink = KeptBytes()
    let found = await fault(
      try service.connection { $0.dataInBytes = 1_000_000 }, .complete(.download), into: sink)
    #expect(found?.kind == .tooLarge(limitInBytes: 1_000_000))
    // Without a stated size, data arrives up to the limit.
    #expect(sink.bytes.isEmpty)
  }

  @Test func `without the network nothing is sent`() async throws {
    let connection = SensorAccess(isOffline: true).connection(try SensorAddress(parsing: "http://127.0.0.1:1"))
    let found = await fault(connection, .complete(.register))
    #expect(found?.kind == .offline)
    #expect(found?.reach == .notSent)
  }

  @Test func `a canceled request ends as canceled`() async throws {
    let service = try RawService { _, _ in .sendAndWait([]) }
    let connection = try connectionForTests(to: service.address)
    let task = Task { await fault(connection, .complete(.capture)) }
    while service.heads.isEmpty { await Task.yield() }
    task.cancel()
    #expect(await task.value?.kind == .cancelled)
    #expect(await task.value?.reach == .unknown)
  }
}
