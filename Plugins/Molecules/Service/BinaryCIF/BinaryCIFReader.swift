/// Reads files in BinaryCIF format, which contain the categories of mmCIF as encoded columns.
///
/// The result is the same structure as that of `CIFReader` for the text. A truncated file is read up to its end; a
/// column that cannot be decoded is skipped.
/// - Source: BinaryCIF specification 0.3, https://github.com/molstar/BinaryCIF
struct BinaryCIFReader {
  private let file: UnsafeBufferPointer<UInt8>
  private var reader: MessagePackReader
  private var builder: StructureBuilder
  private var log = DiagnosticLog()
  private var tables: BinaryCIFTables
  private var anisotropy = CIFAnisotropy()
  private var atoms: BinaryCIFAtoms?

  /// The least number of bytes of a row of _atom_site: three coordinates of two.
  private static let leastBytesOfAtom = 6

  /// Reads a whole file.
  ///
  /// - Parameter file: the uncompressed bytes.
  /// - Returns: the structure, with at least one atom.
  /// - Throws: `damaged` if the data are not BinaryCIF or end before the atoms, `noCoordinates` if there are none.
  static func read(_ file: UnsafeBufferPointer<UInt8>) throws(StructureReadingError) -> Structure {
    var reader = BinaryCIFReader(file)
    var fault: MessagePackError?
    do {
      try reader.readFile()
    } catch {
      fault = error
    }
    return try reader.finished(fault)
  }

  /// Returns true if content begins with a MessagePack map whose first key is one of a BinaryCIF file.
  static func isBinaryCIF(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let head = bytes.first, head & 0xF0 == 0x80 || head == 0xDE || head == 0xDF else { return false }
    var reader = MessagePackReader(bytes)
    guard let count = try? reader.mapCount(), count > 0, let key = try? reader.word() else { return false }
    return ["version", "encoder", "datablocks"].contains(key)
  }

  private init(_ file: UnsafeBufferPointer<UInt8>) {
    self.file = file
    reader = MessagePackReader(file)
    tables = BinaryCIFTables(file)
    builder = StructureBuilder(expectedAtoms: 0)
  }

  private mutating func readFile() throws(MessagePackError) {
    for _ in 0..<(try reader.mapCount()) {
      guard try reader.word() == "datablocks" else {
        try reader.skip()
        continue
      }
      let blocks = try reader.arrayCount()
      for block in 0..<blocks {
        try readBlock()
        guard builder.atoms.isEmpty else {
          if block + 1 < blocks { noteFurtherBlocks() }
          return
        }
        tables = BinaryCIFTables(file)
      }
    }
  }

  private mutating func noteFurtherBlocks() {
    log.add(
      "cif-further-block", at: .byte(reader.offset), severity: .note,
      "data blocks after the first one with atoms were ignored")
  }

  private mutating func readBlock() throws(MessagePackError) {
    for _ in 0..<(try reader.mapCount()) {
      guard try reader.word() == "categories" else {
        try reader.skip()
        continue
      }
      for _ in 0..<(try reader.arrayCount()) { try readCategory() }
    }
  }

  /// Reads a category; the complete parts of a truncated one are used.
  private mutating func readCategory() throws(MessagePackError) {
    let start = reader.offset
    var name = ""
    var rows: Int?
    var columns: [(item: String, position: BinaryCIFColumn.Place)] = []
    defer { take(name, rows, columns, start: start) }
    for _ in 0..<(try reader.mapCount()) {
      switch try reader.word() {
      case "name": name = try reader.word()
      case "rowcount": rows = max(0, try reader.integer())
      case "columns":
        for _ in 0..<(try reader.arrayCount()) { columns.append(try readColumn()) }
      default: try reader.skip()
      }
    }
  }

  private mutating func readColumn() throws(MessagePackError) -> (item: String, position: BinaryCIFColumn.Place) {
    var item = ""
    var position = BinaryCIFColumn.Place()
    for _ in 0..<(try reader.mapCount()) {
      switch try reader.word() {
      case "name": item = try reader.word()
      case "data":
        position.data = reader.offset
        try reader.skip()
      case "mask":
        let start = reader.offset
        if case .null = try reader.next() { continue }
        reader.offset = start
        position.mask = start
        try reader.skip()
      default: try reader.skip()
      }
    }
    return (item, position)
  }

