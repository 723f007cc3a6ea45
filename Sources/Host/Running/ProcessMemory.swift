import Glibc

/// The memory of running processes.
enum ProcessMemory {
  /// Returns the peak of a process's resident memory; 0 if it is unknown.
  ///
  /// - Source: proc_pid_status(5)
  static func peakMebibytes(of process: pid_t) -> Double {
    guard let text = try? HostFile.read("/proc/\(process)/status") else { return 0 }
    let line = String(decoding: text, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Double($0) } ?? 0) / 1024
  }
}
