/// One line of a PDB file without its line end, accessed by column.
///
/// Columns are 1-based and inclusive as in the format description; columns past the end of the line read as blanks. Bytes up
/// to 32 (blank, tab, NUL, carriage return) count as blank. The line borrows the file's memory and must not outlive it.
struct PDBLine {
  let base: UnsafePointer<UInt8>
  let count: Int

  /// Returns the byte in a column, a blank past the end and for control codes.
  @inline(__always)
  func byte(_ column: Int) -> UInt8 {
    guard column <= count else { return 32 }
    return max(base[column - 1], 32)
  }

  /// Returns the bytes in columns; nil if the line ends before them.
  @inline(__always)
  private func field(_ first: Int, _ last: Int) -> UnsafeBufferPointer<UInt8>? {
    let end = min(last, count)
    return first <= end ? UnsafeBufferPointer(start: base + (first - 1), count: end - first + 1) : nil
  }

  /// Returns the text in columns, trimmed.
  func text(_ first: Int, _ last: Int) -> String {
    field(first, last).map(Self.trimmed) ?? ""
  }

  /// Returns the text in columns with only its end trimmed.
  func textKeepingIndent(_ first: Int, _ last: Int) -> String {
    var end = min(last, count)
    while end >= first, base[end - 1] <= 32 { end -= 1 }
    guard first <= end else { return "" }
    return Self.string(UnsafeBufferPointer(start: base + (first - 1), count: end - first + 1))
  }

  /// Returns true if columns contain only blanks.
  func isBlank(_ first: Int, _ last: Int) -> Bool {
    var column = first
    while column <= min(last, count) {
      if base[column - 1] > 32 { return false }
      column += 1
    }
    return true
  }

  /// Returns true if columns contain a byte.
  func hasByte(_ byte: UInt8, _ first: Int, _ last: Int) -> Bool {
    field(first, last)?.contains(byte) ?? false
  }

  /// Returns the integer in columns, nil if blank or not an integer.
  func integer(_ first: Int, _ last: Int) -> Int? {
    let end = min(last, count)
    guard first <= end else { return nil }
    return NumberText.integer(base + (first - 1), end - first + 1)
  }

  /// Returns the number in columns, nil if blank or not a number.
  func number(_ first: Int, _ last: Int) -> Double? {
    let end = min(last, count)
    guard first <= end else { return nil }
    return NumberText.number(base + (first - 1), end - first + 1)
  }

  /// Returns the hybrid-36 number in columns: decimal, or base 36 if the first character is a letter.
  ///
  /// For width w: an upper-case first letter means base 36 minus 10·36^(w-1) plus 10^w, a lower-case one base 36 plus
  /// 16·36^(w-1) plus 10^w.
  /// - Source: R. W. Grosse-Kunstleve, hybrid-36, http://cci.lbl.gov/hybrid_36/
  func hybrid36(_ first: Int, _ last: Int) -> Int? {
    let start = byte(first)
    guard start.isLetter else { return integer(first, last) }
    let isLower = start >= 97
    var value = 0
    for column in first...last {
      let byte = byte(column)
      let digit: Int
      switch byte {
      case 48...57: digit = Int(byte) - 48
      case 65...90 where !isLower: digit = Int(byte) - 55
      case 97...122 where isLower: digit = Int(byte) - 87
      default: return nil
      }
      value = value * 36 + digit
    }
    let width = last - first + 1
    let step = (1..<width).reduce(1) { power, _ in power * 36 }
    let decimal = (0..<width).reduce(1) { power, _ in power * 10 }
    return value + (isLower ? 16 : -10) * step + decimal
  }

  private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    var first = 0
    var end = bytes.count
    while first < end, bytes[first] <= 32 { first += 1 }
    while end > first, bytes[end - 1] <= 32 { end -= 1 }
    return string(UnsafeBufferPointer(rebasing: bytes[first..<end]))
  }

  /// Returns a string of bytes with control codes replaced by blanks.
  private static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard bytes.contains(where: { $0 < 32 }) else { return String(decoding: bytes, as: UTF8.self) }
    return String(decoding: bytes.map { $0 < 32 ? 32 : $0 }, as: UTF8.self)
  }
}

// MARK: Shifted lines

extension PDBLine {
  /// The column of the first tab; nil if there is none.
  var tabColumn: Int? { (0..<count).first { base[$0] == 9 }.map { $0 + 1 } }

  /// Calls `body` with the line in which every tab is replaced by blanks up to the next eighth column.
  func withTabsExpanded<Result>(_ body: (PDBLine) -> Result) -> Result {
    var bytes: [UInt8] = []
    for index in 0..<count {
      guard base[index] == 9 else {
        bytes.append(base[index])
        continue
      }
      repeat { bytes.append(32) } while bytes.count % 8 != 0
    }
    return Self.with(bytes, body)
  }

  /// The residue number of five digits in columns 23-27 of an atom line whose coordinates end in columns 39, 47 and 55; nil
  /// in other lines.
  ///
  /// Molecular dynamics programs write such numbers into a field of four columns and shift the rest of the line.
  var wideResidueNumber: Int? {
    guard count >= 55, let number = integer(23, 27), number > 9999 else { return nil }
    let areNumbers = [32, 40, 48].allSatisfy { NumberText.coordinate(base + ($0 - 1), 8) != nil }
    return areNumbers ? number : nil
  }

