/// A global alignment of two sequences.
struct SequenceAlignment: Equatable, Sendable {
  /// The aligned indices in the first and second sequence, 0-based, ascending.
  var pairs: [SIMD2<Int32>]
  var score: Int32

  /// The cost of opening a gap, including its first position, and of each further position.
  ///
  /// - Source: the usual costs with BLOSUM62, as in BLAST.
  private static let opening: Int32 = 12
  private static let extending: Int32 = 1
  /// The largest number of cells of the alignment table.
  private static let largestTable = 100_000_000

  /// Returns true if two sequences are short enough.
  static func isPossible(_ first: Int, _ second: Int) -> Bool {
    (first + 1) * (second + 1) <= largestTable
  }

  /// Aligns two sequences of codes over their whole lengths; gaps at the ends are free.
  ///
  /// - Precondition: ``isPossible(_:_:)``.
  /// - Complexity: O(*n* · *m*) time and bytes.
  /// - Source: S. B. Needleman and C. D. Wunsch, J. Mol. Biol. 48 (1970) 443; gaps after O. Gotoh, ibid. 162 (1982) 705.
  init(_ first: [UInt8], _ second: [UInt8]) {
    precondition(Self.isPossible(first.count, second.count), "sequences to align are of bounded length")
    var steps = [UInt8](repeating: 0, count: (first.count + 1) * (second.count + 1))
    score = Self.fill(&steps, first, second)
    pairs = Self.trace(steps, first.count, second.count)
  }

  // The origin of the best path: bits 0-1 the kind of a step, then flags for the extension of a gap.
  private static let diagonal: UInt8 = 1
  private static let up: UInt8 = 2
  private static let left: UInt8 = 3
  private static let upContinues: UInt8 = 4
  private static let leftContinues: UInt8 = 8

  private static func fill(_ steps: inout [UInt8], _ first: [UInt8], _ second: [UInt8]) -> Int32 {
    let width = second.count + 1
    let never = Int32.min / 2
    let table = SubstitutionScores.table
    for column in 1..<width { steps[column] = left }
    var best = [Int32](repeating: 0, count: width)
    var upward = [Int32](repeating: never, count: width)
    for row in 1..<first.count + 1 {
      let scores = Int(first[row - 1]) * 64
      let isLastRow = row == first.count
      var before = best[0]
      var leftward = never
      steps[row * width] = up
      for column in 1..<width {
        let isLastColumn = column == second.count
        var step: UInt8 = 0
        let (upOpen, upOn) = isLastColumn ? (Int32(0), Int32(0)) : (opening, extending)
        if upward[column] - upOn > best[column] - upOpen {
          upward[column] -= upOn
          step |= upContinues
        } else {
          upward[column] = best[column] - upOpen
        }
        let (leftOpen, leftOn) = isLastRow ? (Int32(0), Int32(0)) : (opening, extending)
        if leftward - leftOn > best[column - 1] - leftOpen {
          leftward -= leftOn
          step |= leftContinues
        } else {
          leftward = best[column - 1] - leftOpen
        }
        let match = before + table[scores + Int(second[column - 1])]
        before = best[column]
        if match >= upward[column], match >= leftward {
          best[column] = match
          step |= diagonal
        } else if upward[column] >= leftward {
          best[column] = upward[column]
          step |= up
        } else {
          best[column] = leftward
          step |= left
        }
        steps[row * width + column] = step
      }
    }
    return best[width - 1]
  }

  private static func trace(_ steps: [UInt8], _ rows: Int, _ columns: Int) -> [SIMD2<Int32>] {
    var pairs: [SIMD2<Int32>] = []
    let width = columns + 1
    var (row, column) = (rows, columns)
    var kind = steps[row * width + column] & 3
    while row > 0, column > 0 {
      let step = steps[row * width + column]
      switch kind {
      case up:
        row -= 1
        kind = step & upContinues != 0 ? up : steps[row * width + column] & 3
      case left:
        column -= 1
        kind = step & leftContinues != 0 ? left : steps[row * width + column] & 3
      default:
        row -= 1
        column -= 1
        pairs.append(SIMD2(Int32(row), Int32(column)))
        kind = steps[row * width + column] & 3
      }
    }
    return pairs.reversed()
  }
}

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
