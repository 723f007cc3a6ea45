import PluginAPI
import TestSupport
import Testing

@testable import Host

/// Programs that call commands over JSON-RPC.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct ServedCallTests {
  @Test func `arguments are accepted by name or position, with dashes or underscores`() async throws {
    let trial = try ServeTrial()
    let named: Value = ["point": [[1, 2, 3]], "scale": 2, "unit": "foot"]
    let first = try await trial.call("sample.measure-distance", named)
    #expect(first["result"]["value"].number == 12 && first["result"]["unit"] == "foot")
    #expect(try await trial.call("sample.measure_distance", [[1, 2, 3]])["result"]["value"].number == 6)
    #expect(try await trial.call("sample.echo", ["a", "b"])["result"] == ["a", "b"])
    #expect(try await trial.call("sample.echo", [["a", "b"]])["result"] == ["a", "b"])
    #expect(try await trial.call("sample.echo")["result"] == [])
    let apart: Value = ["command": "sample.measure-distance", "arguments": [[1, 1, 1]], "options": ["scale": "-1"]]
    #expect(try await trial.call("call", apart)["result"]["value"].number == -3)
    try await trial.end()
  }

  @Test func `a result equals the document of --json`() async throws {
    let trial = try ServeTrial()
    let rows: Value = [["name": "granite", "weight": 2.5], ["name": "slate, \"grey\"", "weight": nil]]
    #expect(try await trial.call("sample.list")["result"] == rows)
    #expect(try await trial.call("version")["result"].record == HostVersion.value.record)
    #expect(try await trial.call("sample.count", ["to": 2])["result"] == [["number": 1], ["number": 2]])
    #expect(try await trial.call("sample.count", ["to": 0])["result"] == [])
    let reset = try await trial.call("sample.reset")
    #expect(reset.record?["result"] == Value.null && reset.record?["error"] == nil)
    try await trial.end()
  }

  @Test func `values keep their types in the form 'wire'`() async throws {
    let trial = try ServeTrial()
    let table = try await trial.call("call", ["command": "sample.list", "form": "wire"])["result"]
    let value = try WireValue.value(table)
    #expect(value.table?.rowCount == 2 && value.table?.columns.map(\.unit) == [nil, "kg"])
    let point: Value = ["command": "sample.measure-distance", "form": "wire", "arguments": [[1, 1, 1]]]
    let quantity = try await trial.call("call", point)["result"]
    #expect(try WireValue.value(quantity) == .quantity(3, unit: "metre"))
    try await trial.end()
  }

  @Test func `a picture is a PNG of the requested size`() async throws {
    let trial = try ServeTrial()
    let picture = try await trial.call("sample.render")["result"]
    #expect(picture["width"] == 4 && picture["height"] == 2 && picture["format"] == "png")
    let png = try #require(picture["data"].text.flatMap(Base64.decoded))
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let large = try await trial.call("call", ["command": "sample.render", "size": "8x6"])["result"]
    #expect(large["width"] == 8 && large["height"] == 6)
    let problem = try await trial.call("call", ["command": "sample.list", "size": "8x6"])["error"]
    #expect(problem["data"]["code"] == "host.no-picture")
    try await trial.end()
  }

  @Test func `streamed values arrive one by one before the response`() async throws {
    let trial = try ServeTrial()
    trial.request(1, "call", ["command": "sample.count", "arguments": ["to": 3], "stream": true])
    var messages: [Value] = []
    while messages.last?["result"].isNull ?? true, let message = try await trial.next() { messages.append(message) }
    #expect(messages.map { $0["method"].text } == ["emit", "emit", "emit", nil])
    #expect(messages.dropLast().map { $0["params"]["value"]["number"] } == [1, 2, 3])
    #expect(messages.allSatisfy { ($0["params"].isNull ? $0["id"] : $0["params"]["id"]) == 1 })
    #expect(messages.last?["result"] == ["emitted": 3])
    try await trial.end()
  }

  @Test func `warnings of a call are sent as notifications`() async throws {
    let trial = try ServeTrial()
    trial.request(7, "sample.warn")
    let note = try await trial.notification("warn")
    #expect(note["id"] == 7 && note["severity"] == "note" && note["advice"].isNull)
    let warning = try await trial.notification("warn")
    #expect(warning["code"] == "sample.dust" && warning["line"] == 7 && warning["advice"] == "sweep")
    #expect(try await trial.response(to: 7)["result"] == "swept")
    try await trial.end()
  }

  @Test func `an error has its code, advice, details and exit status`() async throws {
    let trial = try ServeTrial()
    let missing = try await trial.call("sample.fail", ["kind": "notFound"])["error"]
    #expect(missing["code"] == -32_000 && missing["message"] == "there is no rock 'quartz'")
    let data = missing["data"]
    #expect(data["code"] == "sample.no-rock" && data["advice"] == "look in the cellar" && data["status"] == 3)
    #expect(data["details"]["rock"] == "quartz" && data["retryable"] == false)
    let network = try await trial.call("sample.fail", ["kind": "network"])["error"]["data"]
    #expect(network["retryable"] == true && network["status"] == 6)
    #expect(try await trial.call("sample.fail", ["kind": "usage"])["error"]["code"] == -32_602)
    let unknown = try await trial.call("sample.fail", ["kind": "other"])["error"]["data"]
    #expect(unknown["code"] == "host.plugin-threw" && unknown["status"] == 4)
    try await trial.end()
  }

  @Test(arguments: ["script", "exec", "run", "open", "serve"])
  func `commands that run others or open screens are not served`(method: String) async throws {
    let trial = try ServeTrial()
    let error = try await trial.call(method)["error"]
    #expect(error["code"] == -32_601 && error["data"]["code"] == "host.serve-not-served")
    try await trial.end()
  }

  @Test func `a misspelled command is refused with the nearest name`() async throws {
    let trial = try ServeTrial()
    let error = try await trial.call("sample.lsit")["error"]
    #expect(error["code"] == -32_601 && error["data"]["code"] == "host.unknown-command")
    #expect(error["data"]["advice"].text?.contains("sample.list") == true)
    try await trial.end()
  }

  @Test func `a read-only server refuses commands that change something`() async throws {
    let trial = try ServeTrial(isReadOnly: true)
    let error = try await trial.call("sample.reset")["error"]["data"]
    #expect(error["code"] == "host.serve-read-only" && error["status"] == 7)
    #expect(try await trial.call("sample.echo", ["a"])["result"] == ["a"])
    let listed = try await trial.call("commands", ["prefix": "sample"])["result"].list?.map { $0["method"] }
    #expect(listed?.contains("sample.echo") == true && listed?.contains("sample.reset") == false)
    try await trial.end()
  }

  @Test(arguments: ["-", "/dev/stdin", "/dev/stdout"])
  func `standard streams are refused as files`(path: String) async throws {
    let trial = try ServeTrial()
    let error = try await trial.call("sample.info", ["rock": .text(path)])["error"]
    #expect(error["code"] == -32_602 && error["data"]["code"] == "host.serve-standard-stream")
    try await trial.end()
  }

  @Test func `hello names the protocol and refuses other versions`() async throws {
    let trial = try ServeTrial()
    let hello = try await trial.call("hello", ["protocol": 1, "client": "test", "features": []])["result"]
    #expect(hello["protocol"] == 1 && hello["version"] == .text(HostVersion.number) && hello["readOnly"] == false)
    #expect(hello["limits"]["calls"] == 8)
    let error = try await trial.call("hello", ["protocol": 2])["error"]["data"]
    #expect(error["code"] == "host.serve-other-protocol")
    try await trial.end()
  }

  @Test func `commands and schemas describe the available methods`() async throws {
    let trial = try ServeTrial()
    let all = try await trial.call("commands")["result"].list ?? []
    let methods = all.compactMap { $0["method"].text }
    #expect(
      methods.contains("sample.measure-distance") && methods.contains("version") && methods.contains("plugin.list"))
    #expect(Set(methods).isDisjoint(with: ["run", "exec", "serve", "__complete"]))
    let render = try #require(all.first { $0["method"] == "sample.render" })
    #expect(render["picture"] == true && render["options"].list?.first?["name"] == "color")
    let schema = try await trial.call("schema", ["command": "sample.measure-distance"])["result"]
    #expect(schema["parameters"]["required"] == ["point"])
    #expect(schema["parameters"]["properties"]["unit"]["enum"] == ["metre", "foot"])
    #expect(schema["result"]["properties"]["value"]["type"] == "number")
    try await trial.end()
  }

  @Test func `only a client that supports questions receives them`() async throws {
    let silent = try ServeTrial()
    let dismissed = try await silent.call("served.ask")
    #expect(dismissed.record?["result"] == Value.null)
    try await silent.end()
    let trial = try ServeTrial()
    _ = try await trial.call("hello", ["features": ["ask"]])
    trial.request(5, "served.ask")
    var question: Value = nil
    while question["method"] != "ask", let message = try await trial.next() { question = message }
    #expect(question["params"] == ["id": 5, "title": "Password", "secret": true, "text": ""])
    trial.write(RPCMessage.result(id: question["id"], "hush").line)
    #expect(try await trial.response(to: 5)["result"] == "4 bytes")
    try await trial.end()
  }

  @Test func `canceling a call ends its open question`() async throws {
    let trial = try ServeTrial()
    _ = try await trial.call("hello", ["features": ["ask"]])
    trial.request(5, "served.ask")
    #expect(try await trial.notification("ask")["id"] == 5)
    trial.send(#"{"jsonrpc":"2.0","method":"cancel","params":{"id":5}}"#)
    #expect(try await trial.response(to: 5)["error"]["code"] == -32_800)
    try await trial.end()
  }

  @Test func `notifications of a topic are forwarded until unsubscribed`() async throws {
    let trial = try ServeTrial()
    #expect(try await trial.call("subscribe", ["topic": "served.news"]).record?["result"] == Value.null)
    trial.request(1, "served.tell", ["text": "one"])
    let news = try await trial.notification("notified")
    #expect(news == ["topic": "served.news", "plugin": "served", "payload": "one", "missed": 0])
    _ = try await trial.call("unsubscribe", ["topic": "served.news"])
    _ = try await trial.call("served.tell", ["text": "two"])
    let unknown = try await trial.call("subscribe", ["topic": "served.olds"])["error"]["data"]
    #expect(unknown["code"] == "host.serve-unknown-topic" && unknown["advice"].text?.contains("served.news") == true)
    #expect(try await trial.end().allSatisfy { $0["method"].isNull })
  }
}
