/// Reads files in mmCIF (PDBx) format, in one pass, without storing the document.
///
/// Atoms are built while their loop is read; of the other categories those needed by `CIFMetadata` and similar types
/// are stored as ranges in the file. Syntax errors are recorded with their line, and reading continues.
/// - Source: PDBx/mmCIF dictionary V5, https://mmcif.wwpdb.org/
struct CIFReader {
  private let file: UnsafeBufferPointer<UInt8>
  private let base: UnsafePointer<UInt8>
  private var tokens: CIFTokenizer
  private var scanner: CIFRowScanner
  private var builder: StructureBuilder
  private var log = DiagnosticLog()
  private var tables: [String: CIFTable] = [:]
  private var anisotropy = CIFAnisotropy()
  private var atomReader: CIFAtomReader?
  private var isInSaveFrame = false
  /// The items of _atom_site that were written as pairs.
  private var atomItems: [String] = []
  private var atomValues = CIFRowValues()
  private var hasFractionalAtoms = false

  /// Reads a whole file.
  ///
  /// - Parameter file: the uncompressed bytes.
  /// - Returns: the structure, with at least one atom.
  /// - Throws: `noCoordinates` if no data block has atoms with Cartesian coordinates.
  static func read(_ file: UnsafeBufferPointer<UInt8>) throws(StructureReadingError) -> Structure {
    guard let base = file.baseAddress else { throw .empty }
    // Rows store offsets of values in 31 bits.
    guard file.count <= StructureSource.sizeLimit else { throw .noCoordinates("it is larger than 2 GiB") }
    var reader = CIFReader(file, base)
    reader.readTokens()
    return try reader.finished()
  }

  private init(_ file: UnsafeBufferPointer<UInt8>, _ base: UnsafePointer<UInt8>) {
    self.file = file
    self.base = base
    tokens = CIFTokenizer(file)
    scanner = CIFRowScanner(base, fileCount: file.count)
    builder = StructureBuilder(expectedAtoms: min(file.count / 110 + 16, 4_000_000))
  }

  private mutating func readTokens() {
    while true {
      let token = tokens.next()
      switch token.kind {
      case .end: return
      case .data:
        if endBlock(at: token) { return }
      case .save: isInSaveFrame = token.count > 5
      case .loop: readLoop(at: token)
      case .tag: readPair(token)
      case .global, .stop: break
      case .bare, .quoted:
        let text = excerpt(token)
        note(
          "cif-value-without-tag", at: token.offset, severity: .error,
          "value '\(text)' has no tag and was ignored")
      }
    }
  }

  /// Ends a data block; returns true if it had atoms, so that the rest of the file is not read.
  private mutating func endBlock(at token: CIFToken) -> Bool {
    finishPairedAtom()
    isInSaveFrame = false
    guard builder.atomCount > 0 else {
      tables.removeAll()
      return false
    }
    note(
      "cif-further-block", at: token.start, severity: .note,
      "the first data block with atoms ended here; later blocks were ignored")
    return true
  }

  private mutating func readPair(_ tag: CIFToken) {
    let value = tokens.next()
    guard value.kind.isValue else {
      let text = excerpt(tag)
      note(
        "cif-tag-without-value", at: tag.start, severity: .error,
        "tag '\(text)' has no value and was ignored")
      tokens.rewind(to: value)
      return
    }
    guard !isInSaveFrame else { return }
    let name = CIFName.tag(file, tag)
    if name.category == CIFCategories.atoms {
      atomItems.append(item(tag, name))
      atomValues.append(value)
    } else if let category = CIFCategories.kept[name.category] {
      tables[category, default: CIFTable(file)].addColumn(name.item, value: CIFValue(value))
    } else if name.category == CIFCategories.fractionalAtoms {
      hasFractionalAtoms = true
    }
  }

