import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

/// Agents over the Model Context Protocol.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct AgentServiceTests {
  private static let stateless = "2026-07-28"

  private func rules(_ roots: [String] = [], writes: Bool = false, allowed: Set<String> = []) throws -> ToolRules {
    try ToolRules(roots: roots, allowsWrites: writes, allowed: allowed)
  }

  /// An agent of the revision without a handshake.
  private func agent(_ rules: ToolRules, plugin: String = "served") throws -> ServeTrial {
    try ServeTrial(rules: rules, plugin: plugin)
  }

  private func parameters(_ fields: Record, revision: String = stateless) -> Value {
    var fields = fields
    fields["_meta"] = .record([
      "io.modelcontextprotocol/protocolVersion": .text(revision),
      "io.modelcontextprotocol/clientCapabilities": [:],
    ])
    return .record(fields)
  }

  /// Calls a tool and returns its result.
  private func use(_ agent: ServeTrial, _ tool: String, _ arguments: Value) async throws -> Value {
    try await agent.call("tools/call", parameters(["name": .text(tool), "arguments": arguments]))["result"]
  }

  /// Returns the text of a result.
  private func text(_ result: Value) -> String { result["content"].list?.first?["text"].text ?? "" }

  /// Returns the code of a result that is an error.
  private func code(_ result: Value) throws -> String? {
    guard result["isError"] == true else { return nil }
    return try JSONReader.read(Array(text(result).utf8))["code"].text
  }

  @Test func `revision 2026-07-28 is discovered, and its results have their required fields`() async throws {
    let agent = try agent(rules())
    let found = try await agent.call("server/discover", parameters([:]))["result"]
    #expect(found["resultType"] == "complete" && found["cacheScope"] == "private" && found["ttlMs"].integer != nil)
    #expect(found["supportedVersions"] == ["2026-07-28", "2025-11-25", "2025-06-18"])
    #expect(found["capabilities"]["tools"] == [:])
    #expect(found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "workbench")
    let list = try await agent.call("tools/list", parameters([:]))["result"]
    #expect(list["resultType"] == "complete" && list["ttlMs"].integer != nil && list["cacheScope"] == "private")
    let result = try await use(agent, "read", ["command": "sample.echo", "arguments": ["words": ["a"]]])
    #expect(result["resultType"] == "complete" && result["isError"] == false && result["ttlMs"].isNull)
    #expect(result["content"] == [["type": "text", "text": #"["a"]"#]])
    try await agent.end()
  }

  @Test(arguments: [("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2024-11-05", "2025-11-25")])
  func `earlier revisions require a handshake`(wanted: String, agreed: String) async throws {
    let agent = try agent(rules())
    let early = try await agent.call("tools/list", [:])["error"]
    #expect(early["code"] == -32_602)
    let hello: Value = [
      "protocolVersion": .text(wanted), "capabilities": [:], "clientInfo": ["name": "test", "version": "1"],
    ]
    let result = try await agent.call("initialize", hello)["result"]
    #expect(result["protocolVersion"] == .text(agreed) && result["serverInfo"]["version"] == .text(HostVersion.number))
    agent.send(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
    #expect(try await agent.call("ping")["result"] == [:])
    let list = try await agent.call("tools/list", [:])["result"]
    #expect(list.record?.names == ["tools"])
    let called = try await agent.call("tools/call", ["name": "read", "arguments": ["command": "version"]])["result"]
    #expect(called.record?.names == ["content", "isError"] && called["isError"] == false)
    try await agent.end()
  }

  @Test func `an unsupported revision is refused with the supported ones`() async throws {
    let agent = try agent(rules())
    let error = try await agent.call("server/discover", parameters([:], revision: "2030-01-01"))["error"]
    #expect(error["code"] == -32_022 && error["data"]["requested"] == "2030-01-01")
    #expect(error["data"]["supported"].list?.contains("2026-07-28") == true)
    #expect(try await agent.call("resources/list", parameters([:]))["error"]["code"] == -32_601)
    let tool = try await agent.call("tools/call", parameters(["name": "write"]))["error"]
    #expect(tool["code"] == -32_602)
    try await agent.end()
  }

  @Test func `at most eight tools take at most 6,000 tokens`() async throws {
    let agent = try agent(rules(writes: true))
    let tools = try await agent.call("tools/list", parameters([:]))["result"]["tools"]
    let names = tools.list?.compactMap { $0["name"].text } ?? []
    #expect(names.count <= 8 && names == ["find", "describe", "read", "links", "table", "picture", "next", "write"])
    // A token has more than 3.5 bytes of such text.
    #expect(Double(JSONWriter.bytes(of: tools).count) / 3.5 < 6000)
    let write = try #require(tools.list?.last)
    #expect(write["annotations"] == ["readOnlyHint": false, "destructiveHint": true, "openWorldHint": true])
    #expect(tools.list?.dropLast().allSatisfy { $0["annotations"]["readOnlyHint"] == true } == true)
    try await agent.end()
  }

  @Test func `find searches commands by words, and describe shows one with its effects`() async throws {
    let agent = try agent(rules())
    let found = try await use(agent, "find", ["text": "distance of points"])
    #expect(text(found).hasPrefix(#"[{"command":"sample.measure-distance""#))
    #expect(!text(try await use(agent, "find", ["text": ""])).contains("sample.reset"))
    #expect(text(try await use(agent, "find", ["text": "zeppelin"])).hasPrefix("no command fits"))
    let described = text(try await use(agent, "describe", ["command": "sample measure distance"]))
    let description = try JSONReader.read(Array(described.utf8))
    #expect(description["command"] == "sample.measure-distance" && description["readOnlyHint"] == true)
    #expect(description["arguments"]["properties"]["unit"]["enum"] == ["metre", "foot"])
    try await agent.end()
  }

  /// Calls the tool 'links' and returns its result.
  private func links(_ agent: ServeTrial, _ id: String) async throws -> Value {
    let result = try await use(agent, "links", ["id": .text(id)])
    #expect(result["isError"] == false)
    return try JSONReader.read(Array(text(result).utf8))
  }

  @Test func `an id leads to the stored data that has it and to the commands that take it`() async throws {
    let agent = try agent(rules(writes: true))
    let enzyme = try await links(agent, "ec:2.7.1.1")
    #expect(enzyme["references"] == ["ec-code:2.7.1.1"] && enzyme["note"].isNull)
    let shelf = enzyme["found"].list ?? []
    #expect(shelf.count == 1 && shelf.first?["list"] == "served.shelf")
    #expect(shelf.first?["rows"] == [["id": 3, "field": "enzymes", "title": "glucose kinase"]])
    let commands = shelf.first?["commands"] ?? Value.null
    #expect(commands["served.open"] == ["jar", "other"] && commands["served.empty"] == ["jar"])
    let number = try await links(agent, "4")
    #expect(number["found"].list?.first?["rows"] == [["id": 4, "field": "number", "title": "Lactase 3"]])
    let label = try await links(agent, "LACTASE 3")
    #expect(label["found"].list?.first?["rows"] == [["id": 4, "field": "label"]])
    let rock = try await links(agent, "granite")["found"]
    #expect(rock.list?.first?["list"] == "sample.list" && rock.list?.first?["commands"] == ["sample.info": ["rock"]])
    try await agent.end()
  }

  @Test func `a command that an agent may not run is not linked, and a list that fails is named`() async throws {
    let agent = try agent(rules())
    let result = try await links(agent, "3")
    #expect(result["found"].list?.first?["commands"] == ["served.open": ["jar", "other"]])
    #expect(result["unread"] == [["list": "served.cellar", "problem": "the cellar is dark"]])
    for id in ["kinase", "7", "2.7.1", "zeppelin", String(repeating: "9", count: 200), "\u{1B}[31m", "$x `id`"] {
      let none = try await links(agent, id)
      #expect(none["found"] == [] && none["note"].text?.contains("no stored data") == true, "\(id)")
    }
    #expect(try code(try await use(agent, "links", ["id": ""])) == "host.agent-arguments")
    try await agent.end()
  }

  @Test func `people are never linked, even if their commands are allowed`() async throws {
    let agent = try agent(rules(allowed: ["wsabi"]), plugin: "wsabi")
    let result = try await links(agent, "3")
    #expect(result["found"] == [] && result["unread"].isNull)
    #expect(!JSONWriter.text(of: result).contains("wsabi"))
    try await agent.end()
  }

  @Test func `a table is tab-separated and has only the requested columns`() async throws {
    let agent = try agent(rules())
    let all = try await use(agent, "table", ["command": "sample.list"])
    #expect(text(all) == "name\tweight\ngranite\t2.5\nslate, \"grey\"\t")
    let some = try await use(agent, "table", ["command": "sample.list", "columns": ["weight"]])
    #expect(text(some).hasPrefix("weight\n2.5"))
    try await agent.end()
  }

  @Test func `a requested column that no row has is named in a warning`() async throws {
    let agent = try agent(rules())
    let some = try await use(agent, "table", ["command": "sample.list", "columns": ["weight", "color"]])
    #expect(text(some).hasPrefix("weight") && some["isError"] == false)
    let warning = try #require(some["content"].list?.last?["text"].text)
    #expect(warning.hasPrefix("warning: there is no column 'color'; there are name, weight"))
    let known = try await use(agent, "table", ["command": "sample.list", "columns": ["weight", "name"]])
    #expect(known["content"].list?.count == 1)
    try await agent.end()
  }

  @Test func `the error for an unknown argument of a tool names its arguments`() async throws {
    let agent = try agent(rules())
    #expect(
      text(try await use(agent, "find", ["query": "x"])).contains("there is no 'query'; it takes text and plugin"))
    #expect(text(try await use(agent, "links", ["name": "x"])).contains("there is no 'name'; it takes id"))
    try await agent.end()
  }

  @Test func `a picture is returned as an image, and warnings as separate text`() async throws {
    let agent = try agent(rules())
    let result = try await use(agent, "picture", ["command": "sample.render", "width": 32, "height": 16])
    let image = try #require(result["content"].list?.first)
    #expect(image["type"] == "image" && image["mimeType"] == "image/png")
    #expect(image["data"].text.flatMap(Base64.decoded)?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
    #expect(try code(try await use(agent, "picture", ["command": "sample.list"])) == "host.agent-no-picture")
    let warned = try await use(agent, "read", ["command": "sample.warn"])
    #expect(warned["content"].list?.count == 2 && warned["isError"] == false)
    #expect(warned["content"].list?.last?["text"].text?.contains("warning: there is dust; sweep") == true)
    try await agent.end()
  }

  @Test func `long results are split into pages within the limit that join to the whole`() async throws {
    let agent = try agent(rules())
    var page = text(try await use(agent, "read", ["command": "served.long", "arguments": ["count": 20_000]]))
    var (numbers, pages): ([Int], Int) = ([], 0)
    while pages < 100 {
      pages += 1
      #expect(page.utf8.count < ToolPages.pageBytes + 200)
      let lines = page.split(separator: "\n")
      numbers += try JSONReader.read(Array(lines[0].utf8)).list?.compactMap(\.integer) ?? []
      guard let cursor = lines.last?.split(separator: "'").dropFirst(3).first else { break }
      page = text(try await use(agent, "next", ["cursor": .text(String(cursor))]))
    }
    #expect(numbers == Array(0..<20_000) && pages > 3)
    for cursor in ["", "1", "1-0", "1-99999999", "99-1", "-1--1", "x-y", "1-9223372036854775808"] {
      #expect(try code(try await use(agent, "next", ["cursor": .text(cursor)])) == "host.agent-no-page")
    }
    try await agent.end()
  }

  @Test func `commands that change something require permission and the tool 'write'`() async throws {
    let agent = try agent(rules())
    #expect(try code(try await use(agent, "read", ["command": "sample.reset"])) == "host.agent-changes")
    try await agent.end()
    let writer = try self.agent(rules(writes: true))
    #expect(try code(try await use(writer, "read", ["command": "sample.reset"])) == "host.agent-changes")
    #expect(try await use(writer, "write", ["command": "sample.reset"])["isError"] == false)
    try await writer.end()
  }

  @Test(arguments: ["script", "config.list", "store.list", "plugin.install", "doctor", "batch.run", "run"])
  func `only commands of plugins are available`(method: String) async throws {
    let agent = try agent(rules(writes: true))
    let result = try await use(agent, "write", ["command": .text(method)])
    #expect(result["isError"] == true && text(result).contains("host."))
    #expect(try code(result) == "host.agent-withheld" || code(result) == "host.unknown-command")
    #expect(!text(result).contains("shows screens"))
    try await agent.end()
  }

  @Test(arguments: ["openbis.login", "openbis login", "openbis.token_list", "openbis token list", "openbis.simulate"])
  func `commands for credentials and endless commands are withheld`(method: String) async throws {
    let agent = try agent(rules(writes: true), plugin: "openbis")
    for tool in ["read", "write", "table", "describe"] {
      #expect(try code(try await use(agent, tool, ["command": .text(method)])) == "host.agent-withheld")
    }
    let found = text(try await use(agent, "find", ["text": "", "plugin": "openbis"]))
    #expect(found.contains("openbis.long") && !["login", "token", "simulate"].contains(where: found.contains))
    try await agent.end()
  }

  @Test func `only environment variables with secrets are removed`() {
    let names = AgentSurroundings.secrets(in: [
      "WORKBENCH_OPENBIS_TOKEN": "a", "WORKBENCH_OPENBIS_KEY_FILE": "b", "WORKBENCH_WSABI_KEY_FILE": "c",
      "WORKBENCH_HOME": "d", "PATH": "e", "TOKEN": "f",
    ])
    #expect(
      names.sorted() == ["WORKBENCH_OPENBIS_KEY_FILE", "WORKBENCH_OPENBIS_TOKEN", "WORKBENCH_WSABI_KEY_FILE"])
  }

  @Test func `without a root, commands that write files are refused even without a file argument`() async throws {
    let folder = try TemporaryFolder()
    try folder.write([1], "root/a")
    let rootless = try agent(rules(writes: true))
    #expect(try code(try await use(rootless, "write", ["command": "served.save"])) == "host.agent-needs-root")
    #expect(try await use(rootless, "write", ["command": "sample.reset"])["isError"] == false)
    try await rootless.end()
    let agent = try agent(rules([folder.url("root").path], writes: true))
    #expect(try await use(agent, "write", ["command": "served.save"])["isError"] == false)
    try await agent.end()
  }

  @Test func `a command is canceled at its time limit`() async throws {
    var limits = ServeLimits()
    limits.toolSeconds = 0.01
    let agent = try ServeTrial(limits: limits, rules: rules())
    #expect(try code(try await use(agent, "read", ["command": "served.hold"])) == "host.agent-timed-out")
    #expect(agent.plugin.runningCount == 0)
    try await agent.end()
  }

  @Test func `replies omit values of plugins with personal data unless permitted`() async throws {
    let agent = try agent(rules(writes: true), plugin: "wsabi")
    let calls: [(String, Value)] = [
      ("read", ["command": "wsabi.secret"]), ("read", ["command": "wsabi secret"]),
      ("write", ["command": "wsabi.secret"]),
      ("table", ["command": "wsabi.secret"]), ("picture", ["command": "wsabi.secret"]),
      ("describe", ["command": "wsabi.secret"]), ("find", ["text": "secret"]),
      ("find", ["text": "", "plugin": "wsabi"]),
      ("read", ["command": "wsabi_secret"]), ("read", ["command": "wsabi"]),
    ]
    for (tool, arguments) in calls {
      let result = try await use(agent, tool, arguments)
      let reply = JSONWriter.text(of: result)
      #expect(!reply.contains("fingerprint") && !reply.contains("Print a secret"))
    }
    #expect(try code(try await use(agent, "read", ["command": "wsabi.secret"])) == "host.agent-not-allowed")
    try await agent.end()
    let allowed = try self.agent(rules(allowed: ["wsabi"]), plugin: "wsabi")
    #expect(text(try await use(allowed, "read", ["command": "wsabi.secret"])) == #""fingerprint""#)
    try await allowed.end()
  }

  @Test func `files outside the roots are refused, whatever their notation`() async throws {
    let folder = try TemporaryFolder()
    let inside = try folder.write([1], "root/inside.pdb").path
    let outside = try folder.write([1], "outside.pdb").path
    let root = folder.url("root").path
    #expect(symlink(outside, root + "/link.pdb") == 0)
    let agent = try agent(rules([root]))
    func path(_ name: String, _ value: String) async throws -> Value {
      try await use(agent, "read", ["command": "served.path", "arguments": .record([name: .text(value)])])
    }
    let refused = [
      ("input", outside), ("input", root + "/../outside.pdb"), ("input", "../outside.pdb"),
      ("input", root + "/link.pdb"),
      ("input", "link.pdb"), ("input", "/etc/passwd"), ("input", "~/.ssh/id_ed25519"), ("input", ""),
      ("document", outside), ("document", "../outside.pdb"), ("document", "/proc/self/environ"), ("text", outside),
      ("text", "file:///etc/passwd"), ("text", "file:passwd"), ("text", "FILE:x"), ("text", ".."),
      ("text", "a/../../b"), ("text", "/none"), ("text", "~"), ("text", "~/none"), ("text", "link.pdb"),
      ("text", "./link.pdb"), ("url", "file:///etc/passwd"), ("url", "ftp://localhost/x"), ("url", outside),
      ("input", root + "x/inside.pdb"), ("input", "inside.pdb\u{0}"),
    ]
    for (name, value) in refused {
      let found = try code(try await path(name, value))
      #expect(found == "host.agent-outside-roots" || found == "host.agent-address", "\(name) \(value)")
    }
    for (name, value) in [("input", inside), ("input", "inside.pdb"), ("document", "inside.pdb"), ("text", inside)] {
      #expect(text(try await path(name, value)).contains("root/inside.pdb"), "\(name) \(value)")
    }
    #expect(text(try await path("document", "4hhb")).contains(#""4hhb""#))
    #expect(text(try await path("url", "https://example.org/a")).contains("example.org"))
    for value in ["a/b", "word", "profile:x", "a..b"] {
      #expect(text(try await path("text", value)).contains(#""\#(value)""#))
    }
    // The name of a file may be meant as a word.
    #expect(text(try await path("text", "inside.pdb")).contains(#""inside.pdb""#))
    try await agent.end()
    let rootless = try self.agent(rules())
    let arguments: Value = ["command": "served.path", "arguments": ["input": .text(inside)]]
    #expect(try code(try await use(rootless, "read", arguments)) == "host.agent-outside-roots")
    try await rootless.end()
  }

  @Test func `a canceled tool call gets no response`() async throws {
    let agent = try agent(rules())
    agent.request(1, "tools/call", parameters(["name": "read", "arguments": ["command": "served.hold"]]))
    await agent.plugin.isHeld.wait()
    agent.send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"test"}}"#)
    await until { agent.plugin.runningCount == 0 }
    #expect(try await agent.call("ping")["result"] == [:])
    #expect(try await agent.end().isEmpty)
  }

  @Test(
    arguments: [
      ("read", ["command": "sample.echo", "words": ["a"]]), ("read", [:]), ("read", ["command": 7]),
      ("read", ["command": "sample.echo", "arguments": "a"]), ("read", [1]), ("find", [:]),
      ("table", ["command": "sample.list", "columns": "name"]),
      ("picture", ["command": "sample.render", "width": 1_000_000]), ("next", ["cursor": 1]), ("links", [:]),
      ("links", ["id": 7]), ("links", ["id": .text(String(repeating: "a", count: 201))]), ("links", ["text": "a"]),
      ("find", ["text": .text(String(repeating: "a", count: 201))]),
      ("find", ["text": .text(String(repeating: "a ", count: 17))]),
      ("find", ["text": .text(String(repeating: "distance ", count: 100))]),
      ("table", ["command": "sample.list", "columns": .list(Array(repeating: "name", count: 257))]),
      ("table", ["command": "sample.list", "columns": ["name", 1]]),
    ] as [(String, Value)])
  func `invalid arguments of a tool are an error with its code`(tool: String, arguments: Value) async throws {
    let agent = try agent(rules())
    #expect(try code(try await use(agent, tool, arguments)) == "host.agent-arguments")
    try await agent.end()
  }

  @Test func `a command's error is a result with advice`() async throws {
    let agent = try agent(rules())
    let result = try await use(agent, "read", ["command": "sample.fail", "arguments": ["kind": "notFound"]])
    #expect(try code(result) == "sample.no-rock" && text(result).contains("look in the cellar"))
    let unknown = try await use(agent, "read", ["command": "sample.lsit"])
    #expect(try code(unknown) == "host.unknown-command" && text(unknown).contains("sample.list"))
    let none = try await use(agent, "read", ["command": "xylophone.zzz"])
    #expect(try code(none) == "host.unknown-command" && text(none).contains("find commands with the tool 'find'"))
    try await agent.end()
  }
}
