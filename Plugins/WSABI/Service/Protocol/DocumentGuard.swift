import Glibc
import PluginText

/// A filter that inspects the bytes of a document before an XML parser does, and refuses what no document of the
/// protocol needs.
///
/// It refuses document types, encodings in which characters can hide, content that does not begin like XML, and
/// elements with so many attributes that a parser would take minutes. No text is changed.
struct DocumentGuard {
  /// The reason a document is refused.
  struct Refusal: Error, Equatable {
    enum Kind: Equatable, Sendable {
      /// The document is XML, but not of the protocol's form.
      case malformed
      /// The content is not XML at all.
      case other
    }
    let kind: Kind
    let message: String
  }

  /// The largest number of attributes of an element.
  private static let attributeLimit = 256

  private enum State {
    /// Between the parts in front of the outermost element.
    case between
    /// After a `<`.
    case opened
    /// In a processing instruction or the declaration; `endsNext` is true if the last byte was a `?`.
    case instruction(endsNext: Bool)
    /// After `<!`, with the number of dashes read.
    case bang(dashes: Int)
    /// In a comment, with the number of consecutive dashes read.
    case comment(dashes: Int)
    /// In the root element, or after it.
    case document
  }

  private enum Width {
    case unknown
    case one
    case twoBig
    case twoLittle
  }

  private var state = State.between
  private var width = Width.unknown
  /// The first bytes, while the width of characters is not known, or half a character.
  private var waiting: [UInt8] = []
  /// The declaration `<?xml …?>`, 256 bytes of it at most.
  private var declaration: [UInt8] = []
  private var isFirst = true
  private var declaresOther = false
  private var attributes = 0
  private var sawEquals = false

  /// True if every byte below 0x80 is the ASCII character.
  var isPlainText: Bool { if case .one = width { !declaresOther } else { false } }

  /// Inspects the next piece.
  mutating func look(at bytes: UnsafeRawBufferPointer) throws(Refusal) {
    var remaining = bytes[...]
    if case .unknown = width {
      let count = min(4 - waiting.count, remaining.count)
      waiting += remaining.prefix(count)
      remaining = remaining.dropFirst(count)
      if waiting.count < 4 { return }
      try findWidth()
    }
    while let byte = remaining.first {
      if case .document = state, case .one = width, !sawEquals {
        remaining = remaining.dropFirst(plainText(UnsafeRawBufferPointer(rebasing: remaining)))
        if remaining.isEmpty { return }
        try seeInside(remaining.removeFirst())
      } else {
        try take(byte)
        remaining = remaining.dropFirst()
      }
    }
  }

  /// Marks the end of the pieces.
  mutating func finish() throws(Refusal) {
    if case .document = state { return }
    let isBlank = waiting.allSatisfy { $0 <= 0x20 || [0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0) }
    if isFirst, isBlank { throw Refusal(kind: .other, message: "an empty response") }
    throw Refusal(kind: .other, message: "something that is not XML")
  }

  private mutating func findWidth() throws(Refusal) {
    let start = waiting
    waiting = []
    switch (start[0], start[1], start[2], start[3]) {
    case (0, 0, _, _), (0xFF, 0xFE, 0, 0):
      throw Refusal(kind: .malformed, message: "the encoding UTF-32 is not supported")
    case (0xFE, 0xFF, _, _), (0, 0x3C, _, _): width = .twoBig
    case (0xFF, 0xFE, _, _), (0x3C, 0, _, _): width = .twoLittle
    default: width = .one
    }
    for byte in start { try take(byte) }
  }

  /// Returns the number of bytes in front of the next `=` that need no inspection, except that a tag may begin there.
  private mutating func plainText(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    let count = memchr(base, 0x3D, bytes.count).map { UnsafeRawPointer($0) - base } ?? bytes.count
    if memchr(base, 0x3C, count) != nil { attributes = 0 }
    return count
  }

