import BenchmarkSupport
import PluginText

@testable import PathCase

/// The networks whose scenarios are counted: files of the shared data, and contradictions derived from them.
struct ScenarioFiles {
  /// The folder of the files, with a slash behind.
  var folder: String

  func network(_ name: String) throws -> ScenarioNetwork {
    try ScenarioNetworkReader.read(try FileBytes.read(folder + name + ".json"))
  }

  /// Observations of a network that no scenario fits, always the same: pools are observed at random until none is left.
  ///
  /// - Returns: Nil if so many tries gave none.
  static func contradiction(of network: ScenarioNetwork, seed: UInt64, tries: Int = 200) throws -> ScenarioNetwork? {
    var random = SplitMix64(seed: seed)
    for _ in 0..<tries {
      var observed = network
      for _ in 0..<8 {
        let levels = [LevelSet.unavailable, .available, .accumulated]
        observed.pools[random.next(below: network.pools.count)].observed = levels[random.next(below: 3)]
        if try ScenarioAnalysis(observed).count.isZero { return observed }
      }
    }
    return nil
  }
}
