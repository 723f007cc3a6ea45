@preconcurrency public import Glibc

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
    guard let process = start(arguments, &actions) else { return -1 }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
  }

  /// Starts a program, with no signals blocked: threads of libdispatch block most of them, and a shell that cannot receive
  /// SIGCHLD waits forever for its children.
  ///
  /// - Returns: The process id; nil if it cannot be started.
  public static func start(_ arguments: [String], _ actions: inout posix_spawn_file_actions_t) -> pid_t? {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    return posix_spawnp(&process, arguments[0], &actions, &attributes, &words, environ) == 0 ? process : nil
  }
}
