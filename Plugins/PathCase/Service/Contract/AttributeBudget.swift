/// Refuses documents whose elements have so many attributes that reading them would take very long.
///
/// libxml2 compares each attribute of an element with all others, so the time grows with the square of their number:
/// 20,000 take 0.07 s, a document of nothing else would take hours.
struct AttributeBudget {
  /// The sum of the squares of the numbers of attributes, over all elements, that is still read: five times 20,000.
  static let limit = 1 << 31

  private var bytes: ArraySlice<UInt8>
  private var spent = 0

  /// Whether the attributes of a document are few enough.
  ///
  /// - Complexity: linear.
  static func suffices(for bytes: [UInt8]) -> Bool {
    // An attribute has at least five bytes, `a=""` and a blank.
    if (bytes.count / 5).multipliedReportingOverflow(by: bytes.count / 5).partialValue <= limit { return true }
    var budget = Self(bytes: bytes[...])
    return budget.holds()
  }

  private init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  private mutating func holds() -> Bool {
    while let start = bytes.firstIndex(of: UInt8(ascii: "<")) {
      bytes = bytes[(start + 1)...]
      switch bytes.first {
      case UInt8(ascii: "?"): skip(behind: "?>")
      case UInt8(ascii: "!") where bytes.starts(with: Array("!--".utf8)): skip(behind: "-->")
      case UInt8(ascii: "!"): skip(behind: "]]>")
      default:
        let count = attributes()
        spent += count * count
        if spent > Self.limit { return false }
      }
    }
    return true
  }

  /// Counts the values in quotes up to the end of the tag.
  private mutating func attributes() -> Int {
    var count = 0
    var quote: UInt8?
    for index in bytes.indices {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
        count += 1
      } else if byte == UInt8(ascii: ">") {
        bytes = bytes[(index + 1)...]
        return count
      }
    }
    bytes = []
    return count
  }

  private mutating func skip(behind mark: StaticString) {
    let end = mark.withUTF8Buffer { Array($0) }
    let last = end[end.count - 1]
    while let place = bytes.firstIndex(of: last) {
      let found =
        place - bytes.startIndex + 1 >= end.count && bytes[..<(place + 1)].suffix(end.count).elementsEqual(end)
      bytes = bytes[(place + 1)...]
      if found { return }
    }
    bytes = []
  }
}
