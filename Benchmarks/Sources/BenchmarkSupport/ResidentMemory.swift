import Glibc

/// The resident memory of this process, as reported by the kernel.
///
/// - Source: proc_pid_status(5), proc_pid_clear_refs(5).
public enum ResidentMemory {
  /// The resident memory now, in KiB; nil if unknown.
  public static var kibibytes: Int? { figure("VmRSS:") }

  /// The peak since the process began or ``forgetPeak()``, in KiB; nil if unknown.
  public static var peakInKibibytes: Int? { figure("VmHWM:") }

  /// Resets the peak to the memory that is resident now.
  ///
  /// A process that hides its memory, as one with an open store of people does, must have called this before it does so.
  /// - Returns: True if it succeeded.
  public static func forgetPeak() -> Bool { write(clearing, "5", 1) == 1 }

  /// Opened once, because the kernel later permits that only to the superuser.
  private static let clearing = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)

  private static func figure(_ key: String) -> Int? {
    guard let file = fopen("/proc/self/status", "r") else { return nil }
    defer { fclose(file) }
    var bytes = [CChar](repeating: 0, count: 256)
    while fgets(&bytes, 256, file) != nil {
      let line = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard line.hasPrefix(key) else { continue }
      let words = line.split { $0 == " " || $0 == "\t" }
      return words.count >= 2 ? Int(words[1]) : nil
    }
    return nil
  }
}
