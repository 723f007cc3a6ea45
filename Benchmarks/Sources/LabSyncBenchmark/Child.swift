import BenchmarkSupport
@preconcurrency import Glibc

/// A run of a program: what it printed, how long it took and how much memory it had at most.
struct Child {
  var status: Int32
  var output: String
  var errors: String
  var milliseconds: Double
  /// User and system time together.
  var processorMilliseconds: Double
  var peakMebibytes: Double

  /// Runs a program to its end.
  ///
  /// - Parameter input: The bytes of its standard input.
  static func run(_ arguments: [String], input: String = "") -> Child {
    let files = ["out", "err", "in"].map { "/tmp/lab-sync-benchmark.\(getpid()).\($0)" }
    defer { for file in files { unlink(file) } }
    let descriptor = open(files[2], O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var text = input
    _ = text.withUTF8 { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, files[2], O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, files[0], O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, files[1], O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var (status, usage): (Int32, rusage) = (-1, rusage())
    let begin = now()
    guard let process = Program.start(arguments, &actions) else {
      return Child(
        status: -1, output: "", errors: "", milliseconds: 0, processorMilliseconds: 0, peakMebibytes: 0)
    }
    wait4(process, &status, 0, &usage)
    func spent(_ time: timeval) -> Double { Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000 }
    return Child(
      status: status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F, output: FileBytes.text(files[0]),
      errors: FileBytes.text(files[1]), milliseconds: now() - begin,
      processorMilliseconds: spent(usage.ru_utime) + spent(usage.ru_stime),
      peakMebibytes: Double(usage.ru_maxrss) / 1024)
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }

  /// Returns the whole number after a member's name in a JSON text.
  func number(_ member: String) -> Double? {
    guard let place = Self.end(of: "\"\(member)\":", in: Array(output.utf8)) else { return nil }
    let digits = Array(output.utf8)[place...].prefix { ($0 >= 48 && $0 <= 57) || $0 == 46 }
    return Double(String(decoding: digits, as: UTF8.self))
  }

  /// Returns the index at which a pattern ends in bytes.
  static func end(of pattern: String, in bytes: [UInt8]) -> Int? {
    let wanted = Array(pattern.utf8)
    guard bytes.count >= wanted.count else { return nil }
    return (0...(bytes.count - wanted.count)).first { bytes[$0..<($0 + wanted.count)].elementsEqual(wanted) }
      .map { $0 + wanted.count }
  }
}
