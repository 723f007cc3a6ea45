import PluginText

extension PDBReader {
  /// Reads CRYST1: edges 7-33, angles 34-54, space group 56-66, Z 67-70; 1 × 1 × 1 Å means that there is no crystal.
  mutating func readCell(_ text: PDBLine) {
    header.spaceGroup = text.text(56, 66)
    header.chainsPerCell = text.integer(67, 70)
    guard let a = text.number(7, 15), let b = text.number(16, 24), let c = text.number(25, 33) else {
      let column = [7, 16, 25].first { text.number($0, $0 + 8) == nil } ?? 7
      note(
        "cell-unreadable", text, column: column, "CRYST1 line without three cell edges in columns 7-33 was ignored")
      return
    }
    guard a > 1 || b > 1 || c > 1 else { return }
    header.cell = UnitCell(
      a: a, b: b, c: c, alpha: text.number(34, 40) ?? 90, beta: text.number(41, 47) ?? 90,
      gamma: text.number(48, 54) ?? 90)
  }

  /// Reads HELIX: residues at 16-26 and 28-38, class 39-40, length 72-76.
  mutating func readHelix(_ text: PDBLine) {
    guard let first = address(text, name: 16, chain: 20, number: 22),
      let last = address(text, name: 28, chain: 32, number: 34)
    else { return noteRange("HELIX", text, numbers: 22, 34) }
    structure.helices.append(
      Helix(
        id: text.text(12, 14), first: first, last: last, helixClass: text.integer(39, 40) ?? 1,
        length: text.integer(72, 76) ?? 0))
  }

  /// Reads SHEET: strand 8-10, sheet 12-14, residues at 18-27 and 29-38, sense 39-40.
  mutating func readStrand(_ text: PDBLine) {
    guard let first = address(text, name: 18, chain: 22, number: 23),
      let last = address(text, name: 29, chain: 33, number: 34)
    else { return noteRange("SHEET", text, numbers: 23, 34) }
    let strand = Strand(id: text.text(8, 10), first: first, last: last, sense: text.integer(39, 40) ?? 0)
    let id = text.text(12, 14)
    if let known = structure.sheets.lastIndex(where: { $0.id == id }) {
      structure.sheets[known].strands.append(strand)
    } else {
      structure.sheets.append(Sheet(id: id, strands: [strand]))
    }
  }

  private mutating func noteRange(_ record: String, _ text: PDBLine, numbers columns: Int...) {
    let column = columns.first { text.hybrid36($0, $0 + 3) == nil } ?? columns[0]
    note(
      "range-unreadable", text, column: column,
      "\(record) line without residue numbers in their columns was ignored")
  }

  /// Reads SSBOND: residues at 12-22 and 26-36, symmetry 60-65 and 67-72.
  mutating func readDisulfide(_ text: PDBLine) {
    guard let first = address(text, name: 12, chain: 16, number: 18),
      let second = address(text, name: 26, chain: 30, number: 32)
    else { return noteRange("SSBOND", text, numbers: 18, 32) }
    structure.connections.append(
      Connection(
        kind: .disulfide, first: ConnectionEnd(residue: first, atomName: "SG", symmetry: symmetry(text, 60)),
        second: ConnectionEnd(residue: second, atomName: "SG", symmetry: symmetry(text, 67))))
  }

  /// Reads LINK: atom 13-16, altloc 17, residue at 18-27; the other end 30 columns further; symmetry 60-65 and 67-72.
  mutating func readLink(_ text: PDBLine) {
    guard let first = address(text, name: 18, chain: 22, number: 23),
      let second = address(text, name: 48, chain: 52, number: 53)
    else { return noteRange("LINK", text, numbers: 23, 53) }
    func end(_ residue: ResidueAddress, _ column: Int, _ symmetryColumn: Int) -> ConnectionEnd {
      let altloc = text.byte(column + 4)
      return ConnectionEnd(
        residue: residue, atomName: text.text(column, column + 3), altloc: altloc > 32 ? altloc : 0,
        symmetry: symmetry(text, symmetryColumn))
    }
    let isMetal = [13, 43].contains { column in
      let symbol = text.text(column, column + 1)
      return text.byte(column) > 32 && text.byte(column + 3) <= 32 && (Element(symbol: symbol)?.isMetal ?? false)
    }
    structure.connections.append(
      Connection(
        kind: isMetal ? .metal : .covalent, first: end(first, 13, 60), second: end(second, 43, 67)))
  }

