import Glibc

/// Reads files in PDB format.
///
/// It reads past errors as far as possible and reports them in diagnostics; it never fails on content.
/// - Source: Protein Data Bank Contents Guide, Atomic Coordinate Entry Format 3.30 (2012).
struct PDBReader {
  var structure = Structure()
  var builder: StructureBuilder
  private var log = DiagnosticLog()
  var header = PDBHeader()
  private var remark350 = PDBAssemblies()
  private var ncs = PDBTransformRows()
  private var origin = PDBTransformRows()
  private var conect = PDBConect()
  var atomCache = PDBAtomCache()
  /// The number of the current line, 1-based.
  private var line = 0
  /// A Boolean value indicating whether the file has its entry name and a line number in columns 73-80, as before 1996.
  var usesLegacyColumns = false
  /// True after a residue number of five digits has shifted the following fields one column to the right.
  var hasWideResidueNumbers = false
  private let file: UnsafeBufferPointer<UInt8>
  private var offset = 0

  /// Reads a whole file.
  ///
  /// - Parameter file: the uncompressed bytes.
  /// - Returns: the structure; without atoms if none could be read.
  static func read(_ file: UnsafeBufferPointer<UInt8>) -> Structure {
    var reader = PDBReader(file)
    reader.readLines()
    return reader.finished()
  }

  private init(_ file: UnsafeBufferPointer<UInt8>) {
    self.file = file
    // An atom line has 81 bytes in a regular file; half as many atoms suffice for files that also have ANISOU lines.
    builder = StructureBuilder(expectedAtoms: min(file.count / 81 + 16, 4_000_000))
  }

  private mutating func readLines() {
    guard let base = file.baseAddress else { return }
    while offset < file.count {
      let available = file.count - offset
      let start = base + offset
      var length = available
      var advance = available
      if let end = memchr(start, 10, available) {
        length = UnsafeRawPointer(end) - UnsafeRawPointer(start)
        advance = length + 1
      }
      line += 1
      if length > 0, start[length - 1] == 13 { length -= 1 }
      offset += advance
      if !read(PDBLine(base: start, count: length)) { break }
    }
    noteRest()
  }

  /// Returns the file from the start of a line on.
  func restOfFile(from text: PDBLine) -> UnsafeBufferPointer<UInt8> {
    guard let base = file.baseAddress else { return file }
    return UnsafeBufferPointer(start: text.base, count: base + file.count - text.base)
  }

  /// Records a note if there is more after END.
  private mutating func noteRest() {
    var position = offset
    while position < file.count, file[position] <= 32 {
      if file[position] == 10 { line += 1 }
      position += 1
    }
    guard position < file.count else { return }
    let location = FilePlace.text(line: line + 1, column: FilePlace.column(of: position, in: file))
    log.add("content-after-end", at: location, severity: .note, "content after the END record was ignored")
  }

  /// Records a problem in the current line, at the start of a field.
  ///
  /// - Parameters:
  ///   - text: the line as read, which may be shifted or have its tabs expanded.
  ///   - column: the first column of the field in that line, 1-based.
  mutating func note(
    _ code: String, _ text: PDBLine, column: Int, severity: StructureDiagnostic.Severity = .warning,
    _ message: @autoclosure () -> String
  ) {
    let location = log.isFull(code) ? FilePlace.whole : .text(line: line, column: fileColumn(column, of: text))
    log.add(code, at: location, severity: severity, message())
  }

  /// Returns the column in the file for a column of the current line.
  private func fileColumn(_ column: Int, of text: PDBLine) -> Int {
    guard let base = file.baseAddress else { return column }
    let end = offset > 0 && file[offset - 1] == 10 ? offset - 1 : offset
    let start = end + 1 - FilePlace.column(of: end, in: file)
    if text.base >= base + start, text.base <= base + end { return text.base - (base + start) + column }
    // The line has blanks up to the next eighth column in place of every tab.
    var (written, position) = (0, start)
    while position < end {
      written = file[position] == 9 ? (written / 8 + 1) * 8 : written + 1
      if written >= column { break }
      position += 1
    }
    return position - start + 1
  }

