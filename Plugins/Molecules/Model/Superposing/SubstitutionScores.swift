/// The scores of substituting one monomer for another in an alignment.
enum SubstitutionScores {
  /// The amino acids in the order of the table.
  private static let letters = Array("ARNDCQEGHILKMFPSTWYV".utf8)
  /// The lower half of BLOSUM62 with its diagonal, row by row.
  ///
  /// - Source: S. Henikoff and J. G. Henikoff, PNAS 89 (1992) 10915.
  private static let blosum62: [[Int32]] = [
    [4],
    [-1, 5],
    [-2, 0, 6],
    [-2, -2, 1, 6],
    [0, -3, -3, -3, 9],
    [-1, 1, 0, 0, -3, 5],
    [-1, 0, 0, 2, -4, 2, 5],
    [0, -2, 0, -1, -3, -2, -2, 6],
    [-2, 0, 1, -1, -3, 0, 0, -2, 8],
    [-1, -3, -3, -3, -1, -3, -3, -4, -3, 4],
    [-1, -2, -3, -4, -1, -2, -3, -4, -3, 2, 4],
    [-1, 2, 0, -1, -3, 1, 1, -2, -1, -3, -2, 5],
    [-1, -1, -2, -3, -1, 0, -2, -3, -2, 1, 2, -1, 5],
    [-2, -3, -3, -3, -2, -3, -3, -3, -1, 0, 0, -3, 0, 6],
    [-1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4, 7],
    [1, -1, 1, 0, -1, 0, 0, 0, -1, -2, -2, 0, -1, -2, -1, 4],
    [0, -1, 0, -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1, 1, 5],
    [-3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1, 1, -4, -3, -2, 11],
    [-2, -2, -2, -3, -2, -1, -2, -3, 2, -1, -1, -2, -1, 3, -3, -2, -2, 2, 7],
    [0, -3, -3, -3, -1, -2, -2, -3, -3, 3, 1, -2, 1, -1, -2, -2, 0, -3, -1, 4],
  ]

  /// The code of unknown residues; codes of amino acids are their indices in the table, followed by nucleotides.
  static let unknown: UInt8 = 40

  /// Returns the code of a residue name.
  static func code(ofResidue name: String) -> UInt8 {
    guard let entry = ResidueCatalog.entry(name), let letter = entry.letter.asciiValue else { return unknown }
    switch entry.family {
    case .aminoAcid: return letters.firstIndex(of: letter).map(UInt8.init) ?? (letter == 85 ? 4 : unknown)
    case .ribonucleotide, .deoxyribonucleotide:
      // Thymine and uracil are equivalent.
      return Array("ACGTI".utf8).firstIndex(of: letter == 85 ? 84 : letter).map { UInt8($0 + 20) } ?? unknown
    case .water: return unknown
    }
  }

  /// The scores of all pairs of codes, 64 per row.
  static let table: [Int32] = {
    var table = [Int32](repeating: -4, count: 64 * 64)
    for (row, scores) in blosum62.enumerated() {
      for (column, score) in scores.enumerated() {
        table[row * 64 + column] = score
        table[column * 64 + row] = score
      }
    }
    for base in 20..<25 { table[base * 64 + base] = 5 }
    for code in 0..<64 {
      table[code * 64 + Int(unknown)] = -1
      table[Int(unknown) * 64 + code] = -1
    }
    return table
  }()
}
