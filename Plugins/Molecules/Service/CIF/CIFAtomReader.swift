/// Builds atoms from rows of _atom_site.
struct CIFAtomReader {
  private let base: UnsafePointer<UInt8>
  /// The columns of the current loop.
  var columns: CIFAtomColumns
  private var modelNumber = Int.min
  private var modelWord: UInt64 = 0
  private var labelWord: UInt64 = 0
  private var names = AtomNameCache()
  /// The residue values of the previous row in packed form, and the resulting residue; nil if they do not fit.
  private var residueWords: ResidueWords?
  private var residue = AtomRecord()
  private var residueCount = 0
  /// For each residue true if it is part of a polymer, as stated by label_seq_id; false if a loop has no such item.
  private(set) var polymerResidues: [Bool] = []
  private(set) var hasPolymerData = false

  /// Creates a reader; values must begin at the eighth byte of the file or later.
  init(_ base: UnsafePointer<UInt8>, columns: CIFAtomColumns) {
    self.base = base
    self.columns = columns
  }

  /// Adds the atom of one row.
  ///
  /// - Returns: the column of the value that is not a coordinate if the row was skipped, else nil.
  @inline(__always)
  mutating func read(_ row: CIFRow, into builder: inout StructureBuilder) -> Int? {
    guard let x = coordinate(row[columns.x]), let y = coordinate(row[columns.y]), let z = coordinate(row[columns.z])
    else {
      return fault(row)
    }
    let isSameResidue = readResidue(row, &builder)
    var record = residue
    record.x = x
    record.y = y
    record.z = z
    enterModel(row, &builder)
    if columns.occupancy >= 0, let value = number(row[columns.occupancy]) { record.occupancy = Float(value) }
    if columns.bFactor >= 0, let value = number(row[columns.bFactor]) { record.bFactor = Float(value) }
    if columns.id >= 0, let value = integer(row[columns.id]) { record.serial = Int32(truncatingIfNeeded: value) }
    if columns.group >= 0 { record.isHetero = firstByte(row[columns.group]) | 32 == 104 }
    readName(row, &record, &builder)
    if columns.altloc >= 0, !isMissing(row[columns.altloc]) { record.altloc = firstByte(row[columns.altloc]) }
    if columns.charge >= 0, !isMissing(row[columns.charge]), let value = integer(row[columns.charge]) {
      record.charge = Int8(clamping: value)
    }
    if isSameResidue, builder.hasOpenResidue {
      builder.addToOpenResidue(record)
    } else {
      builder.add(record)
    }
    if builder.residues.count != residueCount { noteResidue(row, builder.residues.count) }
    noteLabel(row, &builder)
    return nil
  }

  /// Returns the column of the first value of a row that should be a coordinate but is not.
  @inline(never)
  private func fault(_ row: CIFRow) -> Int {
    [columns.x, columns.y].first { coordinate(row[$0]) == nil } ?? columns.z
  }

  /// Reads the residue values unless they are the same as in the previous row, and returns whether they are.
  @inline(__always)
  private mutating func readResidue(_ row: CIFRow, _ builder: inout StructureBuilder) -> Bool {
    let keys = residueWords(row)
    if let keys, keys == residueWords { return true }
    readNewResidue(row, &builder)
    residueWords = keys
    return false
  }

  /// Returns the packed residue values; nil if one is missing, long or not in the loop.
  @inline(__always)
  private func residueWords(_ row: CIFRow) -> ResidueWords? {
    guard columns.residueName >= 0, columns.chain >= 0, columns.number >= 0 else { return nil }
    let name = row[columns.residueName]
    let chain = row[columns.chain]
    let number = row[columns.number]
    guard name.count <= 8, chain.count <= 8, number.count <= 8, !isMissing(name), !isMissing(chain), !isMissing(number)
    else { return nil }
    var keys = ResidueWords(name: packed(name), chain: packed(chain), number: packed(number))
    guard columns.insertionCode >= 0 else { return keys }
    let code = row[columns.insertionCode]
    if !isMissing(code) { keys.insertionCode = firstByte(code) }
    return keys
  }

  /// The values that identify a residue, as packed bytes.
  private struct ResidueWords: Equatable {
    var name: UInt64
    var chain: UInt64
    var number: UInt64
    var insertionCode: UInt8 = 0
  }

  @inline(never)
  private mutating func readNewResidue(_ row: CIFRow, _ builder: inout StructureBuilder) {
    var record = AtomRecord()
    if columns.residueName >= 0 {
      var value = row[columns.residueName]
      if isMissing(value), columns.labelResidueName >= 0 { value = row[columns.labelResidueName] }
      record.residueName = name(value, &builder.names)
    } else {
      record.residueName = builder.names.intern(packed: 0)
    }
    if columns.chain >= 0 {
      var value = row[columns.chain]
      if isMissing(value), !value.isQuoted, columns.labelChain >= 0 { value = row[columns.labelChain] }
      record.chain = name(value, &builder.chainNames)
    } else {
      record.chain = builder.chainNames.intern(packed: 0)
    }
    if columns.number >= 0 {
      if let number = integer(row[columns.number]) {
        record.residueNumber = Int32(truncatingIfNeeded: number)
      } else if columns.labelNumber >= 0, let number = integer(row[columns.labelNumber]) {
        record.residueNumber = Int32(truncatingIfNeeded: number)
      }
    }
    if columns.insertionCode >= 0, !isMissing(row[columns.insertionCode]) {
      record.insertionCode = firstByte(row[columns.insertionCode])
    }
    residue = record
  }

