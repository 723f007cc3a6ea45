/// A cache of parsed atom name and element columns by their bytes, of which a file has few distinct ones.
struct AtomNameCache {
  /// The parsed columns.
  struct Entry {
    var name: NameID = 0
    var element = Element.unknown
    var charge: Int8 = 0
    fileprivate var word: UInt64 = 0
    fileprivate var tail: UInt64 = 0
  }

  private static let bits: UInt64 = 9
  private var entries = [Entry](repeating: Entry(), count: 1 << Int(bits))

  /// Returns the entry of these bytes, or nil if it is not cached.
  ///
  /// - Parameters:
  ///   - word: the bytes of the name, not all 0.
  ///   - tail: the other bytes that the entry depends on.
  @inline(__always)
  func entry(_ word: UInt64, _ tail: UInt64) -> Entry? {
    let entry = entries[Self.slot(word, tail)]
    return entry.word == word && entry.tail == tail ? entry : nil
  }

  /// Stores an entry, replacing the one in its slot.
  mutating func keep(_ word: UInt64, _ tail: UInt64, name: NameID, element: Element, charge: Int8 = 0) {
    entries[Self.slot(word, tail)] = Entry(name: name, element: element, charge: charge, word: word, tail: tail)
  }

  @inline(__always)
  private static func slot(_ word: UInt64, _ tail: UInt64) -> Int {
    Int(truncatingIfNeeded: ((word ^ tail &* 0xC2B2_AE3D_27D4_EB4F) &* 0x9E37_79B9_7F4A_7C15) >> (64 - bits))
  }
}