  /// Reads CISPEP: residues at 12-22 and 26-36, model 44-46, omega 54-59.
  mutating func readCisPeptide(_ text: PDBLine) {
    guard let first = address(text, name: 12, chain: 16, number: 18),
      let second = address(text, name: 26, chain: 30, number: 32)
    else { return noteRange("CISPEP", text, numbers: 18, 32) }
    structure.cisPeptides.append(
      CisPeptide(first: first, second: second, model: text.integer(44, 46) ?? 0, omega: text.number(54, 59)))
  }

  /// Reads MODRES: residue at 13-23, standard name 25-27, comment 30-70.
  mutating func readModifiedResidue(_ text: PDBLine) {
    guard let residue = address(text, name: 13, chain: 17, number: 19) else {
      return noteRange("MODRES", text, numbers: 19)
    }
    structure.modifiedResidues.append(
      ModifiedResidue(residue: residue, parent: text.text(25, 27), details: text.text(30, 70)))
  }

  /// Returns a symmetry operator of six columns, `1555` as `1_555`.
  ///
  /// Blank columns are the identity: files from before 1996 state no operators, and their links lie within the unit.
  private func symmetry(_ text: PDBLine, _ column: Int) -> String {
    let word = text.text(column, column + 5)
    if word.isEmpty { return "1_555" }
    return word.utf8.count > 3 ? word.dropLast(3) + "_" + word.suffix(3) : word
  }

  /// Returns the residue with a name of three columns, a chain of one, a number of four and an insertion code after it.
  private func address(_ text: PDBLine, name: Int, chain: Int, number: Int) -> ResidueAddress? {
    guard let value = text.hybrid36(number, number + 3) else { return nil }
    let code = text.byte(number + 4)
    // A two-character chain name begins in the previous column, which is blank in files without such names.
    let chainName = text.text(chain - 1, chain)
    return ResidueAddress(
      chain: chainName, number: Int32(truncatingIfNeeded: value), insertionCode: code > 32 ? code : 0,
      name: text.text(name, name + 2))
  }
}

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
      "'\(line.text(first, first + 4))' in columns \(first)-\(first + 4) of CONECT is not a serial number")
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
          "CONECT refers to serial number \(isFirst ? pair.from : pair.to), which no atom has")
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

/// Collects biological assemblies from REMARK 350.
///
/// - Source: Contents Guide 3.30, REMARK 350.
struct PDBAssemblies {
  private struct Part {
    var chains: [String]
    var rows = PDBTransformRows()
  }

  private var ids: [String] = []
  private var authorDetails: [String?] = []
  private var softwareDetails: [String?] = []
  private var parts: [[Part]] = []
  private var isReadingChains = false

  /// Reads one line of the remark.
  mutating func read(_ line: PDBLine) {
    let text = line.text(11, 80)
    if let remaining = text.remaining(after: "BIOMOLECULE:") {
      ids.append(remaining.split(separator: ",").first.map { $0.trimmed() } ?? "")
      authorDetails.append(nil)
      softwareDetails.append(nil)
      parts.append([])
      isReadingChains = false
    } else if ids.isEmpty {
      return
    } else if let remaining = text.remaining(after: "APPLY THE FOLLOWING TO CHAINS:") {
      parts[parts.count - 1].append(Part(chains: remaining.pieces(separatedBy: UInt8(ascii: ","))))
      isReadingChains = true
    } else if text.hasPrefix("BIOMT") {
      readRow(line)
    } else if let remaining = text.remaining(after: "AND CHAINS:"), isReadingChains {
      addChains(remaining)
    } else if let remaining = text.remaining(after: "AUTHOR DETERMINED BIOLOGICAL UNIT:") {
      authorDetails[authorDetails.count - 1] = remaining.lowercased()
    } else if let remaining = text.remaining(after: "SOFTWARE DETERMINED QUATERNARY STRUCTURE:") {
      softwareDetails[softwareDetails.count - 1] = remaining.lowercased()
    } else if isReadingChains, text.contains(","), !text.contains(":") {
      addChains(text)
    }
  }

  private mutating func readRow(_ line: PDBLine) {
    isReadingChains = false
    let assembly = parts.count - 1
    guard assembly >= 0, !parts[assembly].isEmpty else { return }
    parts[assembly][parts[assembly].count - 1].rows.read(line, .assembly)
  }

