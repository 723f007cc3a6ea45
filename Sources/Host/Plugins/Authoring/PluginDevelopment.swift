internal import CHost
import Glibc
import PluginAPI
import Synchronization

/// The development of a plugin: a build after each change of its files.
final class PluginDevelopment: Sendable {
  /// The outcome of a build.
  struct Report: Sendable, Equatable {
    var outcome: PluginBuild.Outcome
    /// The duration of the build in seconds.
    var seconds: Double
    /// A Boolean value indicating whether the plugin differs from the one before.
    var isNew: Bool

    /// A Boolean value indicating whether the plugin was built, and its tests passed.
    var isGood: Bool { outcome.problems.isEmpty }
  }

  private struct State {
    var isEnded = false
    var isFirst = true
    var identity: FileIdentity?
    /// The files after the last build, including its output.
    var files: FolderState?
    /// A Boolean value indicating whether sources changed during the last build.
    var isOutdated = false
    /// The number of builds in a row during which sources changed.
    var outdatedBuilds = 0
    /// Kills the tool that runs.
    var kill: (@Sendable () -> Void)?
  }

  /// The maximum number of builds repeated in a row because sources changed during them: a build may write sources
  /// itself.
  private static let mostRepeats = 3

  let build: PluginBuild
  private let runsTests: Bool
  private let watch: FolderWatch
  private let state: Mutex<State>

  /// Begins to watch the folder of a plugin.
  init(_ build: PluginBuild, runsTests: Bool) throws(ErrorReport) {
    (self.build, self.runsTests) = (build, runsTests)
    watch = try FolderWatch(build.folder)
    state = Mutex(State(identity: build.built.flatMap { FileIdentity(path: $0.path) }))
  }

  /// Ends the development: ``next()`` returns nil from now on.
  func end() {
    watch.end()
    let kill = state.withLock { state in
      state.isEnded = true
      return state.kill
    }
    kill?()
  }

  /// Builds at the first call, and after the next change at later ones; blocks the thread.
  ///
  /// - Returns: nil once the development was ended.
  func next() throws -> Report? {
    let isFirst = state.withLock { state in
      defer { state.isFirst = false }
      return state.isFirst
    }
    if !isFirst, try !awaitChange() { return nil }
    return try make(afterChange: !isFirst)
  }

  /// A Boolean value indicating whether a build is due: files differ from those after the last build, or sources
  /// changed during it.
  var hasChanges: Bool {
    let (isOutdated, files) = state.withLock { ($0.isOutdated, $0.files) }
    return isOutdated || FolderState(of: build.folder) != files
  }

  /// Blocks the thread until files have changed that the last build did not write.
  ///
  /// - Returns: False once the development was ended.
  private func awaitChange() throws(ErrorReport) -> Bool {
    if state.withLock({ $0.isOutdated && !$0.isEnded }) { return true }
    // Events for the build's output are still pending.
    while try watch.next() {
      if hasChanges { return true }
    }
    return false
  }

  private func make(afterChange hasChanged: Bool) throws -> Report? {
    let start = MonotonicClock.seconds
    let before = FolderState(of: build.folder)
    let outcome = try build.build(tests: runsTests) { kill in
      let isEnded = state.withLock { state in
        state.kill = kill
        return state.isEnded
      }
      if isEnded { kill() }
    }
    let after = FolderState(of: build.folder)
    let isOutdated = after.hasOtherSources(than: before)
    let isEnded = state.withLock { state in
      state.kill = nil
      state.files = after
      state.outdatedBuilds = isOutdated ? state.outdatedBuilds + 1 : 0
      state.isOutdated = isOutdated && state.outdatedBuilds <= Self.mostRepeats
      return state.isEnded
    }
    if isEnded { return nil }
    let identity = outcome.path.flatMap { FileIdentity(path: $0) }
    let isNew = state.withLock { state in
      guard let identity else { return false }
      defer { state.identity = identity }
      // The code of a program is in other files than its manifest.
      return identity != state.identity || build.kind == .program && hasChanged
    }
    return Report(outcome: outcome, seconds: MonotonicClock.seconds - start, isNew: isNew)
  }
}

