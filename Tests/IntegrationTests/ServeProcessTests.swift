import Foundation
import Glibc
import TestSupport
import Testing

/// `workbench serve` as other programs start it.
@Suite(.timeLimit(.minutes(5)))
struct ServeProcessTests {
  @Test func `standard output contains only messages, and end of input ends the server`() throws {
    let server = try ServedProgram("serve", "--stdio")
    let version = try server.call("version")["result"] as? [String: Any]
    #expect(version?["version"] is String && version?["contract"] is Int)
    let plugins = try server.call("plugin.list")["result"] as? [[String: Any]] ?? []
    #expect(
      Set(plugins.compactMap { $0["id"] as? String }).isSuperset(of: ["molecules", "pathcase", "openbis", "wsabi"]))
    let molecules = try server.call("molecules.list")["result"] as? [Any]
    #expect(molecules?.isEmpty == false)
    let outcome = try server.end()
    #expect(outcome.status == 0 && outcome.output.isEmpty && server.rest.isEmpty)
  }

  @Test func `SIGTERM cancels running calls and ends the server with status 0`() throws {
    let server = try ServedProgram("serve", "--stdio")
    server.send(1, "call", #"{"command":"openbis.simulate","stream":true}"#)
    let first = try server.next()
    #expect(first?["method"] as? String == "emit")
    server.process.send(SIGTERM)
    while let message = try server.next() {
      guard message["id"] as? Int == 1 else { continue }
      #expect((message["error"] as? [String: Any])?["code"] as? Int == -32_800)
    }
    #expect(server.process.wait().status == 0)
  }

  @Test func `a thousand canceled calls leave no children and no locks`() throws {
    let server = try ServedProgram("serve", "--stdio")
    // The plugin is loaded, and the journal of crashes locked as long as the program runs.
    _ = try server.call("openbis.servers")
    let files = try descriptorCount(after: server)
    let process = server.process.identifier
    let locks = try lockCount(of: process)
    for id in 1...1000 {
      server.send(id, "openbis.simulate", "{}")
      server.process.write(#"{"jsonrpc":"2.0","method":"cancel","params":{"id":\#(id)}}"# + "\n")
      // Reading between writes, as a client must.
      if id % 50 == 0 { try server.collect(through: id) }
    }
    try server.collect(through: 1000)
    #expect(server.codes == [-32_800])
    let children = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").map {
      (try? String(contentsOfFile: "/proc/\(process)/task/\($0)/children", encoding: .utf8)) ?? ""
    }
    #expect(children.joined().isEmpty)
    #expect(try lockCount(of: process) == locks)
    // Ports and files of the calls are closed; a few files of the plugin itself stay.
    #expect(try descriptorCount(after: server) < files + 20)
    #expect(try server.end().status == 0)
  }

  /// Returns the number of locks on files that a process holds.
  private func lockCount(of process: pid_t) throws -> Int {
    try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
      .count { $0.split(separator: " ").contains(Substring("\(process)")) }
  }

  /// Returns the number of open files after an answered call.
  private func descriptorCount(after server: ServedProgram) throws -> Int {
    _ = try server.call("version")
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.process.identifier)/fd").count
  }

  @Test(arguments: [
    ["serve"], ["serve", "--stdio", "--socket", "/tmp/x"], ["serve", "--stdio", "--root", "/tmp"],
    ["serve", "--mcp", "--socket", "/tmp/x"], ["serve", "--mcp", "--read-only", "--allow-writes"],
    ["serve", "--mcp", "--allow", "molecules"],
  ])
  func `incompatible options are refused`(words: [String]) throws {
    let outcome = try CommandLineProcess(words).finish()
    #expect(outcome.status == 2 && outcome.output.isEmpty && !outcome.errors.isEmpty)
  }

  @Test func `an agent finds the tools by discovery or by handshake`() throws {
    let server = try ServedProgram("serve", "--mcp")
    let metadata = #"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#
    let found = try server.call("server/discover", metadata)["result"] as? [String: Any]
    #expect(found?["resultType"] as? String == "complete")
    let hello = #"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}"#
    let agreed = try server.call("initialize", hello)["result"] as? [String: Any]
    #expect(agreed?["protocolVersion"] as? String == "2025-11-25")
    let tools = (try server.call("tools/list")["result"] as? [String: Any])?["tools"] as? [[String: Any]]
    #expect((3...8).contains(tools?.count ?? 0))
    #expect(try server.end().status == 0)
  }

  private func use(_ server: ServedProgram, _ tool: String, _ command: String, _ arguments: String = "{}") throws
    -> String
  {
    let metadata = #"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#
    let call = #"{"command":"\#(command)","arguments":\#(arguments)}"#
    let response = try server.call("tools/call", #"{"name":"\#(tool)","arguments":\#(call),"_meta":\#(metadata)}"#)
    let contents = (response["result"] as? [String: Any])?["content"] as? [[String: Any]]
    return contents?.first?["text"] as? String ?? ""
  }

  @Test func `files that an agent does not name are written only within its root`() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], "root/a")
    let root = folder.url("root").path
    let server = try ServedProgram("serve", "--mcp", "--allow-writes", "--root", root)
    let result = try use(server, "write", "molecules.export", #"{"molecule":["1"],"format":"xyz"}"#)
    #expect(result.contains(#""atoms":"#))
    let written = try FileManager.default.contentsOfDirectory(atPath: root).filter { $0.hasSuffix(".xyz") }
    #expect(written.count == 1)
    #expect(try server.end().status == 0)
    let rootless = try ServedProgram("serve", "--mcp", "--allow-writes")
    let refused = try use(rootless, "write", "molecules.export", #"{"molecule":["1"],"format":"xyz"}"#)
    #expect(refused.contains("host.agent-needs-root"))
    #expect(try rootless.end().status == 0)
  }

  @Test func `commands for credentials and endless commands are withheld from an agent`() throws {
    let server = try ServedProgram("serve", "--mcp", "--allow-writes", "--allow", "wsabi")
    for command in [
      "openbis.login", "openbis.logout", "openbis.secrets-status", "openbis.secrets-decrypt", "openbis.token-list",
      "openbis.token-revoke", "openbis.simulate", "pathcase.simulate", "wsabi.store-init", "wsabi.store-unlock",
      "wsabi.store-lock", "wsabi.store-change-key", "wsabi.store-change-master-key", "wsabi.store-add-user",
      "wsabi.store-remove-user", "wsabi.role", "wsabi.camera", "wsabi.simulate",
    ] {
      #expect(try use(server, "write", command).contains("host.agent-withheld"), "\(command)")
    }
    #expect(try server.end().status == 0)
  }

  // MARK: Sockets

  @Test func `a socket serves several clients of its user and is removed at the end`() throws {
    let folder = try TemporaryFolder()
    let path = folder.url("wb.sock").path
    let server = try ServedProgram("serve", "--socket", path)
    #expect(server.process.readSome() == "listening on \(path)\n")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let clients = try (0..<3).map { _ in try #require(SocketClient(path)) }
    for client in clients { client.send(#"{"jsonrpc":"2.0","id":1,"method":"version"}"#) }
    for client in clients { #expect(client.line().contains(#""contract":"#)) }
    clients[0].close()
    clients[1].send(#"{"jsonrpc":"2.0","id":2,"method":"hello"}"#)
    #expect(clients[1].line().contains(#""protocol":1"#))
    let second = try CommandLineProcess.run("serve", "--socket", path, "--json")
    #expect(second.status == 7 && second.errors.contains("host.serve-socket-in-use"))
    server.process.send(SIGTERM)
    #expect(server.process.wait().status == 0)
    #expect(lstat(path, &status) != 0)
    #expect(clients[1].line().isEmpty)
    for client in clients.dropFirst() { client.close() }
  }

  @Test func `a killed server's socket is replaced`() throws {
    let folder = try TemporaryFolder()
    let path = folder.url("wb.sock").path
    let killed = try ServedProgram("serve", "--socket", path)
    #expect(killed.process.readSome().hasPrefix("listening"))
    killed.process.send(SIGKILL)
    _ = killed.process.wait()
    #expect(FileManager.default.fileExists(atPath: path))
    let server = try ServedProgram("serve", "--socket", path)
    #expect(server.process.readSome().hasPrefix("listening"))
    let client = try #require(SocketClient(path))
    client.send(#"{"jsonrpc":"2.0","id":1,"method":"version"}"#)
    #expect(client.line().contains(#""result""#))
    client.close()
    server.process.send(SIGTERM)
    #expect(server.process.wait().status == 0)
  }

  @Test func `a socket is not created in an unsafe folder or over another file`() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], "open/file")
    let file = folder.url("open/file").path
    let other = try CommandLineProcess.run("serve", "--socket", file, "--json")
    #expect(other.status == 7 && other.errors.contains("host.serve-bad-socket"))
    #expect(FileManager.default.contents(atPath: file) == Data([1]))
    chmod(folder.url("open").path, 0o777)
    let open = try CommandLineProcess.run("serve", "--socket", folder.url("open/wb.sock").path, "--json")
    #expect(open.status == 7 && open.errors.contains("host.serve-bad-socket"))
    let long = folder.url(String(repeating: "s", count: 120)).path
    #expect(try CommandLineProcess.run("serve", "--socket", long, "--json").errors.contains("host.serve-bad-socket"))
  }
}

/// A running `workbench serve`, and the lines that it wrote.
final class ServedProgram {
  let process: CommandLineProcess
  /// Bytes of a line whose end was not read yet.
  private(set) var rest = ""
  private var lastID = 10_000
  /// The ids of the responses that ``collect(through:)`` read, and the numbers of their errors.
  private var collected: Set<Int> = []
  private(set) var codes: Set<Int> = []

  init(_ words: String...) throws { process = try CommandLineProcess(words) }

  func send(_ id: Int, _ method: String, _ parameters: String) {
    process.write(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"# + "\n")
  }

  /// Returns the next message; nil at the end.
  func next() throws -> [String: Any]? {
    while true {
      if let end = rest.firstIndex(of: "\n") {
        let line = rest[..<end]
        rest = String(rest[rest.index(after: end)...])
        return try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      }
      let more = process.readSome()
      if more.isEmpty { return nil }
      rest += more
    }
  }

  /// Sends a request and returns its response.
  func call(_ method: String, _ parameters: String = "{}") throws -> [String: Any] {
    lastID += 1
    send(lastID, method, parameters)
    while let message = try next() {
      if message["id"] as? Int == lastID { return message }
    }
    return [:]
  }

  /// Reads until all requests up to an id are answered.
  func collect(through last: Int) throws {
    while collected.count < last, let message = try next() {
      guard let id = message["id"] as? Int, let error = message["error"] as? [String: Any] else { continue }
      collected.insert(id)
      codes.insert(error["code"] as? Int ?? 0)
    }
  }

  /// Ends the input and waits for the end.
  func end() throws -> CommandLineProcess.Outcome { try process.finish() }
}

/// A client of a socket.
private final class SocketClient {
  private let descriptor: Int32

  /// Connects; nil if nothing listens.
  init?(_ path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
    let failure = withUnsafePointer(to: name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if failure != 0 {
      Glibc.close(descriptor)
      return nil
    }
  }

  func send(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Returns the next line; what the server wrote before its end if there is none.
  func line() -> String {
    var (text, byte) = ([UInt8](), [UInt8](repeating: 0, count: 1))
    while recv(descriptor, &byte, 1, 0) == 1, byte[0] != UInt8(ascii: "\n") { text.append(byte[0]) }
    return String(decoding: text, as: UTF8.self)
  }

  func close() { Glibc.close(descriptor) }
}
