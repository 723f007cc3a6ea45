extension SDFReader {
  /// Reads the connection table of version V2000, whose fields have fixed columns.
  ///
  /// An atom has x, y and z in 1-30, the symbol in 32-34, mass difference in 35-36 and charge code in 37-39; a bond its
  /// atoms in 1-3 and 4-6 and its order in 7-9.
  /// - Source: CTfile Formats, BIOVIA 2020, chapter 4
  mutating func readFixed(atoms: Int, bonds: Int, into record: inout SDFRecord) {
    for number in stride(from: 1, through: atoms, by: 1) {
      guard let line = next() else { return noteShort("atom", number - 1, atoms) }
      if isEnd(line) { return noteShort("atom", number - 1, atoms) }
      readAtom(line, number: number, into: &record)
    }
    for number in stride(from: 1, through: bonds, by: 1) {
      guard let line = next() else { return noteShort("bond", number - 1, bonds) }
      if isEnd(line) { return noteShort("bond", number - 1, bonds) }
      readBond(line, atoms: atoms, into: &record)
    }
    readProperties(into: &record)
  }

  private func isEnd(_ line: TextLine) -> Bool { line.count >= 6 && line.columns.text(1, 6) == "M  END" }

  private mutating func noteShort(_ what: String, _ found: Int, _ count: Int) {
    let line = lines.number
    faults.add(
      "sdf-table-short", line: line, column: 1, severity: .error,
      "the table ends after \(found) of \(count) \(what) lines")
  }

  private mutating func readAtom(_ line: TextLine, number: Int, into record: inout SDFRecord) {
    let columns = line.columns
    var position = SIMD3<Double>()
    for axis in 0..<3 {
      let start = 10 * axis
      guard line.count >= start + 10, let value = NumberText.coordinate(line.base + start, 10) else {
        return readLooseAtom(line, number: number, fault: start + 1, into: &record)
      }
      position[axis] = value
    }
    let symbol = columns.text(31, 34)
    guard let element = element(symbol, line, 32) else { return }
    var atom = SDFRecord.Atom(element: element, position: position, number: number)
    if element == .hydrogen, columns.integer(35, 36) == 1 { atom.element = .deuterium }
    atom.charge = charge(line)
    record.add(atom)
  }

  /// Reads an atom line whose fields are not in their columns: x, y, z and symbol separated by blanks.
  private mutating func readLooseAtom(
    _ line: TextLine, number: Int, fault column: Int, into record: inout SDFRecord
  ) {
    let words = line.words(most: 4)
    guard words.count == 4, let x = line.coordinate(words[0]), let y = line.coordinate(words[1]),
      let z = line.coordinate(words[2])
    else {
      faults.add(
        "sdf-atom-unreadable", line: line.number, column: column, severity: .error,
        "'\(line.columns.text(column, column + 9))' in columns \(column)-\(column + 9) is no coordinate in Å; "
          + "the atom was left out")
      return
    }
    guard let element = element(line.text(words[3]), line, words[3].column) else { return }
    faults.add(
      "sdf-columns-free", line, words[0], severity: .note,
      "the fields of the atom do not stand in their columns; they were cut at blanks")
    record.add(SDFRecord.Atom(element: element, position: SIMD3(x, y, z), number: number))
  }

  /// Returns the element of a symbol; nil, with a diagnostic, if the atom cannot be used.
  mutating func element(_ symbol: String, _ line: TextLine, _ column: Int) -> Element? {
    if let element = SDFRecord.element(symbol) { return element }
    faults.add(
      "sdf-element-unknown", line: line.number, column: column,
      "'\(symbol)' is not an element symbol; the atom is kept as unknown")
    return .unknown
  }

  /// Returns the charge of an atom line: code 1 to 3 is +3 to +1, 5 to 7 is -1 to -3, 4 a radical.
  private mutating func charge(_ line: TextLine) -> Int8 {
    let columns = line.columns
    if columns.isBlank(37, 39) { return 0 }
    switch columns.integer(37, 39) {
    case let code? where (1...3).contains(code) || (5...7).contains(code): return Int8(4 - code)
    case 0?, 4?: return 0
    default:
      faults.add(
        "sdf-charge-unreadable", line: line.number, column: 37,
        "'\(columns.text(37, 39))' is no charge code (0 to 7); 0 was taken")
      return 0
    }
  }

  private mutating func readBond(_ line: TextLine, atoms: Int, into record: inout SDFRecord) {
    let columns = line.columns
    guard let first = columns.integer(1, 3), let second = columns.integer(4, 6),
      (1...max(atoms, 1)).contains(first), (1...max(atoms, 1)).contains(second)
    else {
      let second = columns.integer(1, 3).map { (1...max(atoms, 1)).contains($0) } ?? false
      faults.add(
        "sdf-bond-unreadable", line: line.number, column: second ? 4 : 1, severity: .error,
        "'\(line.excerpt())' does not begin with two atoms of 1 to \(atoms); the bond was left out")
      return
    }
    guard let order = SDFRecord.order(columns.integer(7, 9) ?? 0) else { return }
    record.bonds.append((first, second, order))
  }

  /// Reads the lines between bonds and `M  END`, of which charges and isotopes are used.
  private mutating func readProperties(into record: inout SDFRecord) {
    while let line = next() {
      if isEnd(line) { return }
      switch line.columns.text(1, 6) {
      case "M  CHG":
        if record.usesAtomCharges {
          record.usesAtomCharges = false
          for place in record.atoms.indices { record.atoms[place].charge = 0 }
        }
        readPairs(line, into: &record) { $0.charge = Int8(clamping: $1) }
      case "M  ISO":
        readPairs(line, into: &record) { atom, mass in
          if atom.element.isHydrogen { atom.element = mass == 2 ? .deuterium : .hydrogen }
        }
      default: break
      }
    }
  }

  /// Reads the pairs of a property line: their number in 7-9, then atom and value in four columns each.
  private mutating func readPairs(
    _ line: TextLine, into record: inout SDFRecord, _ set: (inout SDFRecord.Atom, Int) -> Void
  ) {
    let count = line.columns.integer(7, 9) ?? 0
    for pair in stride(from: 0, to: min(count, 100), by: 1) {
      let column = 10 + 8 * pair
      guard let atom = line.columns.integer(column, column + 3),
        let value = line.columns.integer(column + 4, column + 7),
        let place = record.places[atom]
      else {
        faults.add(
          "sdf-property-unreadable", line: line.number, column: column,
          "'\(line.columns.text(column, column + 7))' is no atom with a value; the pair was ignored")
        return
      }
      set(&record.atoms[place], value)
    }
  }
}
