/// Collects CONECT records and resolves their atoms at the end.
///
/// Fields are cut by column, never at blanks: five-digit serial numbers touch. Columns from 32 on (hydrogen bonds of old
/// files) are not bonds.
struct PDBConect {
  private var pairs: [(from: Int32, to: Int32, line: Int32, column: UInt8)] = []

  /// Reads the atom in 7-11 and up to four partners in 12-31; 0 and blank mean none.
  mutating func read(_ line: PDBLine, line number: Int, log: inout DiagnosticLog) {
    guard let from = serial(line, 7, number, &log) else { return }
    for field in 0..<4 {
      let first = 12 + field * 5
      if line.isBlank(first, first + 4) { continue }
      guard let to = serial(line, first, number, &log), to != 0 else { continue }
      pairs.append((from, to, Int32(truncatingIfNeeded: number), UInt8(first)))
    }
  }

  private func serial(_ line: PDBLine, _ first: Int, _ number: Int, _ log: inout DiagnosticLog) -> Int32? {
    if let value = line.hybrid36(first, first + 4) { return Int32(truncatingIfNeeded: value) }
    log.add(
      "conect-unreadable", at: .text(line: number, column: first),
      "'\(line.text(first, first + 4))' in columns \(first)-\(first + 4) of CONECT is no serial number")
    return nil
  }

  /// Returns the bonds between atoms of the first model, each pair once, sorted; a repeat in one direction counts as
  /// bond order.
  ///
  /// Serial numbers that belong to no atom (TER has one too) are recorded; of atoms with the same serial number the
  /// first counts.
  /// - Complexity: n log n in the number of pairs.
  func resolved(in structure: Structure, log: inout DiagnosticLog) -> [StatedBond] {
    guard !pairs.isEmpty, let model = structure.models.first else { return [] }
    let atoms = SerialIndex(structure.atoms.serial[model.atoms])
    var directed: [UInt64: UInt8] = [:]
    for pair in pairs {
      guard let first = atoms[pair.from], let second = atoms[pair.to] else {
        let isFirst = atoms[pair.from] == nil
        log.add(
          "conect-unresolved", at: .text(line: Int(pair.line), column: isFirst ? 7 : Int(pair.column)),
          "CONECT names serial number \(isFirst ? pair.from : pair.to), which no atom has")
        continue
      }
      guard first != second else {
        log.add(
          "conect-to-itself", at: .text(line: Int(pair.line), column: Int(pair.column)),
          "CONECT bonds serial number \(pair.from) to itself; ignored")
        continue
      }
      let key = UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: second))
      directed[key] = min(directed[key, default: 0] + 1, 3)
    }
    return Self.merged(directed)
  }

  /// Atoms by serial number: by binary search if the numbers ascend, else by a table.
  private struct SerialIndex {
    private let serials: ArraySlice<Int32>
    private var table: [Int32: Int32] = [:]

    init(_ serials: ArraySlice<Int32>) {
      self.serials = serials
      if zip(serials, serials.dropFirst()).allSatisfy({ $0 < $1 }) { return }
      table.reserveCapacity(serials.count)
      for atom in serials.indices where table[serials[atom]] == nil { table[serials[atom]] = Int32(atom) }
    }

    subscript(serial: Int32) -> Int32? {
      guard table.isEmpty else { return table[serial] }
      var low = serials.startIndex
      var high = serials.endIndex
      while low < high {
        let middle = (low + high) / 2
        if serials[middle] < serial { low = middle + 1 } else { high = middle }
      }
      return low < serials.endIndex && serials[low] == serial ? Int32(low) : nil
    }
  }

  private static func merged(_ directed: [UInt64: UInt8]) -> [StatedBond] {
    var bonds: [StatedBond] = []
    for (key, count) in directed {
      let first = Int32(truncatingIfNeeded: key >> 32)
      let second = Int32(truncatingIfNeeded: key)
      let reverse = directed[UInt64(UInt32(bitPattern: second)) << 32 | UInt64(UInt32(bitPattern: first))]
      if first > second, reverse != nil { continue }
      bonds.append(
        StatedBond(first: min(first, second), second: max(first, second), order: max(count, reverse ?? 0)))
    }
    return bonds.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }
}
