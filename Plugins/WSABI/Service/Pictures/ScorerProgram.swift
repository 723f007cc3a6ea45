import Glibc
import PluginAPI
import PluginStore

/// A program of the deployer that scores captures.
///
/// It gets the data on its standard input, never a file, and the word of the submodality as its only argument, and writes
/// a whole number from 0 to 100 on its standard output.
struct ScorerProgram: Sendable {
  /// An absolute path.
  let path: String
  /// The time limit of the program, in milliseconds.
  var deadlineInMilliseconds: Int32 = 10_000

  /// Returns the quality that the program reports.
  ///
  /// - Throws: ``ScorerError``.
  func quality(of data: [UInt8], _ submodality: Submodality) async throws -> CaptureRecord.Quality {
    // A relative path would mean another program in another working directory.
    guard path.hasPrefix("/") else { throw ScorerError.notAbsolute(path: path) }
    let name = String(path.split(separator: "/").last ?? "program")
    let score = try await OwnThread.value { _ in try run(data, submodality.wireName) }
    return CaptureRecord.Quality(score: score, scorer: "program \(name)")
  }

  private func run(_ data: [UInt8], _ word: String) throws -> Int {
    // A pair of sockets, as writing to a pipe without a reader would end this process.
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw ScorerError.notRun(path: path, reason: String(cString: strerror(errno)))
    }
    defer { close(ends[0]) }
    let process: pid_t
    do {
      defer { close(ends[1]) }
      process = try spawn(ends[1], word)
    }
    var output: [UInt8] = []
    let isInTime = exchange(ends[0], data, &output)
    guard let status = Self.end(of: process, isInTime ? deadlineInMilliseconds : 0) else {
      throw ScorerError.tooSlow(path: path)
    }
    guard status == 0 else { throw ScorerError.notRun(path: path, reason: "exit status \(status >> 8 & 255)") }
    let digits = output.drop { $0 <= 0x20 }.prefix { (0x30...0x39).contains($0) }
    guard (1...3).contains(digits.count), let score = Int(String(decoding: digits, as: UTF8.self)), score <= 100 else {
      throw ScorerError.noScore(path: path)
    }
    return score
  }

  /// Waits for the end of a process, and kills it when its time is up.
  ///
  /// - Returns: Its status; nil if it had to be killed.
  private static func end(of process: pid_t, _ milliseconds: Int32) -> Int32? {
    var status: Int32 = 0
    for _ in 0..<max(1, milliseconds / 10) {
      let found = waitpid(process, &status, WNOHANG)
      if found == process { return status }
      if found < 0, errno != EINTR { return nil }
      if milliseconds > 0 { poll(nil, 0, 10) }
    }
    // Including its children; it leads its own process group.
    kill(-process, SIGKILL)
    kill(process, SIGKILL)
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return nil
  }

  private func spawn(_ end: Int32, _ word: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, end, 0)
    posix_spawn_file_actions_adddup2(&actions, end, 1)
    // The program does not inherit this process's signal handling, as its own signals must end its children.
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
    var process: pid_t = 0
    let arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), strdup(word), nil]
    // The program does not inherit the environment of this process, which may hold names of key files.
    let environment: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=/usr/bin:/bin"), strdup("LC_ALL=C.UTF-8"), nil]
    defer { for text in arguments + environment { free(text) } }
    let number = posix_spawn(&process, path, &actions, &attributes, arguments, environment)
    guard number == 0 else { throw ScorerError.notRun(path: path, reason: String(cString: strerror(number))) }
    return process
  }

  /// Sends the data and receives the response concurrently, until the other side is done.
  ///
  /// - Returns: True if it finished in time.
  private func exchange(_ end: Int32, _ data: [UInt8], _ output: inout [UInt8]) -> Bool {
    var sent = 0
    var begin = timespec()
    clock_gettime(CLOCK_MONOTONIC, &begin)
    if data.isEmpty { shutdown(end, Int32(SHUT_WR)) }
    while true {
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      let elapsed = (now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1_000_000
      let left = Int(deadlineInMilliseconds) - elapsed
      var poll = pollfd(fd: end, events: Int16(sent < data.count ? POLLIN | POLLOUT : POLLIN), revents: 0)
      guard left > 0, Glibc.poll(&poll, 1, Int32(left)) != 0 else { return false }
      if Int32(poll.revents) & (POLLIN | POLLHUP) != 0 {
        var room = [UInt8](repeating: 0, count: 256)
        let count = recv(end, &room, room.count, Int32(MSG_DONTWAIT))
        if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { return true }
        if count > 0 { output += room.prefix(min(count, max(0, 1024 - output.count))) }
      }
      if Int32(poll.revents) & POLLOUT != 0, sent < data.count {
        let count = data.withUnsafeBytes { bytes in
          send(
            end, bytes.baseAddress.map { $0 + sent }, min(1 << 16, data.count - sent),
            Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        }
        // A program that has seen enough may stop reading.
        sent = count > 0 ? sent + count : errno == EAGAIN || errno == EINTR ? sent : data.count
        if sent == data.count { shutdown(end, Int32(SHUT_WR)) }
      }
    }
  }
}

/// The reason a program gave no score.
enum ScorerError: Error, Equatable, ReportableError {
  case notRun(path: String, reason: String)
  case notAbsolute(path: String)
  case tooSlow(path: String)
  case noScore(path: String)

  private static let noScoreCode = DeclaredError(
    "wsabi.scorer", .failure, "a scorer program returned no score")
  /// The stable codes.
  static let errorCodes = [noScoreCode.catalogueEntry]

  var report: ErrorReport {
    switch self {
    case .notRun(let path, let reason):
      Self.noScoreCode("the scorer '\(path)' failed: \(reason)", advice: "check the program")
    case .notAbsolute(let path):
      Self.noScoreCode(
        "the scorer '\(path)' is not an absolute path", advice: "write an absolute path in the setting 'scorer'")
    case .tooSlow(let path):
      Self.noScoreCode("the scorer '\(path)' took too long and was stopped", advice: "check the program")
    case .noScore(let path):
      Self.noScoreCode(
        "the scorer '\(path)' printed no number from 0 to 100", advice: "print the score on standard output")
    }
  }
}
