/// Category and item names by a hash of their lower-case bytes, so that tags that are skipped need no string.
enum CIFName {
  /// The two parts of a tag.
  struct Tag {
    /// The hash of the category with its underscore.
    var category: UInt64
    /// The start of the item; the end of the tag if it has no dot.
    var itemStart: Int
    /// The hash of the item.
    var item: UInt64
  }

  /// The FNV-1a hash of an empty text.
  static let start: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Returns the FNV-1a hash of a text in lower case.
  ///
  /// - Source: Fowler, Noll, Vo, http://www.isthe.com/chongo/tech/comp/fnv/
  static func hash(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { bytes in
      var hash = start
      for byte in bytes { hash = step(hash, byte) }
      return hash
    }
  }

  /// Splits a tag at its first dot; a tag without one is its own category.
  static func tag(_ file: UnsafeBufferPointer<UInt8>, _ token: CIFToken) -> Tag {
    let end = token.start + token.count
    var category = start
    var position = token.start
    while position < end, file[position] != 46 {
      category = step(category, lowered(file[position]))
      position += 1
    }
    let itemStart = min(position + 1, end)
    var item = start
    position = itemStart
    while position < end {
      item = step(item, lowered(file[position]))
      position += 1
    }
    return Tag(category: category, itemStart: itemStart, item: item)
  }

  @inline(__always)
  private static func lowered(_ byte: UInt8) -> UInt8 { byte >= 65 && byte <= 90 ? byte | 32 : byte }

  @inline(__always)
  private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
