import Glibc
import PluginAPI
import PluginJSON
import PluginNet
import PluginServer
import TestSupport
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Calls and their responses, case by case of the fault catalog.
@Suite(.timeLimit(.minutes(10)))
struct RPCConnectionTests {
  private static let call = RPCCall(
    interface: .query, method: "listThings", parameters: [Value.text("a\"b").json, Array(#"{"x":[1]}"#.utf8)],
    stallInSeconds: 60)
  private static let token = Secret("peter-130225102030405xABCDEF0123456789")

  private func ask(
    _ connection: RPCConnection, _ call: RPCCall = Self.call
  ) async throws -> Value {
    let reader = ValueReader()
    do {
      _ = try await connection.call(call, token: Self.token, reader)
    } catch let failure as RPCFailure {
      throw failure.error
    }
    return reader.value
  }

  /// Returns the outcome of one response: the result as JSON, or the code of the error.
  private func outcome(_ reply: LabFixture.Reply) async throws -> String {
    let lab = try LabFixture { _ in reply }
    defer { withExtendedLifetime(lab) {} }
    do {
      return String(decoding: try await ask(lab.connection()).json, as: UTF8.self)
    } catch {
      #expect(!"\(error)".contains(Self.token.text) && !messageOf(error).contains(Self.token.text))
      // Every message names method and server.
      #expect(messageOf(error).contains("listThings") && messageOf(error).contains(lab.address.base))
      return codeOf(error)
    }
  }

  @Test func `a call is sent as JSON-RPC 2-0, the token first`() async throws {
    let lab = try LabFixture { _ in .result("[1,2]") }
    #expect(try await ask(lab.connection()) == .list([1, 2]))
    let call = try #require(lab.calls.first)
    #expect(call.path == "/openbis/openbis/rmi-query-v1.json" && call.method == "listThings")
    #expect(call.parameters == [.text(Self.token.text), "a\"b", .record(["x": .list([1])])])
    #expect(call.headers.first { $0.name == "Content-Type" }?.value == "application/json")
    #expect(call.headers.first { $0.name == "Accept" }?.value == "application/json")
    #expect(String(decoding: call.body, as: UTF8.self).hasPrefix(#"{"jsonrpc":"2.0","id":"#))
  }

  @Test func `each interface has its address`() {
    let connection = RPCConnection(ServerAddress(base: "https://h:8443"), HTTPClient(.init(isOffline: true)))
    #expect(
      connection.address(of: .generalInformation) == "https://h:8443/openbis/openbis/rmi-general-information-v1.json")
    #expect(connection.address(of: .application) == "https://h:8443/openbis/openbis/rmi-application-server-v3.json")
    for address in ["https://d:8444", "https://d:8444/", "https://d:8444/datastore_server"] {
      #expect(
        connection.address(of: .dataStore(address)) == "https://d:8444/datastore_server/rmi-data-store-server-v3.json")
    }
  }

  @Test func `a token is not sent from an https server to an http data store`() async throws {
    let connection = RPCConnection(ServerAddress(base: "https://h"), HTTPClient(.init(isOffline: true)))
    var call = Self.call
    call.interface = .dataStore("http://d")
    let error = await errorOf { try await ask(connection, call) }
    #expect(codeOf(error) == "openbis.unsafe-address")
  }

  @Test func `offline no request is sent, and the error means offline`() async throws {
    let lab = try LabFixture { _ in .result("1") }
    let error = await errorOf { try await ask(lab.connection { $0.isOffline = true }) }
    #expect(codeOf(error) == "net.offline")
    #expect(error.map(RPCError.meansOffline) == true)
    #expect(lab.calls.isEmpty)
  }

  @Test func `case 50: a host that is unresponsive, refuses or is unknown means offline`() async throws {
    let full = try FullListener()
    let closed = try LabFixture { _ in .result("1") }
    await closed.stop()
    let unknown = "http://" + String(repeating: "a", count: 64) + ".test"
    for base in [full.address, closed.address.base, unknown] {
      var configuration = HTTPClient.Configuration(isOffline: false)
      configuration.connectDeadlineInSeconds = 0.4
      let connection = RPCConnection(ServerAddress(base: base), HTTPClient(configuration))
      let error = await errorOf { try await ask(connection) }
      #expect(error.map(RPCError.meansOffline) == true, "\(base): \(String(describing: error))")
    }
  }

