import Glibc

/// A token of a CIF file: its kind and the range of its text, without quotes.
struct CIFToken {
  enum Kind: UInt8 {
    case end, data, loop, save, global, stop, tag
    /// An unquoted value; `.` and `?` are missing values.
    case bare
    /// A quoted value or text field, which is always a value.
    case quoted

    var isValue: Bool { self == .bare || self == .quoted }
  }

  var kind: Kind
  var start: Int
  var count: Int

  /// The start, including its quote.
  var place: Int { kind == .quoted ? start - 1 : start }
}

/// Splits a CIF file into tokens.
///
/// A quote closes only before whitespace; `#` begins a comment only at the start of a token; a text field begins with
/// `;` in the first column and ends with the next such `;`. Keywords are case-insensitive.
/// - Source: International Tables for Crystallography G (2005), 2.2; CIF 1.1 syntax, https://www.iucr.org/resources/cif/spec/version1.1
struct CIFTokenizer {
  private let file: UnsafeBufferPointer<UInt8>
  private(set) var offset = 0
  private var countedOffset = 0
  private var countedLines = 1
  /// The start of the first quoted value that is not closed on its line.
  private(set) var unclosedQuote: Int?
  /// The start of a text field that is not closed.
  private(set) var unclosedField: Int?

  init(_ file: UnsafeBufferPointer<UInt8>) {
    self.file = file
    if file.count >= 3, file[0] == 0xEF, file[1] == 0xBB, file[2] == 0xBF { offset = 3 }
  }

  /// Returns the line of an offset, 1-based, counting on or back from the last requested offset.
  mutating func line(at position: Int) -> Int {
    while countedOffset < position {
      if file[countedOffset] == 10 { countedLines += 1 }
      countedOffset += 1
    }
    while countedOffset > position {
      countedOffset -= 1
      if file[countedOffset] == 10 { countedLines -= 1 }
    }
    return countedLines
  }

  /// Returns the line and column of an offset.
  mutating func place(at position: Int) -> FilePlace {
    .text(line: line(at: position), column: FilePlace.column(of: position, in: file))
  }

  /// Returns to a token, so that it is read again.
  mutating func rewind(to token: CIFToken) {
    offset = token.place
  }

  /// Continues at a different offset between tokens.
  mutating func move(to offset: Int) { self.offset = offset }

  /// Returns the next token; `.end` at the end of the file, repeatedly.
  @inline(__always)
  mutating func next() -> CIFToken {
    var position = offset
    let count = file.count
    while true {
      while position < count, file[position] <= 32 { position += 1 }
      guard position < count else {
        offset = count
        return CIFToken(kind: .end, start: count, count: 0)
      }
      guard file[position] == 35 else { break }
      while position < count, file[position] != 10 { position += 1 }
    }
    let first = file[position]
    if first == 39 || first == 34 { return quoted(position, first) }
    if first == 59, unclosedField == nil, position == 0 || file[position - 1] == 10 || file[position - 1] == 13 {
      return textField(position)
    }
    let start = position
    while position < count, file[position] > 32 { position += 1 }
    offset = position
    let kind: CIFToken.Kind
    switch first {
    // A chain may have the name '_', although it should be quoted.
    case 95: kind = position - start == 1 ? .bare : .tag
    case 68, 100, 71, 103, 76, 108, 83, 115:
      // All keywords except global_ have their underscore as the fifth character.
      let count = position - start
      let isCandidate = count >= 5 && (file[start + 4] == 95 || (count == 7 && file[start + 6] == 95))
      kind = isCandidate ? keyword(start, count) : .bare
    default: kind = .bare
    }
    return CIFToken(kind: kind, start: start, count: position - start)
  }

  @inline(never)
  private mutating func quoted(_ start: Int, _ quote: UInt8) -> CIFToken {
    var position = start + 1
    let count = file.count
    while position < count, file[position] != 10 {
      if file[position] == quote, position + 1 == count || file[position + 1] <= 32 {
        offset = position + 1
        return CIFToken(kind: .quoted, start: start + 1, count: position - start - 1)
      }
      position += 1
    }
    if unclosedQuote == nil { unclosedQuote = start }
    offset = position
    var end = position
    while end > start + 1, file[end - 1] <= 32 { end -= 1 }
    return CIFToken(kind: .quoted, start: start + 1, count: end - start - 1)
  }

  @inline(never)
  private mutating func textField(_ start: Int) -> CIFToken {
    var position = start + 1
    let count = file.count
    while position < count {
      guard file[position] == 10 else {
        position += 1
        continue
      }
      if position + 1 < count, file[position + 1] == 59 {
        offset = position + 2
        let end = position > start + 1 && file[position - 1] == 13 ? position - 1 : position
        return CIFToken(kind: .quoted, start: start + 1, count: end - start - 1)
      }
      position += 1
    }
    // No later text field can be closed either: this happens once per file. Only the line itself becomes the value, so
    // that one stray semicolon does not cost the rest of the file.
    unclosedField = start
    position = start + 1
    while position < count, file[position] != 10 { position += 1 }
    offset = position
    return CIFToken(kind: .quoted, start: start + 1, count: position - start - 1)
  }

  @inline(never)
  private func keyword(_ start: Int, _ count: Int) -> CIFToken.Kind {
    func begins(_ word: StaticString) -> Bool {
      guard count >= word.utf8CodeUnitCount else { return false }
      return (0..<word.utf8CodeUnitCount).allSatisfy { index in
        let byte = file[start + index]
        let folded = byte >= 65 && byte <= 90 ? byte | 32 : byte
        return folded == word.utf8Start[index]
      }
    }
    if begins("data_") { return .data }
    if count == 5, begins("loop_") { return .loop }
    if begins("save_") { return .save }
    if count == 7, begins("global_") { return .global }
    if count == 5, begins("stop_") { return .stop }
    return .bare
  }
}
