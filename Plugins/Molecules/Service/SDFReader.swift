/// Reads SDF and MOL files of versions V2000 and V3000.
///
/// Every record becomes a model, in file order: records are conformers of one molecule or poses to step through, and
/// the other viewers of such files do the same. Names and data items of all records are the structure's compounds. The
/// bonds are the file's; none are inferred.
/// - Source: CTfile Formats, BIOVIA 2020
struct SDFReader {
  private var lines: TextLines
  private var faults = TextFaults()
  private var atoms: PlainAtoms
  private var metadata = StructureMetadata()
  private var bonds: [StatedBond] = []
  private var records = 0
  private var stage = Stage.record

  /// The progress through the file.
  private enum Stage {
    /// Inside a record.
    case record
    /// After the last line of a record.
    case recordEnd
    /// At the end of the file.
    case fileEnd
  }

  /// Reads a whole file.
  ///
  /// - Parameter file: the uncompressed bytes.
  /// - Returns: the structure, with at least one atom.
  /// - Throws: `malformed` if no atom can be read, with the position of the first fault.
  static func read(_ file: UnsafeBufferPointer<UInt8>) throws(StructureReadingError) -> Structure {
    var reader = SDFReader(file)
    while reader.stage != .fileEnd { reader.readRecord() }
    return try reader.finished()
  }

  /// Returns true if the fourth line has a version like a counts line, or one of the first lines ends a table or
  /// record.
  static func isSDF(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var lines = TextLines(bytes)
    while lines.number < 2000, let line = lines.next() {
      let columns = line.columns
      if line.number == 4 {
        if ["V2000", "V3000"].contains(columns.text(34, 40)) { return true }
        // Tables before 1991 have no version: three characters for each count, and only numbers or blanks.
        guard columns.integer(1, 3) != nil, columns.integer(4, 6) != nil else { return false }
      }
      if line.number >= 4, line.count >= 4 {
        if columns.text(1, line.count) == "$$$$" || columns.text(1, line.count) == "M  END" { return true }
      }
    }
    return false
  }

  private init(_ file: UnsafeBufferPointer<UInt8>) {
    lines = TextLines(file)
    atoms = PlainAtoms(expectedAtoms: min(file.count / 70 + 16, 4_000_000))
  }

  /// Returns the next line of the record; nil at its end and at the end of the file.
  private mutating func next() -> TextLine? {
    guard stage == .record else { return nil }
    guard let line = lines.next() else {
      stage = .fileEnd
      return nil
    }
    if line.count >= 4, line.base[0] == 36, line.columns.text(1, line.count) == "$$$$" {
      stage = .recordEnd
      return nil
    }
    return line
  }

  /// Reads a record, up to `$$$$`.
  private mutating func readRecord() {
    stage = .record
    var record = SDFRecord()
    guard let title = next() else { return }
    record.line = title.number
    record.name = title.text
    let program = next()
    record.isFlat = program.map { $0.columns.text(21, 22) == "2D" } ?? false
    let comment = next()
    let counts = comment == nil ? nil : next()
    records += 1
    if let counts {
      readTable(counts, into: &record)
    } else if !(stage == .fileEnd && record.name.isEmpty) {
      faults.add(
        "sdf-counts-unreadable", line: title.number, column: 1, severity: .error,
        "the record ends before its fourth line, which counts atoms and bonds")
    }
    readItems(&record)
    add(record)
  }

  private mutating func readTable(_ counts: TextLine, into record: inout SDFRecord) {
    if counts.columns.text(34, 40) == "V3000" { return readExtended(counts, into: &record) }
    guard let atomCount = counts.columns.integer(1, 3), let bondCount = counts.columns.integer(4, 6),
      atomCount >= 0, bondCount >= 0
    else {
      let column = counts.columns.integer(1, 3) == nil ? 1 : 4
      faults.add(
        "sdf-counts-unreadable", line: counts.number, column: column, severity: .error,
        "'\(counts.columns.text(column, column + 2))' is not a number of \(column == 1 ? "atoms" : "bonds") in columns "
          + "\(column)-\(column + 2); the record was left out")
      return
    }
    readFixed(atoms: atomCount, bonds: bondCount, into: &record)
  }

