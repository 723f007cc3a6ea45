import Glibc
import PluginText

/// A reader that splits the pieces of a live preview (`multipart/x-mixed-replace`) into pictures.
///
/// The services write their parts in two ways. NIST's .NET service: a line end, the boundary, `Content-type`,
/// `Content-Length`, an empty line, the picture. NIST's Java service: `Content-Type: image/pngContent-Length:`, a line
/// end, the length, and no line end after the picture. A length is trusted while a boundary follows each picture;
/// after that only the boundaries delimit pictures.
///
/// - Source: RFC 2046, section 5.1 (the parts).
struct PreviewReader {
  private enum State {
    /// In front of a boundary: bytes are skipped.
    case search
    /// After a boundary.
    case header
    /// In a picture of a length that is known.
    case picture(length: Int)
    /// In a picture that ends at the next boundary.
    case pictureToBoundary
    /// After a picture of a known length, where a boundary is due.
    case due
    case ended
  }

  private let limitInBytes: Int
  /// The delimiter between pictures, with two dashes in front; empty while it is not known.
  private var mark: [UInt8]
  private var state = State.search
  private var held: [UInt8] = []
  /// The index of the first unprocessed byte.
  private var start = 0
  /// The number of bytes after `start` known to contain no boundary.
  private var searched = 0
  private var type = ""
  private var count = 0
  private var trustsLengths = true
  private var isTooLarge = false
  private var newest: PreviewFrame?

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - boundary: The delimiter between pictures, without the two dashes in front; nil to use the first line that
  ///     begins with two.
  ///   - limitInBytes: The largest size of a picture; larger ones are skipped.
  init(boundary: String?, limitInBytes: Int) {
    self.limitInBytes = limitInBytes
    // Some services count the dashes as part of the boundary.
    mark = boundary.map { Array("--".utf8) + $0.utf8.drop { $0 == UInt8(ascii: "-") } } ?? []
  }

  /// The number of pictures, including dropped ones.
  var pictures: Int { count }

  /// Adds a piece.
  ///
  /// - Returns: The newest picture completed by it; nil if there is none.
  mutating func push(_ bytes: UnsafeRawBufferPointer) -> PreviewFrame? {
    if case .ended = state { return nil }
    held.append(contentsOf: bytes)
    while step() {}
    if start > 0 {
      held.removeSubrange(..<start)
      start = 0
    }
    defer { newest = nil }
    return newest
  }

  /// Handles the end of the stream, which ends a picture of unknown length.
  mutating func finish() -> PreviewFrame? {
    if case .pictureToBoundary = state { emit(held.count) }
    state = .ended
    defer { newest = nil }
    return newest
  }

  /// Advances by one step.
  ///
  /// - Returns: True if there may be another step; false if more bytes are needed.
  private mutating func step() -> Bool {
    switch state {
    case .search: return findBoundary()
    case .header: return readHeader()
    case .picture(let length):
      if held.count - start < length { return false }
      emit(start + length)
      move(by: length, to: .due)
      return true
    case .pictureToBoundary: return findEnd()
    case .due: return checkBoundary()
    case .ended:
      start = held.count
      return false
    }
  }

  private mutating func move(by count: Int, to next: State) {
    start += count
    searched = 0
    state = next
  }

  // MARK: Boundaries

  private mutating func findBoundary() -> Bool {
    if mark.isEmpty, !learnMark() { return false }
    guard let boundary = position() else {
      // Bytes that may begin a boundary are kept.
      start = max(start, held.count - mark.count + 1)
      searched = 0
      return false
    }
    move(by: boundary - start + mark.count, to: .header)
    return true
  }

  /// Sets the boundary to the first line that begins with two dashes.
  private mutating func learnMark() -> Bool {
    while let end = held[start...].firstIndex(of: 0x0A) {
      let line = held[start..<end].filter { $0 != 0x0D }
      if line.count > 2, line.starts(with: "--".utf8) {
        mark = Array("--".utf8) + line.drop { $0 == UInt8(ascii: "-") }
        return true
      }
      start = end + 1
    }
    if held.count - start > PreviewHeader.limitInBytes { state = .ended }
    return false
  }

  /// Returns the index of the next boundary; nil if it was not received yet.
  private mutating func position() -> Int? {
    let from = start + searched
    let found = from > held.count ? nil : ByteSearch.firstIndex(of: mark, in: held[from...])
    searched = max(0, (found ?? max(from, held.count - mark.count + 1)) - start)
    return found
  }

  /// Checks whether the boundary follows a picture with a stated length.
  private mutating func checkBoundary() -> Bool {
    var from = start
    if from < held.count, held[from] == 0x0D { from += 1 }
    if from < held.count, held[from] == 0x0A { from += 1 }
    let there = held[from...].prefix(mark.count)
    if there.elementsEqual(mark) {
      move(by: from - start + mark.count, to: .header)
      return true
    }
    if mark.starts(with: there), there.count < mark.count { return false }
    trustsLengths = false
    state = .search
    searched = 0
    return true
  }

  // MARK: Headers

  private mutating func readHeader() -> Bool {
    let remaining = held[start...]
    if remaining.count < 2 { return false }
    if remaining.starts(with: "--".utf8) {
      state = .ended
      return true
    }
    guard let end = PreviewHeader.end(of: remaining) else {
      // An endless header: the next boundary starts again.
      if remaining.count > PreviewHeader.limitInBytes { move(by: remaining.count - mark.count, to: .search) }
      return remaining.count > PreviewHeader.limitInBytes
    }
    let (type, length) = PreviewHeader.fields(held[start..<end])
    self.type = type
    isTooLarge = (length ?? 0) > limitInBytes
    let isSane = trustsLengths && !isTooLarge && (length ?? 0) > 0
    move(by: end - start, to: isSane ? .picture(length: length ?? 0) : .pictureToBoundary)
    return true
  }