  private mutating func readLoop(at start: CIFToken) {
    var tags: [CIFToken] = []
    var names: [CIFName.Tag] = []
    var token = tokens.next()
    while token.kind == .tag {
      tags.append(token)
      names.append(CIFName.tag(file, token))
      if names[names.count - 1].category == CIFCategories.fractionalAtoms { hasFractionalAtoms = true }
      token = tokens.next()
    }
    guard let first = names.first else {
      note("cif-loop-without-tags", at: start.start, severity: .error, "loop_ has no tags")
      tokens.rewind(to: token)
      return
    }
    let loop = Loop(tags: tags, names: names, start: start.start)
    if isInSaveFrame { return skipValues(from: token) }
    switch first.category {
    case CIFCategories.atoms where CIFAtomColumns(items: items(loop)).hasPositions: readAtoms(loop, from: token)
    case CIFCategories.anisotropy: readAnisotropy(loop, from: token)
    default:
      if let category = CIFCategories.kept[first.category] {
        readTable(loop, category, from: token)
      } else {
        readUnused(loop, from: token)
      }
    }
  }

  /// Returns the item of a tag in lower case.
  private func item(_ tag: CIFToken, _ name: CIFName.Tag) -> String {
    String(decoding: file[name.itemStart..<tag.start + tag.count], as: UTF8.self).lowercased()
  }

  private func items(_ loop: Loop) -> [String] { zip(loop.tags, loop.names).map { item($0, $1) } }

  /// The tags of a loop.
  private struct Loop {
    var tags: [CIFToken]
    var names: [CIFName.Tag]
    var start: Int
  }

  private mutating func readTable(_ loop: Loop, _ category: String, from first: CIFToken) {
    var table = CIFTable(file)
    for name in loop.names { table.addColumn(name.item, value: nil) }
    readRows(of: loop, from: first) { table.append(row: $1) }
    tables[category] = table
  }

  private mutating func readUnused(_ loop: Loop, from first: CIFToken) {
    readRows(of: loop, from: first) { _, _ in }
  }

  /// Calls `use` with each row of a loop, then consumes the loop's end.
  ///
  /// - Parameter use: Receives this reader and the values of a row, which are valid only within the call.
  @inline(__always)
  private mutating func readRows(
    of loop: Loop, from first: CIFToken, _ use: (inout Self, CIFRow) -> Void
  ) {
    let width = loop.tags.count
    var scanner = self.scanner
    scanner.begin(width: width, at: first.offset)
    var odd = CIFOddRow(width: width, end: first)
    repeat {
      while let row = scanner.next() { use(&self, row) }
      tokens.move(to: scanner.offset)
      odd.read(&tokens)
      if odd.isComplete {
        odd.values.withRow { use(&self, $0) }
        scanner.move(to: tokens.offset)
      }
    } while odd.isComplete
    self.scanner = scanner
    noteIncomplete(odd.values.count, loop)
    tokens.rewind(to: odd.end)
  }

  private mutating func skipValues(from first: CIFToken) {
    var token = first
    while token.kind.isValue { token = tokens.next() }
    tokens.rewind(to: token)
  }

  private mutating func readAtoms(_ loop: Loop, from first: CIFToken) {
    let columns = CIFAtomColumns(items: items(loop))
    var reader = atomReader ?? CIFAtomReader(base, columns: columns)
    // A second loop of atoms may have other items, or the same in a different order.
    reader.columns = columns
    atomReader = nil
    readRows(of: loop, from: first) { file, row in
      if let fault = reader.read(row, into: &file.builder) { file.noteRow(row[fault], reader.columns, fault) }
    }
    atomReader = reader
  }

  /// Records a value that is not a coordinate, with its column in the row.
  @inline(never)
  private mutating func noteRow(_ value: CIFValue, _ columns: CIFAtomColumns, _ column: Int) {
    let item = column == columns.x ? "Cartn_x" : column == columns.y ? "Cartn_y" : "Cartn_z"
    let text = String(decoding: file[value.start..<value.start + min(Int(value.count), 40)], as: UTF8.self)
    note(
      "cif-coordinate-unreadable", at: value.offset, severity: .error,
      "'\(text)' is not a coordinate in Å for \(item) of _atom_site; the row was left out")
  }