  /// Reads data items: `> <NAME>` and lines up to a blank one.
  private mutating func readItems(_ record: inout SDFRecord) {
    while let line = next() {
      guard line.count > 0, line.base[0] == 62 else { continue }
      let head = line.text
      guard let open = head.firstIndex(of: "<"), let close = head.lastIndex(of: ">"), open < close else { continue }
      var values: [String] = []
      while let value = next(), !value.isBlank { values.append(value.text) }
      record.items.append(
        Compound.Detail(token: String(head[head.index(after: open)..<close]), value: values.joined(separator: "\n")))
    }
  }

  /// Builds a model from a record.
  private mutating func add(_ record: SDFRecord) {
    guard !record.atoms.isEmpty else { return }
    let start = atoms.builder.atoms.count
    atoms.beginModel(number: records)
    for atom in record.atoms { atoms.add(atom.element, atom.position, charge: atom.charge, serial: atom.number) }
    var made: [StatedBond] = []
    for bond in record.bonds {
      guard let first = record.indices[bond.first], let second = record.indices[bond.second], first != second else {
        continue
      }
      made.append(
        StatedBond(
          first: Int32(start + min(first, second)), second: Int32(start + max(first, second)), order: bond.order))
    }
    bonds += made.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
    if record.isFlat {
      let message = "record \(records) has two-dimensional coordinates, those of a drawing"
      faults.add("sdf-flat", line: record.line + 1, column: 21, severity: .note, message)
    }
    take(record)
  }

  private mutating func take(_ record: SDFRecord) {
    let names = ["pubchem_iupac_traditional_name", "pubchem_iupac_name", "name", "title", "common_name", "iupac_name"]
    let isNumber = record.name.utf8.allSatisfy(\.isDigit)
    let named = names.lazy.compactMap { record.item($0) }.first
    let title = isNumber ? named ?? record.name : record.name
    if metadata.compounds.isEmpty {
      metadata.title = title.replacingLineEnds()
      // A number is one word; other text in the item belongs to something else.
      let number = record.item("pubchem_compound_cid")?.utf8.split(maxSplits: 1, whereSeparator: { $0 <= 32 }).first
      metadata.entryID = number.map { "CID" + String(Substring($0)) } ?? ""
    }
    metadata.compounds.append(
      Compound(id: "\(records)", name: (named ?? record.name).replacingLineEnds(), details: record.items))
  }

  private consuming func finished() throws(StructureReadingError) -> Structure {
    guard !atoms.builder.atoms.isEmpty else {
      throw faults.first ?? .noCoordinates("no record has an atom")
    }
    var structure = Structure()
    atoms.builder.finish(into: &structure)
    structure.metadata = metadata
    structure.statedBonds = bonds
    structure.statesAllBonds = !bonds.isEmpty
    ResidueKinds.assign(to: &structure, polymerResidues: nil)
    structure.diagnostics = faults.log.finished()
    return structure
  }
}

/// One molecule of an SDF file, before it becomes a model.
private struct SDFRecord {
  /// An atom of the connection table.
  struct Atom {
    var element: Element
    var position: SIMD3<Double>
    var charge: Int8 = 0
    /// The number in the file.
    var number: Int
  }

  var name = ""
  /// The first line in the file, from 1.
  var line = 0
  var atoms: [Atom] = []
  /// The index in `atoms` for each number of the file; numbers of dropped atoms are missing.
  var indices: [Int: Int] = [:]
  /// The bonds by the numbers of their atoms in the file.
  var bonds: [(first: Int, second: Int, order: UInt8)] = []
  var items: [Compound.Detail] = []
  /// A Boolean value indicating whether charges in atom lines still count: the first `M  CHG` line replaces them all.
  var usesAtomCharges = true
  /// A Boolean value indicating whether the coordinates are those of a drawing.
  var isFlat = false

  mutating func add(_ atom: Atom) {
    indices[atom.number] = atoms.count
    atoms.append(atom)
  }

