/// What the atom lines before had in common with the next: saves reading the same columns again for every atom.
struct PDBAtomCache {
  /// Columns 18-27 of the last line, as two words.
  var residueWord: UInt64 = 0
  var residueTail: UInt16 = 0
  /// Columns 73-76 of the last line.
  var segmentWord: UInt32 = 0
  /// Chain, residue name, number and insertion code of the last line.
  var record = AtomRecord()
  /// How columns 21 and 22 are to be read; nil until a line has something in column 21.
  var columnUse: PDBColumn21?
  private var nameWords = [UInt32](repeating: 0, count: 1024)
  private var nameIDs = [NameID](repeating: 0, count: 1024)

  /// The name in four bytes, trimmed.
  @inline(__always)
  mutating func name(_ word: UInt32, names: inout NameTable) -> NameID {
    let slot = Int(truncatingIfNeeded: (word &* 0x9E37_79B1) >> 22)
    if nameWords[slot] == word { return nameIDs[slot] }
    let id = names.intern(packed: Self.trimmed(word))
    nameWords[slot] = word
    nameIDs[slot] = id
    return id
  }

  /// The bytes of a word without blanks and control codes at either end, the first in the lowest byte.
  static func trimmed(_ word: UInt32) -> UInt64 {
    var bytes = (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    while let last = bytes.last, last <= 32 { bytes.removeLast() }
    while let first = bytes.first, first <= 32 { bytes.removeFirst() }
    return bytes.reversed().reduce(0) { $0 << 8 | UInt64(max($1, 32)) }
  }
}

/// What column 21 is part of, when it is not blank.
enum PDBColumn21 {
  /// The second half of a two-character chain name.
  case chain
  /// The fourth character of a residue name (TIP3, POPC).
  case residueName

  /// Decides for a whole file from the first line on that uses the column.
  ///
  /// Four-character residue names are assumed when no atom line that uses column 21 uses column 22 as well: a
  /// two-character chain name fills both.
  /// - Complexity: linear in the rest of the file; done once.
  static func decide(_ rest: UnsafeBufferPointer<UInt8>) -> Self {
    var start = 0
    while start + 22 <= rest.count {
      let line = PDBLine(base: rest.baseAddress.unsafelyUnwrapped + start, count: 22)
      if PDBRecordName.atom(line) != nil, line.byte(21) > 32, line.byte(22) > 32 { return .chain }
      while start < rest.count, rest[start] != 10 { start += 1 }
      start += 1
    }
    return .residueName
  }
}