  /// Decodes a category in use.
  ///
  /// - Parameter start: The offset at which the category begins.
  private mutating func take(
    _ name: String, _ rows: Int?, _ columns: [(item: String, position: BinaryCIFColumn.Place)], start: Int
  ) {
    switch name {
    case "_atom_site":
      readAtoms(
        decoded(name, columns.filter { BinaryCIFAtoms.items.contains($0.item) }, rows, start: start), start: start)
    case "_atom_site_anisotrop":
      readAnisotropy(decoded(name, columns.filter { CIFAnisotropy.items.contains($0.item) }, rows, start: start))
    case CIFCategories.kept[CIFName.hash(name)]:
      guard tables.hasRoom(rows: rows ?? 0, columns: columns.count) else {
        return noteSize(name, rows, columns.count, start: start)
      }
      let decoded = decoded(name, columns, rows, start: start)
      if !decoded.isEmpty { tables.add(name, decoded) }
    default: break
    }
  }

  private mutating func noteSize(_ category: String, _ rows: Int?, _ columns: Int, start: Int) {
    log.add(
      "bcif-category-too-large", at: .byte(start),
      "category '\(category)' at byte \(start) declares \(rows ?? 0) rows of \(columns) columns, too many for a file of "
        + "\(file.count) bytes; it was left out")
  }

  private mutating func decoded(
    _ category: String, _ columns: [(item: String, position: BinaryCIFColumn.Place)], _ rows: Int?, start: Int
  ) -> [(item: String, column: BinaryCIFColumn)] {
    var list: [(item: String, column: BinaryCIFColumn)] = []
    let limit = category.hasPrefix("_atom_site") ? file.count / Self.leastBytesOfAtom : file.count / 4 + 65_536
    for (item, position) in columns {
      do throws(BinaryCIFError) {
        list.append((item, try BinaryCIFColumn(file, position, rows: rows ?? list.first?.column.count, limit: limit)))
      } catch {
        log.add(
          "bcif-column-unreadable", at: .byte(position.data ?? start), severity: .error,
          "column '\(category).\(item)' at byte \(position.data ?? start) cannot be decoded and was left out: \(error)")
      }
    }
    return list
  }

  private mutating func readAtoms(_ columns: [(item: String, column: BinaryCIFColumn)], start: Int) {
    guard atoms == nil, var made = BinaryCIFAtoms(Dictionary(columns, uniquingKeysWith: { first, _ in first })) else {
      return
    }
    builder = StructureBuilder(expectedAtoms: made.count)
    let missing = made.add(to: &builder)
    if missing > 0 {
      log.add(
        "cif-coordinate-unreadable", at: .byte(start), severity: .error,
        "\(missing) rows of _atom_site, which begins at byte \(start), without numbers in Cartn_x, Cartn_y, Cartn_z were left out"
      )
    }
    if !builder.atoms.isEmpty { atoms = made }
  }

  private mutating func readAnisotropy(_ columns: [(item: String, column: BinaryCIFColumn)]) {
    let found = Dictionary(columns, uniquingKeysWith: { first, _ in first })
    let tensor = CIFAnisotropy.items.dropFirst().compactMap { found[$0]?.numbers() }
    guard tensor.count == 6, let serials = found["id"]?.integers() else { return }
    for row in serials.indices where serials[row] != .min && tensor.allSatisfy({ !$0[row].isNaN }) {
      let value = tensor.map { Float($0[row]) }
      anisotropy.add(
        serial: Int(serials[row]),
        Anisotropy(
          atom: 0, u11: value[0], u22: value[1], u33: value[2], u12: value[3], u13: value[4], u23: value[5]))
    }
  }

