import Glibc

/// Takes the pieces of a live preview (`multipart/x-mixed-replace`) and gives its pictures.
///
/// The services write their parts in two ways. NIST's .NET service: a line end, the boundary, `Content-type`,
/// `Content-Length`, an empty line, the picture. NIST's Java service: `Content-Type: image/pngContent-Length:`, a line
/// end, the length, and no line end behind the picture. A length is believed as long as a boundary follows the picture;
/// after that the boundaries alone tell where pictures end.
///
/// - Source: RFC 2046, section 5.1 (the parts).
struct PreviewReader {
  private enum Place {
    /// In front of a boundary: what comes is passed over.
    case search
    /// Behind a boundary.
    case header
    /// In a picture of a length that is known.
    case picture(length: Int)
    /// In a picture that ends at the next boundary.
    case pictureToBoundary
    /// Behind a picture of a known length, where a boundary is due.
    case due
    case ended
  }

  /// So long may the header of a part be.
  private static let headerInBytes = 8192

  private let limitInBytes: Int
  /// What stands between pictures, with two dashes in front; empty as long as it is not known.
  private var mark: [UInt8]
  private var place = Place.search
  private var held: [UInt8] = []
  /// Where the bytes begin that are not done with.
  private var start = 0
  /// Up to where behind `start` no boundary begins.
  private var searched = 0
  private var type = ""
  private var count = 0
  private var trustsLengths = true
  private var isTooLarge = false
  private var newest: PreviewFrame?

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - boundary: What stands between pictures, without the two dashes in front; nil to take the first line that
  ///     begins with two.
  ///   - limitInBytes: How large a picture may be; a larger one is passed over.
  init(boundary: String?, limitInBytes: Int) {
    self.limitInBytes = limitInBytes
    // Some services count the dashes as part of the boundary.
    mark = boundary.map { Array("--".utf8) + $0.utf8.drop { $0 == UInt8(ascii: "-") } } ?? []
  }

  /// How many pictures there were, those that were dropped among them.
  var pictures: Int { count }

  /// Takes a piece.
  ///
  /// - Returns: The newest picture that became whole with it; nil if none did.
  mutating func push(_ bytes: UnsafeRawBufferPointer) -> PreviewFrame? {
    if case .ended = place { return nil }
    held.append(contentsOf: bytes)
    while step() {}
    if start > 0 {
      held.removeSubrange(..<start)
      start = 0
    }
    defer { newest = nil }
    return newest
  }

  /// Takes the end of the stream, which ends a picture whose length is not known.
  mutating func finish() -> PreviewFrame? {
    if case .pictureToBoundary = place { emit(held.count) }
    place = .ended
    defer { newest = nil }
    return newest
  }

  /// Goes one step on.
  ///
  /// - Returns: Whether there may be another; false if more bytes are needed.
  private mutating func step() -> Bool {
    switch place {
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

  private mutating func move(by count: Int, to next: Place) {
    start += count
    searched = 0
    place = next
  }

  // MARK: Boundaries

  private mutating func findBoundary() -> Bool {
    if mark.isEmpty, !learnMark() { return false }
    guard let place = position() else {
      // What may be the beginning of a boundary stays.
      start = max(start, held.count - mark.count + 1)
      searched = 0
      return false
    }
    move(by: place - start + mark.count, to: .header)
    return true
  }

  /// Takes the first line that begins with two dashes as the boundary.
  private mutating func learnMark() -> Bool {
    while let end = held[start...].firstIndex(of: 0x0A) {
      let line = held[start..<end].filter { $0 != 0x0D }
      if line.count > 2, line.starts(with: "--".utf8) {
        mark = Array("--".utf8) + line.drop { $0 == UInt8(ascii: "-") }
        return true
      }
      start = end + 1
    }
    if held.count - start > Self.headerInBytes { place = .ended }
    return false
  }

  /// Where the next boundary begins; nil if it did not come yet.
  private mutating func position() -> Int? {
    var from = start + searched
    let found = held.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress else { return nil }
      while bytes.count - from >= mark.count {
        guard let dash = memchr(base + from, 0x2D, bytes.count - from - mark.count + 1) else {
          from = bytes.count - mark.count + 1
          return nil
        }
        from = UnsafeRawPointer(dash) - base
        if memcmp(base + from, mark, mark.count) == 0 { return from }
        from += 1
      }
      return nil
    }
    searched = max(0, from - start)
    return found
  }

  /// Looks whether the boundary follows a picture whose length was stated.
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
    place = .search
    searched = 0
    return true
  }

  // MARK: Headers

