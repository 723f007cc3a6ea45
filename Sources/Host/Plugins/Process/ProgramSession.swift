import PluginAPI
import Synchronization

/// The limits of a program.
struct ProgramLimits: Sendable {
  /// The longest line it may write, in bytes.
  var lineBytes = 64 << 20
  /// The bytes of emitted values that wait for their receiver, beyond which the program waits too.
  var backlogBytes = 8 << 20
  /// The maximum number of bytes of emitted values that wait while the host needs an answer of the same program.
  var largestBacklogBytes = 256 << 20
  /// The maximum number of bytes that the program may leave unread.
  var unreadBytes = 256 << 20
  /// The maximum number of requests of the program that wait for their answers.
  var openRequests = 256
  /// The maximum number of lines of standard error that are logged.
  var loggedLines = 1000
  /// The time limit of the start, in seconds.
  var startSeconds = 20.0
  /// The time limit of a rendering, in seconds.
  var renderSeconds = 10.0
  /// The time limit of a request about a screen in a child process, for which the loop waits, in seconds.
  var screenSeconds = 5.0
  /// The time that a canceled call may take to end, in seconds.
  var cancelSeconds = 5.0
  /// The same for a call that finishes its work.
  var finishingSeconds = 40.0
  /// The time without a call after which the program is ended, in seconds.
  var idleSeconds = 60.0
  /// The time that the program gets to end on its own, in seconds.
  var endSeconds = 2.0
}

/// A program of a plugin from its start to its end: requests, their answers, and the program's own messages.
final class ProgramSession: Sendable, ProgramProcess.Reader {
  /// The services of the host for the program's own requests.
  struct Host: Sendable {
    var context: any PluginContext
    var limits: ProgramLimits
    /// The form of messages; frames are those of a library in a child process.
    var form = RPCForm.lines
    /// The library that the child opens, for `hello`; null for programs.
    var library = Value.null
    /// Receives changes of the screens of a child; see ``ScreenFace``.
    var onChange: @Sendable (Value) -> Void = { _ in }
  }

  /// A request that is not answered yet.
  private struct Pending {
    /// The request as text, such as `command 'list'`.
    var label: String
    /// The mailbox of a call; nil for other requests.
    var mailbox: CallMailbox?
    var completion: @Sendable (Result<Value, any Error>) -> Void
  }

  /// The reason why the host ended the program.
  private enum Ending {
    /// It is not needed at the moment.
    case unused
    case failed(ErrorReport)
    /// A canceled call did not end.
    case canceled
  }

  private struct State {
    var lastID = 0
    var pending: [Int: Pending] = [:]
    /// The number of pending requests whose answer must not wait for receivers of emitted values.
    var urgentCount = 0
    var backlog = 0
    var openRequests = 0
    /// The command calls made outside of the plugin's commands, by the ids of their requests.
    var calls: [Int: Task<Void, Never>] = [:]
    var splitter: RPCSplitter
    var errors = LineSplitter(limit: 1 << 16)
    var loggedLines = 0
    var subscriptions: [any Cancellable] = []
    var ending: Ending?
    /// The way the program ended, as text; nil while it runs.
    var end: String?
  }

  /// The end of a program.
  struct End: Sendable {
    /// The unanswered requests, as text, and the way the program ended; nil if the program did not crash.
    var crash: (during: String, how: String)?
    /// The way the program ended, in words.
    var how: String
  }

  private static let timers = WorkQueue("workbench.program-timers")

  private let id: String
  private let process: ProgramProcess
  private let host: Host
  private let state: Mutex<State>
  private var subject: ProgramError.Subject { ProgramError.Subject(id, host.form) }

  private init(_ process: ProgramProcess, id: String, host: Host) {
    (self.process, self.id, self.host) = (process, id, host)
    state = Mutex(State(splitter: RPCSplitter(host.form, limit: host.limits.lineBytes)))
  }

