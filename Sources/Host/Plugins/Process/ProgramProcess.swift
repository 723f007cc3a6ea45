internal import CHost
import Glibc
import PluginAPI
import Synchronization

/// A running program of a plugin, with its standard streams on pipes.
///
/// The kernel kills the program when the thread that made this object ends: ``follow(_:)`` keeps it.
final class ProgramProcess: Sendable {
  /// The command line of a program, and its limit.
  struct Launch: Sendable, Equatable {
    /// The absolute path of the program.
    var program: String
    /// The arguments, the first one being the program's name.
    var arguments: [String]
    /// The limit of its writable memory in bytes; 0 for none.
    var memoryInBytes: UInt64
    /// Environment variables to set unless this process has them.
    var variables: [String: String] = [:]
  }

  /// The way a program ended.
  enum End: Sendable, Equatable {
    case exited(Int32)
    case signaled(Int32)

    /// The end in words, after a colon.
    var text: String {
      switch self {
      case .exited(let status): "status \(status)"
      case .signaled(let signal): PluginProbe.name(ofSignal: signal)
      }
    }
  }

  /// The receiver of a program's output, called on the thread that follows it.
  protocol Reader {
    /// A Boolean value indicating whether output is read now; the program waits otherwise.
    var takesOutput: Bool { get }
    /// Receives bytes of standard output.
    func receive(_ output: [UInt8])
    /// Receives bytes of standard error.
    func log(_ errors: [UInt8])
    /// Learns that standard output was closed.
    func outputEnded()
  }

  private struct State {
    var isFinished = false
    var isInputClosed = false
    /// Bytes for standard input that its pipe has no room for.
    var pending: [UInt8] = []
    var isDraining = false
  }

  private static let pauseInMilliseconds: Int32 = 5
  /// The maximum number of reads of 64 KiB after the program's end: more than a pipe holds.
  private static let mostLateReads = 16

  /// The identifiers of the process groups to kill at the end of this process.
  private static let groups = Mutex<Set<Int32>>([])

  /// The identifiers of the running programs.
  static var running: Set<pid_t> { groups.withLock { $0 } }

  private let service: chost_service
  private let state = Mutex(State())
  private let writer = WorkQueue("workbench.program-input")

  /// Starts a program.
  ///
  /// - Throws: ``SystemError`` with the reason why the program does not run.
  init(_ launch: Launch) throws(SystemError) {
    let arguments: [UnsafeMutablePointer<CChar>?] = launch.arguments.map { strdup($0) } + [nil]
    let environment: [UnsafeMutablePointer<CChar>?] =
      launch.variables.merging(ProcessEnvironment.all()) { $1 }.map { strdup($0.key + "=" + $0.value) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var service = chost_service()
    let error = chost_service_start(launch.program, arguments, environment, launch.memoryInBytes, &service)
    if error != 0 { throw SystemError(code: error) }
    self.service = service
    let group = service.process
    _ = Self.groups.withLock { $0.insert(group) }
  }

  /// An error of the system.
  struct SystemError: Error {
    var code: Int32

    /// The system's message.
    var message: String { String(cString: strerror(code)) }
  }

  /// Kills all programs, with the processes that they started, before the end of this process.
  static func killAll() {
    groups.withLock { groups in
      for group in groups { Glibc.kill(-group, SIGKILL) }
    }
  }

  /// Kills the program with the processes that it started; its end follows.
  func kill() {
    state.withLock { state in
      if !state.isFinished { Glibc.kill(-service.process, SIGKILL) }
    }
  }

  /// Closes the program's standard input, which asks it to end.
  func closeInput() {
    state.withLock { state in
      if state.isFinished || state.isInputClosed { return }
      state.isInputClosed = true
      close(service.input)
    }
  }

  /// Writes bytes to the program's standard input, without waiting.
  ///
  /// - Returns: The number of bytes that wait for the program to read.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Int {
    state.withLock { state in
      if state.isFinished || state.isInputClosed { return 0 }
      state.pending += bytes
      writeSome(&state)
      if !state.pending.isEmpty, !state.isDraining {
        state.isDraining = true
        writer.async { self.drain() }
      }
      return state.pending.count
    }
  }

  /// Writes as many pending bytes as the pipe takes; a closed pipe takes all.
  private func writeSome(_ state: inout State) {
    var written = 0
    state.pending.withUnsafeBytes { buffer in
      while written < buffer.count {
        let count = Glibc.write(service.input, buffer.baseAddress.map { $0 + written }, buffer.count - written)
        if count < 0, errno == EINTR { continue }
        if count < 0 { written = errno == EAGAIN ? written : buffer.count }
        if count <= 0 { return }
        written += count
      }
    }
    if written > 0 { state.pending.removeFirst(written) }
  }

  private func drain() {
    while true {
      var room = pollfd(fd: service.input, events: Int16(POLLOUT), revents: 0)
      poll(&room, 1, 100)
      let isDone = state.withLock { state in
        let isClosed = state.isFinished || state.isInputClosed
        if !isClosed { writeSome(&state) }
        state.isDraining = !isClosed && !state.pending.isEmpty
        return !state.isDraining
      }
      if isDone { return }
    }
  }

  /// Reads what the program writes until it ends, then kills the processes that it started.
  func follow(_ reader: some Reader) -> End {
    var (isOpen, hasErrors) = (true, true)
    // A message is often followed by another one, or by a request with a quick answer.
    var isExpecting = false
    while true {
      let takes = reader.takesOutput
      var watched = [
        pollfd(fd: isOpen && takes ? service.output : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: hasErrors ? service.errors : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: service.end, events: Int16(POLLIN), revents: 0),
      ]
      let isThere = isExpecting && BriefWait.wait { poll(&watched, 3, 0) != 0 }
      if !isThere { poll(&watched, 3, takes ? -1 : Self.pauseInMilliseconds) }
      isExpecting = watched[0].revents != 0
      if watched[1].revents != 0 { hasErrors = read(service.errors, reader.log) }
      if watched[0].revents != 0, !read(service.output, reader.receive) {
        isOpen = false
        reader.outputEnded()
      }
      if watched[2].revents != 0 { break }
    }
    for _ in 0..<Self.mostLateReads where isOpen && hasBytes(service.output) {
      isOpen = read(service.output, reader.receive)
    }
    for _ in 0..<Self.mostLateReads where hasErrors && hasBytes(service.errors) {
      hasErrors = read(service.errors, reader.log)
    }
    return finish()
  }

  private func finish() -> End {
    // First, as the id of the process group may be reused afterwards.
    let group = service.process
    _ = Self.groups.withLock { $0.remove(group) }
    let status = state.withLock { state in
      state.isFinished = true
      var finished = service
      if state.isInputClosed { finished.input = -1 }
      return chost_service_finish(&finished)
    }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signaled(signal)
  }

  private func hasBytes(_ descriptor: Int32) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) > 0
  }

  /// Reads once.
  ///
  /// - Returns: False at the end.
  private func read(_ descriptor: Int32, _ receive: ([UInt8]) -> Void) -> Bool {
    do throws(HostFileError) {
      guard let chunk = try HostFile.readChunk(descriptor, named: "output") else { return false }
      receive(chunk)
      return true
    } catch {
      if case .cannot(_, _, code: EAGAIN) = error { return true }
      return false
    }
  }
}
