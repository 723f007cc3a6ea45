@preconcurrency import Glibc

extension Program {
  /// Runs a program and returns its exit status, 128 plus the number of a signal that ended it, and its output.
  ///
  /// - Parameters:
  ///   - input: The bytes of its standard input; nil for none.
  ///   - killAfter: The milliseconds after which it is killed; nil for never.
  public static func output(
    _ arguments: [String], input: Int32? = nil, killAfter: Double? = nil
  ) -> (status: Int32, text: String) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return (-1, "") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    let process = start(arguments, &actions)
    close(ends[1])
    defer { close(ends[0]) }
    guard let process else { return (-1, "") }
    let bytes = readAll(ends[0], process, until: killAfter.map { Timing.milliseconds() + $0 })
    var status: Int32 = 0
    waitpid(process, &status, 0)
    let signal = status & 0x7F
    return (signal == 0 ? status >> 8 & 0xFF : 128 + signal, String(decoding: bytes, as: UTF8.self))
  }

  private static func readAll(_ file: Int32, _ process: pid_t, until deadline: Double?) -> [UInt8] {
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 14)
    var isKilled = false
    while true {
      var poll = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      let left = deadline.map { Int32(max(0, ($0 - Timing.milliseconds()).rounded(.up))) }
      if Glibc.poll(&poll, 1, isKilled ? -1 : left ?? -1) == 0, !isKilled {
        kill(process, SIGKILL)
        isKilled = true
        continue
      }
      let count = Glibc.read(file, &room, room.count)
      if count <= 0 { return bytes }
      bytes += room.prefix(count)
    }
  }
}
