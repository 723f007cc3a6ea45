@preconcurrency import Glibc

/// A program that runs until its owner is gone, such as a simulated server, and prints once it is ready.
public final class ServingProgram {
  private let process: pid_t

  /// Starts a program and waits until its output shows that it is ready.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments.
  ///   - seconds: The time limit.
  ///   - read: Converts the output so far into the result; returns nil while it is not ready.
  /// - Returns: The program and the result; nil if it cannot be started or was not ready in time.
  public static func start<Output>(
    _ arguments: [String], within seconds: Double, _ read: (String) -> Output?
  ) -> (program: ServingProgram, output: Output)? {
    let file = "/tmp/benchmark-server.\(getpid()).\(UInt32.random(in: .min ... .max)).out"
    defer { unlink(file) }
    guard let process = spawn(arguments, into: file) else { return nil }
    // Ended by its owner's end from here on, whether or not it gets ready.
    let program = ServingProgram(process)
    let deadline = Timing.milliseconds() + seconds * 1000
    while true {
      if let output = read(FileBytes.text(file)) { return (program, output) }
      // A program that ended prints no more.
      if Timing.milliseconds() >= deadline || program.hasEnded { return nil }
      usleep(50_000)
    }
  }

  private static func spawn(_ arguments: [String], into file: String) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, file, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    return posix_spawnp(&process, arguments[0], &actions, nil, &words, environ) == 0 ? process : nil
  }

  private init(_ process: pid_t) { self.process = process }

  /// A Boolean value indicating whether the program has ended; it can still be waited for.
  private var hasEnded: Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_signo != 0
  }

  deinit {
    kill(process, SIGTERM)
    waitpid(process, nil, 0)
  }
}
