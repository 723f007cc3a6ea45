@preconcurrency import Glibc

extension Program {
  /// The resource usage of a program's run.
  public struct Usage: Sendable {
    /// The exit status, 128 and the signal's number if one ended it.
    public var status: Int32
    /// From start to end.
    public var milliseconds: Double
    /// The processor time, with that of all processes that it waited for.
    public var processorMilliseconds: Double
    /// The most memory that was resident at once, in one process.
    public var mebibytes: Double
    /// The output on standard error.
    public var errors: String
  }

  /// Runs a program, discards its output and returns its resource usage; nil if it cannot be started.
  public static func usage(_ arguments: [String]) -> Usage? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    forgetPeakMemory()
    let begin = Timing.milliseconds()
    let process = start(arguments, &actions)
    close(ends[1])
    guard let process else { return nil }
    var errors: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = Glibc.read(ends[0], &room, room.count)
      if count <= 0 { break }
      errors += room.prefix(count)
    }
    var status: Int32 = 0
    var used = rusage()
    guard wait4(process, &status, 0, &used) == process else { return nil }
    let signal = status & 0x7F
    return Usage(
      status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, milliseconds: Timing.milliseconds() - begin,
      processorMilliseconds: milliseconds(used.ru_utime) + milliseconds(used.ru_stime),
      mebibytes: Double(used.ru_maxrss) / 1024, errors: String(decoding: errors, as: UTF8.self))
  }

  /// Makes the peak memory of this process its present memory: a child begins with the peak of its parent.
  ///
  /// - Source: proc(5), clear_refs.
  private static func forgetPeakMemory() {
    let file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    if file < 0 { return }
    _ = write(file, "5", 1)
    close(file)
  }

  private static func milliseconds(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1e3 + Double(time.tv_usec) / 1e3
  }
}
