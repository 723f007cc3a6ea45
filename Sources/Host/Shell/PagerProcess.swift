internal import CHost
import Glibc
import Synchronization

/// A program that shows a text page by page on the terminal.
enum PagerProcess {
  /// The status with which the system's shell ends if it does not find a program.
  private static let notFound: Int32 = 127
  private static let queue = WorkQueue("workbench.pager")

  /// Runs a pager until the user leaves it.
  ///
  /// That need not be at the end of the text. Cancellation ends the pager.
  ///
  /// - Parameters:
  ///   - command: A line for `sh`.
  ///   - input: The file with the text, which it reads from the start.
  /// - Returns: False if it could not be started.
  static func run(_ command: String, input: Int32, environment: [String: String]) async -> Bool {
    guard lseek(input, 0, SEEK_SET) == 0, let process = spawn(command, input: input, environment) else { return false }
    let running = RunningPager(process)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: running.wait() != notFound) }
      }
    } onCancel: {
      running.kill()
    }
  }

  private static func spawn(_ command: String, input: Int32, _ environment: [String: String]) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, StandardOutput.descriptor, STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (all, none) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setflags(&attributes, Int16(Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)))
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    var variables = environment
    // Quit if it fits, show colors, keep the text on the screen; a user's own choice comes first, as with git.
    variables["LESS"] = variables["LESS"] ?? "FRX"
    let words: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", command].map { (word: String) in strdup(word) } + [nil]
    let texts: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0.key + "=" + $0.value) } + [nil]
    defer { for text in words + texts { free(text) } }
    var process: pid_t = 0
    return posix_spawn(&process, "/bin/sh", &actions, &attributes, words, texts) == 0 ? process : nil
  }
}

/// A pager that was started.
private final class RunningPager: Sendable {
  /// The process; nil once it was waited for, as its number may then be another's.
  private let process: Mutex<pid_t?>
  private let number: pid_t

  init(_ process: pid_t) {
    self.process = Mutex(process)
    number = process
  }

  /// Waits for its end.
  ///
  /// - Returns: Its exit status; 0 if a signal ended it.
  func wait() -> Int32 {
    // It stays a zombie until its number is no longer used here.
    var info = siginfo_t()
    while waitid(P_PID, id_t(number), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return process.withLock { process in
      var status: Int32 = 0
      waitpid(number, &status, 0)
      process = nil
      return status & 0x7F == 0 ? status >> 8 & 0xFF : 0
    }
  }

  func kill() {
    process.withLock { process in
      if let process { Glibc.kill(process, SIGTERM) }
    }
  }
}
