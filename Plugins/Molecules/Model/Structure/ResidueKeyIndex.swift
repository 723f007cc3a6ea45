/// The key that distinguishes the residues of a model.
struct ResidueKey: Equatable {
  var chain: NameID = 0
  var name: NameID = 0
  var number: Int32 = 0
  var insertionCode: UInt8 = 0
  var segment: UInt32 = 0

  /// Spreads the key over all bits by two odd multipliers.
  var hash: Int {
    let high = UInt64(chain) << 32 | UInt64(name)
    let low = (UInt64(UInt32(bitPattern: number)) << 8 | UInt64(insertionCode)) ^ UInt64(segment) << 40
    let mixed = (high &* 0x9E37_79B9_7F4A_7C15) ^ (low &* 0xC2B2_AE3D_27D4_EB4F)
    return Int(truncatingIfNeeded: (mixed ^ (mixed >> 29)) >> 20)
  }
}

/// The residues of the open model by key: open addressing, at most half full.
///
/// Emptying takes time proportional to the entries, not to the capacity: files with very many small models stay cheap.
struct ResidueKeyIndex {
  private struct Entry {
    var key: ResidueKey
    var row: Int32
    var slot: Int32
  }

  private var slots = [Int32](repeating: -1, count: 1024)
  private var entries: [Entry] = []

  mutating func removeAll() {
    for entry in entries { slots[Int(entry.slot)] = -1 }
    entries.removeAll(keepingCapacity: true)
  }

  /// Returns the row of a key; a new key is assigned the given row, and nil is returned.
  mutating func enter(_ key: ResidueKey, row: Int32) -> Int32? {
    let slot = slot(of: key)
    let entry = slots[slot]
    if entry >= 0 { return entries[Int(entry)].row }
    slots[slot] = Int32(entries.count)
    entries.append(Entry(key: key, row: row, slot: Int32(slot)))
    if entries.count * 2 > slots.count { grow() }
    return nil
  }

  /// Assigns another row to a known key.
  mutating func replace(_ key: ResidueKey, row: Int32) {
    let entry = slots[slot(of: key)]
    if entry >= 0 { entries[Int(entry)].row = row }
  }

  /// Returns the slot in which the key is stored or belongs.
  @inline(__always)
  private func slot(of key: ResidueKey) -> Int {
    let mask = slots.count - 1
    var slot = key.hash & mask
    while slots[slot] >= 0, entries[Int(slots[slot])].key != key { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    for position in entries.indices {
      let slot = slot(of: entries[position].key)
      slots[slot] = Int32(position)
      entries[position].slot = Int32(slot)
    }
  }
}
