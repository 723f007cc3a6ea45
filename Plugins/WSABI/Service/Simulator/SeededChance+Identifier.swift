import PluginText

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
