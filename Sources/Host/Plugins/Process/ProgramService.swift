import Glibc
import PluginAPI
import Synchronization

/// The process of a plugin, shared by all uses: a program, or a child that opens its library.
///
/// It starts at the first use. A program ends after a while without one.
final class ProgramService: Sendable {
  /// The code of a plugin in a process of its own.
  enum Code: Sendable {
    /// A program that is named by its manifest.
    case program(ProgramManifest)
    /// A library, which a child of this program opens.
    case library(IsolatedLibrary)
  }

  /// The plugin's files and the rules for its process.
  struct Source: Sendable {
    var code: Code
    /// The file `plugin.json` or the library, and its identity.
    var path: String
    var identity: FileIdentity
    /// The folder for records of crashes.
    var state: String
    /// The limit of writable memory in bytes; 0 for none.
    var memoryInBytes: UInt64
    var limits: ProgramLimits

    /// Creates the source of a program.
    init(
      manifest: ProgramManifest, path: String, identity: FileIdentity, state: String, memoryInBytes: UInt64 = 0,
      limits: ProgramLimits = ProgramLimits()
    ) {
      (code, self.path, self.identity, self.state) = (.program(manifest), path, identity, state)
      (self.memoryInBytes, self.limits) = (memoryInBytes, limits)
    }

    /// Creates the source of a library.
    init(
      library: IsolatedLibrary, path: String, identity: FileIdentity, state: String, memoryInBytes: UInt64 = 0,
      limits: ProgramLimits = .library
    ) {
      (code, self.path, self.identity, self.state) = (.library(library), path, identity, state)
      (self.memoryInBytes, self.limits) = (memoryInBytes, limits)
    }

    var id: String {
      switch code {
      case .program(let manifest): manifest.contributions.plugin.id
      case .library(let library): library.contributions.plugin.id
      }
    }

    /// The descriptions of the plugin's parts.
    var contributions: Contributions {
      switch code {
      case .program(let manifest): manifest.contributions
      case .library(let library): library.contributions.all
      }
    }

    /// The form of messages.
    var form: RPCForm {
      switch code {
      case .program: .lines
      case .library: .frames
      }
    }
  }

  /// The receiver of a session or of the reason why there is none.
  typealias Receiver = @Sendable (Result<ProgramSession, any Error>) -> Void

  private enum Phase {
    case stopped
    case starting([Receiver])
    case running(ProgramSession)
  }

  private struct State {
    var phase = Phase.stopped
    var useCount = 0
    /// The number of uses so far, which shows whether the program was used in the meantime.
    var uses = 0
    /// The entry of the plugin that crashed too often in this run.
    var quarantine: PluginQuarantine.Entry?
    /// The tasks that wait for the end of the process.
    var ending: [CheckedContinuation<Void, Never>] = []
  }

  /// A change in the process, for its observers.
  enum Change: Sendable {
    /// A screen changed on its own; see ``ScreenFace``.
    case screen(Value)
    /// The process ended.
    case ended(ProgramSession, ProgramSession.End)
  }

  private static let timers = WorkQueue("workbench.program-idle")

  let source: Source
  private let context: any PluginContext
  private let onChange: @Sendable (Change) -> Void
  private let state = Mutex(State())

  init(_ source: Source, context: any PluginContext, onChange: @escaping @Sendable (Change) -> Void = { _ in }) {
    (self.source, self.context, self.onChange) = (source, context, onChange)
  }

  /// Passes the session to a receiver, starting the program if it does not run; ``release()`` must follow.
  func use(_ receiver: @escaping Receiver) {
    enum Next { case wait, start, failed(any Error), ready(ProgramSession) }
    let next: Next = state.withLock { state in
      state.useCount += 1
      state.uses += 1
      switch state.phase {
      case .running(let session): return .ready(session)
      case .starting(let receivers):
        state.phase = .starting(receivers + [receiver])
        return .wait
      case .stopped:
        if let entry = state.quarantine { return .failed(PluginHostError.quarantined(entry)) }
        state.phase = .starting([receiver])
        return .start
      }
    }
    switch next {
    case .wait: break
    case .start: start()
    case .failed(let error): receiver(.failure(error))
    case .ready(let session): receiver(.success(session))
    }
  }

  /// Returns the session, starting the program if it does not run; ``release()`` must follow.
  func session() async throws -> ProgramSession {
    try await withCheckedThrowingContinuation { continuation in use { continuation.resume(with: $0) } }
  }

