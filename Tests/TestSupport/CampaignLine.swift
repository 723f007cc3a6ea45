import Foundation

/// A number that `make campaign` passes to a proof: the repetitions, or the seed.
public enum CampaignNumber {
  /// Returns the number in the environment; another where there is none.
  public static func of(_ name: String, else usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }
}

/// The outcome of a proof, as the line of JSON from which `Scripts/campaign` makes its page.
public struct CampaignLine {
  private let name: String
  private let seed: Int
  private let runs: Int
  private let words: String

  /// Creates a line.
  ///
  /// - Parameter words: The outcome; the test itself reports whether there were findings.
  public init(_ name: String, seed: Int, runs: Int, words: String) {
    self.name = name
    self.seed = seed
    self.runs = runs
    self.words = words
  }

  /// Prints the line.
  public func print() {
    let fields: [String: Any] = ["name": name, "seed": seed, "runs": runs, "words": words]
    guard let line = try? JSONSerialization.data(withJSONObject: fields, options: .sortedKeys) else { return }
    Swift.print("\n" + String(decoding: line, as: UTF8.self))
  }
}