  /// Begins a model if the model number changes.
  @inline(__always)
  private mutating func enterModel(_ row: CIFRow, _ builder: inout StructureBuilder) {
    guard columns.model >= 0 else {
      if !builder.isInModel { builder.beginModel(number: 1) }
      return
    }
    let word = packed(row[columns.model])
    if word == modelWord, modelNumber != Int.min { return }
    modelWord = word
    let number = integer(row[columns.model]) ?? 1
    guard number != modelNumber else { return }
    modelNumber = number
    builder.beginModel(number: number)
  }

  @inline(never)
  private mutating func noteResidue(_ row: CIFRow, _ count: Int) {
    residueCount = count
    let isPolymer = columns.labelNumber >= 0 && !isMissing(row[columns.labelNumber])
    if isPolymer { hasPolymerData = true }
    polymerResidues.append(isPolymer)
  }

  @inline(__always)
  private mutating func noteLabel(_ row: CIFRow, _ builder: inout StructureBuilder) {
    guard columns.labelChain >= 0 else { return }
    let word = packed(row[columns.labelChain]) &+ UInt64(builder.chains.count) << 48
    guard word != labelWord else { return }
    labelWord = word
    let value = row[columns.labelChain]
    if !isMissing(value) { builder.addLabel(text(value)) }
  }

  /// Reads name and element, using the cache, since many atoms share them.
  @inline(__always)
  private mutating func readName(
    _ row: CIFRow, _ record: inout AtomRecord, _ builder: inout StructureBuilder
  ) {
    guard columns.name >= 0, columns.element >= 0 else { return readRareName(row, &record, &builder) }
    let name = row[columns.name]
    let symbol = row[columns.element]
    guard name.count <= 8, symbol.count <= 2, !isMissing(name), !symbol.isQuoted, !isMissing(symbol) else {
      return readRareName(row, &record, &builder)
    }
    let (word, tail) = (packed(name), packed(symbol))
    if let known = names.entry(word, tail) {
      record.name = known.name
      record.element = known.element
    } else {
      readRareName(row, &record, &builder)
      names.keep(word, tail, name: record.name, element: record.element)
    }
  }

  /// Reads name and element; the element by its symbol, else by the names of the atom and its residue.
  @inline(never)
  private func readRareName(
    _ row: CIFRow, _ record: inout AtomRecord, _ builder: inout StructureBuilder
  ) {
    record.name = columns.name >= 0 ? name(row[columns.name], &builder.names) : builder.names.intern(packed: 0)
    record.element = element(row) ?? Self.element(of: record, builder.names)
  }

  /// Returns the element by its symbol; nil if the row has none.
  private func element(_ row: CIFRow) -> Element? {
    guard columns.element >= 0 else { return nil }
    let value = row[columns.element]
    let first = firstByte(value)
    if value.count <= 2, let found = Element.of(first: first, second: value.count == 2 ? base[value.start + 1] : 32) {
      return found
    }
    return isMissing(value) ? nil : Element(symbol: text(value)) ?? .unknown
  }

  /// Returns the element by the names of an atom and its residue: that of a monatomic ion, else the one spelled by the
  /// first letter of the atom name.
  @inline(never)
  static func element(of record: AtomRecord, _ names: NameTable) -> Element {
    let name = names[record.name]
    if let ion = MonatomicIon.element(ofAtom: name, inResidue: names[record.residueName]) { return ion }
    for byte in name.utf8 where byte.isLetter {
      return Element.of(first: byte, second: 32) ?? .unknown
    }
    return .unknown
  }

  @inline(__always)
  private func name(_ value: CIFValue, _ names: inout NameTable) -> NameID {
    if value.count <= 8 { return names.intern(packed: isMissing(value) ? 0 : packed(value)) }
    return names.intern(text(value))
  }

