internal import CHost
import Glibc
import PluginAPI

/// A child of a batch worker, in a process group and with a state folder of its own.
final class ChildProcess {
  /// The end of a child before its answer.
  enum Death: Equatable {
    /// It ended on its own with this status.
    case exited(Int32)
    /// A signal ended it that this process did not send.
    case signaled(Int32)
    /// It was killed because it exceeded the limit of time or memory.
    case timedOut
    case outOfMemory
    /// It was killed because the worker must end now.
    case abandoned
  }

  /// The limits of one answer.
  struct Limits {
    var seconds: Double
    var mebibytes: Int?
  }

  /// The fixed facts about the children of a run.
  struct Launch: Sendable {
    var program: String
    /// The folder for relative paths.
    var folder: String
    /// The options for the whole run, such as `--home`.
    var options: [String]
    /// The folder for temporary folders.
    var temporaryFolder: String
    var temporary: TemporaryFiles
    /// The folder with backups of stores that the child uses; nil for the user's stores.
    var stores: String?
  }

  private static let pollInMilliseconds: Int32 = 200
  private let process: pid_t
  private let channel: Int32
  private let state: String
  private let temporary: TemporaryFiles
  private var pending: [UInt8] = []
  /// The number of pending bytes that are known not to end a line.
  private var searched = 0
  private var isEnded = false
  private var isBound: Bool

