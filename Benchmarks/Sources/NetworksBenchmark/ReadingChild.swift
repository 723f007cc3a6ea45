import BenchmarkSupport
import Glibc

@testable import PathCase

/// A process that reads one model and reports the memory used.
enum ReadingChild {
  /// The argument that makes this program do so.
  static let word = "--memory"

  /// By how many MiB reading a model lets the resident memory of a process of this program grow at most.
  ///
  /// A small model that is read before brings code and tables into memory.
  static func memory(_ path: String, after small: String) -> Double? {
    let (status, text) = Program.output(["/proc/self/exe", word, path, small])
    guard status == 0 else { return nil }
    return Double(text.prefix { $0 != "\n" })
  }

  /// Runs the measurement in the process.
  static func measure(_ path: String, after small: String) throws {
    _ = try NetworkFile.read(small)
    guard ResidentMemory.forgetPeak(), let before = ResidentMemory.kibibytes else { exit(1) }
    let content = try NetworkFile.read(path)
    guard case .model(let document) = content, !document.model.reactions.isEmpty,
      let peak = ResidentMemory.peakInKibibytes
    else { exit(1) }
    print(Double(peak - before) / 1024)
  }
}
