import BenchmarkSupport
@preconcurrency import Glibc

/// A made-up server in a process of its own.
final class Simulator {
  let address: String
  let user: String
  let password: String
  private let process: pid_t

  /// Starts a server with TLS and waits until it is ready; nil if it does not start within ten seconds.
  init?(_ workbench: String, entities: Int) {
    let file = "/tmp/lab-sync-benchmark.\(getpid()).server"
    unlink(file)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let arguments = [workbench, "openbis", "simulate", "--entities", "\(entities)", "--tls", "on"]
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, workbench, &actions, nil, &words, environ) == 0 else { return nil }
    var found: [Substring] = []
    for _ in 0..<200 where found.count < 5 {
      usleep(50_000)
      found = FileBytes.text(file).split { $0 == " " || $0 == "\n" }
    }
    unlink(file)
    guard found.count >= 5 else {
      kill(process, SIGKILL)
      return nil
    }
    (address, user, password) = (String(found[0]), String(found[2]), String(found[4]))
    self.process = process
  }

  deinit {
    kill(process, SIGTERM)
    waitpid(process, nil, 0)
  }
}