  /// Records a problem at an offset.
  private mutating func note(
    _ code: String, at offset: Int, severity: StructureDiagnostic.Severity, _ message: @autoclosure () -> String
  ) {
    let location = log.isFull(code) ? FilePlace.whole : tokens.location(at: offset)
    log.add(code, at: location, severity: severity, message())
  }

  private mutating func readAnisotropy(_ loop: Loop, from first: CIFToken) {
    let items = items(loop)
    let columns = CIFAnisotropy.items.compactMap { items.firstIndex(of: $0) }
    guard columns.count == CIFAnisotropy.items.count else { return readUnused(loop, from: first) }
    readRows(of: loop, from: first) { $0.addAnisotropy($1, columns) }
  }

  private mutating func addAnisotropy(_ row: CIFRow, _ columns: [Int]) {
    func number(_ index: Int) -> Float? {
      let value = row[columns[index]]
      return NumberText.number(base + value.start, Int(value.count)).map { Float($0) }
    }
    let id = row[columns[0]]
    guard let serial = NumberText.integer(base + id.start, Int(id.count)), let u11 = number(1), let u22 = number(2),
      let u33 = number(3), let u12 = number(4), let u13 = number(5), let u23 = number(6)
    else { return }
    anisotropy.add(
      serial: serial, Anisotropy(atom: 0, u11: u11, u22: u22, u33: u33, u12: u12, u13: u13, u23: u23))
  }

  private mutating func noteIncomplete(_ extra: Int, _ loop: Loop) {
    guard extra > 0 else { return }
    let tags = loop.tags.count
    let first = excerpt(loop.tags[0])
    note(
      "cif-loop-incomplete", at: loop.start, severity: .error,
      "the loop of '\(first)' that begins here ends after \(extra) of the \(tags) values of a row; the row was left out"
    )
  }

  /// Builds an atom from _atom_site items that were written as pairs: a category of one row.
  private mutating func finishPairedAtom() {
    guard !atomItems.isEmpty else { return }
    let columns = CIFAtomColumns(items: atomItems)
    defer {
      atomItems.removeAll()
      atomValues.removeAll()
    }
    guard columns.hasPositions, atomReader == nil else { return }
    var reader = CIFAtomReader(base, columns: columns)
    let values = atomValues
    values.withRow { row in
      if let fault = reader.read(row, into: &builder) { noteRow(row[fault], columns, fault) }
    }
    atomReader = reader
  }

  private func excerpt(_ token: CIFToken) -> String {
    String(decoding: file[token.start..<token.start + min(token.count, 40)], as: UTF8.self)
  }

  private mutating func finished() throws(StructureReadingError) -> Structure {
    finishPairedAtom()
    if let offset = tokens.unclosedQuote {
      note(
        "cif-quote-unclosed", at: offset, severity: .error,
        "the quoted value that begins here is not closed on its line; it was read to the end of the line")
    }
    if let offset = tokens.unclosedField {
      note(
        "cif-field-unclosed", at: offset, severity: .error,
        "the text field that begins here is not closed; only its first line was read")
    }
    guard builder.atomCount > 0 else {
      if let fault = log.firstError, fault.code == "cif-coordinate-unreadable" {
        throw .malformed(line: fault.line, column: fault.column, fault.message)
      }
      throw .noCoordinates(
        hasFractionalAtoms
          ? "it is a small-molecule CIF with fractional coordinates, not PDBx/mmCIF"
          : "no data block has a loop of _atom_site with Cartn_x, Cartn_y and Cartn_z")
    }
    anisotropy.resolve(into: &builder)
    var structure = Structure()
    let polymer = atomReader.flatMap { $0.hasPolymerData ? $0.polymerResidues : nil }
    builder.finish(into: &structure)
    CIFContent.fill(&structure, tables: tables, text: file, polymerResidues: polymer, log: &log)
    return structure
  }
}