  private consuming func finished(_ fault: MessagePackError?) throws(StructureReadingError) -> Structure {
    guard !builder.atoms.isEmpty else {
      if let fault { throw .damaged(byte: fault.offset, fault.description) }
      throw .noCoordinates("no data block has a category _atom_site with Cartn_x, Cartn_y and Cartn_z")
    }
    if let fault {
      log.add(
        "bcif-cut-short", at: .byte(fault.offset), severity: .error,
        "the file is damaged: \(fault); the content before was read")
    }
    anisotropy.resolve(into: &builder)
    var structure = Structure()
    builder.finish(into: &structure)
    let polymer = atoms?.polymerResidues
    tables.withTables { CIFContent.fill(&structure, tables: $0, text: nil, polymerResidues: polymer, log: &log) }
    return structure
  }
}

/// The stored categories of a BinaryCIF file in text form, so that the same code reads them as those of a text file.
private struct BinaryCIFTables {
  private let file: UnsafeBufferPointer<UInt8>
  /// The texts of all values, concatenated.
  private var texts: [UInt8] = [63]
  private var contents: [String: Content] = [:]
  private var room: Int

  /// The values of one category by their offsets in `texts`, row by row.
  private struct Content {
    var items: [UInt64] = []
    var values: [CIFValue] = []
  }

  /// Creates empty tables for a file.
  ///
  /// - Parameter file: The whole file; the text form may have slightly more values than a quarter of its bytes.
  init(_ file: UnsafeBufferPointer<UInt8>) {
    self.file = file
    room = file.count / 4 + 65_536
  }

  /// Returns true if there is room for a number of values.
  func hasRoom(rows: Int, columns: Int) -> Bool { rows <= room && rows * columns <= room }

  /// Adds a category for which there is room.
  mutating func add(_ category: String, _ columns: [(item: String, column: BinaryCIFColumn)]) {
    let rows = columns.map(\.column.count).min() ?? 0
    room -= rows * columns.count
    var content = Content(items: columns.map { CIFName.hash($0.item) })
    let written = columns.map { write($0.column, rows) }
    content.values.reserveCapacity(rows * columns.count)
    for row in 0..<rows {
      for column in written { content.values.append(column[row]) }
    }
    contents[category] = content
  }

  /// Writes the values of a column as text, each distinct text once.
  private mutating func write(_ column: BinaryCIFColumn, _ rows: Int) -> [CIFValue] {
    let missing = CIFValue(CIFToken(kind: .bare, start: 0, count: 1))
    let names = BinaryCIFNames(column)
    let values = names.texts.map { text in
      let start = texts.count
      texts.append(contentsOf: text.utf8)
      return CIFValue(CIFToken(kind: .quoted, start: start, count: texts.count - start))
    }
    return (0..<rows).map { names.indices[$0] < 0 ? missing : values[Int(names.indices[$0])] }
  }

  /// Calls `body` with the categories as tables, which are valid only within the call.
  func withTables<Result>(_ body: ([String: CIFTable]) -> Result) -> Result {
    texts.withUnsafeBufferPointer { buffer in
      body(
        contents.mapValues { content in
          var table = CIFTable(buffer)
          for item in content.items { table.addColumn(item, value: nil) }
          table.append(rows: content.values)
          return table
        })
    }
  }
}

/// The distinct texts of a column, and the index of each row's text.
private struct BinaryCIFNames {
  /// The distinct texts.
  let texts: [String]
  /// The index of each row's text; -1 if there is none.
  let indices: [Int32]
  /// The identifier of each text in a name table, once requested.
  private var ids: [NameID]

  init(_ column: BinaryCIFColumn) {
    var texts: [String] = []
    var indices: [Int32]
    if case .texts(let stored) = column.values {
      texts = stored.ranges.map { String(decoding: column.file[$0], as: UTF8.self) }
      indices = stored.indices
      for row in indices.indices where column.isMissing(row) { indices[row] = -1 }
    } else {
      var known: [String: Int32] = [:]
      indices = []
      indices.reserveCapacity(column.count)
      for row in 0..<column.count {
        let text = column.text(row)
        if let index = known[text] {
          indices.append(index)
        } else {
          known[text] = text.isEmpty ? -1 : Int32(texts.count)
          indices.append(text.isEmpty ? -1 : Int32(texts.count))
          if !text.isEmpty { texts.append(text) }
        }
      }
    }
    self.texts = texts
    self.indices = indices
    ids = Array(repeating: .max, count: texts.count)
  }