  private mutating func addChains(_ text: String) {
    let assembly = parts.count - 1
    guard assembly >= 0, !parts[assembly].isEmpty else { return }
    parts[assembly][parts[assembly].count - 1].chains += text.pieces(separatedBy: UInt8(ascii: ","))
  }

  /// Returns the authority that defined an assembly, in the words of mmCIF.
  private func details(_ row: Int) -> String {
    switch (authorDetails[row] != nil, softwareDetails[row] != nil) {
    case (true, true): "author_and_software_defined_assembly"
    case (true, false): "author_defined_assembly"
    case (false, true): "software_defined_assembly"
    case (false, false): ""
    }
  }

  /// Returns the assemblies in file order; parts without an operator are dropped.
  func finished() -> [Assembly] {
    ids.indices.map { row in
      let pieces = parts[row].map {
        AssemblyPart(chains: $0.chains, usesLabels: false, operators: $0.rows.finished().map(\.transform))
      }
      return Assembly(
        id: ids[row], details: details(row), oligomericDetails: authorDetails[row] ?? softwareDetails[row] ?? "",
        parts: pieces.filter { !$0.operators.isEmpty })
    }
  }
}

extension String {
  /// Returns the text after a prefix, trimmed, or nil if the text does not begin with it.
  fileprivate func remaining(after prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)).trimmed() : nil
  }
}

/// Collects operators whose three rows are on three lines (ORIGXn, MTRIXn, BIOMTn).
struct PDBTransformRows {
  /// An operator with the rows read so far.
  struct Operator {
    var serial: Int
    var transform = Transform()
    var isGiven = false
    var rows: UInt8 = 0
  }

  /// The columns of a record's fields.
  struct Layout {
    /// The column of the row's number, 1 to 3.
    var row: Int
    /// The columns of the operator's serial number; nil where the record has one operator.
    var serial: ClosedRange<Int>?
    /// The first column of the matrix, three fields of ten columns.
    var matrix: Int
    var shift: ClosedRange<Int>
    /// The column that is `1` if the coordinates already contain the copy.
    var given: Int?

    static let origin = Layout(row: 6, matrix: 11, shift: 46...55)
    static let matrix = Layout(row: 6, serial: 8...10, matrix: 11, shift: 46...55, given: 60)
    static let assembly = Layout(row: 19, serial: 20...23, matrix: 24, shift: 54...68)
  }

  private var operators: [Operator] = []

  /// Adds one row; a line without its numbers is skipped.
  mutating func read(_ line: PDBLine, _ layout: Layout) {
    let row = Int(line.byte(layout.row)) - 48
    guard (1...3).contains(row), let (serial, vector, shift) = Self.fields(line, layout) else { return }
    if row == 1 || operators.isEmpty { operators.append(Operator(serial: serial)) }
    var last = operators[operators.count - 1]
    guard last.serial == serial else { return }
    switch row {
    case 1: last.transform.row0 = vector
    case 2: last.transform.row1 = vector
    default: last.transform.row2 = vector
    }
    last.transform.translation[row - 1] = shift
    last.isGiven = layout.given.map { line.byte($0) == 49 } ?? false
    last.rows |= 1 << (row - 1)
    operators[operators.count - 1] = last
  }

  /// Returns serial number, row of the matrix and shift; splits at blanks if a serial number above 999 shifts the
  /// columns.
  private static func fields(_ line: PDBLine, _ layout: Layout) -> (serial: Int, row: SIMD3<Double>, shift: Double)? {
    if let columns = layout.serial, layout.given == nil, line.byte(columns.upperBound + 1) > 32 {
      let fields = line.text(columns.lowerBound, 80).pieces(separatedBy: UInt8(ascii: " "))
      if fields.count == 5, let serial = Int(fields[0]), let x = Double(fields[1]), let y = Double(fields[2]),
        let z = Double(fields[3]), let t = Double(fields[4])
      {
        return (serial, SIMD3(x, y, z), t)
      }
    }
    let start = layout.matrix
    guard let serial = layout.serial.map({ line.integer($0.lowerBound, $0.upperBound) }) ?? 0,
      let x = line.number(start, start + 9), let y = line.number(start + 10, start + 19),
      let z = line.number(start + 20, start + 29)
    else { return nil }
    return (serial, SIMD3(x, y, z), line.number(layout.shift.lowerBound, layout.shift.upperBound) ?? 0)
  }

  /// Returns the operators with all three rows.
  func finished() -> [Operator] { operators.filter { $0.rows == 7 } }
}