  /// Starts a program on a thread of its own.
  ///
  /// - Parameters:
  ///   - ready: Called once: with the session after the program's `hello`, or with the reason for its absence.
  ///   - ended: Called once after the end of a program that was started.
  static func start(
    _ launch: ProgramProcess.Launch, id: String, host: Host,
    ready: @escaping @Sendable (Result<ProgramSession, any Error>) -> Void,
    ended: @escaping @Sendable (ProgramSession, End) -> Void
  ) {
    WorkQueue("workbench.program", isUrgent: true).async {
      let process: ProgramProcess
      do throws(ProgramProcess.SystemError) {
        process = try ProgramProcess(launch)
      } catch {
        let error = ProgramError.notStarted(plugin: id, program: launch.program, reason: error.message)
        return ready(.failure(error.report))
      }
      let session = ProgramSession(process, id: id, host: host)
      session.greet(ready)
      let (end, answers) = session.finish(process.follow(session))
      // First, as the last answer may end this process.
      ended(session, end)
      for completion in answers { completion() }
    }
  }

  /// Returns the parameters of `hello`, the first request to a program.
  static func hello(_ id: String, isOffline: Bool, _ folders: PluginFolders) -> Value {
    [
      "protocol": .integer(ProgramManifest.protocolVersion),
      "features": .list(ProgramManifest.knownFeatures.map(Value.text)),
      "host": .text(HostVersion.number), "plugin": .text(id), "offline": .bool(isOffline),
      "folders": [
        "resources": .text(folders.resources), "data": .text(folders.data), "state": .text(folders.state),
        "cache": .text(folders.cache),
      ],
    ]
  }

  private func greet(_ ready: @escaping @Sendable (Result<ProgramSession, any Error>) -> Void) {
    var hello = Self.hello(id, isOffline: host.context.isOffline, host.context.folders)
    if !host.library.isNull, var record = hello.record {
      record["library"] = host.library
      hello = .record(record)
    }
    request("hello", hello, label: "its start", seconds: host.limits.startSeconds) { [self] response in
      do {
        try check(response.get()["protocol"])
        ready(.success(self))
      } catch {
        // It may still run, unused.
        endUnused()
        ready(.failure(error))
      }
    }
  }

  /// Checks the version of the protocol that the program speaks.
  private func check(_ version: Value) throws {
    guard version.integer != ProgramManifest.protocolVersion else { return }
    let spoken = version.isNull ? "names no version" : "speaks version \(version.shortText)"
    throw ProgramError.otherProtocol(
      plugin: id,
      "it \(spoken) of the protocol; this workbench speaks version \(ProgramManifest.protocolVersion)"
    )
  }
}

// MARK: - Requests of the host

extension ProgramSession {
  /// Sends a request.
  ///
  /// - Parameters:
  ///   - label: The request as text, for messages.
  ///   - mailbox: The receiver of a call's values; nil for other requests.
  ///   - seconds: The time limit, after which the program is ended; nil for none.
  ///   - answer: Called once, on the thread that follows the program.
  /// - Returns: The id, for ``cancel(_:withinSeconds:)``.
  @discardableResult
  func request(
    _ method: String, _ parameters: Value, label: String, mailbox: CallMailbox? = nil, seconds: Double? = nil,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) -> Int? {
    let pending = Pending(label: label, mailbox: mailbox, completion: completion)
    let (id, failure): (Int, (any Error)?) = state.withLock { state in
      if let end = state.end { return (0, self.failure(of: pending, state.ending, end)) }
      state.lastID += 1
      state.pending[state.lastID] = pending
      if mailbox == nil { state.urgentCount += 1 }
      return (state.lastID, nil)
    }
    if let failure {
      completion(.failure(failure))
      return nil
    }
    send(.request(id: .integer(id), method: method, parameters: parameters))
    if let seconds {
      expire(id, afterSeconds: seconds) { [self] label in
        .failed(ProgramError.notResponding(subject, during: label, seconds: seconds))
      }
    }
    return id
  }