/// The screen of a plugin that is being developed, in a child process that a new build replaces.
///
/// A library cannot be closed while its code may still be called, so each build gets a process of its own. Screens keep
/// their state as between two runs.
@MainActor final class DevelopmentScreen {
  /// The exit status of a child whose plugin was built again.
  nonisolated static let restartStatus: Int32 = 75
  private static let pageName = "build-errors"

  private let development: PluginDevelopment
  private weak var navigator: Navigator?
  private var work: (any Cancellable)?

  init(_ development: PluginDevelopment) { self.development = development }

  /// Begins to build after each change.
  func start(_ navigator: Navigator) {
    self.navigator = navigator
    awaitBuild()
  }

  /// Ends the watch.
  func end() {
    development.end()
    work?.cancel()
    work = nil
  }

  private func awaitBuild() {
    work = navigator?.session.loop.background("building the plugin") { [development] _ in
      try development.next()
    } onProgress: { _ in
    } completion: { [weak self] outcome in
      self?.handle(outcome)
    }
  }

  private func handle(_ outcome: WorkOutcome) {
    guard let navigator else { return }
    switch outcome {
    case .finished(let result):
      guard let report = result as? PluginDevelopment.Report else { return }
      handle(report, navigator)
      awaitBuild()
    case .failed(let error):
      let report = ErrorReport(error)
      navigator.show(Diagnostic(.error, code: report.code, report.message, advice: report.advice))
    case .cancelled: break
    @unknown default: break
    }
  }

  private func handle(_ report: PluginDevelopment.Report, _ navigator: Navigator) {
    if let page = navigator.stack.first(where: { $0.plugin == nil && $0.description.name == Self.pageName }) {
      navigator.pop(page, .null)
    }
    guard report.isGood else {
      navigator.push(
        host: PageController(title: "Build errors", Self.text(report.outcome.problems)), named: Self.pageName,
        placement: .popover)
      return
    }
    if report.isNew { navigator.end(status: Self.restartStatus) }
  }

  private static func text(_ problems: [Diagnostic]) -> StyledText {
    var text = StyledText()
    for problem in problems {
      for line in problem.message.split(separator: "\n", omittingEmptySubsequences: false) {
        text.add(.init(String(line), .error))
      }
    }
    text.add(.init(""))
    text.add(.init("The last good build keeps running.", .secondary))
    return text
  }
}

/// A child process on the terminal of this one.
enum TerminalChild {
  /// Runs a program and waits for its end; stops when it stops.
  ///
  /// - Parameter onStart: Receives a function that asks the program to end.
  /// - Returns: Its exit status; 128 + n if signal n ended it.
  static func run(
    _ program: String, _ commandLine: [String], onStart: (@escaping @Sendable () -> Void) -> Void
  ) throws(HostFileError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, StandardOutput.descriptor, STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (all, none) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    let arguments: [UnsafeMutablePointer<CChar>?] = commandLine.map { strdup($0) } + [nil]
    let environment: [UnsafeMutablePointer<CChar>?] =
      ProcessEnvironment.all().map { strdup($0.key + "=" + $0.value) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var process: pid_t = 0
    let failure = posix_spawn(&process, program, &actions, &attributes, arguments, environment)
    if failure != 0 { throw .cannot(.read, program, code: failure) }
    let child = process
    onStart { kill(child, SIGTERM) }
    return wait(for: child)
  }

  private static func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    while true {
      let ended = waitpid(child, &status, WUNTRACED)
      if ended < 0, errno == EINTR { continue }
      if ended < 0 { return 1 }
      // Stopped, as by Ctrl-Z: the shell waits for this process.
      if status & 0xFF == 0x7F {
        kill(getpid(), SIGSTOP)
        kill(child, SIGCONT)
        continue
      }
      let signal = status & 0x7F
      return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }
  }
}
