/// Record names in columns 1-6.
enum PDBRecordName {
  /// Returns whether a line is an ATOM (false) or HETATM (true) record in capitals; nil if it is neither.
  ///
  /// The line must be at least six bytes long.
  @inline(__always)
  static func atom(_ line: PDBLine) -> Bool? {
    let word = UnsafeRawPointer(line.base).loadUnaligned(as: UInt32.self)
    let rest = UnsafeRawPointer(line.base).loadUnaligned(fromByteOffset: 4, as: UInt16.self)
    if word == 0x4D4F_5441, rest == 0x2020 { return false }
    if word == 0x4154_4548, rest == 0x4D54 { return true }
    return nil
  }

  /// Returns the record if a line is ANISOU or REMARK in capitals, the most frequent records after atoms; else nil.
  @inline(__always)
  static func frequent(_ line: PDBLine) -> Frequent? {
    guard line.count >= 10 else { return nil }
    let word = UnsafeRawPointer(line.base).loadUnaligned(as: UInt32.self)
    let rest = UnsafeRawPointer(line.base).loadUnaligned(fromByteOffset: 4, as: UInt16.self)
    if word == 0x5349_4E41, rest == 0x554F { return .anisotropy }
    if word == 0x414D_4552, rest == 0x4B52 { return .remark }
    return nil
  }

  enum Frequent { case anisotropy, remark }

  /// Returns the record name in capitals as one word, the first letter in the lowest byte; text after a blank is
  /// ignored.
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

  /// Returns the record name in capitals without blanks; `ATOM` and `HETATM` also if a serial number adjoins them.
  static func name(of line: PDBLine) -> String {
    var bytes: [UInt8] = []
    for column in 1...6 {
      var byte = line.byte(column)
      if byte == 32 { break }
      if byte >= 97, byte <= 122 { byte -= 32 }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