  // MARK: Pictures

  private mutating func findEnd() -> Bool {
    if let boundary = position() {
      emit(boundary)
      move(by: boundary - start + mark.count, to: .header)
      return true
    }
    // A line end and the start of a boundary may follow.
    if held.count - start > limitInBytes + 2 + mark.count { isTooLarge = true }
    if isTooLarge {
      start = max(start, held.count - mark.count + 1)
      searched = 0
    }
    return false
  }

  /// Makes a picture of the bytes up to an index, without the line end in front of a boundary.
  private mutating func emit(_ end: Int) {
    var end = end
    if case .pictureToBoundary = state {
      if end > start, held[end - 1] == 0x0A { end -= 1 }
      if end > start, held[end - 1] == 0x0D { end -= 1 }
    }
    guard end > start, !isTooLarge, end - start <= limitInBytes else { return }
    count += 1
    newest = PreviewFrame(
      number: count, bytes: Array(held[start..<end]), claimedType: SanitizedText.line(type, limit: 100))
  }
}

extension PreviewReader {
  /// The properties that a `Content-Type` gives to a stream of parts.
  struct Kind: Equatable {
    /// The delimiter between pictures; nil if it is not stated.
    var boundary: String?
  }

  /// Parses a `Content-Type`; nil if it is not a stream of parts.
  static func kind(contentType: String) -> Kind? {
    let text = contentType.trimmed().lowercased()
    guard text.hasPrefix("multipart/") else { return nil }
    guard let position = PreviewHeader.position(of: "boundary=", in: text[...]) else { return Kind() }
    // Letters of a boundary keep their case. Lower case changes the length only beyond ASCII, which is not allowed
    // here.
    let remaining = contentType.trimmed().utf8.dropFirst(text[..<position].utf8.count + 9)
    let quote = UInt8(ascii: "\"")
    let value =
      remaining.first == quote
      ? remaining.dropFirst().prefix { $0 != quote } : remaining.prefix { $0 > 0x20 && $0 != UInt8(ascii: ";") }
    if value.count <= 200, value.contains(where: { $0 != 0x2D }) { return Kind(boundary: String(Substring(value))) }
    return Kind()
  }
}

/// A parser of the headers of a live preview's parts, whole or broken.
private enum PreviewHeader {
  /// The largest length of a header.
  static let limitInBytes = 8192

  /// Returns the index of the bytes after an empty line, or after a length in a line of its own.
  static func end(of bytes: ArraySlice<UInt8>) -> Int? {
    var lineStart = bytes.startIndex
    var isLengthDue = false
    var isFirst = true
    while let end = bytes[lineStart...].firstIndex(of: 0x0A), end - bytes.startIndex <= limitInBytes {
      let line = bytes[lineStart..<end].last == 0x0D ? bytes[lineStart..<(end - 1)] : bytes[lineStart..<end]
      // The first line is the rest of the boundary's line.
      if line.isEmpty, !isFirst { return end + 1 }
      if isLengthDue, !line.isEmpty, line.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x20 }) {
        return afterEmptyLine(bytes, end + 1)
      }
      isLengthDue = lowered(line).hasSuffix("content-length:")
      isFirst = false
      lineStart = end + 1
    }
    return nil
  }

  /// Returns the index itself, or the one after an empty line there; nil if that is not known yet.
  private static func afterEmptyLine(_ bytes: ArraySlice<UInt8>, _ position: Int) -> Int? {
    let next = bytes[position...].prefix(2)
    guard let first = next.first else { return nil }
    if first == 0x0A { return position + 1 }
    if first != 0x0D { return position }
    return next.count < 2 ? nil : next.last == 0x0A ? position + 2 : position
  }

  private static func lowered(_ bytes: ArraySlice<UInt8>) -> String {
    var text = bytes
    while let last = text.last, last <= 0x20 { text = text.dropLast() }
    return String(decoding: text, as: UTF8.self).lowercased()
  }

  /// Returns type and length, in any order within the header.
  static func fields(_ header: ArraySlice<UInt8>) -> (type: String, length: Int?) {
    let text = String(decoding: header, as: UTF8.self).lowercased()
    var length: Int?
    if let value = value(of: "content-length:", in: text) {
      let digits = value.drop { $0 == " " || $0.isNewline }.prefix { $0.isASCII && $0.isNumber }
      length = digits.utf8.count <= 12 ? Int(digits) : nil
    }
    let line = value(of: "content-type:", in: text)?.prefix { !$0.isNewline && $0 != ";" } ?? ""
    let end = position(of: "content-length:", in: line) ?? line.endIndex
    return (String(line[..<end]).trimmed(), length)
  }

  private static func value(of name: String, in text: String) -> Substring? {
    position(of: name, in: text[...]).map { text[$0...].dropFirst(name.utf8.count) }
  }

  static func position(of name: String, in text: Substring) -> String.Index? {
    text.indices.first { text[$0...].hasPrefix(name) }
  }
}

/// A picture of a live preview.
struct PreviewFrame: Sendable, Hashable {
  /// Its number in the stream, from 1; those that were dropped are counted.
  var number: Int
  /// The bytes of the picture, as received.
  var bytes: [UInt8]
  /// The type that the service claims, in lower case and without parameters; empty if it claims none.
  var claimedType: String
}
