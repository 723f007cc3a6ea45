import BenchmarkSupport
import Glibc

@testable import PathCase

/// A process that reads one model and says how much memory that takes.
enum ReadingChild {
  /// The word after which this program does so.
  static let word = "--memory"

  /// By how many MiB reading a model lets the resident memory of a process of this program grow at most.
  ///
  /// A small model that is read before brings code and tables into memory.
  static func memory(_ path: String, after small: String) -> Double? {
    let (status, text) = Program.output(["/proc/self/exe", word, path, small])
    guard status == 0 else { return nil }
    return Double(text.prefix { $0 != "\n" })
  }

  /// What the process does.
  static func measure(_ path: String, after small: String) throws {
    _ = try NetworkFile.read(small)
    // 5 sets the peak back to what is resident now (proc(5), clear_refs).
    guard let file = fopen("/proc/self/clear_refs", "w"), fputs("5", file) >= 0, fclose(file) == 0,
      let before = status("VmRSS:")
    else { exit(1) }
    let content = try NetworkFile.read(path)
    guard case .model(let document) = content, !document.model.reactions.isEmpty, let peak = status("VmHWM:") else {
      exit(1)
    }
    print(Double(peak - before) / 1024)
  }

  /// A figure of this process in KiB.
  private static func status(_ key: String) -> Int? {
    guard let file = fopen("/proc/self/status", "r") else { return nil }
    defer { fclose(file) }
    var bytes = [CChar](repeating: 0, count: 256)
    while fgets(&bytes, 256, file) != nil {
      let line = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard line.hasPrefix(key) else { continue }
      let words = line.split { $0 == " " || $0 == "\t" }
      if words.count >= 2 { return Int(words[1]) }
    }
    return nil
  }
}
