/// Turns rows of _atom_site into atoms.
struct CIFAtomReader {
  private let base: UnsafePointer<UInt8>
  /// Where the items of the loop that is read stand.
  var columns: CIFAtomColumns
  private var modelNumber = Int.min
  private var modelWord: UInt64 = 0
  private var labelWord: UInt64 = 0
  private var names = AtomNameCache()
  /// What the row before says of its residue, and what was made of it; no words if it takes more than them to tell.
  private var residueWords: ResidueWords?
  private var residue = AtomRecord()
  private var residueCount = 0
  /// Whether each residue is part of a polymer, as label_seq_id says; false where a loop has no such item.
  private(set) var polymerResidues: [Bool] = []
  private(set) var hasPolymerData = false

  /// Creates a reader; values begin at the eighth byte of the file or later.
  init(_ base: UnsafePointer<UInt8>, columns: CIFAtomColumns) {
    self.base = base
    self.columns = columns
  }

  /// Adds the atom of one row.
  ///
  /// - Returns: where in the row the value stands that is no coordinate, when the row had to be left out, else nil.
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

  /// Where in a row the first coordinate stands that is none.
  @inline(never)
  private func fault(_ row: CIFRow) -> Int {
    [columns.x, columns.y].first { coordinate(row[$0]) == nil } ?? columns.z
  }

  /// Reads what tells the residue unless it is the same as in the row before, and tells whether it is.
  @inline(__always)
  private mutating func readResidue(_ row: CIFRow, _ builder: inout StructureBuilder) -> Bool {
    let words = residueWords(row)
    if let words, words == residueWords { return true }
    readNewResidue(row, &builder)
    residueWords = words
    return false
  }

  /// The values that tell a residue; nil where one is missing, long or left out by the loop.
  @inline(__always)
  private func residueWords(_ row: CIFRow) -> ResidueWords? {
    guard columns.residueName >= 0, columns.chain >= 0, columns.number >= 0 else { return nil }
    let name = row[columns.residueName]
    let chain = row[columns.chain]
    let number = row[columns.number]
    guard name.count <= 8, chain.count <= 8, number.count <= 8, !isMissing(name), !isMissing(chain), !isMissing(number)
    else { return nil }
    var words = ResidueWords(name: packed(name), chain: packed(chain), number: packed(number))
    guard columns.insertionCode >= 0 else { return words }
    let code = row[columns.insertionCode]
    if !isMissing(code) { words.insertionCode = firstByte(code) }
    return words
  }

  /// The values that tell a residue, by their bytes.
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

  /// Begins a model when the model number changes.
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

  /// Reads name and element, which are the same for many atoms.
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

  /// The element by its symbol; nil where the row has none.
  private func element(_ row: CIFRow) -> Element? {
    guard columns.element >= 0 else { return nil }
    let value = row[columns.element]
    let first = firstByte(value)
    if value.count <= 2, let found = Element.of(first: first, second: value.count == 2 ? base[value.start + 1] : 32) {
      return found
    }
    return isMissing(value) ? nil : Element(symbol: text(value)) ?? .unknown
  }

  /// The element by the names of an atom and its residue: that of a monatomic ion, else the one that the first letter of
  /// the atom name spells.
  @inline(never)
  static func element(of record: AtomRecord, _ names: NameTable) -> Element {
    let name = names[record.name]
    if let ion = MonatomicIon.element(ofAtom: name, inResidue: names[record.residueName]) { return ion }
    for byte in name.utf8 where (byte | 32) >= 97 && (byte | 32) <= 122 {
      return Element.of(first: byte, second: 32) ?? .unknown
    }
    return .unknown
  }

  @inline(__always)
  private func name(_ value: CIFValue, _ names: inout NameTable) -> NameID {
    if value.count <= 8 { return names.intern(packed: isMissing(value) ? 0 : packed(value)) }
    return names.intern(text(value))
  }

  /// The bytes of a value, the first in the lowest; only the first eight.
  @inline(__always)
  private func packed(_ value: CIFValue) -> UInt64 {
    let count = min(Int(value.count), 8)
    guard count > 0 else { return 0 }
    return DecimalWord.load(base + (value.start &+ count &- 8)) &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count)
  }

  /// The first byte of a value, 0 of an empty one.
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

  /// A value as the end of a word; nil for one that does not fit.
  @inline(__always)
  private func word(_ value: CIFValue) -> UInt64? {
    guard value.count > 0, value.count <= 8 else { return nil }
    return DecimalWord.last(Int(value.count), of: DecimalWord.load(base + (value.start &+ Int(value.count) &- 8)))
  }

  private func text(_ value: CIFValue) -> String {
    String(decoding: UnsafeBufferPointer(start: base + value.start, count: Int(value.count)), as: UTF8.self)
  }
}
