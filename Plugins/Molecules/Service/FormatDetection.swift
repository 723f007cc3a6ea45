/// Detects formats by the first lines of their content.
enum FormatDetection {
  /// The number of lines examined.
  private static let lineCount = 2000

  /// Returns true if the first word outside comments begins a data block, a loop or a tag.
  static func isCIF(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var tokens = CIFTokenizer(bytes)
    let first = tokens.next()
    switch first.kind {
    case .data, .global: return true
    case .loop, .tag, .save: return tokens.next().kind != .end
    default: return false
    }
  }

  /// Returns true if one of the first lines begins with a record name of the PDB format.
  static func isPDB(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    var start = 0
    for _ in 0..<lineCount where start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 10 { end += 1 }
      if records.contains(PDBRecordName.name(of: PDBLine(base: base + start, count: end - start))) { return true }
      start = end + 1
    }
    return false
  }

  private static let records: Set<String> = [
    "HEADER", "OBSLTE", "TITLE", "SPLIT", "CAVEAT", "COMPND", "SOURCE", "KEYWDS", "EXPDTA", "AUTHOR", "REVDAT", "JRNL",
    "REMARK", "DBREF", "SEQRES", "HET", "HELIX", "SHEET", "CRYST1", "ORIGX1", "SCALE1", "MODEL", "ATOM", "HETATM",
  ]
}
