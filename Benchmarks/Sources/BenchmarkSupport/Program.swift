@preconcurrency import Glibc

/// Runs programs and waits for them.
public enum Program {
  /// Runs a program, discards its output and returns the milliseconds from start to end.
  ///
  /// - Returns: nil if it cannot be started or does not end with status 0.
  public static func time(_ arguments: [String]) -> Double? {
    let start = Timing.milliseconds()
    guard run(arguments) == 0 else { return nil }
    return Timing.milliseconds() - start
  }

  /// Runs a program, discards its output and returns its exit status, -1 if it was not started or was killed.
  public static func run(_ arguments: [String]) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    defer { words.forEach { free($0) } }
    words.append(nil)
    var process: pid_t = 0
    guard posix_spawnp(&process, arguments[0], &actions, nil, words, environ) == 0 else { return -1 }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
  }
}