  /// Sends a request and waits for its answer; it is canceled with the task.
  func response(to method: String, _ parameters: Value, label: String) async throws -> Value {
    let mailbox = CallMailbox()
    let id = request(method, parameters, label: label) { mailbox.put(.ended($0)) }
    return try await withTaskCancellationHandler {
      try await mailbox.end()
    } onCancel: {
      if let id { cancel(id, withinSeconds: host.limits.cancelSeconds) }
    }
  }

  /// Sends a notification.
  func notify(_ method: String, _ parameters: Value) {
    send(.notification(method: method, parameters: parameters))
  }

  /// Asks the program to end a request, and ends the program if it does not.
  ///
  /// - Parameter seconds: The time that the request may take to end; nil for any.
  func cancel(_ id: Int, withinSeconds seconds: Double?) {
    notify("$/cancel", ["id": .integer(id)])
    if let seconds { expire(id, afterSeconds: seconds) { _ in .canceled } }
  }

  /// Sends a request and blocks the thread until its answer.
  ///
  /// - Parameters:
  ///   - seconds: The time limit, after which the program is ended.
  ///   - arrived: Called with the answer on the thread that follows the program, before its next message is read.
  func wait(
    _ method: String, _ parameters: Value, label: String, withinSeconds seconds: Double,
    arrived: @escaping @Sendable (Value) -> Void = { _ in }
  ) throws -> Value {
    let awaited = AwaitedAnswer<Value>()
    request(method, parameters, label: label, seconds: seconds) { result in
      if case .success(let value) = result { arrived(value) }
      awaited.put(result)
    }
    return try awaited.wait()
  }

  /// Ends the program if a request is not answered after a time.
  private func expire(_ id: Int, afterSeconds seconds: Double, _ ending: @escaping @Sendable (String) -> Ending) {
    Self.timers.async(afterSeconds: seconds) { [weak self] in
      guard let self, let label = state.withLock({ $0.pending[id]?.label }) else { return }
      end(ending(label))
    }
  }

  /// Records that the receiver of a call handled a message of this size.
  func handled(bytes: Int) {
    state.withLock { $0.backlog -= bytes }
  }

  /// Answers a request of the program.
  func respond(to id: Value, _ result: Result<Value, any Error>) {
    state.withLock { $0.openRequests -= 1 }
    switch result {
    case .success(let value): send(.result(id: id, value))
    case .failure(let error): send(.failure(id: id, RPCFailure(error)))
    }
  }

  /// Asks an unused program to end, and kills it if it does not.
  func endUnused() {
    state.withLock { if $0.ending == nil { $0.ending = .unused } }
    process.closeInput()
    killLater()
  }

  private func killLater() {
    Self.timers.async(afterSeconds: host.limits.endSeconds) { [process] in process.kill() }
  }

  private func send(_ message: RPCMessage) {
    if process.write(message.bytes(in: host.form)) > host.limits.unreadBytes {
      end(.failed(ProgramError.badMessage(subject, "it does not read its standard input")))
    }
  }

  private func end(_ ending: Ending) {
    let isFirst = state.withLock { state in
      defer { if state.ending == nil { state.ending = ending } }
      return state.ending == nil
    }
    // A status line shows a part of the message.
    if isFirst, case .failed(let error) = ending { host.context.log(.error, error.message) }
    process.kill()
  }
}

// MARK: - Output of the program

extension ProgramSession {
  var takesOutput: Bool {
    state.withLock { state in
      state.backlog <= (state.urgentCount > 0 ? host.limits.largestBacklogBytes : host.limits.backlogBytes)
    }
  }

  func receive(_ output: [UInt8]) {
    guard let messages = state.withLock({ $0.splitter.add(output) }) else {
      return end(
        .failed(ProgramError.badMessage(subject, "it wrote a line longer than \(host.limits.lineBytes) bytes")))
    }
    for message in messages {
      // What follows a wrong message is not trusted.
      if case .failed = state.withLock({ $0.ending }) { return }
      do throws(RPCMessage.Problem) {
        try receive(RPCMessage(message, in: host.form), bytes: message.count)
      } catch {
        end(.failed(ProgramError.badMessage(subject, error.message)))
      }
    }
  }