  /// Returns the value of a data item by name in any case; nil if it is missing or empty.
  func item(_ name: String) -> String? {
    items.first { $0.token.lowercased() == name && !$0.value.isEmpty }?.value
  }

  /// Returns the element of a symbol; unknown for `R#`, `A`, `Q`, `*`, `L` and other queries, nil if it is not a
  /// symbol.
  static func element(_ symbol: String) -> Element? {
    if let element = Element(symbol: symbol) { return element }
    let queries: Set<String> = ["R#", "A", "Q", "*", "L", "LP", "R", "M", "G", "AH", "QH", "XH", "MH", "DU", "POL"]
    if symbol == "T" { return .hydrogen }
    return queries.contains(symbol.uppercased()) || symbol.hasPrefix("[") || symbol.hasPrefix("R") ? .unknown : nil
  }

  /// Returns the bond order of a code: 1, 2, 3 and 4 (aromatic) unchanged, unknown for queries and coordination; nil
  /// for hydrogen bonds.
  static func order(_ code: Int) -> UInt8? {
    switch code {
    case 1...4: UInt8(code)
    case 10: nil
    default: 0
    }
  }
}

// MARK: Version V2000

extension SDFReader {
  /// Reads the connection table of version V2000, whose fields have fixed columns.
  ///
  /// An atom has x, y and z in 1-30, the symbol in 32-34, mass difference in 35-36 and charge code in 37-39; a bond its
  /// atoms in 1-3 and 4-6 and its order in 7-9.
  /// - Source: CTfile Formats, BIOVIA 2020, chapter 4
  private mutating func readFixed(atoms: Int, bonds: Int, into record: inout SDFRecord) {
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
    let element = element(columns.text(31, 34), line, 32)
    var atom = SDFRecord.Atom(element: element, position: position, number: number)
    if element == .hydrogen, columns.integer(35, 36) == 1 { atom.element = .deuterium }
    atom.charge = charge(line)
    record.add(atom)
  }

  /// Reads an atom line whose fields are not in their columns: x, y, z and symbol separated by blanks.
  private mutating func readLooseAtom(
    _ line: TextLine, number: Int, fault column: Int, into record: inout SDFRecord
  ) {
    let fields = line.fields(most: 4)
    guard fields.count == 4, let x = line.coordinate(fields[0]), let y = line.coordinate(fields[1]),
      let z = line.coordinate(fields[2])
    else {
      faults.add(
        "sdf-atom-unreadable", line: line.number, column: column, severity: .error,
        "'\(line.columns.text(column, column + 9))' in columns \(column)-\(column + 9) is not a coordinate in Å; "
          + "the atom was left out")
      return
    }
    let element = element(line.text(fields[3]), line, fields[3].column)
    faults.add(
      "sdf-columns-free", line, fields[0], severity: .note,
      "the fields of the atom are not in their columns; they were split at blanks")
    record.add(SDFRecord.Atom(element: element, position: SIMD3(x, y, z), number: number))
  }

  /// Returns the element of a symbol; unknown, with a diagnostic, if it is not one.
  private mutating func element(_ symbol: String, _ line: TextLine, _ column: Int) -> Element {
    if let element = SDFRecord.element(symbol) { return element }
    faults.add(
      "sdf-element-unknown", line: line.number, column: column,
      "'\(symbol)' is not an element symbol; the element is unknown")
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
        "'\(columns.text(37, 39))' is not a charge code (0 to 7) and was read as 0")
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
          for index in record.atoms.indices { record.atoms[index].charge = 0 }
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
        let index = record.indices[atom]
      else {
        faults.add(
          "sdf-property-unreadable", line: line.number, column: column,
          "'\(line.columns.text(column, column + 7))' is not an atom with a value; the pair was ignored")
        return
      }
      set(&record.atoms[index], value)
    }
  }
}

// MARK: Version V3000