  /// Returns the session, starting the program if it does not run, and blocks the thread until then; ``release()`` must
  /// follow.
  func awaitedSession() throws -> ProgramSession {
    let awaited = AwaitedAnswer<ProgramSession>()
    use { awaited.put($0) }
    return try awaited.wait()
  }

  /// Asks the program to end, and waits for its end.
  func end() async {
    await withCheckedContinuation { continuation in
      let session: ProgramSession? = state.withLock { state in
        guard case .running(let session) = state.phase else { return nil }
        state.phase = .stopped
        state.ending.append(continuation)
        return session
      }
      guard let session else { return continuation.resume() }
      session.endUnused()
    }
  }

  /// Ends a use; the program is ended after a time without any.
  func release() {
    let (isUnused, uses) = state.withLock { state in
      state.useCount -= 1
      return (state.useCount == 0, state.uses)
    }
    guard isUnused, source.limits.idleSeconds.isFinite else { return }
    Self.timers.async(afterSeconds: source.limits.idleSeconds) { [weak self] in self?.endUnused(since: uses) }
  }

  private func endUnused(since uses: Int) {
    let session: ProgramSession? = state.withLock { state in
      guard state.useCount == 0, state.uses == uses, case .running(let session) = state.phase else { return nil }
      state.phase = .stopped
      return session
    }
    session?.endUnused()
  }

  /// Writes a problem of the program to the log.
  func log(_ severity: Diagnostic.Severity, _ problem: String) { context.log(severity, problem) }

  private func start() {
    let launch: ProgramProcess.Launch
    do {
      launch = try source.launch()
    } catch {
      return resolve(.failure(error))
    }
    var host = ProgramSession.Host(context: context, limits: source.limits, form: source.form)
    if case .library(let library) = source.code { host.library = library.greeting(path: source.path, source.identity) }
    host.onChange = { [onChange] in onChange(.screen($0)) }
    ProgramSession.start(launch, id: source.id, host: host) { [self] result in
      resolve(result)
    } ended: { [self] session, end in
      handle(end, of: session)
    }
  }

  private func resolve(_ result: Result<ProgramSession, any Error>) {
    let receivers: [Receiver] = state.withLock { state in
      guard case .starting(let receivers) = state.phase else { return [] }
      if case .success(let session) = result { state.phase = .running(session) } else { state.phase = .stopped }
      return receivers
    }
    for receiver in receivers { receiver(result) }
  }

  private func handle(_ end: ProgramSession.End, of session: ProgramSession) {
    let ending = state.withLock { state in
      if case .running(let current) = state.phase, current === session { state.phase = .stopped }
      defer { state.ending = [] }
      return state.ending
    }
    onChange(.ended(session, end))
    for continuation in ending { continuation.resume() }
    guard let crash = end.crash else { return }
    context.log(.error, "the process ended during \(crash.during): \(crash.how)")
    let crashes = ProgramCrashes(state: source.state, id: source.id)
    guard let entry = crashes.note(crash, source.identity) else { return }
    // Before it is written, so that whoever sees the file cannot start the program again.
    state.withLock { $0.quarantine = entry }
    crashes.quarantine(entry)
  }
}

/// The crashes of a plugin's program since its manifest changed or it was quarantined, in a file of the state folder.
struct ProgramCrashes {
  /// The number of crashes after which a plugin is quarantined.
  static let limit = 3

  private let id: String
  private let state: String
  private var path: String { state + "/crashes/" + id }

  init(state: String, id: String) { (self.state, self.id) = (state, id) }

  /// Records a crash.
  ///
  /// - Returns: The entry for the quarantine, after the last of several crashes.
  func note(_ crash: (during: String, how: String), _ identity: FileIdentity) -> PluginQuarantine.Entry? {
    let file = identity.numbers.map(String.init).joined(separator: " ")
    let known = (try? FileTrust.read(path)).map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    // Crashes of another version of the plugin are ignored.
    let lines = known.split(separator: "\n").filter { $0 == file } + [Substring(file)]
    guard lines.count >= Self.limit else {
      // A crash that cannot be recorded is not counted.
      try? HostFile.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: path, makesFolder: true)
      return nil
    }
    try? HostFile.remove(path)
    return PluginQuarantine.Entry(
      id: id, signal: crash.how, date: Instant.now.description, phase: "", command: crash.during, identity: identity)
  }

  /// Writes an entry of the quarantine; one that cannot be written counts for this run.
  func quarantine(_ entry: PluginQuarantine.Entry) {
    var quarantine = PluginQuarantine(state: state)
    try? quarantine.add(entry)
  }
}