  @Test func `case 8: a page instead of JSON is reported with its beginning`() async throws {
    let page = "<html><head><title>Please log in</title></head>\n\u{1B}[31m<body>" + String(repeating: "x", count: 500)
    for type in ["text/html; charset=utf-8", "application/json"] {
      let lab = try LabFixture { _ in .body(page, type: type) }
      let error = await errorOf { try await ask(lab.connection()) }
      guard case .notJSON(_, 200, let shownType, let beginning) = error as? RPCError else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(shownType == (type.hasPrefix("text") ? "text/html" : "application/json"))
      #expect(beginning.hasPrefix("<html><head><title>Please log in</title></head> [31m<body>x"))
      #expect(beginning.count == 81 && beginning.hasSuffix("…"))
      #expect(codeOf(error) == "openbis.not-json" && error.map(RPCError.meansOffline) == (shownType == "text/html"))
    }
  }

  @Test(arguments: [502, 503, 504]) func `case 9: a busy server is retried three times`(status: Int) async throws {
    let waits = Mutexed<[Double]>([])
    let lab = try LabFixture { _ in .body("<html>busy</html>", status: status, type: "text/html") }
    let error = await errorOf { try await ask(lab.connection(waits)) }
    #expect(codeOf(error) == "openbis.busy" && messageOf(error).contains("\(status)"))
    #expect(waits.value == [1.5, 2.5, 4.5] && lab.calls.count == 4)
  }

  @Test func `case 9: a temporarily busy server is not an error`() async throws {
    let count = Mutexed(0)
    let lab = try LabFixture { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number < 3 ? .body("", status: 503) : .result("7")
    }
    #expect(try await ask(lab.connection()) == 7)
    #expect(lab.calls.count == 3)
  }

