/// What atom name and element columns of earlier atoms meant, by their bytes: there are few different ones in a file.
struct AtomNameCache {
  /// What the bytes mean.
  struct Entry {
    var name: NameID = 0
    var element = Element.unknown
    var charge: Int8 = 0
    fileprivate var word: UInt64 = 0
    fileprivate var tail: UInt64 = 0
  }

  private static let bits: UInt64 = 9
  private var entries = [Entry](repeating: Entry(), count: 1 << Int(bits))

  /// The entry of these bytes, or nil if they were not met lately.
  ///
  /// - Parameters:
  ///   - word: the bytes of the name, not all 0.
  ///   - tail: the bytes of what else the entry depends on.
  @inline(__always)
  func entry(_ word: UInt64, _ tail: UInt64) -> Entry? {
    let entry = entries[Self.slot(word, tail)]
    return entry.word == word && entry.tail == tail ? entry : nil
  }

  /// Keeps what bytes mean; what had their place before is forgotten.
  mutating func keep(_ word: UInt64, _ tail: UInt64, name: NameID, element: Element, charge: Int8 = 0) {
    entries[Self.slot(word, tail)] = Entry(name: name, element: element, charge: charge, word: word, tail: tail)
  }

  @inline(__always)
  private static func slot(_ word: UInt64, _ tail: UInt64) -> Int {
    Int(truncatingIfNeeded: ((word ^ tail &* 0xC2B2_AE3D_27D4_EB4F) &* 0x9E37_79B9_7F4A_7C15) >> (64 - bits))
  }
}
