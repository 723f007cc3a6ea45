import PluginAPI
import TestSupport
import Testing

@testable import Host

/// Messages that no honest client sends: each gets a coded error, and the next request is answered.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct HostileClientTests {
  /// A line, and the error that it gets.
  struct Hostile: Sendable, CustomTestStringConvertible {
    var line: [UInt8]
    var number: Int
    var id: Value

    init(_ line: String, _ number: Int, id: Value = nil) { self.init(bytes: Array(line.utf8), number, id: id) }

    init(bytes: [UInt8], _ number: Int, id: Value = nil) {
      (line, self.number, self.id) = (bytes, number, id)
    }

    /// Creates a line with bytes in the place of a method's name.
    init(method bytes: [UInt8]) {
      let head = Array(#"{"jsonrpc":"2.0","id":9,"method":""#.utf8)
      self.init(bytes: head + bytes + Array(#""}"#.utf8), -32_700)
    }

    var testDescription: String { String(decoding: line.prefix(80), as: UTF8.self) }
  }

  private nonisolated static func request(_ method: String, _ parameters: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":9,"method":"\#(method)","params":\#(parameters)}"#
  }

  private nonisolated static func nested(_ open: String, _ inner: String, _ close: String, _ depth: Int) -> String {
    String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
  }

  private nonisolated static let notJSON: [Hostile] = [
    Hostile("x", -32_700), Hostile("{", -32_700), Hostile("}", -32_700), Hostile("[1,2", -32_700),
    Hostile(#"{"jsonrpc":"2.0","id":9,"method":"version""#, -32_700),
    Hostile(#"{"jsonrpc":"2.0","id":9,"method":"version"}}"#, -32_700),
    Hostile(#"{"jsonrpc":"2.0","id":9,"id":10,"method":"version"}"#, -32_700),
    Hostile(#"{"jsonrpc":"2.0","id":01,"method":"version"}"#, -32_700),
    Hostile(#"{'jsonrpc':'2.0','id':9,'method':'version'}"#, -32_700),
    Hostile(#"{"jsonrpc":"2.0","id":9,"method":"\ud800"}"#, -32_700),
    Hostile(#"{"jsonrpc":"2.0","id":9,"method":"\q"}"#, -32_700),
    Hostile(#"{"jsonrpc":"2.0","id":NaN,"method":"version"}"#, -32_700),
    Hostile(nested("[", "", "]", 600), -32_700), Hostile(nested("[", "", "", 100_000), -32_700),
    Hostile(nested(#"{"a":"#, "1", "}", 20_000), -32_700),
    Hostile(method: [0xFF]),
    Hostile(method: [0xC0, 0xAF]),
    Hostile(method: [0x01]),
    Hostile(bytes: [0], -32_700), Hostile("\u{FEFF}" + request("version"), -32_700),
    Hostile(bytes: Array(request("version").utf8).flatMap { [$0, 0] }, -32_700),
  ]

  private nonisolated static let notRequests: [Hostile] = [
    Hostile("null", -32_600), Hostile("true", -32_600), Hostile("12", -32_600), Hostile(#""text""#, -32_600),
    Hostile("[]", -32_600), Hostile("[" + request("version") + "]", -32_600), Hostile("{}", -32_600),
    Hostile(#"{"id":9,"method":"version"}"#, -32_600, id: 9),
    Hostile(#"{"jsonrpc":"1.0","id":9,"method":"version"}"#, -32_600, id: 9),
    Hostile(#"{"jsonrpc":2.0,"id":"nine","method":"version"}"#, -32_600, id: "nine"),
    Hostile(#"{"jsonrpc":"2.0","id":9}"#, -32_600, id: 9),
    Hostile(#"{"jsonrpc":"2.0","id":9,"method":12}"#, -32_600, id: 9),
    Hostile(#"{"jsonrpc":"2.0","id":9,"method":null,"params":{}}"#, -32_600, id: 9),
    Hostile(#"{"jsonrpc":"2.0","result":1}"#, -32_600),
    Hostile(#"{"jsonrpc":"2.0","id":1.5,"method":"version"}"#, -32_600),
    Hostile(#"{"jsonrpc":"2.0","id":true,"method":"version"}"#, -32_600),
    Hostile(#"{"jsonrpc":"2.0","id":{},"method":"version"}"#, -32_600),
    Hostile(#"{"jsonrpc":"2.0","id":[9],"method":"version"}"#, -32_600),
    Hostile(#"{"jsonrpc":"2.0","id":1e30,"method":"version"}"#, -32_600),
    Hostile(#"{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"version"}"#, -32_600),
    Hostile(#"{"jsonrpc":"2.0","id":"\#(String(repeating: "9", count: 65))","method":"version"}"#, -32_600),
    Hostile(#"{"jsonrpc":"2.0","id":"\#(String(repeating: "9", count: 1 << 20))","method":"version"}"#, -32_600),
  ]

  private nonisolated static let methods: [String] = [
    "", ".", "..", "sample", "sample.", ".list", "sample list", "sample..list", "sample.list.more", "__complete",
    "sample.__complete", "sample.list\\u0000", "sample.LIST", "\\u202elist", "plugin", "config", "nothing.at-all",
    "../sample.list", "sample/list", "rpc.discover", "$/cancel", String(repeating: "m", count: 1 << 20),
  ]
  private nonisolated static let wrongMethods = methods.map { Hostile(request($0), -32_601, id: 9) }

  private nonisolated static let deepWords = #"{"words":"# + nested("[", "", "]", 300) + "}"
  private nonisolated static let parameters: [(String, String)] = [
    ("sample.echo", #""a""#), ("sample.echo", "1"), ("sample.echo", "true"), ("version", "[1]"),
    ("version", #"{"a":1}"#), ("sample.count", #"{"to":-1}"#), ("sample.count", #"{"to":"many"}"#),
    ("sample.count", #"{"to":1e999}"#), ("sample.count", #"{"to":123456789012345678901234567890}"#),
    ("sample.count", #"{"to":[1]}"#), ("sample.count", #"{"to":{}}"#), ("sample.count", #"{"to":1.5}"#),
    ("sample.count", "{}"), ("sample.count", #"{"to":null}"#), ("sample.count", "[1,2]"),
    ("sample.measure-distance", #"{"point":[[1,2]]}"#), ("sample.measure-distance", #"{"point":"1,2"}"#),
    ("sample.render", #"{"color":"blue"}"#), ("sample.render", #"{"color":["grey"]}"#),
    ("sample.info", #"{"rock":{"$bytes":"!"}}"#), ("sample.info", #"{"rock":{"$nonsense":1}}"#),
    ("sample.info", #"{"rock":{"$table":[1]}}"#),
    ("sample.echo", deepWords),
    ("call", "{}"), ("call", "[]"), ("call", #"{"command":1}"#), ("call", #"{"command":"sample.echo","form":"xml"}"#),
    ("call", #"{"command":"sample.echo","stream":1}"#), ("call", #"{"command":"sample.echo","options":[]}"#),
    ("call", #"{"command":"sample.echo","arguments":"a"}"#), ("call", #"{"command":"sample.echo","more":1}"#),
    ("call", #"{"command":"sample.count","arguments":{"to":1},"options":{"to":2}}"#),
    ("call", #"{"command":"sample.render","size":"0x0"}"#), ("call", #"{"command":"sample.render","size":"9e9x1"}"#),
    ("call", #"{"command":"sample.render","size":7}"#), ("schema", "{}"), ("schema", "[]"),
    ("commands", #"{"prefix":1}"#), ("commands", #"{"plugin":"sample"}"#), ("subscribe", "{}"),
    ("subscribe", #"{"topic":7}"#), ("unsubscribe", "[]"), ("hello", #"{"protocol":"1"}"#),
    ("hello", #"{"protocol":1.5}"#),
  ]
  private nonisolated static let wrongParameters = parameters.map { Hostile(request($0.0, $0.1), -32_602, id: 9) }

  @Test(arguments: notJSON + notRequests + wrongMethods + wrongParameters)
  func `a hostile line gets a coded error, and the next request a response`(hostile: Hostile) async throws {
    let trial = try ServeTrial()
    trial.write(hostile.line + [UInt8(ascii: "\n")])
    trial.request("after", "sample.echo", ["a"])
    let error = try #require(try await trial.next())
    #expect(error["error"]["code"] == .integer(hostile.number) && error["id"] == hostile.id)
    let data = error["error"]["data"]
    #expect(data["code"].text?.hasPrefix("host.") == true && data["message"] == error["error"]["message"])
    #expect((error["error"]["message"].text?.utf8.count ?? 0) < 1000)
    #expect(try await trial.next()?["result"] == ["a"])
    #expect(try await trial.end().isEmpty)
  }

  @Test func `more than a hundred hostile lines are tested`() {
    let all = Self.notJSON + Self.notRequests + Self.wrongMethods + Self.wrongParameters
    #expect(Set(all.map(\.line)).count > 100)
  }

  @Test func `a line beyond the limit is skipped to its end`() async throws {
    var limits = ServeLimits()
    limits.lineBytes = 1 << 16
    let trial = try ServeTrial(limits: limits)
    for _ in 0..<40 { trial.write(Array(repeating: UInt8(ascii: "["), count: 1 << 14)) }
    trial.send("")
    trial.request(1, "sample.echo", ["a"])
    let error = try #require(try await trial.next())
    #expect(error["error"]["data"]["code"] == "host.serve-line-too-long" && error["id"].isNull)
    #expect(try await trial.next()?["result"] == ["a"])
    #expect(try await trial.end().isEmpty)
  }

  @Test func `lines may arrive in pieces, with blanks and carriage returns`() async throws {
    let trial = try ServeTrial()
    for byte in Array((Self.request("sample.echo", #"["a"]"#) + "\r\n\n \t\r\n").utf8) { trial.write([byte]) }
    #expect(try await trial.next()?["result"] == ["a"])
    trial.write(Array("{".utf8))
    let rest = try await trial.end()
    #expect(rest.map { $0["error"]["code"] } == [-32_700])
  }

  @Test func `an id is refused while its request runs and accepted afterwards`() async throws {
    let trial = try ServeTrial()
    trial.request(1, "served.hold")
    await trial.plugin.isHeld.wait()
    let error = try await trial.call("sample.echo", ["a"], id: 1)["error"]
    #expect(error["code"] == -32_600 && error["data"]["code"] == "host.serve-bad-request")
    trial.send(#"{"jsonrpc":"2.0","method":"cancel","params":{"id":1}}"#)
    #expect(try await trial.response(to: 1)["error"]["code"] == -32_800)
    #expect(try await trial.call("sample.echo", ["a"], id: 1)["result"] == ["a"])
    // A number and a text are different ids.
    #expect(try await trial.call("sample.echo", ["b"], id: "1")["result"] == ["b"])
    try await trial.end()
  }

  @Test(arguments: [
    #"{"jsonrpc":"2.0","method":"version"}"#, #"{"jsonrpc":"2.0","method":"nonsense","params":[1]}"#,
    #"{"jsonrpc":"2.0","method":"cancel"}"#, #"{"jsonrpc":"2.0","method":"cancel","params":{"id":"none"}}"#,
    #"{"jsonrpc":"2.0","method":"cancel","params":[1]}"#, #"{"jsonrpc":"2.0","id":3,"result":1}"#,
    #"{"jsonrpc":"2.0","id":"ask-1","result":"x"}"#, #"{"jsonrpc":"2.0","id":null,"error":{"code":1}}"#,
    #"{"jsonrpc":"2.0","id":"ask-7","error":"no"}"#,
  ])
  func `notifications and unexpected responses get no response`(line: String) async throws {
    let trial = try ServeTrial()
    trial.send(line)
    #expect(try await trial.call("sample.echo", ["a"])["result"] == ["a"])
    #expect(try await trial.end().isEmpty)
  }

  @Test func `every request of a flood gets a response, even if the client reads late`() async throws {
    var limits = ServeLimits()
    limits.unreadBytes = 1 << 14
    limits.openRequests = 64
    let trial = try ServeTrial(limits: limits)
    let count = 5000
    for id in 1...count { trial.request(.integer(id), "sample.list") }
    trial.closeInput()
    var open = Set(1...count)
    for message in try await trial.ended() {
      let code = message["error"]["data"]["code"].text
      #expect(code == nil || code == "host.serve-busy" || code == "host.serve-canceled")
      open.remove(message["id"].integer ?? 0)
    }
    #expect(open.isEmpty)
  }

  @Test func `repeated cancellations of one call are harmless`() async throws {
    let trial = try ServeTrial()
    trial.request(1, "served.hold")
    await trial.plugin.isHeld.wait()
    for id in 100..<400 { trial.request(.integer(id), "cancel", ["id": 1]) }
    var (answered, ended) = (0, 0)
    while answered < 300 || ended < 1, let message = try await trial.next() {
      if message["id"] == 1 { ended += 1 } else { answered += message["result"]["canceled"].bool == nil ? 0 : 1 }
    }
    #expect(answered == 300 && ended == 1)
    #expect(try await trial.end().isEmpty)
  }
}
