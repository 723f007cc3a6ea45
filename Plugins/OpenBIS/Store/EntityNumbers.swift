/// The numbers of recently used entities by their ids; a lookup here is several times faster than in the file.
struct PermIDTable {
  private var bytes: [UInt8] = []
  /// The end offset of each entry's id in the bytes.
  private var ends: [UInt32] = []
  private var numbers: [UInt32] = []
  /// Entries by hash, plus 1; 0 for none.
  private var slots = [UInt32](repeating: 0, count: 1024)
  private let seed = UInt64.random(in: 0...UInt64.max)

  /// The number of ids.
  var count: Int { ends.count }

  /// Removes all entries.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    for index in slots.indices { slots[index] = 0 }
  }

  /// Returns the number of an id; nil if it is not in the table.
  func number(of id: UnsafeBufferPointer<UInt8>) -> UInt32? {
    var slot = Int(truncatingIfNeeded: hash(id)) & (slots.count - 1)
    while slots[slot] != 0 {
      let entry = Int(slots[slot] - 1)
      if isEqual(entry, id) { return numbers[entry] }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds an id, or changes the number of an existing one.
  mutating func enter(_ id: UnsafeBufferPointer<UInt8>, _ number: UInt32) {
    var slot = Int(truncatingIfNeeded: hash(id)) & (slots.count - 1)
    while slots[slot] != 0 {
      let entry = Int(slots[slot] - 1)
      if isEqual(entry, id) {
        numbers[entry] = number
        return
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    bytes.append(contentsOf: id)
    ends.append(UInt32(bytes.count))
    numbers.append(number)
    slots[slot] = UInt32(ends.count)
    if ends.count * 2 > slots.count { grow() }
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      for (entry, end) in ends.enumerated() {
        var slot =
          Int(truncatingIfNeeded: hash(UnsafeBufferPointer(rebasing: bytes[start..<Int(end)]))) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(entry + 1)
        start = Int(end)
      }
    }
  }

  private func isEqual(_ entry: Int, _ id: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = entry == 0 ? 0 : Int(ends[entry - 1])
    guard Int(ends[entry]) - start == id.count else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      for index in id.indices where bytes[start + index] != id[index] { return false }
      return true
    }
  }

  /// Returns the FNV-1a hash of an id, seeded randomly so that collisions cannot be provoked.
  ///
  /// - Source: draft-eastlake-fnv-17, section 2.
  private func hash(_ id: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash = seed
    for byte in id { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash ^ hash >> 32
  }
}

/// A set of entity numbers, with one bit for each number up to the largest.
struct NumberSet {
  private var words: [UInt64] = []

  /// Returns true if the set contains a number.
  func contains(_ number: Int) -> Bool {
    let word = number >> 6
    return word < words.count && words[word] >> UInt64(number & 63) & 1 != 0
  }

  /// Inserts a number.
  ///
  /// - Returns: True if the number was new.
  @discardableResult
  mutating func insert(_ number: Int) -> Bool {
    let word = number >> 6
    if word >= words.count { words.append(contentsOf: repeatElement(0, count: max(64, word + 1 - words.count))) }
    let bit = UInt64(1) << UInt64(number & 63)
    defer { words[word] |= bit }
    return words[word] & bit == 0
  }
}
