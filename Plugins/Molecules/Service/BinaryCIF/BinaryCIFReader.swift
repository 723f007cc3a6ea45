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
      "data blocks after the first one with atoms are not read")
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
    var columns: [(item: String, place: BinaryCIFColumn.Place)] = []
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

  private mutating func readColumn() throws(MessagePackError) -> (item: String, place: BinaryCIFColumn.Place) {
    var item = ""
    var place = BinaryCIFColumn.Place()
    for _ in 0..<(try reader.mapCount()) {
      switch try reader.word() {
      case "name": item = try reader.word()
      case "data":
        place.data = reader.offset
        try reader.skip()
      case "mask":
        let start = reader.offset
        if case .null = try reader.next() { continue }
        reader.offset = start
        place.mask = start
        try reader.skip()
      default: try reader.skip()
      }
    }
    return (item, place)
  }

  /// Decodes a category in use.
  ///
  /// - Parameter start: The offset at which the category begins.
  private mutating func take(
    _ name: String, _ rows: Int?, _ columns: [(item: String, place: BinaryCIFColumn.Place)], start: Int
  ) {
    switch name {
    case "_atom_site":
      readAtoms(
        decoded(name, columns.filter { BinaryCIFAtoms.items.contains($0.item) }, rows, start: start), start: start)
    case "_atom_site_anisotrop":
      readAnisotropy(decoded(name, columns.filter { Self.tensorItems.contains($0.item) }, rows, start: start))
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
      "category '\(category)' at byte \(start) claims \(rows ?? 0) rows of \(columns) columns, too many for a file of \(file.count) "
        + "bytes; it was left out")
  }

  private mutating func decoded(
    _ category: String, _ columns: [(item: String, place: BinaryCIFColumn.Place)], _ rows: Int?, start: Int
  ) -> [(item: String, column: BinaryCIFColumn)] {
    var list: [(item: String, column: BinaryCIFColumn)] = []
    let limit = category.hasPrefix("_atom_site") ? file.count / Self.leastBytesOfAtom : file.count / 4 + 65_536
    for (item, place) in columns {
      do throws(BinaryCIFError) {
        list.append((item, try BinaryCIFColumn(file, place, rows: rows ?? list.first?.column.count, limit: limit)))
      } catch {
        log.add(
          "bcif-column-unreadable", at: .byte(place.data ?? start), severity: .error,
          "column '\(category).\(item)' at byte \(place.data ?? start) cannot be decoded and was left out: \(error)")
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

  private static let tensorItems = ["id", "u[1][1]", "u[2][2]", "u[3][3]", "u[1][2]", "u[1][3]", "u[2][3]"]

  private mutating func readAnisotropy(_ columns: [(item: String, column: BinaryCIFColumn)]) {
    let found = Dictionary(columns, uniquingKeysWith: { first, _ in first })
    let tensor = Self.tensorItems.dropFirst().compactMap { found[$0]?.numbers() }
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
        "the file is damaged: \(fault); what stands before was read")
    }
    anisotropy.resolve(into: &builder)
    var structure = Structure()
    builder.finish(into: &structure)
    let polymer = atoms?.polymerResidues
    tables.withTables { CIFContent.fill(&structure, tables: $0, text: nil, polymerResidues: polymer, log: &log) }
    return structure
  }
}
