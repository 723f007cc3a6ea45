/// Numbers that look like chance and are the same for the same seed.
///
/// - Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014 (SplitMix64).
struct SeededChance: Sendable {
  private var state: UInt64

  /// - Parameter place: Tells apart what is made from one seed.
  init(_ seed: UInt64, _ place: Int = 0) {
    // Mixed, as a state that is a step away is the same stream one number later: neighbouring seeds share nothing.
    state = Self.mixed(Self.mixed(seed) &+ UInt64(truncatingIfNeeded: place) &* 0xD134_2543_DE82_EF95)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mixed(state)
  }

  /// A word of which every bit depends on every bit of another.
  static func mixed(_ word: UInt64) -> UInt64 {
    var mixed = word
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A whole number from 0 to below a bound.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

  /// A number from 0 to below 1.
  mutating func unit() -> Float { Float(next() >> 40) / 16_777_216 }

  /// A number between two.
  mutating func between(_ least: Float, _ greatest: Float) -> Float { least + (greatest - least) * unit() }
}
