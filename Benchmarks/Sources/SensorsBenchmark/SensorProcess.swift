import BenchmarkSupport
@preconcurrency import Glibc

/// Simulated sensors in a process of their own.
final class SensorProcess {
  /// The base addresses of the sensors.
  let addresses: [String]
  private let process: pid_t

  /// Starts sensors and waits until they are ready; nil if that takes longer than twenty seconds.
  ///
  /// - Parameters:
  ///   - sensors: How many there are.
  ///   - options: Further words for `workbench wsabi simulate`.
  init?(_ workbench: String, sensors: Int, _ options: [String]) {
    let file = "/tmp/sensors-benchmark.\(getpid()).out"
    unlink(file)
    defer { unlink(file) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let arguments = [workbench, "wsabi", "simulate", "--sensors", "\(sensors)"] + options
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, workbench, &actions, nil, &words, environ) == 0 else { return nil }
    var lines: [Substring] = []
    for _ in 0..<400 where lines.last?.hasSuffix(" control") != true {
      usleep(50_000)
      lines = FileBytes.text(file).split(separator: "\n")
    }
    guard lines.count == sensors + 1 else {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
      return nil
    }
    addresses = lines.dropLast().map { String($0.prefix { $0 != " " }) }
    self.process = process
  }

  deinit {
    kill(process, SIGTERM)
    waitpid(process, nil, 0)
  }
}
