/// Record names in columns 1-6.
enum PDBRecordName {
  /// Whether a line is an ATOM (false) or HETATM (true) record written in capitals; nil when it is neither.
  ///
  /// The line has to be at least six bytes long.
  @inline(__always)
  static func atom(_ line: PDBLine) -> Bool? {
    let word = UnsafeRawPointer(line.base).loadUnaligned(as: UInt32.self)
    let rest = UnsafeRawPointer(line.base).loadUnaligned(fromByteOffset: 4, as: UInt16.self)
    if word == 0x4D4F_5441, rest == 0x2020 { return false }
    if word == 0x4154_4548, rest == 0x4D54 { return true }
    return nil
  }

  /// The record name in capitals without blanks; `ATOM` and `HETATM` also when a serial number touches them.
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