  /// Returns the name of a row in a table, adding each text on first use; nil if the row has none.
  @inline(__always)
  mutating func name(_ row: Int, _ names: inout NameTable) -> NameID? {
    let index = Int(indices[row])
    guard index >= 0 else { return nil }
    if ids[index] == .max { ids[index] = names.intern(texts[index]) }
    return ids[index]
  }

  /// Returns the first byte of a row's text; 0 if it has none.
  func firstByte(_ row: Int) -> UInt8 {
    let index = Int(indices[row])
    return index >= 0 ? texts[index].utf8.first ?? 0 : 0
  }
}

/// Builds atoms from the columns of _atom_site, as `CIFAtomReader` does from rows of text.
private struct BinaryCIFAtoms {
  /// The x coordinates; atoms without a value for x, y or z are skipped.
  private let x: [Double]
  private let y: [Double]
  private let z: [Double]
  private let occupancies: [Double]
  private let bFactors: [Double]
  private let serials: [Int32]
  private let charges: [Int32]
  private let models: [Int32]
  private let numbers: [Int32]
  private let labelNumbers: [Int32]
  private var names: BinaryCIFNames?
  private var residueNames: [BinaryCIFNames]
  private var chains: [BinaryCIFNames]
  private let labels: BinaryCIFNames?
  private let altlocs: [UInt8]
  private let insertionCodes: [UInt8]
  private let groups: [UInt8]
  private let elements: (table: [Element], indices: [Int32])

  /// For each residue true if it is part of a polymer, as stated by label_seq_id; nil if no residue has one.
  var polymerResidues: [Bool]? { hasPolymerData ? residueFlags : nil }
  private var residueFlags: [Bool] = []
  private var hasPolymerData = false
  private var modelNumber = Int.min
  private var label: Int32 = -1
  private var labelChains = -1

  /// The items in use, in lower case.
  static let items: Set<String> = [
    "group_pdb", "id", "type_symbol", "label_atom_id", "auth_atom_id", "label_alt_id", "auth_comp_id", "label_comp_id",
    "auth_asym_id", "label_asym_id", "auth_seq_id", "label_seq_id", "pdbx_pdb_ins_code", "cartn_x", "cartn_y",
    "cartn_z", "occupancy", "b_iso_or_equiv", "pdbx_formal_charge", "pdbx_pdb_model_num",
  ]

  /// Creates a reader of decoded columns by item; fails if there is no column for x, y or z.
  init?(_ columns: [String: BinaryCIFColumn]) {
    guard let x = columns["cartn_x"], let y = columns["cartn_y"], let z = columns["cartn_z"] else { return nil }
    func names(_ items: String...) -> [BinaryCIFNames] {
      items.compactMap { columns[$0].map(BinaryCIFNames.init) }
    }
    func integers(_ item: String) -> [Int32] { columns[item]?.integers() ?? [] }
    func bytes(_ item: String) -> [UInt8] {
      guard let column = columns[item].map(BinaryCIFNames.init) else { return [] }
      return column.indices.indices.map(column.firstByte)
    }
    (self.x, self.y, self.z) = (x.numbers(), y.numbers(), z.numbers())
    occupancies = columns["occupancy"]?.numbers() ?? []
    bFactors = columns["b_iso_or_equiv"]?.numbers() ?? []
    serials = integers("id")
    charges = integers("pdbx_formal_charge")
    models = integers("pdbx_pdb_model_num")
    // Author numbers take precedence; label numbers are used if they are missing.
    labelNumbers = integers("label_seq_id")
    numbers = columns["auth_seq_id"] == nil ? labelNumbers : integers("auth_seq_id")
    self.names = names("label_atom_id", "auth_atom_id").first
    residueNames = names("auth_comp_id", "label_comp_id")
    chains = names("auth_asym_id", "label_asym_id")
    labels = names("label_asym_id").first
    altlocs = bytes("label_alt_id")
    insertionCodes = bytes("pdbx_pdb_ins_code")
    groups = bytes("group_pdb")
    let symbols = names("type_symbol").first
    elements = (symbols?.texts.map { Element(symbol: $0) ?? .unknown } ?? [], symbols?.indices ?? [])
  }

