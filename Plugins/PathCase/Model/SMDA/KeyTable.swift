/// Numbers distinct keys in the order of their first occurrence.
struct KeyTable<Key: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
  /// The keys, each once.
  private(set) var keys: [Key] = []
  /// For each slot of the hash table the number of its key plus one; 0 if it is empty.
  ///
  /// The number of slots is a power of two.
  private var slots: [UInt32]

  init() {
    slots = Array(repeating: 0, count: 64)
  }

  /// Returns the number of a key; a new key gets the next number.
  ///
  /// - Complexity: Constant, since at most half of the slots are in use.
  mutating func number(of key: Key) -> UInt32 {
    let mask = slots.count - 1
    var place = Self.hash(key) & mask
    while true {
      let slot = slots[place]
      if slot == 0 { break }
      if keys[Int(slot) - 1] == key { return slot - 1 }
      place = (place + 1) & mask
    }
    keys.append(key)
    slots[place] = UInt32(keys.count)
    if 2 * keys.count > slots.count { grow() }
    return UInt32(keys.count) - 1
  }

  private mutating func grow() {
    let mask = 4 * slots.count - 1
    slots = Array(repeating: 0, count: 4 * slots.count)
    for (index, key) in keys.enumerated() {
      var place = Self.hash(key) & mask
      while slots[place] != 0 { place = (place + 1) & mask }
      slots[place] = UInt32(index + 1)
    }
  }

  private static func hash(_ key: Key) -> Int {
    var mixed = UInt64(truncatingIfNeeded: key)
    if Key.bitWidth > 64 { mixed ^= UInt64(truncatingIfNeeded: key >> 64) &* 0x9E37_79B9_7F4A_7C15 }
    mixed = (mixed ^ (mixed >> 32)) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: (mixed ^ (mixed >> 32)) >> 1)
  }
}
