/// Reads SDF and MOL files of versions V2000 and V3000.
///
/// Every record becomes a model, in file order: records are conformers of one molecule or poses to step through, and
/// the other viewers of such files do the same. Names and data items of all records are the structure's compounds. The
/// bonds are the file's; none are inferred.
/// - Source: CTfile Formats, BIOVIA 2020
struct SDFReader {
  var lines: TextLines
  var faults = TextFaults()
  private var atoms: PlainAtoms
  private var metadata = StructureMetadata()
  private var bonds: [StatedBond] = []
  private var records = 0
  /// A Boolean value indicating whether the current record has reached its last line.
  var isRecordOver = false
  private var isOver = false

  /// Reads a whole file.
  ///
  /// - Parameter file: the uncompressed bytes.
  /// - Returns: the structure, with at least one atom.
  /// - Throws: `malformed` if no atom can be read, with the position of the first fault.
  static func read(_ file: UnsafeBufferPointer<UInt8>) throws(StructureReadingError) -> Structure {
    var reader = SDFReader(file)
    while !reader.isOver { reader.readRecord() }
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
  mutating func next() -> TextLine? {
    guard !isRecordOver else { return nil }
    guard let line = lines.next() else {
      isRecordOver = true
      isOver = true
      return nil
    }
    if line.count >= 4, line.base[0] == 36, line.columns.text(1, line.count) == "$$$$" {
      isRecordOver = true
      return nil
    }
    return line
  }

  /// Reads a record, up to `$$$$`.
  private mutating func readRecord() {
    isRecordOver = false
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
    } else if !(isOver && record.name.isEmpty) {
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
        "'\(counts.columns.text(column, column + 2))' is no number of \(column == 1 ? "atoms" : "bonds") in columns "
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
      guard let first = record.places[bond.first], let second = record.places[bond.second], first != second else {
        continue
      }
      made.append(
        StatedBond(
          first: Int32(start + min(first, second)), second: Int32(start + max(first, second)), order: bond.order))
    }
    bonds += made.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
    if record.isFlat {
      let message = "record \(records) has the coordinates of a drawing (2D), not of a molecule in space"
      faults.add("sdf-flat", line: record.line + 1, column: 21, severity: .note, message)
    }
    take(record)
  }

  private mutating func take(_ record: SDFRecord) {
    let names = ["pubchem_iupac_traditional_name", "pubchem_iupac_name", "name", "title", "common_name", "iupac_name"]
    let isNumber = record.name.utf8.allSatisfy { $0 >= 48 && $0 <= 57 }
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