  /// Starts a child.
  ///
  /// - Parameter core: The processor core that it is bound to; nil for any.
  init(_ launch: Launch, core: Int? = nil) throws {
    temporary = launch.temporary
    let folder = try ChildFolder.make(under: launch.temporaryFolder)
    // The child has the lock then.
    defer { folder.close() }
    state = folder.path
    temporary.add(state)
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      temporary.remove(state)
      throw HostFileError.cannot(.write, "a socket", code: errno)
    }
    channel = ends[0]
    defer { close(ends[1]) }
    let arguments = ["workbench", BatchChild.word, state, launch.folder, launch.stores ?? ""] + launch.options
    do throws(HostFileError) {
      process = try Self.spawn(launch.program, arguments, channel: ends[1], folder: folder.descriptor)
    } catch {
      close(ends[0])
      temporary.remove(state)
      throw error
    }
    isBound = core != nil
    if let core { ProcessorCores.bind(process, to: core) }
  }

  private static func spawn(
    _ program: String, _ arguments: [String], channel: Int32, folder: Int32
  ) throws(HostFileError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, channel, BatchChild.channel)
    posix_spawn_file_actions_adddup2(&actions, folder, BatchChild.stateFolder)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for output in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (all, none) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigemptyset(&none)
    let flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    var variables = ProcessEnvironment.all()
    // A crash is expected; writing a backtrace takes seconds.
    variables["SWIFT_BACKTRACE"] = "enable=no"
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0.key + "=" + $0.value) } + [nil]
    defer { for text in words + environment { free(text) } }
    var process: pid_t = 0
    let failure = posix_spawn(&process, program, &actions, &attributes, words, environment)
    if failure != 0 { throw .cannot(.read, program, code: failure) }
    return process
  }

  /// Asks for one item, of a child that has no other.
  ///
  /// The arguments and the result are those of ``answer(_:isStopped:)``.
  func ask(
    _ request: ItemRequest, _ limits: Limits, isStopped: () throws -> Bool
  ) throws -> Result<[UInt8], Ending> {
    send(request.line)
    return try answer(limits, isStopped: isStopped)
  }

  /// Sends the line of a request.
  ///
  /// The child runs requests in their order. If it is gone, its answer is the cause of its end.
  func send(_ request: [UInt8]) { _ = HostFile.writeAll(request, to: channel) }

  /// Waits for the answer to the first request that has none.
  ///
  /// - Parameters:
  ///   - limits: The limits until the answer.
  ///   - isStopped: Called five times a second; true if the worker must end now.
  /// - Returns: The answer: a byte of ``ItemAnswer`` and a line for a log.
  func answer(_ limits: Limits, isStopped: () throws -> Bool) throws -> Result<[UInt8], Ending> {
    let deadline = MonotonicClock.seconds + limits.seconds
    var nextLook = MonotonicClock.seconds + Double(Self.pollInMilliseconds) / 1000
    while true {
      if let answer = takeLine() { return .success(answer) }
      var watched = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
      if poll(&watched, 1, Self.pollInMilliseconds) > 0, try !readMore() { return .failure(Ending(death: reap())) }
      let now = MonotonicClock.seconds
      guard now >= nextLook else { continue }
      nextLook = now + Double(Self.pollInMilliseconds) / 1000
      if let death = try excess(now > deadline, limits, isStopped) {
        // An answer that arrived meanwhile counts.
        if let answer = takeLine() { return .success(answer) }
        end()
        return .failure(Ending(death: death))
      }
    }
  }

  /// Returns the reason to kill the child; nil if there is none.
  private func excess(_ isLate: Bool, _ limits: Limits, _ isStopped: () throws -> Bool) rethrows -> Death? {
    if try isStopped() { return .abandoned }
    if isLate { return .timedOut }
    if let most = limits.mebibytes, residentMebibytes > most { return .outOfMemory }
    return nil
  }

  /// The reason why there is no answer.
  struct Ending: Error {
    var death: Death
  }

  private func takeLine() -> [UInt8]? {
    let length = pending.withUnsafeBytes { bytes -> Int? in
      guard searched < bytes.count, let start = bytes.baseAddress else { return nil }
      return memchr(start + searched, 10, bytes.count - searched).map { UnsafeRawPointer($0) - start + 1 }
    }
    guard let length else {
      searched = pending.count
      return nil
    }
    searched = 0
    // Mostly there is one answer.
    defer { pending = length == pending.count ? [] : Array(pending[length...]) }
    return length == pending.count ? pending : Array(pending[..<length])
  }

  /// Reads the available bytes.
  ///
  /// - Returns: False at the end of the channel.
  private func readMore() throws -> Bool {
    do throws(HostFileError) {
      guard let chunk = try HostFile.readChunk(channel, named: "answers") else { return false }
      pending += chunk
      return true
    } catch {
      if case .cannot(_, _, code: ECONNRESET) = error { return false }
      throw error
    }
  }

  private var residentMebibytes: Int {
    guard let text = try? HostFile.read("/proc/\(process)/statm"),
      let pages = String(decoding: text, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return 0 }
    return (pages * Int(getpagesize())) >> 20
  }

  /// The peak of the resident memory since the start or ``forgetPeak()``; 0 if it is unknown.
  var peakMebibytes: Double { ProcessMemory.peakMebibytes(of: process) }

  /// Resets the peak of the resident memory to that of now.
  ///
  /// - Source: proc_pid_clear_refs(5)
  func forgetPeak() {
    guard let file = try? HostFile.open("/proc/\(process)/clear_refs", O_WRONLY) else { return }
    _ = HostFile.writeAll(Array("5".utf8), to: file)
    close(file)
  }

  /// Waits for a child that closed its channel and returns the cause of its end.
  private func reap() -> Death {
    var status: Int32 = 0
    for _ in 0..<400 {
      if waitpid(process, &status, WNOHANG) == process {
        cleanUp()
        return Self.death(status)
      }
      poll(nil, 0, 5)
    }
    // A child that closed its channel but does not end is useless. No other process killed it.
    killed()
    return .exited(0)
  }

  private static func death(_ status: Int32) -> Death {
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signaled(signal)
  }

  /// Kills the child, with all processes that it started, and waits for its end.
  private func killed() {
    var status: Int32 = 0
    kill(-process, SIGKILL)
    kill(process, SIGKILL)
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    cleanUp()
  }

  private func cleanUp() {
    isEnded = true
    // Processes that the child started.
    kill(-process, SIGKILL)
    close(channel)
    temporary.remove(state)
  }

  /// Lets the child use all cores.
  func unbind() {
    if isBound { ProcessorCores.unbind(process) }
    isBound = false
  }

  /// Ends the child.
  func end() {
    if !isEnded { killed() }
  }

  deinit { end() }
}