  /// Reads one line; returns false if the file ends with it.
  @inline(__always)
  private mutating func read(_ text: PDBLine) -> Bool {
    guard text.count >= 3 else { return true }
    if text.count >= 27, let isHetero = PDBRecord.isHetero(text) {
      readAtom(text, isHetero: isHetero)
      return true
    }
    return readOther(text)
  }

  @inline(never)
  private mutating func readOther(_ text: PDBLine) -> Bool {
    guard let record = PDBRecord.frequent(text) ?? PDBRecord.record(of: text) else { return true }
    switch record {
    case .atom, .hetatm: readShortAtom(text)
    case .anisou: readAnisotropy(text)
    case .model: beginModel(text)
    case .endmdl: endModel(text)
    case .end: return !endFile(text)
    case .conect: conect.read(text, line: line, log: &log)
    case .cryst1: readCell(text)
    case .helix: readHelix(text)
    case .sheet: readStrand(text)
    case .ssbond: readDisulfide(text)
    case .link: readLink(text)
    case .cispep: readCisPeptide(text)
    case .modres: readModifiedResidue(text)
    case .seqres: header.readSequence(text)
    case .origx1, .origx2, .origx3: origin.read(text, .origin)
    case .mtrix1, .mtrix2, .mtrix3: ncs.read(text, .matrix)
    case .header:
      header.readHeader(text)
      usesLegacyColumns = !text.isBlank(63, 66) && text.text(73, 76) == text.text(63, 66)
      if usesLegacyColumns { noteLegacyColumns(text) }
    case .remark: readRemark(text)
    case .title, .keywds, .expdta, .author, .compnd, .source, .jrnl: header.read(record, text)
    }
    return true
  }

  private mutating func noteLegacyColumns(_ text: PDBLine) {
    note(
      "legacy-columns", text, column: 73, severity: .note,
      "columns 73-80 hold entry name and line number, as before 1996; elements come from the atom names")
  }

  private mutating func readRemark(_ text: PDBLine) {
    switch text.integer(8, 10) {
    case 2?: header.readResolution(text)
    case 3?: header.readRefinement(text)
    case 290?: header.readSymmetry(text)
    case 350?: remark350.read(text)
    default: break
    }
  }

  private mutating func beginModel(_ text: PDBLine) {
    if builder.isInModel, builder.atomsInModel > 0 {
      note(
        "model-not-ended", text, column: 1, "MODEL record without ENDMDL before it; the previous model ends here")
    }
    builder.endModel()
    var number: Int?
    if text.count >= 7 { number = text.text(7, text.count).split(separator: " ").first.flatMap { Int($0) } }
    if number == nil {
      note(
        "model-number-missing", text, column: Self.modelNumberColumn(text),
        "MODEL record without a number; it was numbered by its position")
    }
    let given = number ?? builder.models.count + 1
    if builder.models.last?.number == given {
      note(
        "model-number-repeated", text, column: Self.modelNumberColumn(text),
        "MODEL number \(given) occurs twice; both models were read")
    }
    builder.beginModel(number: given)
  }

  /// Returns the first column of the number in a MODEL record: columns 11-14 by the format, but any text from column 7
  /// on is used.
  private static func modelNumberColumn(_ text: PDBLine) -> Int {
    text.count < 7 ? 11 : (7...text.count).first { text.byte($0) > 32 } ?? 11
  }

  private mutating func endModel(_ text: PDBLine) {
    if !builder.isInModel {
      note("endmdl-without-model", text, column: 1, "ENDMDL record without a MODEL before it was ignored")
    }
    builder.endModel()
  }

  /// Ends the file unless there was no atom yet.
  private mutating func endFile(_ text: PDBLine) -> Bool {
    if builder.atomCount == 0 {
      note("end-before-atoms", text, column: 1, "END record before any atom was ignored")
      return false
    }
    return true
  }

  private mutating func finished() -> Structure {
    var result = structure
    structure = Structure()
    builder.finish(into: &result)
    header.finish(into: &result, log: &log)
    result.assemblies = remark350.finished()
    result.ncsOperators = ncs.finished().map { NCSOperator(transform: $0.transform, isGiven: $0.isGiven) }
    result.metadata.depositedFrame = origin.finished().first?.transform
    ResidueKinds.assign(to: &result, polymerResidues: nil)
    result.statedBonds = conect.resolved(in: result, log: &log)
    result.diagnostics = log.finished()
    return result
  }
}
