import PluginText

/// A random number generator for a simulated lab, deterministic for a seed.
struct SimulatedChance: Sendable {
  private var random: SplitMix64

  /// Creates a generator.
  ///
  /// - Parameter stream: Numbers of other streams of the same seed are unrelated.
  init(_ seed: UInt64, _ stream: Int = 0) {
    random = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: stream) &* 0xD134_2543_DE82_EF95)
  }

  mutating func next() -> UInt64 { random.next() }

  /// Returns a number from 0 to below a bound.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

  /// Returns a sentence of a number of words in the lab's own language, the first word capitalized.
  mutating func sentence(_ words: Int) -> String {
    var text = ""
    for index in 0..<words {
      let word = pick(Self.words)
      if index == 0 {
        text = word.prefix(1).uppercased() + word.dropFirst()
      } else {
        text += " " + word
      }
    }
    return text
  }

  static let words = [
    "amber", "binding", "buffer", "calm", "channel", "clear", "coiled", "cold", "crystal", "dense", "double", "dry",
    "elastic", "faint", "filtered", "fine", "fluorescent", "folded", "frozen", "gel", "gentle", "glass", "granular",
    "heavy", "hollow", "kinase", "labelled", "lattice", "light", "linear", "mixed", "narrow", "neutral", "open", "pale",
    "pellet", "plate", "pure", "rapid", "receptor", "ring", "rough", "salt", "sealed", "sharp", "silent", "slow",
    "smooth", "soft", "spiral", "stable", "starter", "sterile", "strand", "sugar", "tagged", "thin", "trace", "vial",
    "warm", "washed", "weak", "white", "wide",
  ]
}
