import Glibc
import PluginAPI
import Synchronization

@testable import Host

/// A client of `serve` in the test's process, over two pipes.
@MainActor final class ServeTrial {
  let plugin: ServedPlugin
  private let run: CommandLineRun
  private let client: ServedClient
  private let requests: Int32
  private let responses: Int32
  /// Writes wait on a thread of their own, as the client may stop reading.
  private let writer = WorkQueue("test.writer")
  private let task: Task<Void, Never>
  private let lines: AsyncStream<[UInt8]>
  private let arrival: AsyncStream<[UInt8]>.Continuation
  private let descriptors: [Int32]
  private var isReading = false
  private var isInputClosed = false
  /// The messages with ids that were read while another was waited for.
  private var passed: [Value] = []

  /// Creates a client of JSON-RPC, an agent if it has rules, or a client of a protocol of the test.
  init(
    limits: ServeLimits = ServeLimits(), isReadOnly: Bool = false, rules: ToolRules? = nil,
    plugin id: String = "served", isShared: Bool = false, service other: (any ServedProtocol)? = nil
  ) throws {
    signal(SIGPIPE, SIG_IGN)
    plugin = ServedPlugin(id: id)
    run = try CommandLineRun()
    try run.interpreter.session.plugins.adopt(plugin)
    let (input, output) = (try Self.pipe(), try Self.pipe())
    (requests, responses) = (input.write, output.read)
    descriptors = [input.read, output.write]
    let commands = ServedCommands(run.interpreter, isReadOnly: isReadOnly, limits: limits)
    let service: any ServedProtocol =
      if let other { other } else if let rules { AgentService(ToolCommands(commands, rules)) } else {
        RPCService(commands)
      }
    let client = ServedClient(
      input: input.read, output: output.write, service: service, limits: limits, isShared: isShared)
    self.client = client
    task = Task { await client.run() }
    (lines, arrival) = AsyncStream.makeStream(of: [UInt8].self)
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { throw HostFileError.cannot(.read, "a pipe", code: errno) }
    // A process that another test starts must not keep them open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Writes bytes, without waiting.
  func write(_ bytes: [UInt8]) {
    writer.async { [requests] in _ = HostFile.writeAll(bytes, to: requests) }
  }

  /// Writes a line, without waiting.
  func send(_ line: String) { write(Array((line + "\n").utf8)) }

  /// Sends a request.
  func request(_ id: Value, _ method: String, _ parameters: Value = nil) {
    write(RPCMessage.request(id: id, method: method, parameters: parameters).line)
  }

  /// Returns the next message; nil after the end.
  func next() async throws -> Value? {
    startReading()
    // Iterators of a stream share what they take.
    var received = lines.makeAsyncIterator()
    guard let line = await received.next() else { return nil }
    return try JSONReader.read(line, deepest: WireValue.deepest)
  }

  /// Returns the response with an id; null after the end.
  func response(to id: Value) async throws -> Value {
    if let index = passed.firstIndex(where: { $0["id"] == id }) { return passed.remove(at: index) }
    while let message = try await next() {
      guard message["method"].isNull else { continue }
      if message["id"] == id { return message }
      passed.append(message)
    }
    return nil
  }

  /// Sends a request and returns its response.
  func call(_ method: String, _ parameters: Value = nil, id: Value = "call") async throws -> Value {
    request(id, method, parameters)
    return try await response(to: id)
  }

  /// Reads from now on; a test may first let the client wait.
  private func startReading() {
    if isReading { return }
    isReading = true
    WorkQueue("test.reader").async { [responses, arrival] in
      var splitter = LineSplitter(limit: 1 << 30)
      while let chunk = try? HostFile.readChunk(responses, named: "responses") {
        for line in splitter.add(chunk) ?? [] { arrival.yield(line) }
      }
      arrival.finish()
    }
  }

  /// Ends the input, after what is written.
  func closeInput() {
    if isInputClosed { return }
    isInputClosed = true
    writer.async { [requests] in close(requests) }
  }

  /// Ends the client as the end of a server with several clients does.
  func cancel() { task.cancel() }

  /// Waits until nothing reads the input, which stays open.
  func inputEnd() async { await client.inputEnd() }

  /// Ends the server as a signal does.
  func stop() { client.end() }

  /// Ends the input and waits for the end of the server.
  ///
  /// - Returns: The messages that were not read yet.
  @discardableResult
  func end() async throws -> [Value] {
    closeInput()
    return try await ended()
  }

  /// Waits for the end of the server.
  func ended() async throws -> [Value] {
    startReading()
    await task.value
    closeInput()
    await client.inputEnd()
    close(descriptors[1])
    var rest: [Value] = []
    while let message = try await next() { rest.append(message) }
    close(descriptors[0])
    close(responses)
    return rest
  }

  /// Waits for the end of the server, without reading.
  func isOver() async { await task.value }

  /// Waits until a message of a method arrives, and returns its parameters.
  func notification(_ method: String) async throws -> Value {
    while let message = try await next() {
      if message["method"].text == method { return message["params"] }
    }
    return nil
  }
}