  /// Returns the first eight bytes of a value, the first in the lowest byte.
  @inline(__always)
  private func packed(_ value: CIFValue) -> UInt64 {
    let count = min(Int(value.count), 8)
    guard count > 0 else { return 0 }
    return DecimalWord.load(base + (value.start &+ count &- 8)) &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count)
  }

  /// Returns the first byte of a value, 0 for an empty one.
  @inline(__always)
  private func firstByte(_ value: CIFValue) -> UInt8 { value.count > 0 ? base[value.start] : 0 }

  @inline(__always)
  private func isMissing(_ value: CIFValue) -> Bool {
    guard value.count == 1, !value.isQuoted else { return value.count == 0 }
    return base[value.start] == 46 || base[value.start] == 63
  }

  @inline(__always)
  private func coordinate(_ value: CIFValue) -> Double? {
    if let word = word(value), let number = DecimalWord.number(word, likely: 3) { return number }
    return NumberText.irregularCoordinate(base + value.start, Int(value.count))
  }

  @inline(__always)
  private func number(_ value: CIFValue) -> Double? {
    if let word = word(value), let number = DecimalWord.number(word, likely: 2) { return number }
    return NumberText.irregularNumber(base + value.start, Int(value.count))
  }

  @inline(__always)
  private func integer(_ value: CIFValue) -> Int? {
    if let word = word(value), let number = DecimalWord.integer(word) { return number }
    return NumberText.irregularInteger(base + value.start, Int(value.count))
  }

  /// Returns a value at the end of a word; nil if it does not fit.
  @inline(__always)
  private func word(_ value: CIFValue) -> UInt64? {
    guard value.count > 0, value.count <= 8 else { return nil }
    return DecimalWord.last(Int(value.count), of: DecimalWord.load(base + (value.start &+ Int(value.count) &- 8)))
  }

  private func text(_ value: CIFValue) -> String {
    String(decoding: UnsafeBufferPointer(start: base + value.start, count: Int(value.count)), as: UTF8.self)
  }
}

/// The columns of the _atom_site items in a row; -1 for missing items.
struct CIFAtomColumns {
  private(set) var group = -1
  private(set) var id = -1
  private(set) var element = -1
  private(set) var name = -1
  private(set) var altloc = -1
  private(set) var residueName = -1
  private(set) var chain = -1
  private(set) var number = -1
  private(set) var insertionCode = -1
  private(set) var x = -1
  private(set) var y = -1
  private(set) var z = -1
  private(set) var occupancy = -1
  private(set) var bFactor = -1
  private(set) var charge = -1
  private(set) var model = -1
  private(set) var labelChain = -1
  private(set) var labelNumber = -1
  private(set) var labelResidueName = -1

  /// Finds the items among those of a loop; author names take precedence over label names.
  ///
  /// - Parameter items: item names in lower case without the category, in the order of the loop.
  init(items: [String]) {
    func column(_ names: String...) -> Int {
      for name in names {
        if let found = items.firstIndex(of: name) { return found }
      }
      return -1
    }
    group = column("group_pdb")
    id = column("id")
    element = column("type_symbol")
    name = column("label_atom_id", "auth_atom_id")
    altloc = column("label_alt_id")
    residueName = column("auth_comp_id", "label_comp_id")
    chain = column("auth_asym_id", "label_asym_id")
    number = column("auth_seq_id", "label_seq_id")
    insertionCode = column("pdbx_pdb_ins_code")
    x = column("cartn_x")
    y = column("cartn_y")
    z = column("cartn_z")
    occupancy = column("occupancy")
    bFactor = column("b_iso_or_equiv")
    charge = column("pdbx_formal_charge")
    model = column("pdbx_pdb_model_num")
    labelChain = column("label_asym_id")
    labelNumber = column("label_seq_id")
    labelResidueName = column("label_comp_id")
  }

  /// A Boolean value indicating whether a row has a position.
  var hasPositions: Bool { x >= 0 && y >= 0 && z >= 0 }
}

/// The displacement tensors of _atom_site_anisotrop, by the serial number of their atoms.
struct CIFAnisotropy {
  /// The items of the category in lower case: the serial number, then the tensor.
  static let items = ["id", "u[1][1]", "u[2][2]", "u[3][3]", "u[1][2]", "u[1][3]", "u[2][3]"]

  private var entries: [(serial: Int32, tensor: Anisotropy)] = []

  /// Adds a tensor; its atom index is not used yet.
  mutating func add(serial: Int, _ tensor: Anisotropy) {
    entries.append((Int32(truncatingIfNeeded: serial), tensor))
  }

  /// Finds the atoms of the tensors, which have the same order in nearly all files, and adds the tensors to the
  /// builder.
  func resolve(into builder: inout StructureBuilder) {
    var cursor = 0
    var atoms: [Int32: Int32] = [:]
    let serials = builder.atoms.serial
    var found: [Anisotropy] = []
    for (serial, tensor) in entries {
      var next = tensor
      while cursor < serials.count, serials[cursor] < serial { cursor += 1 }
      if cursor < serials.count, serials[cursor] == serial {
        next.atom = Int32(cursor)
      } else {
        if atoms.isEmpty {
          for (atom, number) in serials.enumerated() where atoms[number] == nil { atoms[number] = Int32(atom) }
        }
        guard let atom = atoms[serial] else { continue }
        next.atom = atom
      }
      found.append(next)
    }
    found.sort { $0.atom < $1.atom }
    for tensor in found { builder.addAnisotropy(tensor) }
  }
}
