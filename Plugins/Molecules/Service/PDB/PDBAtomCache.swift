/// A cache of the columns that consecutive atom lines have in common.
struct PDBAtomCache {
  /// Columns 18-27 of the previous line, as two words.
  var residueWord: UInt64 = 0
  var residueTail: UInt16 = 0
  /// Columns 73-76 of a line without a segment.
  static let noSegment: UInt32 = 0x2020_2020
  /// Columns 73-76 of the previous line.
  var segmentWord: UInt32 = 0
  /// Chain, residue name, number and insertion code of the previous line.
  var record = AtomRecord()
  /// The element of the ion named by the residue of the previous line; unknown for other residues.
  var ion = Element.unknown
  /// The use of columns 21 and 22; nil until a line has a character in column 21.
  var columnUse: PDBColumn21?
  /// A substitute for columns 77-80 if a line has none, and for residue names; four columns cannot have these values.
  static let withoutElement: UInt64 = 1 << 32
  static let residueName: UInt64 = 2 << 32
  /// Names, elements and charges by the bytes of their columns.
  var names = AtomNameCache()
  /// Columns 55-60 of the previous line and their occupancy.
  var occupancyWord: UInt64 = 0
  var occupancy: Float = 0
  /// The packed chain name of the previous line, and its index in the builder's chain names.
  var chainWord: UInt64?
  var chain: NameID = 0

  /// Returns the bytes of a word without blanks and control codes at either end, the first in the lowest byte.
  static func trimmed(_ word: UInt32) -> UInt64 {
    var rest = UInt64(word)
    var count = 4
    while count > 0, rest >> UInt64(8 * count - 8) & 255 <= 32 { count -= 1 }
    rest &= 1 &<< UInt64(8 * count) &- 1
    while count > 0, rest & 255 <= 32 {
      rest >>= 8
      count -= 1
    }
    var clean: UInt64 = 0
    for place in 0..<UInt64(count) { clean |= max(rest >> (8 * place) & 255, 32) << (8 * place) }
    return clean
  }
}

/// The meaning of column 21 if it is not blank.
enum PDBColumn21 {
  /// The second half of a two-character chain name.
  case chain
  /// The fourth character of a residue name (TIP3, POPC).
  case residueName

  /// Decides for a whole file, starting at the first line that uses the column.
  ///
  /// Four-character residue names are assumed if no atom line uses both columns 21 and 22: a two-character chain name
  /// fills both.
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
