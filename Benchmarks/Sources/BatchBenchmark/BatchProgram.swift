import BenchmarkSupport
import Glibc

/// The program under measurement, with a folder for its runs.
struct BatchProgram {
  var path: String
  var scratch: ScratchFolder
  /// The share of the usual numbers of items.
  var percent: Int

  /// Returns the number of items to use in place of a usual one.
  func scaled(_ count: Int) -> Int { max(16, count * percent / 100) }

  /// Returns the folder of a run.
  func run(_ name: String) -> String { scratch.path + "/" + name }

  /// Writes a list of items and returns its path.
  func list(_ items: [String], _ name: String) throws -> String {
    try scratch.write(Array(items.map { $0 + "\n" }.joined().utf8), name: name)
  }

  /// Plans a run whose items all wait for the workers.
  ///
  /// - Returns: False if it failed.
  func plan(_ name: String, _ options: [String], shards: Int = 1) -> Bool {
    Program.run(
      [path, "batch", "plan", run(name), "--probe", "0", "--shards", "\(shards)"] + options
        + ["--", "molecules", "secondary-structure", "{}"]) == 0
  }

  /// Runs a planned run, with errors or without; nil if items are missing afterwards.
  func work(_ words: [String]) -> Program.Usage? {
    guard let usage = Program.usage([path, "batch", words[0], "--json"] + words.dropFirst()),
      usage.status == 0 || usage.status == 5
    else { return nil }
    return usage
  }
}