  @Test func `case 10: an unknown method and a missing interface are reported as such`() async throws {
    let missing = LabFixture.Reply.fault(exception: "", message: "method not found", code: -32601, status: 404)
    #expect(try await outcome(missing) == "openbis.no-method")
    #expect(try await outcome(.body("<html>404</html>", status: 404, type: "text/html")) == "openbis.no-method")
    #expect(
      try await outcome(.fault(exception: "", message: "bad parameters", code: -32602, status: 500))
        == "openbis.call-refused")
  }

  @Test func `case 11: a redirect to another host does not forward the token`() async throws {
    let other = try LabFixture { _ in .result("1") }
    let target = "http://localhost:" + other.address.base.split(separator: ":")[2]
    let lab = try LabFixture { _ in .response(ServerResponse(302, headers: [.init("Location", target + "/x")])) }
    let error = await errorOf { try await ask(lab.connection()) }
    #expect(codeOf(error) == "net.redirected" && messageOf(error).contains("localhost"))
    #expect(other.calls.isEmpty)
    let moved = try LabFixture { call in
      call.path == "/moved" ? .result("5") : .response(ServerResponse(302, headers: [.init("Location", "/moved")]))
    }
    #expect(try await ask(moved.connection()) == 5)
  }

  @Test func `case 12: a truncated response is refused`() async throws {
    let body = Array(#"{"jsonrpc":"2.0","id":1,"result":[[1,2],[3"#.utf8)
    for fault in [ServerResponse.Fault.overstated(by: 100), .cut(after: 20), .reset(after: 20)] {
      let error = try await outcome(.response(ServerResponse(type: "application/json", body, fault: fault)))
      #expect(error == "net.cut-short")
    }
    // Complete by its length, but not by its brackets.
    #expect(try await outcome(.response(ServerResponse(type: "application/json", body))) == "openbis.unreadable-answer")
  }

  @Test func `case 13: a stalled stream times out`() async throws {
    let body = Array(#"{"jsonrpc":"2.0","id":1,"result":[1,2,3,4,5,6,7]}"#.utf8)
    let lab = try LabFixture { _ in .response(ServerResponse(type: "application/json", body, fault: .stall(after: 40)))
    }
    var call = Self.call
    call.stallInSeconds = 1
    let error = await errorOf { try await ask(lab.connection(), call) }
    #expect(codeOf(error) == "net.timed-out")
    #expect(messageOf(error).contains("listThings") && messageOf(error).contains(lab.address.base))
    await lab.stop()
  }

  @Test func `case 13: a stalled stream can be canceled`() async throws {
    let body = Array(#"{"jsonrpc":"2.0","id":1,"result":[1,2,3,4,5,6,7]}"#.utf8)
    let lab = try LabFixture { _ in .response(ServerResponse(type: "application/json", body, fault: .stall(after: 40)))
    }
    let connection = lab.connection()
    let begun = AsyncStream.makeStream(of: Void.self)
    let reader = TellingReader(begun.continuation)
    let task = Task { try await connection.call(Self.call, token: nil, reader) }
    for await _ in begun.stream { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await lab.stop()
  }

  @Test func `case 14: a slow server has no time limit while bytes arrive`() async throws {
    let body = Array(#"{"jsonrpc":"2.0","id":ID,"result":[1,2,3]}"#.utf8)
    let lab = try LabFixture { call in
      let text = String(decoding: body, as: UTF8.self).split(separator: "ID").joined(separator: call.id)
      return .response(
        ServerResponse(
          type: "application/json", Array(text.utf8), fault: .drip(bytes: 10, milliseconds: 700)))
    }
    var call = Self.call
    call.stallInSeconds = 30
    #expect(try await ask(lab.connection(), call) == .list([1, 2, 3]))
  }

  @Test(arguments: [
    // Case 15.
    (#"{"jsonrpc":"2.0","id":ID,"result":1,"error":null}"#, "1"),
    (#"{"error":null,"result":{"a":[1,null]},"id":"ID","extra":[{}],"jsonrpc":"2.0"}"#, #"{"a":[1,null]}"#),
    (#"{"jsonrpc":"2.0","id":ID,"result":null}"#, "null"),
    // Case 16.
    (#"{"jsonrpc":"2.0","id":ID}"#, "openbis.protocol-broken"),
    (#"{"jsonrpc":"2.0","id":ID,"error":null}"#, "openbis.protocol-broken"),
    ("[]", "openbis.not-json"), ("", "openbis.not-json"), ("  ", "openbis.not-json"), ("7", "openbis.not-json"),
    // Case 17.
    (#"{"jsonrpc":"2.0","id":1ID,"result":1}"#, "openbis.protocol-broken"),
    (#"{"jsonrpc":"2.0","id":null,"result":1}"#, "openbis.protocol-broken"),
    (#"{"jsonrpc":"2.0","result":1}"#, "openbis.protocol-broken"),
    (#"{"jsonrpc":"2.0","id":1ID,"error":{"code":0,"message":"x"}}"#, "openbis.protocol-broken"),
    // A request that could not be parsed has no id to return.
    (#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#, "openbis.call-refused"),
    (#"{"jsonrpc":"2.0","id":ID,"result":1,"error":{"code":0,"message":"no"}}"#, "openbis.remote-error"),
    (#"{"jsonrpc":"2.0","id":ID,"error":"no"}"#, "openbis.remote-error"),
    (#"{"jsonrpc":"2.0","id":ID,"error":[]}"#, "openbis.remote-error"),
    (#"{"jsonrpc":"2.0","id":ID,"result":1,"result":2}"#, "openbis.unusable-answer"),
    (#"{"jsonrpc":"2.0","id":ID,"result":1} x"#, "openbis.unreadable-answer"),
    // Case 58: a byte order mark of UTF-8 is skipped; NUL is an ordinary character.
    ("\u{FEFF}" + #"{"jsonrpc":"2.0","id":ID,"result":"a\u0000b"}"#, #""a\u0000b""#),
  ])
  func `cases 15, 16, 17, 58: an envelope is validated as a whole`(body: String, expected: String) async throws {
    #expect(try await outcome(.body(body)) == expected)
  }

  @Test func `case 58: UTF-16 and bytes that are not UTF-8 are refused`() async throws {
    let text = #"{"jsonrpc":"2.0","id":1,"result":"x"}"#
    let wide = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    for body in [wide, [0xFF, 0xFE] + wide, Array(#"{"jsonrpc":"2.0","id":1,"result":"a"#.utf8) + [0xC3, 0x28]] {
      let outcome = try await outcome(.response(ServerResponse(type: "application/json", body)))
      #expect(outcome == "openbis.unreadable-answer")
    }
  }

  @Test func `case 59: gzip, chunks and bodies that end with the connection are read`() async throws {
    let answer: @Sendable (LabFixture.Call) -> [UInt8] = {
      Array(#"{"jsonrpc":"2.0","id":\#($0.id),"result":"\#(String(repeating: "é", count: 100_000))"}"#.utf8)
    }
    let expected = Value.text(String(repeating: "é", count: 100_000))
    let packed = try LabFixture { call in
      .response(
        ServerResponse(200, headers: [.init("Content-Encoding", "gzip")], .bytes(Self.gzip(answer(call)))))
    }
    #expect(try await ask(packed.connection()) == expected)
    let chunked = try LabFixture { call in
      .response(
        ServerResponse(
          200,
          .stream(length: nil) { body in
            let bytes = answer(call)
            for start in stride(from: 0, to: bytes.count, by: 7777) {
              try await body.write(Array(bytes[start..<min(start + 7777, bytes.count)]))
            }
          }))
    }
    #expect(try await ask(chunked.connection()) == expected)
    let closing = try FixtureServer { request in
      let id = (try? Value(json: request.body))?["id"].integer ?? 0
      return FixtureReply(
        200, Array(#"{"jsonrpc":"2.0","id":\#(id),"result":3}"#.utf8), type: "application/json", .unstated)
    }
    #expect(
      try await ask(RPCConnection(ServerAddress(base: closing.address), HTTPClient(.init(isOffline: false)))) == 3)
    // No permission is requested before a body is sent: that would mean waiting for servers without support for it.
    #expect(closing.requests.allSatisfy { $0.headers["expect"] == nil })
  }

  /// Returns the bytes as gzip without compression.
  ///
  /// - Source: RFC 1952, RFC 1951, section 3.2.4.
  private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    func little(_ number: UInt32, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 255) } }
    var out: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    var crc = UInt32.max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    for start in stride(from: 0, to: bytes.count, by: 65535) {
      let block = bytes[start..<min(start + 65535, bytes.count)]
      out.append(block.endIndex == bytes.count ? 1 : 0)
      out += little(UInt32(block.count), 2) + little(~UInt32(block.count), 2) + block
    }
    return out + little(~crc, 4) + little(UInt32(bytes.count), 4)
  }

  @Test func `messages of a server are shown without tokens, passwords and control characters`() async throws {
    let message =
      "Session token '\(Self.token.text)' and other-20240101120000000xABCDEF12 \u{1B}[2J and $pat-0123456789abc\nof 'swordfish'"
    let lab = try LabFixture { _ in .fault(exception: "X", message: message) }
    let connection = lab.connection()
    let error = await errorOf {
      try await connection.call(Self.call, token: Self.token, hiding: [Secret("swordfish")], ValueReader())
    }
    let report = try #require((error as? RPCFailure)?.error.report)
    #expect(report.message.hasSuffix("Session token '•••' and ••• [2J and ••• of '•••'"))
    #expect(!"\(String(describing: error))".contains("swordfish"))
  }

  @Test func `a secret is hidden in every description`() {
    let secret = Secret("swordfish")
    var dumped = ""
    dump(["x": secret], to: &dumped)
    #expect(!"\(secret) \(String(reflecting: secret)) \([secret]) \(dumped)".contains("swordfish"))
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
  ])
  func `the date of a response is parsed`(text: String, seconds: Double) {
    #expect(HTTPDate.seconds(text) == seconds)
    #expect(HTTPDate.seconds(text + "x") == nil)
  }
}

/// A reader that reports the first event.
private final class TellingReader: RPCResultReader, Sendable {
  private let continuation: AsyncStream<Void>.Continuation

  init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }

  func take(_ event: JSONEvent) -> JSONFlow {
    continuation.yield()
    return .more
  }
}

/// A listener that does not accept connections, with a full queue of waiting ones.
private final class FullListener: Sendable {
  let address: String
  private let descriptors: [Int32]

  init() throws {
    func open() -> Int32 {
      socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    }
    var descriptors = [open()]
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptors[0], generic, size)
        listen(descriptors[0], 0)
        getsockname(descriptors[0], generic, &size)
        for _ in 0..<3 {
          descriptors.append(open())
          connect(descriptors[descriptors.count - 1], generic, size)
        }
      }
    }
    address = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
    self.descriptors = descriptors
  }

  deinit { for descriptor in descriptors { close(descriptor) } }
}
