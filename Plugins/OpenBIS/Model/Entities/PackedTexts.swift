import PluginAPI

/// Texts in one block of memory, in order: a list of a million children costs one allocation, not a million.
struct PackedTexts: Sendable, Hashable {
  /// The UTF-8 of all texts, concatenated.
  private(set) var bytes: [UInt8] = []
  /// The end offset of each text in ``bytes``.
  private(set) var ends: [Int] = []

  /// Creates an empty list.
  init() {}

  /// Creates a list of these texts.
  init(_ texts: some Sequence<String>) {
    for text in texts { append(text) }
  }

  /// Appends a text.
  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    ends.append(bytes.count)
  }

  /// Appends a text given as UTF-8.
  mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: text)
    ends.append(bytes.count)
  }

  /// Appends all texts of another list.
  mutating func append(contentsOf others: PackedTexts) {
    let start = bytes.count
    bytes.append(contentsOf: others.bytes)
    for end in others.ends { ends.append(start + end) }
  }

  /// Calls `body` with the UTF-8 of each text, valid only within the call.
  func forEach<Failure: Error>(_ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void) throws(Failure) {
    try forEach(in: 0..<ends.count, body)
  }

  /// Calls `body` with the UTF-8 of a range of texts, valid only within the call.
  func forEach<Failure: Error>(
    in range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var failure: Failure?
    bytes.withUnsafeBufferPointer { all in
      var start = range.lowerBound == 0 ? 0 : ends[range.lowerBound - 1]
      for end in ends[range] {
        do throws(Failure) {
          try body(UnsafeBufferPointer(rebasing: all[start..<end]))
        } catch {
          failure = error
          return
        }
        start = end
      }
    }
    if let failure { throw failure }
  }
}

extension PackedTexts: RandomAccessCollection, ExpressibleByArrayLiteral {
  /// The first index, 0.
  var startIndex: Int { 0 }
  /// The number of texts.
  var endIndex: Int { ends.count }

  /// Accesses the text at an index, from 0.
  subscript(index: Int) -> String {
    String(decoding: bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]], as: UTF8.self)
  }

  init(arrayLiteral texts: String...) { self.init(texts) }
}

extension PackedTexts: ReadableField {
  static var schema: ValueSchema { .list(.text) }
  var fieldValue: Value { .list(map(Value.text)) }

  static func read(_ value: Value) -> PackedTexts? { value.list.map { PackedTexts($0.lazy.compactMap(\.text)) } }
}

extension PackedTexts {
  /// The list as bytes: for each text its length in bytes as a LEB128 number, then its UTF-8.
  var encoded: [UInt8] { encoded(0..<ends.count) }

  /// Returns a range of the texts as bytes.
  func encoded(_ range: Range<Int>) -> [UInt8] {
    var out: [UInt8] = []
    var start = range.lowerBound == 0 ? 0 : ends[range.lowerBound - 1]
    out.reserveCapacity((range.isEmpty ? 0 : ends[range.upperBound - 1] - start) + 2 * range.count)
    for end in ends[range] {
      Self.append(length: end - start, to: &out)
      out.append(contentsOf: bytes[start..<end])
      start = end
    }
    return out
  }

  /// Appends one text to bytes, in the format of ``encoded``.
  static func appendEncoded(_ text: String, to out: inout [UInt8]) {
    append(length: text.utf8.count, to: &out)
    out.append(contentsOf: text.utf8)
  }

  private static func append(length: Int, to out: inout [UInt8]) {
    var length = length
    while length >= 128 {
      out.append(UInt8(length & 127) | 128)
      length >>= 7
    }
    out.append(UInt8(length))
  }

  /// Creates a list from the bytes of ``encoded``; nil if they are damaged.
  init?(encoded: [UInt8]) {
    let isWhole = encoded.withUnsafeBufferPointer { Self.forEach(encoded: $0) { append($0) } }
    if !isWhole { return nil }
  }

  /// Calls `body` with the UTF-8 of each text in the bytes of ``encoded``, valid only within the call, without making a
  /// list.
  ///
  /// - Returns: True if the bytes are intact; for damaged ones, `body` receives the texts before the damage.
  static func forEach(
    encoded: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) -> Bool {
    var offset = 0
    while offset < encoded.count {
      var (length, shift) = (0, 0)
      while true {
        guard offset < encoded.count, shift < 56 else { return false }
        let byte = encoded[offset]
        offset += 1
        length |= Int(byte & 127) << shift
        shift += 7
        if byte < 128 { break }
      }
      guard length <= encoded.count - offset else { return false }
      body(UnsafeBufferPointer(rebasing: encoded[offset..<(offset + length)]))
      offset += length
    }
    return true
  }
}

/// A text that equals another only if both have the same bytes, as ids do.
///
/// The `==` of `String` equates accented letters in composed and decomposed form.
struct ExactText: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.count == right.text.utf8.count && left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(text.utf8.count)
  }
}
