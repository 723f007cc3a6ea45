/// Collects the sequences of SEQRES records.
///
/// A large file names thousands of residues of some twenty kinds: each name becomes a text once.
struct PDBSequences {
  /// The sequences, in order of the first appearance of their chains.
  private(set) var sequences: [PolymerSequence] = []
  private var places: [String: Int] = [:]
  /// Columns 11-12 of the previous line and the index of their sequence.
  private var last: (columns: UInt16, place: Int)?
  /// Recent texts of three columns, by the columns.
  private var names = [(columns: UInt32, text: String)](repeating: (.max, ""), count: 64)

  /// Reads a line: chain 12 (and 11), names from 20 on in steps of four.
  mutating func read(_ line: PDBLine) {
    let place = place(line)
    var column = 20
    while column <= min(68, line.count) {
      let name = name(line, column)
      if !name.isEmpty { sequences[place].residueNames.append(name) }
      column += 4
    }
  }

  private mutating func place(_ line: PDBLine) -> Int {
    let columns = UInt16(line.byte(11)) << 8 | UInt16(line.byte(12))
    if let last, last.columns == columns { return last.place }
    let chain = line.text(11, 12)
    let place = places[chain] ?? sequences.count
    if place == sequences.count {
      places[chain] = place
      sequences.append(PolymerSequence(id: chain, chains: [chain], residueNames: []))
    }
    last = (columns, place)
    return place
  }

  private mutating func name(_ line: PDBLine, _ column: Int) -> String {
    let columns = UInt32(line.byte(column)) << 16 | UInt32(line.byte(column + 1)) << 8 | UInt32(line.byte(column + 2))
    let slot = Int((columns &* 0x9E37_79B1) >> 26)
    if names[slot].columns != columns { names[slot] = (columns, line.text(column, column + 2)) }
    return names[slot].text
  }
}
