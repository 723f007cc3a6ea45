/// Splits the bytes of a terminal into characters and pasted texts.
///
/// Terminals mark pasted text on request. A long run of characters that arrives at once is a paste too,
/// marked or not: a line editor that drew the line after each of them would take minutes.
struct KeyStream {
  /// A unit of input.
  enum Key: Equatable {
    /// A character, which may be a control character; never one of Unicode's second set of them, nor NUL.
    case scalar(Unicode.Scalar)
    /// Pasted text without control characters but line feeds and tabs, at most ``pasteLimit`` bytes of it.
    case paste([Unicode.Scalar])
    /// Ctrl-C.
    case interrupt
  }

  /// The request to a terminal to mark pasted text, and its end.
  static let marksPastes = (on: "\u{1B}[?2004h", off: "\u{1B}[?2004l")
  /// The bytes of a paste that are kept, which are more than a line may have.
  static let pasteLimit = 1 << 19
  /// The length of the shortest run that is taken as a paste, in bytes.
  private static let shortestRun = 64
  private static let start = Array("\u{1B}[200~".utf8)
  private static let end = Array("\u{1B}[201~".utf8)

  private var bytes: [UInt8] = []
  private var offset = 0
  /// The bytes of an unfinished paste; nil outside of one.
  private var pasted: [UInt8]?

  /// A Boolean value indicating whether all received bytes are part of a key.
  var isEmpty: Bool { offset == bytes.count && pasted == nil }

  /// Adds bytes of the terminal.
  mutating func append(_ more: some Sequence<UInt8>) {
    if offset > 0 { bytes.removeFirst(offset) }
    offset = 0
    bytes += more
  }

  /// Returns the next key; nil if there is none, or if its last bytes may not have arrived.
  ///
  /// - Parameter isPaused: True if the terminal has sent nothing more for a while.
  mutating func next(isPaused: Bool = false) -> Key? {
    while true {
      if pasted != nil { return continuePaste(isPaused: isPaused) }
      guard offset < bytes.count else { return nil }
      if let isStart = matchesStart(isPaused: isPaused) {
        guard isStart else { return nil }
        offset += Self.start.count
        pasted = []
        continue
      }
      if let run = takeRun() { return .paste(run) }
      switch bytes[offset] {
      case 0: offset += 1
      case 0x03:
        offset += 1
        return .interrupt
      default: return takeScalar(isPaused: isPaused).map(Key.scalar)
      }
    }
  }

  /// Returns true if a paste starts here, false if that depends on bytes to come, nil if none does.
  private func matchesStart(isPaused: Bool) -> Bool? {
    let present = bytes[offset...].prefix(Self.start.count)
    guard Self.start.starts(with: present) else { return nil }
    if present.count == Self.start.count { return true }
    // It may also be the Escape key, or the beginning of another one.
    return isPaused ? nil : false
  }

  private mutating func continuePaste(isPaused: Bool) -> Key? {
    let remaining = bytes[offset...]
    if let interrupt = remaining.firstIndex(of: 0x03),
      BytePattern(Self.end).firstRange(in: remaining[..<interrupt]) == nil
    {
      // Whatever started this paste, the user can leave it.
      offset = interrupt + 1
      pasted = nil
      return .interrupt
    }
    guard let end = BytePattern(Self.end).firstRange(in: remaining) else {
      // The mark of the end may be cut.
      let whole = max(0, remaining.count - Self.end.count + 1)
      keep(remaining.prefix(whole))
      offset += whole
      return nil
    }
    keep(remaining[..<end.lowerBound])
    offset = end.upperBound
    defer { pasted = nil }
    return .paste(Self.cleaned(pasted ?? []))
  }

  private mutating func keep(_ part: ArraySlice<UInt8>) {
    let room = Self.pasteLimit - (pasted?.count ?? 0)
    pasted? += part.prefix(max(0, room))
  }

  /// Consumes a long run of characters without control characters; nil if there is none.
  private mutating func takeRun() -> [Unicode.Scalar]? {
    let run = bytes[offset...].prefix { $0 >= 0x20 && $0 != 0x7F }
    guard run.count >= Self.shortestRun else { return nil }
    // The last character may be cut; it is taken as a key.
    let last = run.lastIndex { $0 & 0xC0 != 0x80 } ?? run.startIndex
    let whole = run.last.map { $0 >= 0x80 } == true && last > run.startIndex ? run[..<last] : run
    offset += whole.count
    return Self.cleaned(Array(whole))
  }

  /// Consumes a character; nil if its last bytes may not have arrived.
  private mutating func takeScalar(isPaused: Bool) -> Unicode.Scalar? {
    let first = bytes[offset]
    let length = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 1
    let present = bytes[offset...].prefix(length)
    let continues = present.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
    if present.count < length, continues, !isPaused { return nil }
    guard present.count == length, continues, let text = String(validating: present, as: UTF8.self),
      let scalar = text.unicodeScalars.first, !(0x80..<0xA0).contains(scalar.value)
    else {
      // One replacement for each unreadable byte, or for the whole of an unusable character.
      offset += present.count == length && continues ? length : 1
      return "\u{FFFD}"
    }
    offset += length
    return scalar
  }

  /// Returns pasted bytes as text in which control characters cannot do anything.
  private static func cleaned(_ bytes: [UInt8]) -> [Unicode.Scalar] {
    var text: [Unicode.Scalar] = []
    var isAfterReturn = false
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      defer { isAfterReturn = scalar == "\r" }
      switch scalar {
      case "\n" where isAfterReturn: continue
      case "\n", "\r": text.append("\n")
      case "\t": text.append("\t")
      default: text.append(StyledTextWriter.isHarmless(scalar) ? scalar : "\u{FFFD}")
      }
    }
    // The last line is entered by the user.
    while text.last == "\n" { text.removeLast() }
    return text
  }
}