  func log(_ errors: [UInt8]) {
    let lines = state.withLock { state in
      var lines = state.errors.add(errors)
      if lines == nil {
        // A line that is too long is dropped, at least its part so far.
        state.errors = LineSplitter(limit: state.errors.limit)
        lines = state.errors.add(Array(errors.drop { $0 != UInt8(ascii: "\n") }.dropFirst()))
      }
      let found = lines ?? []
      defer { state.loggedLines += found.count }
      return Array(found.prefix(max(0, host.limits.loggedLines - state.loggedLines)))
    }
    // In this process, such text is logged in the same form.
    let start = host.form == .frames ? "printed: " : ""
    for line in lines { host.context.log(.note, start + String(decoding: line, as: UTF8.self)) }
  }

  func outputEnded() { killLater() }

  private func receive(_ message: RPCMessage, bytes: Int) throws(RPCMessage.Problem) {
    switch message {
    case .result(let id, let result): try finish(id, .success(result))
    case .failure(let id, let failure): try finish(id, .failure(failure.error(of: self.id)))
    case .notification(let method, let parameters): try note(method, parameters, bytes: bytes)
    case .request(let id, let method, let parameters): try serve(id, method, parameters)
    }
  }

  private func finish(_ id: Value, _ result: Result<Value, any Error>) throws(RPCMessage.Problem) {
    let (pending, others) = state.withLock { state in
      let pending = id.integer.flatMap { state.pending.removeValue(forKey: $0) }
      if let pending, pending.mailbox == nil { state.urgentCount -= 1 }
      return (pending, pending == nil ? state.pending.keys.sorted() : [])
    }
    guard let pending else { throw .unexpectedResponse(to: id, open: others) }
    pending.completion(result)
  }

  private func mailbox(_ parameters: Value) throws(RPCMessage.Problem) -> CallMailbox? {
    let (mailbox, lastID) = state.withLock { state in
      (parameters["id"].integer.flatMap { state.pending[$0]?.mailbox }, state.lastID)
    }
    guard mailbox != nil || (1...max(1, lastID)).contains(parameters["id"].integer ?? 0) else {
      throw RPCMessage.Problem(message: "it named call \(parameters["id"].shortText), which was not made")
    }
    return mailbox
  }

  /// Handles a notification; those about calls that ended and those of unknown methods are dropped.
  private func note(_ method: String, _ parameters: Value, bytes: Int) throws(RPCMessage.Problem) {
    func decoded<Content: ValueConvertible>(_ name: String, _ type: Content.Type) throws(RPCMessage.Problem) -> Content
    {
      guard let content = try? Content(value: parameters[name]) else {
        throw RPCMessage.Problem(message: "'\(name)' of '\(method)' has the wrong form")
      }
      return content
    }
    switch method {
    case "emit":
      guard let mailbox = try mailbox(parameters) else { return }
      put(.emitted(parameters["value"]), into: mailbox, bytes: bytes)
    case "progress":
      guard let mailbox = try mailbox(parameters) else { return }
      put(.progress(try decoded("progress", Progress.self)), into: mailbox, bytes: bytes)
    case "warn":
      guard let mailbox = try mailbox(parameters) else { return }
      put(.warned(try decoded("diagnostic", Diagnostic.self)), into: mailbox, bytes: bytes)
    case "log" where host.form == .frames:
      let severity = parameters["severity"].text.flatMap(Diagnostic.Severity.init(rawValue:))
      host.context.log(severity ?? .note, parameters["message"].text ?? "")
    case "changed" where host.form == .frames: host.onChange(parameters)
    case "$/cancel" where host.form == .frames:
      parameters["id"].integer.flatMap { id in state.withLock { $0.calls[id] } }?.cancel()
    default: break
    }
  }

  private func put(_ event: CallMailbox.Event, into mailbox: CallMailbox, bytes: Int) {
    state.withLock { $0.backlog += bytes }
    mailbox.put(event, bytes: bytes)
  }

