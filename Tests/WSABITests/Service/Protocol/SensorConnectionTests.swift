import PluginServer
import PluginText
import TestSupport
import Testing

@testable import WSABI

@Suite struct SensorConnectionTests {
  private static let ok = resultDocument("<status>success</status>")

  @Test(arguments: SensorOperation.allCases.filter { $0.method != "GET" && $0 != .setConfiguration })
  func `requests without a body state that it is empty`(operation: SensorOperation) async throws {
    let service = try AnsweringService(Self.ok)
    _ = try? await service.connection().ask(.complete(operation))
    let question = try #require(service.questions.first)
    #expect(question.headers["content-length"] == "0")
    #expect(question.headers["content-type"] == "application/xml; charset=utf-8")
    #expect(question.headers["expect"] == nil)
    #expect(question.body == [])
    #expect(question.method == SituationTests.addresses[operation]?.0)
    #expect(question.path == SituationTests.path(of: operation))
  }

  @Test(arguments: ProtocolNamespace.allCases)
  func `a configuration is sent in the service's namespace, which is requested if unknown`(
    namespace: ProtocolNamespace
  ) async throws {
    let service = try AnsweringService { _, question in
      let isInformation = question.path.hasSuffix("/info")
      let result = isInformation ? Situation.information[0].result : WrittenResult()
      return ServerResponse(type: "text/xml", DocumentStyle.jaxb.document(result, namespace))
    }
    let connection = try service.connection()
    #expect(connection.namespace == nil)
    let long = String(repeating: "x", count: 3000)
    var request = SensorRequest.complete(.setConfiguration)
    request.configuration?["note"] = .string(long)
    _ = try await connection.ask(request)
    _ = try await connection.ask(request)
    #expect(connection.namespace == namespace)
    #expect(service.questions.map(\.method) == ["GET", "POST", "POST"])
    for question in service.questions.dropFirst() {
      #expect(question.body == (try ConfigurationWriter.document(try #require(request.configuration), namespace)))
      #expect(question.headers["expect"] == nil)
    }
  }

  @Test func `the namespace is learned from any response, and a change is reported`() async throws {
    let service = try AnsweringService { number, _ in
      let namespace = number == 0 ? ProtocolNamespace.nist : .bioserv
      return ServerResponse(
        type: "application/xml", DocumentStyle.wcf.document(WrittenResult(status: "failure"), namespace))
    }
    let connection = try service.connection()
    _ = try await connection.ask(.complete(.register))
    #expect(connection.namespace == .nist)
    let answer = try await connection.ask(.complete(.cancel))
    #expect(answer.oddities == ["the service uses another namespace than before"])
    #expect(connection.namespace == .bioserv)
  }

  @Test func `service information is the service's metadata, or a fault with its status`() async throws {
    let service = try AnsweringService { number, _ in
      let result = number == 0 ? Situation.information[0].result : WrittenResult(status: "failure")
      return ServerResponse(type: "text/xml", DocumentStyle.wcf.document(result, .preRelease))
    }
    let connection = try service.connection()
    let information = try await connection.serviceInformation(deadlineInSeconds: 120)
    #expect(information.namespace == .preRelease)
    #expect(information.timeoutInMilliseconds(of: .capture) == 20_000)
    #expect(information.livePreviews.first?.uri == "stream/view/uuid")
    await #expect(throws: SensorFault(.refused(.failure), .answered, .getServiceInfo, address: connection.address.text))
    {
      _ = try await connection.serviceInformation(deadlineInSeconds: 120)
    }
  }

  @Test func `an incomplete request is never sent`() async throws {
    let service = try AnsweringService(Self.ok)
    let connection = try service.connection()
    for operation in SensorOperation.allCases {
      var request = SensorRequest.complete(operation)
      (request.session, request.capture, request.stream) = (nil, nil, nil)
      guard operation.needsSession || SituationTests.addresses[operation]?.1.contains("{c}") == true else { continue }
      #expect(await fault(connection, request)?.reach == .notSent)
    }
    for size in [nil, 0, -1] as [Int?] {
      var request = SensorRequest.complete(.thriftyDownload)
      request.maxSize = size
      #expect(await fault(connection, request)?.word == "unaskable")
    }
    var request = SensorRequest.complete(.setConfiguration)
    request.configuration = nil
    #expect(await fault(connection, request)?.word == "unaskable")
    request.configuration = WireDictionary([.init("a", .string("\u{1}"))])
    #expect(await fault(connection, request)?.word == "unaskable")
    #expect(service.questions.allSatisfy { $0.path.hasSuffix("/info") })
  }

