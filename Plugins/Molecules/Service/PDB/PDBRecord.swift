/// The records in use.
enum PDBRecord: String, CaseIterable {
  case atom, hetatm, anisou, model, endmdl, end, conect, cryst1, helix, sheet, ssbond, link, cispep, modres, seqres
  case origx1, origx2, origx3, mtrix1, mtrix2, mtrix3
  case header, remark, title, keywds, expdta, author, compnd, source, jrnl

  /// Returns the record of a name as returned by ``PDBRecordName/word(of:)``; nil for those that are skipped.
  static func record(_ word: UInt64) -> Self? {
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
    var table = allCases.map { record in (word: word(record.rawValue.uppercased()), record: record) }
    table.sort { $0.word < $1.word }
    return table
  }()

  private static func word(_ name: String) -> UInt64 {
    var word: UInt64 = 0
    for byte in name.utf8.reversed() { word = word << 8 | UInt64(byte) }
    return word
  }
}