  /// Combines two-byte characters; those beyond ASCII are represented as 0x80.
  private mutating func take(_ byte: UInt8) throws(Refusal) {
    switch width {
    case .unknown: break
    case .one: try see(byte)
    case .twoBig, .twoLittle:
      guard let other = waiting.popLast() else { return waiting.append(byte) }
      let (high, low) = if case .twoBig = width { (other, byte) } else { (byte, other) }
      try see(high == 0 ? low : 0x80)
    }
  }

  private mutating func see(_ byte: UInt8) throws(Refusal) {
    switch state {
    case .between:
      // Byte order marks occur only at the start, where a width of one byte shows three of them.
      if byte == 0x3C {
        state = .opened
      } else if byte > 0x20, byte < 0x80 || !isFirst {
        throw Refusal(kind: .other, message: "something that is not XML")
      }
    case .opened:
      isFirst = false
      switch byte {
      case UInt8(ascii: "?"): state = .instruction(endsNext: false)
      case UInt8(ascii: "!"): state = .bang(dashes: 0)
      default: state = .document
      }
    case .instruction(let endsNext):
      if declaration.count < 256 { declaration.append(byte) }
      if endsNext, byte == UInt8(ascii: ">") {
        try endInstruction()
      } else {
        state = .instruction(endsNext: byte == UInt8(ascii: "?"))
      }
    case .bang(let dashes):
      guard byte == UInt8(ascii: "-") else {
        throw Refusal(kind: .malformed, message: "a document type (DOCTYPE) is not allowed")
      }
      state = dashes == 1 ? .comment(dashes: 0) : .bang(dashes: 1)
    case .comment(let dashes):
      if byte == UInt8(ascii: ">"), dashes >= 2 {
        state = .between
      } else {
        state = .comment(dashes: byte == UInt8(ascii: "-") ? min(2, dashes + 1) : 0)
      }
    case .document: try seeInside(byte)
    }
  }

  /// Counts `=` followed by a quote since the last `<`: that many attributes an element has at most.
  private mutating func seeInside(_ byte: UInt8) throws(Refusal) {
    switch byte {
    case 0x3C: (attributes, sawEquals) = (0, false)
    case 0x3D: sawEquals = true
    case 0x20, 0x09, 0x0A, 0x0D: break
    case 0x22, 0x27:
      if sawEquals { attributes += 1 }
      sawEquals = false
      if attributes > Self.attributeLimit {
        throw Refusal(kind: .malformed, message: "an element has more than \(Self.attributeLimit) attributes")
      }
    default: sawEquals = false
    }
  }

  /// Checks the encoding that the declaration names.
  private mutating func endInstruction() throws(Refusal) {
    state = .between
    let text = String(decoding: declaration, as: UTF8.self).lowercased()
    declaration = []
    guard text.hasPrefix("xml"), let encoding = Self.encoding(in: text) else { return }
    let isKnown = [
      "utf-8", "utf8", "utf-16", "utf-16le", "utf-16be", "us-ascii", "ascii", "iso-8859-1", "windows-1252",
    ]
    .contains(encoding)
    declaresOther = !["utf-8", "utf8", "us-ascii", "ascii"].contains(encoding)
    if !isKnown {
      throw Refusal(
        kind: .malformed, message: "the encoding '\(SanitizedText.line(encoding, limit: 40))' is not supported")
    }
  }

  /// Returns the quoted value after `encoding`; nil if there is none.
  private static func encoding(in declaration: String) -> String? {
    let bytes = Array(declaration.utf8)
    let word = "encoding".utf8
    guard let offset = ByteSearch.firstIndex(of: word, in: bytes) else { return nil }
    let value = bytes[(offset + word.count)...].drop { $0 == 0x3D || $0 <= 0x20 }
    guard let quote = value.first, quote == 0x22 || quote == 0x27 else { return nil }
    return String(decoding: value.dropFirst().prefix { $0 != quote }, as: UTF8.self)
  }
}