/// The categories whose rows the reader stores.
enum CIFCategories {
  static let kept: [UInt64: String] = Dictionary(uniqueKeysWithValues: names.map { (CIFName.hash($0), $0) })
  static let atoms = CIFName.hash("_atom_site")
  static let anisotropy = CIFName.hash("_atom_site_anisotrop")
  /// The tag of small-molecule files for fractional coordinates.
  static let fractionalAtoms = CIFName.hash("_atom_site_fract_x")

  private static let names = [
    "_entry", "_struct", "_struct_keywords", "_exptl", "_refine", "_em_3d_reconstruction", "_audit_author", "_citation",
    "_citation_author", "_pdbx_database_status", "_entity", "_entity_poly", "_entity_poly_seq", "_entity_src_gen",
    "_entity_src_nat", "_pdbx_entity_src_syn", "_struct_asym", "_struct_conf", "_struct_sheet_range",
    "_struct_sheet_order", "_struct_conn", "_chem_comp_bond", "_pdbx_struct_assembly", "_pdbx_struct_assembly_gen",
    "_pdbx_struct_oper_list", "_cell", "_symmetry", "_space_group", "_struct_ncs_oper", "_symmetry_equiv",
    "_space_group_symop", "_struct_mon_prot_cis", "_pdbx_struct_mod_residue", "_database_pdb_matrix", "_ma_model_list",
  ]
}

/// Builds the parts of a structure other than atoms from the stored categories of a text or binary file.
enum CIFContent {
  /// Fills in metadata, sequences, annotations, assemblies and kinds of residues.
  ///
  /// - Parameters:
  ///   - structure: The structure with its atoms and residues.
  ///   - tables: The stored categories by name.
  ///   - text: The file of the tables; nil if it is binary.
  ///   - polymerResidues: For each residue true if it is part of a polymer; nil if the file does not state it.
  ///   - log: The log of problems.
  static func fill(
    _ structure: inout Structure, tables: [String: CIFTable], text: UnsafeBufferPointer<UInt8>?,
    polymerResidues: [Bool]?, log: inout DiagnosticLog
  ) {
    CIFMetadata(tables: tables, file: text).fill(&structure, log: &log)
    CIFAnnotations(tables: tables).fill(&structure)
    structure.assemblies = CIFAssemblies(tables: tables, file: text).assemblies(log: &log)
    structure.ncsOperators = CIFAssemblies(tables: tables, file: text).ncsOperators()
    structure.metadata.depositedFrame = CIFAssemblies(tables: tables, file: text).depositedFrame()
    ResidueKinds.assign(to: &structure, polymerResidues: polymerResidues)
    structure.diagnostics = log.finished()
  }

  /// Returns the line and column of an offset; the whole file if it is binary or has no such item.
  ///
  /// - Complexity: linear in the offset.
  static func location(of offset: Int?, in file: UnsafeBufferPointer<UInt8>?) -> FilePlace {
    guard let offset, let file else { return .whole }
    return FilePlace(of: offset, in: file)
  }
}

/// A row that only the tokenizer can read.
private struct CIFOddRow {
  private let width: Int
  private(set) var values = CIFRowValues()
  /// The token found in place of a value.
  private(set) var end: CIFToken

  init(width: Int, end: CIFToken) {
    self.width = width
    self.end = end
  }

  /// A Boolean value indicating whether the row has all its values.
  var isComplete: Bool { values.count == width }

  /// Reads as many values of a row as there are.
  mutating func read(_ tokens: inout CIFTokenizer) {
    values.removeAll()
    while values.count < width {
      let token = tokens.next()
      guard token.kind.isValue else {
        end = token
        return
      }
      values.append(token)
    }
  }
}