  @Test func `a raw download returns bytes with their type`() async throws {
    let data = Situation.someBytes(400_000)
    let service = try AnsweringService(ServerResponse(type: "image/x-wsq; q=1", data))
    let sink = KeptBytes()
    let answer = try await service.connection().ask(.complete(.rawDownload), into: sink)
    #expect(answer.status == .success)
    #expect(answer.contentType == "image/x-wsq; q=1")
    #expect(sink.bytes == data)
    var hash = SHA256()
    hash.update(data)
    #expect(answer.data == SensorData(sizeInBytes: data.count, sha256: hash.finish()))
    #expect(service.questions[0].path == SituationTests.path(of: .rawDownload))
  }

  @Test func `errors of a raw download are plain text, not data`() async throws {
    let service = try AnsweringService("no such id\u{1B}[2J", type: "text/plain")
    let sink = KeptBytes()
    let answer = try await service.connection().ask(.complete(.rawDownload), into: sink)
    #expect(answer.status == .failure)
    #expect(answer.message == "no such id\u{FFFD}[2J")
    #expect(sink.bytes == [])
    let words = try AnsweringService("preparingDownload\n", type: "text/plain; charset=utf-8")
    #expect(try await words.connection().ask(.complete(.rawDownload), into: sink).status == .preparingDownload)
    let empty = try AnsweringService("", type: "image/png")
    #expect(await fault(try empty.connection(), .complete(.rawDownload), into: KeptBytes())?.word == "brokenData")
    let cut = try AnsweringService(
      ServerResponse(type: "image/png", Situation.someBytes(9000), fault: .cut(after: 5000)))
    #expect(await fault(try cut.connection(), .complete(.rawDownload), into: KeptBytes())?.word == "cut")
  }

  @Test func `large data is delivered in chunks, never as a whole`() async throws {
    let data = Situation.someBytes(1_000_001)
    let document = resultDocument(
      "<status>success</status><metadata/><sensorData>\(base64Text(data, line: 76))</sensorData>")
    let service = try AnsweringService(document)
    let sink = KeptBytes()
    let answer = try await service.connection().ask(.complete(.download), into: sink)
    #expect(sink.bytes == data)
    #expect(answer.data?.sizeInBytes == data.count)
    #expect(sink.largestCount < 300_000)
  }

  @Test func `concurrent requests to one service all succeed`() async throws {
    let service = try AnsweringService(Self.ok)
    let connection = try service.connection()
    let count = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<12 {
        group.addTask { (try? await connection.ask(.complete(.tryLock)))?.status == .success }
      }
      var count = 0
      for await isGood in group where isGood { count += 1 }
      return count
    }
    #expect(count == 12)
  }

  @Test(.enabled(if: TLSServer.isAvailable)) func `a sensor is trusted by its pinned key`() async throws {
    let document = Self.ok
    let head = "HTTP/1.0 200 OK\r\nContent-Type: text/xml\r\nContent-Length: \(document.utf8.count)\r\n\r\n"
    let server = try TLSServer(["info": head + document, "status": head + document])
    let address = try SensorAddress(parsing: server.address)
    func found(_ pin: String?) async -> SensorFault? {
      var known = address
      if let pin { known.trust.pins = [pin] }
      return await fault(SensorAccess(isOffline: false).connection(known), .complete(.getServiceInfo))
    }
    #expect(await found(nil)?.word == "notTrusted")
    #expect(await found(nil)?.reach == .notSent)
    #expect(await found("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")?.kind == .otherKey)
    // The response has no metadata: it was trusted and read.
    #expect(await found(server.pin)?.word == "incomplete")
  }

  @Test(.enabled(if: TLSServer.isAvailable)) func `a redirect from https to http is rejected`() async throws {
    let server = try TLSServer(["info": "HTTP/1.0 302 Found\r\nLocation: http://localhost:1/info\r\n\r\n"])
    let address = try SensorAddress(parsing: server.address, trusting: SensorTrust(pins: [server.pin]))
    let found = await fault(SensorAccess(isOffline: false).connection(address), .complete(.getServiceInfo))
    #expect(found?.word == "redirected")
  }
}