  private mutating func readHeader() -> Bool {
    let rest = held[start...]
    if rest.count < 2 { return false }
    if rest.starts(with: "--".utf8) {
      place = .ended
      return true
    }
    guard let end = Self.headerEnd(rest) else {
      // An endless header: the next boundary begins anew.
      if rest.count > Self.headerInBytes { move(by: rest.count - mark.count, to: .search) }
      return rest.count > Self.headerInBytes
    }
    let (type, length) = Self.fields(held[start..<end])
    self.type = type
    isTooLarge = (length ?? 0) > limitInBytes
    let isSane = trustsLengths && !isTooLarge && (length ?? 0) > 0
    move(by: end - start, to: isSane ? .picture(length: length ?? 0) : .pictureToBoundary)
    return true
  }

  /// Where the bytes behind an empty line begin, or behind a length that stands in a line of its own.
  private static func headerEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    var lineStart = bytes.startIndex
    var isLengthDue = false
    var isFirst = true
    while let end = bytes[lineStart...].firstIndex(of: 0x0A), end - bytes.startIndex <= headerInBytes {
      let line = bytes[lineStart..<end].last == 0x0D ? bytes[lineStart..<(end - 1)] : bytes[lineStart..<end]
      // The first line is what is left of that of the boundary.
      if line.isEmpty, !isFirst { return end + 1 }
      if isLengthDue, !line.isEmpty, line.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x20 }) {
        return behindEmptyLine(bytes, end + 1)
      }
      isLengthDue = lowered(line).hasSuffix("content-length:")
      isFirst = false
      lineStart = end + 1
    }
    return nil
  }

  /// The place itself, or that behind an empty line there; nil if that cannot be told yet.
  private static func behindEmptyLine(_ bytes: ArraySlice<UInt8>, _ place: Int) -> Int? {
    let next = bytes[place...].prefix(2)
    guard let first = next.first else { return nil }
    if first == 0x0A { return place + 1 }
    if first != 0x0D { return place }
    return next.count < 2 ? nil : next.last == 0x0A ? place + 2 : place
  }

  private static func lowered(_ bytes: ArraySlice<UInt8>) -> String {
    var text = bytes
    while let last = text.last, last <= 0x20 { text = text.dropLast() }
    return String(decoding: text, as: UTF8.self).lowercased()
  }

  /// Type and length, wherever in the header they stand.
  private static func fields(_ header: ArraySlice<UInt8>) -> (type: String, length: Int?) {
    let text = String(decoding: header, as: UTF8.self).lowercased()
    var length: Int?
    if let value = value(of: "content-length:", in: text) {
      let digits = value.drop { $0 == " " || $0.isNewline }.prefix { $0.isASCII && $0.isNumber }
      length = digits.utf8.count <= 12 ? Int(digits) : nil
    }
    let line = value(of: "content-type:", in: text)?.prefix { !$0.isNewline && $0 != ";" } ?? ""
    let end = place(of: "content-length:", in: line) ?? line.endIndex
    return (WireScalar.collapsed(String(line[..<end])), length)
  }

  private static func value(of name: String, in text: String) -> Substring? {
    place(of: name, in: text[...]).map { text[$0...].dropFirst(name.utf8.count) }
  }

  private static func place(of name: String, in text: Substring) -> String.Index? {
    text.indices.first { text[$0...].hasPrefix(name) }
  }

  // MARK: Pictures

  private mutating func findEnd() -> Bool {
    if let place = position() {
      emit(place)
      move(by: place - start + mark.count, to: .header)
      return true
    }
    if held.count - start > limitInBytes { isTooLarge = true }
    if isTooLarge {
      start = max(start, held.count - mark.count + 1)
      searched = 0
    }
    return false
  }

  /// Makes a picture of the bytes up to a place, without the line end in front of a boundary.
  private mutating func emit(_ end: Int) {
    var end = end
    if case .pictureToBoundary = place {
      if end > start, held[end - 1] == 0x0A { end -= 1 }
      if end > start, held[end - 1] == 0x0D { end -= 1 }
    }
    guard end > start, !isTooLarge, end - start <= limitInBytes else { return }
    count += 1
    newest = PreviewFrame(
      number: count, bytes: Array(held[start..<end]), claimedType: ShownText.cleaned(type, limit: 100))
  }
}

extension PreviewReader {
  /// What a `Content-Type` says of a stream of parts.
  struct Kind: Equatable {
    /// What stands between pictures; nil if it is not said.
    var boundary: String?
  }

  /// Reads a `Content-Type`; nil if it is none of a stream of parts.
  static func kind(contentType: String) -> Kind? {
    let parts = contentType.split(separator: ";", omittingEmptySubsequences: false)
    guard let type = parts.first, WireScalar.collapsed(String(type)).lowercased().hasPrefix("multipart/") else {
      return nil
    }
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, WireScalar.collapsed(String(pair[0])).lowercased() == "boundary" else { continue }
      let value = WireScalar.collapsed(String(pair[1])).filter { $0 != "\"" }
      if value.utf8.count <= 200, value.contains(where: { $0 != "-" }) { return Kind(boundary: value) }
    }
    return Kind()
  }
}
