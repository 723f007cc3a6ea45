/// Numbers that look like chance and are the same at every start.
///
/// - Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014 (SplitMix64).
struct SimulatedChance: Sendable {
  private var state: UInt64

  init(_ seed: UInt64, _ place: Int = 0) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(truncatingIfNeeded: place) &* 0xD134_2543_DE82_EF95
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A whole number from 0 to below a bound.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

  /// The next id, a random UUID of version 4.
  ///
  /// - Source: RFC 9562, section 5.4.
  mutating func identifier() -> String {
    let (high, low) = (next(), next())
    let versioned = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let marked = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    func digits(_ number: UInt64, _ count: Int) -> String {
      let text = String(number & (count == 16 ? .max : 1 << UInt64(4 * count) - 1), radix: 16)
      return String(repeating: "0", count: count - text.utf8.count) + text
    }
    return "\(digits(versioned >> 32, 8))-\(digits(versioned >> 16, 4))-\(digits(versioned, 4))-"
      + "\(digits(marked >> 48, 4))-\(digits(marked, 12))"
  }
}