  /// The number of rows.
  var count: Int { x.count }

  /// Adds all atoms.
  ///
  /// - Returns: The number of rows skipped because they have no coordinates.
  mutating func add(to builder: inout StructureBuilder) -> Int {
    (0..<count).count { !addAtom($0, to: &builder) }
  }

  private mutating func addAtom(_ row: Int, to builder: inout StructureBuilder) -> Bool {
    let limit = NumberText.largestCoordinate
    // NaN fails all three comparisons.
    guard abs(x[row]) < limit, abs(y[row]) < limit, abs(z[row]) < limit else { return false }
    var record = AtomRecord()
    (record.x, record.y, record.z) = (x[row], y[row], z[row])
    enterModel(row, &builder)
    if !occupancies.isEmpty, !occupancies[row].isNaN { record.occupancy = Float(occupancies[row]) }
    if !bFactors.isEmpty, !bFactors[row].isNaN { record.bFactor = Float(bFactors[row]) }
    if !serials.isEmpty, serials[row] != .min { record.serial = serials[row] }
    if !groups.isEmpty { record.isHetero = groups[row] | 32 == 104 }
    readResidue(row, &record, &builder)
    record.name = names?.name(row, &builder.names) ?? builder.names.intern(packed: 0)
    record.element = element(row, record, builder)
    if !altlocs.isEmpty { record.altloc = altlocs[row] }
    if !charges.isEmpty, charges[row] != .min { record.charge = Int8(clamping: charges[row]) }
    let residues = builder.residues.count
    builder.add(record)
    if builder.residues.count != residues { noteResidue(row) }
    noteLabel(row, &builder)
    return true
  }

  private mutating func readResidue(_ row: Int, _ record: inout AtomRecord, _ builder: inout StructureBuilder) {
    record.residueName = Self.first(&residueNames, row, &builder.names)
    record.chain = Self.first(&chains, row, &builder.chainNames)
    if !numbers.isEmpty, numbers[row] != .min {
      record.residueNumber = numbers[row]
    } else if !labelNumbers.isEmpty, labelNumbers[row] != .min {
      record.residueNumber = labelNumbers[row]
    }
    if !insertionCodes.isEmpty { record.insertionCode = insertionCodes[row] }
  }

  /// Returns the first of several names that a row has, else the empty one.
  @inline(__always)
  private static func first(_ columns: inout [BinaryCIFNames], _ row: Int, _ names: inout NameTable) -> NameID {
    for index in columns.indices {
      if let name = columns[index].name(row, &names) { return name }
    }
    return names.intern(packed: 0)
  }

  private mutating func enterModel(_ row: Int, _ builder: inout StructureBuilder) {
    let number = models.isEmpty || models[row] == .min ? 1 : Int(models[row])
    guard number != modelNumber else { return }
    modelNumber = number
    builder.beginModel(number: number)
  }

  private func element(_ row: Int, _ record: AtomRecord, _ builder: StructureBuilder) -> Element {
    if !elements.indices.isEmpty, elements.indices[row] >= 0 { return elements.table[Int(elements.indices[row])] }
    return CIFAtomReader.element(of: record, builder.names)
  }

  private mutating func noteResidue(_ row: Int) {
    let isPolymer = !labelNumbers.isEmpty && labelNumbers[row] != .min
    if isPolymer { hasPolymerData = true }
    residueFlags.append(isPolymer)
  }

  private mutating func noteLabel(_ row: Int, _ builder: inout StructureBuilder) {
    guard let labels, labels.indices[row] != label || labelChains != builder.chains.count else { return }
    (label, labelChains) = (labels.indices[row], builder.chains.count)
    if label >= 0 { builder.addLabel(labels.texts[Int(label)]) }
  }
}