extension SDFReader {
  /// Reads the connection table of version V3000: lines that begin with `M  V30`, fields separated by blanks, `-` at
  /// the end continues a line.
  ///
  /// - Source: CTfile Formats, BIOVIA 2020, chapter 5
  private mutating func readExtended(_ counts: TextLine, into record: inout SDFRecord) {
    var block = ""
    while let line = next() {
      let columns = line.columns
      if columns.text(1, 6) == "M  END" { return }
      guard columns.text(1, 6) == "M  V30" else { continue }
      let fields = line.fields().dropFirst(2)
      guard let first = fields.first else { continue }
      switch (line.text(first).uppercased(), fields.count) {
      case ("BEGIN", 2...): block = line.text(fields[fields.startIndex + 1]).uppercased()
      case ("END", _): block = ""
      default:
        let isContinued = line.base[line.count - 1] == 45
        switch block {
        case "ATOM": readExtendedAtom(line, Array(fields), into: &record)
        case "BOND": readExtendedBond(line, Array(fields), into: &record)
        default: break
        }
        if isContinued { skipContinuations(&record, isAtom: block == "ATOM") }
      }
    }
    faults.add(
      "sdf-table-short", line: counts.number, column: 1, severity: .error,
      "the table that begins here has no 'M  END'; its content was read")
  }

  /// Reads the options of an atom on continuation lines, and skips the lines of other blocks.
  private mutating func skipContinuations(_ record: inout SDFRecord, isAtom: Bool) {
    while let line = next(), line.columns.text(1, 6) == "M  V30" {
      if isAtom, !record.atoms.isEmpty {
        readOptions(line, line.fields().dropFirst(2), &record.atoms[record.atoms.count - 1])
      }
      if line.base[line.count - 1] != 45 { return }
    }
  }

  /// Reads `index type x y z aamap [CHG=n] [MASS=n] …`.
  private mutating func readExtendedAtom(_ line: TextLine, _ fields: [TextLine.Word], into record: inout SDFRecord) {
    guard fields.count >= 5, let number = line.integer(fields[0]) else {
      faults.add(
        "sdf-atom-unreadable", line, fields[0], severity: .error,
        "'\(line.excerpt(from: fields[0]))' is not 'index symbol x y z'; the atom was left out")
      return
    }
    var position = SIMD3<Double>()
    for axis in 0..<3 {
      guard let value = line.coordinate(fields[2 + axis]) else {
        faults.add(
          "sdf-atom-unreadable", line, fields[2 + axis], severity: .error,
          "'\(line.text(fields[2 + axis]))' is not a coordinate in Å; the atom was left out")
        return
      }
      position[axis] = value
    }
    let element = element(line.text(fields[1]), line, fields[1].column)
    var atom = SDFRecord.Atom(element: element, position: position, number: number)
    readOptions(line, fields.dropFirst(5), &atom)
    record.add(atom)
  }

  private mutating func readOptions(_ line: TextLine, _ fields: ArraySlice<TextLine.Word>, _ atom: inout SDFRecord.Atom)
  {
    for word in fields {
      let text = line.text(word).uppercased()
      if text.hasPrefix("CHG=") {
        if let charge = Int(text.dropFirst(4)) {
          atom.charge = Int8(clamping: charge)
        } else {
          faults.add(
            "sdf-charge-unreadable", line, word,
            "'\(text)' is not a charge 'CHG=n' and was read as 0")
        }
      } else if text == "MASS=2", atom.element == .hydrogen {
        atom.element = .deuterium
      }
    }
  }

  /// Reads `index order atom atom …`.
  private mutating func readExtendedBond(_ line: TextLine, _ fields: [TextLine.Word], into record: inout SDFRecord) {
    guard fields.count >= 4, let code = line.integer(fields[1]), let first = line.integer(fields[2]),
      let second = line.integer(fields[3]), record.indices[first] != nil, record.indices[second] != nil
    else {
      faults.add(
        "sdf-bond-unreadable", line, fields[0], severity: .error,
        "'\(line.excerpt(from: fields[0]))' is not 'index order atom atom' with atoms that "
          + "were read; the bond was left out")
      return
    }
    guard let order = SDFRecord.order(code) else { return }
    record.bonds.append((first, second, order))
  }
}
