internal import CHost
import Glibc
import Synchronization

/// A program that shows a text page by page on the terminal.
///
/// It has a process group of its own, which has the terminal while it runs, so that all its processes can be ended.
enum PagerProcess {
  /// The status with which the system's shell ends if it does not find a program.
  private static let notFound: Int32 = 127
  private static let queue = WorkQueue("workbench.pager")
  private static let endQueue = WorkQueue("workbench.pager-end")

  /// Runs a pager until the user leaves it.
  ///
  /// That need not be at the end of the text. Cancellation ends the pager.
  ///
  /// - Parameters:
  ///   - command: A line for `sh`.
  ///   - input: The file with the text, which it reads from the start.
  ///   - graceInSeconds: The time from its cancellation until it is killed.
  /// - Returns: False if it could not be started.
  static func run(
    _ command: String, input: Int32, environment: [String: String], graceInSeconds: Double = 1
  ) async -> Bool {
    guard lseek(input, 0, SEEK_SET) == 0, let process = spawn(command, input: input, environment) else { return false }
    let running = RunningPager(process)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: running.hasShown(notFound: notFound)) }
      }
    } onCancel: {
      running.end(by: SIGTERM)
      endQueue.async(afterSeconds: graceInSeconds) { running.end(by: SIGKILL) }
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
    let flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    var variables = environment
    // Quit if it fits, show colors, keep the text on the screen; a user's own choice comes first, as with git.
    variables["LESS"] = variables["LESS"] ?? "FRX"
    let arguments: [UnsafeMutablePointer<CChar>?] =
      ["sh", "-c", command].map { (word: String) in strdup(word) } + [nil]
    let texts: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0.key + "=" + $0.value) } + [nil]
    defer { for text in arguments + texts { free(text) } }
    var process: pid_t = 0
    return posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, texts) == 0 ? process : nil
  }
}

/// A pager that was started.
private final class RunningPager: Sendable {
  /// The process, which leads its group; nil once it was waited for, as its process id may then be reused.
  private let process: Mutex<pid_t?>
  private let number: pid_t
  /// A Boolean value indicating whether this program may pass on the terminal of standard input.
  private let hasTerminal: Bool

  init(_ process: pid_t) {
    self.process = Mutex(process)
    number = process
    hasTerminal = tcgetpgrp(STDIN_FILENO) == getpgrp()
    if hasTerminal { _ = Self.setForeground(process) }
  }

  /// Waits for its end, and takes the terminal back.
  ///
  /// - Parameter notFound: The exit status of a pager that could not be started.
  /// - Returns: False if it has shown nothing.
  func hasShown(notFound: Int32) -> Bool {
    defer { if hasTerminal { _ = Self.setForeground(getpgrp()) } }
    while true {
      // It stays a zombie until its process id is no longer used here.
      var info = siginfo_t()
      while waitid(P_PID, id_t(number), &info, WEXITED | WSTOPPED | WNOWAIT) != 0 {
        if errno != EINTR { return true }
      }
      var status: Int32 = 0
      let isStopped = process.withLock { process in
        guard waitpid(number, &status, WNOHANG | WUNTRACED) == number else { return true }
        if status & 0xFF == 0x7F { return true }
        process = nil
        return false
      }
      if !isStopped { return status & 0x7F != 0 || status >> 8 & 0xFF != notFound }
      if !resume(after: status >> 8 & 0xFF) { return false }
    }
  }

  /// Continues a pager that was stopped by Ctrl-Z, or because it used the terminal too early; nothing else does.
  ///
  /// - Returns: False if it cannot have the terminal; it is killed then.
  private func resume(after signal: Int32) -> Bool {
    let isForTerminal = signal == SIGTTIN || signal == SIGTTOU
    if hasTerminal && Self.setForeground(number) || !isForTerminal {
      kill(-number, SIGCONT)
      return true
    }
    end(by: SIGKILL)
    process.withLock { process in
      while waitpid(number, nil, 0) < 0, errno == EINTR {}
      process = nil
    }
    return false
  }

  /// Sends a signal to all processes of the pager, also to stopped ones.
  func end(by signal: Int32) {
    process.withLock { process in
      guard let process else { return }
      kill(-process, signal)
      kill(-process, SIGCONT)
    }
  }

  /// Gives the terminal of standard input to a process group; from the background too.
  private static func setForeground(_ group: pid_t) -> Bool {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return tcsetpgrp(STDIN_FILENO, group) == 0
  }
}