  /// Calls `body` with the line in which a number of five digits in columns 23-27 becomes hybrid-36 in columns 23-26,
  /// and the rest is shifted back.
  func withResidueNumber<Result>(_ number: Int, _ body: (PDBLine) -> Result) -> Result {
    let bytes = UnsafeBufferPointer(start: base, count: count)
    return Self.with(
      bytes.prefix(22) + Array((Hybrid36.text(number, width: 4) ?? "****").utf8) + bytes.dropFirst(27), body)
  }

  private static func with<Result>(_ bytes: [UInt8], _ body: (PDBLine) -> Result) -> Result {
    // Readers access whole words of eight bytes.
    let padded = bytes + repeatElement(32, count: 8)
    return padded.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("a padded line has bytes") }
      return body(PDBLine(base: base, count: bytes.count))
    }
  }
}

/// The records in use.
enum PDBRecord: String, CaseIterable {
  case atom, hetatm, anisou, model, endmdl, end, conect, cryst1, helix, sheet, ssbond, link, cispep, modres, seqres
  case origx1, origx2, origx3, mtrix1, mtrix2, mtrix3
  case header, remark, title, keywds, expdta, author, compnd, source, jrnl

  /// Returns false for an ATOM and true for a HETATM record in capitals; nil for other lines.
  ///
  /// The line must be at least six bytes long.
  @inline(__always)
  static func isHetero(_ line: PDBLine) -> Bool? {
    let (word, second) = nameWords(line)
    if word == 0x4D4F_5441, second == 0x2020 { return false }
    if word == 0x4154_4548, second == 0x4D54 { return true }
    return nil
  }

  /// Returns ANISOU or REMARK if a line is one in capitals, the most frequent records after atoms; else nil.
  @inline(__always)
  static func frequent(_ line: PDBLine) -> Self? {
    guard line.count >= 10 else { return nil }
    let (word, second) = nameWords(line)
    if word == 0x5349_4E41, second == 0x554F { return .anisou }
    if word == 0x414D_4552, second == 0x4B52 { return .remark }
    return nil
  }

  /// Returns columns 1-4 and 5-6 as words.
  @inline(__always)
  private static func nameWords(_ line: PDBLine) -> (UInt32, UInt16) {
    let raw = UnsafeRawPointer(line.base)
    return (raw.loadUnaligned(as: UInt32.self), raw.loadUnaligned(fromByteOffset: 4, as: UInt16.self))
  }

  /// Returns the record of a line, whose name may be in small letters; nil for those that are skipped.
  static func record(of line: PDBLine) -> Self? {
    let word = word(of: line)
    var low = 0
    var high = table.count
    while low < high {
      let middle = (low + high) / 2
      if table[middle].word < word { low = middle + 1 } else { high = middle }
    }
    return low < table.count && table[low].word == word ? table[low].record : nil
  }

  /// The records by their names in capitals as words, sorted.
  private static let table: [(word: UInt64, record: Self)] = {
    var table = allCases.map { record in (word: word(of: record.rawValue.uppercased()), record: record) }
    table.sort { $0.word < $1.word }
    return table
  }()

  /// Returns the record name of a line in capitals as one word, the first letter in the lowest byte; text after a blank
  /// is ignored.
  @inline(__always)
  static func word(of line: PDBLine) -> UInt64 {
    var word: UInt64 = 0
    for column in 0..<min(6, line.count) {
      var byte = line.base[column]
      if byte <= 32 { break }
      if byte >= 97, byte <= 122 { byte -= 32 }
      word |= UInt64(byte) << UInt64(8 * column)
    }
    return word
  }

  /// Returns a record name in the form of a line's.
  static func word(of name: String) -> UInt64 { name.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}

/// Writes numbers into fields that are too narrow for their decimal digits.
enum Hybrid36 {
  /// Returns the text of a number in a field of a width; nil if it does not fit in any form.
  ///
  /// Decimal first; then base 36 with a leading upper-case letter, which stands for 10·36^(w-1) up to 36^w less 10^w;
  /// then the same with lower-case letters.
  /// - Source: R. W. Grosse-Kunstleve, hybrid-36, http://cci.lbl.gov/hybrid_36/
  static func text(_ number: Int, width: Int) -> String? {
    let decimal = (0..<width).reduce(1) { power, _ in power * 10 }
    let step = (1..<width).reduce(1) { power, _ in power * 36 }
    if number < decimal, number > -decimal / 10 { return "\(number)" }
    guard number >= decimal else { return nil }
    let upper = number - decimal
    if upper < 26 * step { return digits(upper + 10 * step, letters: 65) }
    let lower = upper - 26 * step
    return lower < 26 * step ? digits(lower + 10 * step, letters: 97) : nil
  }

  private static func digits(_ value: Int, letters: UInt8) -> String {
    var second = value
    var bytes: [UInt8] = []
    while second > 0 {
      let digit = UInt8(second % 36)
      bytes.append(digit < 10 ? 48 + digit : letters + digit - 10)
      second /= 36
    }
    return String(decoding: bytes.reversed(), as: UTF8.self)
  }
}
