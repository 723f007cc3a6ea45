import PluginText

/// Random numbers of a simulated sensor, the same for the same seed.
struct SeededChance: Sendable {
  private var random: SplitMix64

  /// - Parameter stream: Numbers of other streams of the same seed are unrelated.
  init(_ seed: UInt64, _ stream: Int = 0) {
    // Mixed, as a state one step further is the same stream shifted by one number: neighboring seeds must not share
    // numbers.
    let state = SplitMix64.mixed(seed) &+ UInt64(truncatingIfNeeded: stream) &* 0xD134_2543_DE82_EF95
    random = SplitMix64(seed: SplitMix64.mixed(state))
  }

  mutating func next() -> UInt64 { random.next() }

  /// Returns a random integer from 0 up to, but not including, a bound.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

  /// Returns a random number from 0 up to, but not including, 1.
  mutating func unit() -> Float { Float(next() >> 40) / 16_777_216 }

  /// Returns a random number between two bounds.
  mutating func between(_ least: Float, _ greatest: Float) -> Float { least + (greatest - least) * unit() }
}

extension SeededChance {
  /// Returns the next id, a random UUID of version 4.
  ///
  /// - Source: RFC 9562, section 5.4.
  mutating func identifier() -> String {
    let (high, low) = (next(), next())
    let versioned = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let marked = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    func digits(_ number: UInt64, _ count: Int) -> String {
      Hexadecimal.text(number & (1 << UInt64(4 * count) - 1), digits: count)
    }
    return "\(digits(versioned >> 32, 8))-\(digits(versioned >> 16, 4))-\(digits(versioned, 4))-"
      + "\(digits(marked >> 48, 4))-\(digits(marked, 12))"
  }
}
