/// The index of a name in a `NameTable`.
typealias NameID = UInt32

/// A table of repeated texts (atom and residue names), each stored once.
///
/// Names are compared by bytes. Up to eight bytes pack into one word, so that looking up a name of a file line costs no
/// allocation; longer names are slower.
struct NameTable: Equatable, Sendable {
  private(set) var texts: [String] = []
  /// The bytes of short names; 0 for long ones, which have no slot.
  private var packed: [UInt64] = []
  /// The indices plus one of short names by hash, 0 if free; at most half full.
  private var slots = [UInt32](repeating: 0, count: 256)
  private var longNames: [String: NameID] = [:]

  /// The number of distinct names.
  var count: Int { texts.count }

  /// The text of a name.
  subscript(id: NameID) -> String { texts[Int(id)] }

  static func == (left: Self, right: Self) -> Bool { left.texts == right.texts }

  /// Returns the index of a name, or nil if no atom or residue has it.
  func id(of text: String) -> NameID? {
    guard let key = Self.pack(text) else { return longNames[text] }
    return find(key)
  }

  /// Finds or adds a name.
  mutating func intern(_ text: String) -> NameID {
    if let key = Self.pack(text) { return intern(packed: key) }
    if let known = longNames[text] { return known }
    let id = NameID(texts.count)
    texts.append(text)
    packed.append(0)
    longNames[text] = id
    return id
  }

  /// Finds or adds a name of at most eight bytes.
  ///
  /// The key contains the bytes, the first in the lowest byte, unused bytes 0.
  mutating func intern(packed key: UInt64) -> NameID {
    let mask = slots.count - 1
    var slot = Self.hash(key) & mask
    while slots[slot] != 0 {
      if packed[Int(slots[slot] - 1)] == key { return slots[slot] - 1 }
      slot = (slot + 1) & mask
    }
    return add(packed: key, at: slot)
  }

  /// Adds a name at the next index, as in another table, even if its text is already present.
  ///
  /// Different bytes that are not UTF-8 can have the same text.
  mutating func append(_ text: String) {
    let position = NameID(texts.count)
    if intern(text) == position { return }
    texts.append(text)
    packed.append(0)
  }

  private mutating func add(packed key: UInt64, at slot: Int) -> NameID {
    let id = NameID(texts.count)
    texts.append(Self.text(of: key))
    packed.append(key)
    slots[slot] = id + 1
    if texts.count * 2 > slots.count { rehash() }
    return id
  }

  private func find(_ key: UInt64) -> NameID? {
    let mask = slots.count - 1
    var slot = Self.hash(key) & mask
    while slots[slot] != 0 {
      if packed[Int(slots[slot] - 1)] == key { return slots[slot] - 1 }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private mutating func rehash() {
    let mask = slots.count * 2 - 1
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for (index, key) in packed.enumerated() where key != 0 || texts[index].isEmpty {
      var slot = Self.hash(key) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(index) + 1
    }
  }

  /// Spreads a packed name over all bits (Fibonacci hashing).
  private static func hash(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 40)
  }

  /// Packs a text of at most eight bytes without NUL; returns nil for other texts.
  private static func pack(_ text: String) -> UInt64? {
    var key: UInt64 = 0
    var shift: UInt64 = 0
    for byte in text.utf8 {
      if shift == 64 || byte == 0 { return nil }
      key |= UInt64(byte) << shift
      shift += 8
    }
    return key
  }

  private static func text(of key: UInt64) -> String {
    var remaining = key
    var bytes: [UInt8] = []
    while remaining != 0 {
      bytes.append(UInt8(truncatingIfNeeded: remaining))
      remaining >>= 8
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