  private func serve(_ request: Value, _ method: String, _ parameters: Value) throws(RPCMessage.Problem) {
    let count = state.withLock { state in
      state.openRequests += 1
      return state.openRequests
    }
    guard count <= host.limits.openRequests else {
      throw RPCMessage.Problem(message: "it made more than \(host.limits.openRequests) requests at a time")
    }
    func reply(_ body: () throws -> Value) { respond(to: request, Result(catching: body)) }
    func text(_ name: String) throws -> String {
      guard let text = parameters[name].text else {
        throw ProgramError.badMessage("'\(name)' of the request '\(method)' is not a text")
      }
      return text
    }
    switch method {
    case "call" where host.form == .frames && parameters["id"].isNull: call(request, parameters)
    case "call", "ask":
      guard let mailbox = try mailbox(parameters) else { return reply { throw CancellationError() } }
      mailbox.put(.requested(id: request, method: method, parameters: parameters))
    case "setting":
      reply {
        let name = try text("name")
        if let value = parameters.record?["value"] { try host.context.set(name, to: value) }
        return host.context.setting(name)
      }
    case "notify":
      reply {
        host.context.notify(try text("topic"), parameters["payload"])
        return .null
      }
    case "subscribe":
      reply {
        let subscription = host.context.subscribe(try text("topic")) { [weak self] notification in
          self?.notify("notified", notification.value)
        }
        let count = state.withLock { state in
          state.subscriptions.append(subscription)
          return state.subscriptions.count
        }
        if count > host.limits.openRequests {
          end(.failed(ProgramError.badMessage(subject, "it has too many subscriptions")))
        }
        return .null
      }
    default:
      state.withLock { $0.openRequests -= 1 }
      send(.failure(id: request, RPCFailure(code: RPCFailure.unknownMethod, "the host has no method '\(method)'")))
    }
  }

  /// Runs a command for code of the plugin that is not part of a command, such as the work of a screen.
  private func call(_ request: Value, _ parameters: Value) {
    guard let id = request.integer else { return respond(to: request, .failure(CancellationError())) }
    state.withLock { state in
      state.calls[id] = Task { [self] in
        do {
          let command = parameters["command"].text ?? ""
          let result = try await host.context.call(command, parameters["arguments"].record ?? Record())
          respond(to: request, .success(result))
        } catch {
          respond(to: request, .failure(error))
        }
        self.state.withLock { $0.calls[id] = nil }
      }
    }
  }

  /// Returns the error of a request that the program did not answer before its end.
  private func failure(of request: Pending, _ ending: Ending?, _ how: String) -> any Error {
    switch ending {
    case .failed(let error): error.report
    case .canceled: CancellationError()
    case .unused, nil: ProgramError.ended(subject, during: request.label, how: how)
    }
  }

  /// Returns the end, and functions that fail the requests which wait for an answer.
  private func finish(_ end: ProgramProcess.End) -> (End, answers: [() -> Void]) {
    let (pending, ending, subscriptions, calls, how) = state.withLock { state in
      defer { (state.pending, state.subscriptions, state.calls) = ([:], [], [:]) }
      let (ending, how) = (state.ending, end.text + (state.splitter.isInsideMessage ? ", inside a message" : ""))
      state.end = how
      // Later requests are not the ones that were canceled.
      if case .canceled = ending { state.ending = nil }
      return (state.pending, ending, state.subscriptions, state.calls, how)
    }
    for subscription in subscriptions { subscription.cancel() }
    for call in calls.values { call.cancel() }
    let requests = pending.sorted { $0.key < $1.key }.map(\.value)
    let answers = requests.map { request in
      { request.completion(.failure(self.failure(of: request, ending, how))) }
    }
    guard ending == nil, !requests.isEmpty || end != .exited(0) else {
      return (End(crash: nil, how: how), answers)
    }
    return (End(crash: (requests.first?.label ?? "no call", end.text), how: how), answers)
  }
}
