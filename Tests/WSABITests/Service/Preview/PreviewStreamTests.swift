import PluginNet
import PluginServer
import Synchronization
import Testing

@testable import WSABI

@Suite struct PreviewStreamTests {
  private static let type = ServerRequest.Field("Content-Type", "multipart/x-mixed-replace; boundary=\"frame\"")

  /// Returns a service whose stream has a number of one-byte pictures.
  private func service(pictures: Int) throws -> AnsweringService {
    try AnsweringService { _, _ in
      ServerResponse(
        headers: [Self.type],
        .stream(length: nil) { out in
          for number in 0..<pictures {
            let head = "\r\n--frame\r\nContent-type: image/jpeg\r\nContent-Length: 1\r\n\r\n"
            try await out.write(Array(head.utf8) + [UInt8(number)])
          }
          try await out.write(Array("\r\n--frame--\r\n".utf8))
        })
    }
  }

  private func follow(
    _ service: AnsweringService, _ uri: String, session: String? = TestID.session
  ) async -> Result<Int, SensorFault> {
    do {
      let connection = try service.connection()
      return .success(
        try await connection.preview(WireResource(uri: uri), session: session.flatMap { SensorUUID($0) }) { _ in })
    } catch {
      return .failure(error as? SensorFault ?? SensorFault(.cancelled, .unknown, .stream, address: ""))
    }
  }

  private func word(_ result: Result<Int, SensorFault>) -> String {
    switch result {
    case .success(let count): "\(count)"
    case .failure(let fault): fault.word
    }
  }

  @Test func `pictures are delivered while the stream runs, the newest last`() async throws {
    let service = try service(pictures: 200)
    let newest = NewestFrame()
    let count = try await service.connection().preview(
      WireResource(uri: "stream/view", contentType: "multipart/x-mixed-replace"), session: nil
    ) { newest.put($0) }
    #expect(count == 200)
    #expect(newest.take()?.bytes == [199])
    #expect(newest.take() == nil)
    #expect(service.questions[0].path == "/Service/stream/view")
  }

  @Test func `a relative address is resolved by the service, and 'uuid' is replaced by the session`() async throws {
    let service = try service(pictures: 1)
    let base = service.server.url
    for (uri, path) in [
      ("stream/view/uuid", "/Service/stream/view/\(TestID.session)"),
      ("\(base)/other/UUID", "/other/\(TestID.session)"),
      ("/root", "/root"), ("uuid/x", "/Service/uuid/x"),
    ] {
      #expect(word(await follow(service, uri)) == "1")
      #expect(service.questions.last?.path == path)
    }
    #expect(word(await follow(service, "stream/uuid", session: nil)) == "unaskable")
  }

  @Test(arguments: [
    "http://elsewhere.example/x", "//elsewhere.example/x", "file:///etc/passwd", "", "ftp://127.0.0.1/x",
  ])
  func `a stream of another host is not followed`(uri: String) async throws {
    let service = try service(pictures: 1)
    guard case .failure(let fault) = await follow(service, uri) else {
      Issue.record("followed")
      return
    }
    #expect(fault.reach == .notSent)
    #expect(service.questions == [])
  }

  @Test func `a named stream is requested with its session`() async throws {
    let service = try service(pictures: 3)
    #expect(try await service.connection().stream(.complete(.stream)) { _ in } == 3)
    #expect(service.questions[0].path == SituationTests.path(of: .stream))
    var request = SensorRequest.complete(.stream)
    (request.session, request.stream) = (nil, "a b/../c")
    _ = try await service.connection().stream(request) { _ in }
    #expect(service.questions[1].path == "/Service/stream/a b/../c")
    request.stream = ".."
    await #expect(throws: SensorFault.self) { _ = try await service.connection().stream(request) { _ in } }
  }

  @Test func `refused, empty, redirected and non-stream responses are distinguished`() async throws {
    for status in [403, 404] {
      let refusing = try AnsweringService(ServerResponse(status, text: "no"))
      guard case .failure(let fault) = await follow(refusing, "x") else {
        Issue.record("followed")
        continue
      }
      #expect(fault.kind == .status(status))
    }
    #expect(word(await follow(try AnsweringService(ServerResponse(headers: [Self.type])), "x")) == "0")
    #expect(word(await follow(try AnsweringService("<html>", type: "text/html"), "x")) == "notAService")
    let leading = try AnsweringService(ServerResponse(302, headers: [.init("Location", "http://elsewhere.example/")]))
    #expect(word(await follow(leading, "x")) == "redirected")
  }

  @Test func `a stream without a picture ends after its silence limit`() async throws {
    let head = Array("HTTP/1.1 200 OK\r\nContent-Type: \(Self.type.value)\r\n\r\n--frame\r\n".utf8)
    let service = try RawService { _, _ in .sendAndWait(head) }
    let connection = try connectionForTests(to: service.address) { $0.stallInSeconds = 1 }
    await #expect(throws: SensorFault.self) {
      _ = try await connection.preview(WireResource(uri: "x"), session: nil) { _ in }
    }
  }

  @Test func `a canceled preview ends`() async throws {
    let first = Array(
      "HTTP/1.1 200 OK\r\nContent-Type: \(Self.type.value)\r\n\r\n--frame\r\nContent-Length: 1\r\n\r\nx".utf8)
    let service = try RawService { _, _ in .sendAndWait(first) }
    let connection = try connectionForTests(to: service.address)
    let newest = NewestFrame()
    let task = Task { () -> SensorFault.Kind? in
      do {
        _ = try await connection.preview(WireResource(uri: "x"), session: nil) { newest.put($0) }
        return nil
      } catch {
        return (error as? SensorFault)?.kind
      }
    }
    while newest.take() == nil { await Task.yield() }
    task.cancel()
    #expect(await task.value == .cancelled)
  }
}
