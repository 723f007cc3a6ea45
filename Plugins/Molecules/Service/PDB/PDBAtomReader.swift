extension PDBReader {
  /// Reads a complete ATOM or HETATM line.
  @inline(__always)
  mutating func readAtom(_ text: PDBLine, isHetero: Bool) {
    guard text.count >= 54, text.base[11] <= 32 || !isShifted(text) else {
      readIrregularAtom(text, isHetero: isHetero)
      return
    }
    addAtom(text, isHetero: isHetero, serial: nil)
  }

  /// Adds the atom of a line whose fields are in their columns.
  ///
  /// A serial number is passed if it is not in its columns.
  @inline(__always)
  private mutating func addAtom(_ text: PDBLine, isHetero: Bool, serial: Int32?) {
    let base = text.base
    guard let x = NumberText.coordinate(base + 30), let y = NumberText.coordinate(base + 38),
      let z = NumberText.coordinate(base + 46)
    else {
      readMovedAtom(text, isHetero: isHetero, serial: serial)
      return
    }
    let isSameResidue = readResidue(text)
    var record = atomCache.record
    record.x = x
    record.y = y
    record.z = z
    // The field is at the end of eight bytes, here and below: the bytes before it become blanks.
    if let serial {
      record.serial = serial
    } else if let number = DecimalWord.integer(DecimalWord.last(5, of: DecimalWord.load(base + 3))) {
      record.serial = Int32(truncatingIfNeeded: number)
    } else {
      record.serial = irregularSerial(text)
    }
    record.altloc = base[16] > 32 ? base[16] : 0
    record.isHetero = isHetero
    readFactors(text, into: &record)
    readName(text, into: &record)
    if isSameResidue, builder.hasOpenResidue {
      builder.addToOpenResidue(record)
    } else {
      if !builder.isInModel { builder.beginModel(number: builder.models.count + 1) }
      builder.add(record)
      addSegment()
    }
  }

  /// Assigns the segment of a line to the residue of the last added atom, in files that have segments.
  @inline(__always)
  private mutating func addSegment() {
    guard atomCache.record.segment != PDBAtomCache.noSegment || !builder.labelRuns.isEmpty else { return }
    let bytes = withUnsafeBytes(of: PDBAtomCache.trimmed(atomCache.record.segment)) { Array($0.prefix { $0 != 0 }) }
    builder.addLabel(String(decoding: bytes, as: UTF8.self))
  }

  /// Reads occupancy and B factor.
  ///
  /// A blank field means 0; a line that ends before the field means an occupancy of 1 and a B factor of 20 Å².
  @inline(__always)
  private mutating func readFactors(_ text: PDBLine, into record: inout AtomRecord) {
    guard text.count >= 66 else {
      record.occupancy = irregularFactor(text, 55, 60, "occupancy", missing: 1)
      record.bFactor = irregularFactor(text, 61, 66, "B factor", missing: 20)
      return
    }
    let word = DecimalWord.last(6, of: DecimalWord.load(text.base + 52))
    if word == atomCache.occupancyWord {
      record.occupancy = atomCache.occupancy
    } else if let occupancy = DecimalWord.number(word, likely: 2) {
      record.occupancy = Float(occupancy)
      atomCache.occupancyWord = word
      atomCache.occupancy = record.occupancy
    } else {
      record.occupancy = irregularFactor(text, 55, 60, "occupancy", missing: 1)
    }
    if let factor = DecimalWord.number(DecimalWord.last(6, of: DecimalWord.load(text.base + 58)), likely: 2) {
      record.bFactor = Float(factor)
    } else {
      record.bFactor = irregularFactor(text, 61, 66, "B factor", missing: 20)
    }
  }

  @inline(never)
  private mutating func irregularFactor(
    _ text: PDBLine, _ first: Int, _ last: Int, _ name: String, missing: Float
  ) -> Float {
    if text.count < last - 2, text.isBlank(first, last) { return missing }
    if text.isBlank(first, last) { return 0 }
    if let number = text.number(first, last) { return Float(number) }
    note(
      "factor-unreadable", text, column: first, "\(name) '\(text.text(first, last))' is not a number and was read as 0")
    return 0
  }

  /// Reads name, element and charge, using the cache, since many atoms share them.
  @inline(__always)
  private mutating func readName(_ text: PDBLine, into record: inout AtomRecord) {
    let name = UnsafeRawPointer(text.base).loadUnaligned(fromByteOffset: 12, as: UInt32.self)
    let tail = elementColumns(text)
    if atomCache.ion == .unknown, let known = atomCache.names.entry(UInt64(name), tail) {
      record.name = known.name
      record.element = known.element
      record.charge = known.charge
    } else {
      readNewName(text, name, tail, into: &record)
    }
  }

  /// Returns columns 77-80 as one word; `withoutElement` if the line ends before them or uses them differently.
  @inline(__always)
  private func elementColumns(_ text: PDBLine) -> UInt64 {
    guard text.count >= 78, !usesLegacyColumns else { return PDBAtomCache.withoutElement }
    let raw = UnsafeRawPointer(text.base)
    if text.count >= 80 { return UInt64(raw.loadUnaligned(fromByteOffset: 76, as: UInt32.self)) }
    let element = UInt64(raw.loadUnaligned(fromByteOffset: 76, as: UInt16.self))
    return element | UInt64(text.byte(79)) << 16 | 0x2000_0000
  }

  /// Reads name, element (columns 77-78, else from the name) and charge (columns 79-80), and caches them unless there
  /// is a problem or the residue determines the element.
  @inline(never)
  private mutating func readNewName(_ text: PDBLine, _ name: UInt32, _ tail: UInt64, into record: inout AtomRecord) {
    record.name = builder.names.intern(packed: PDBAtomCache.trimmed(name))
    let stated = statedElement(text)
    var element = stated
    if element == nil, text.isBlank(77, 78) || usesLegacyColumns { element = derivedElement(text) }
    record.element = element ?? elementInColumns(text)
    var charge: Int8? = 0
    if stated != nil, text.byte(79) > 32 || text.byte(80) > 32 {
      charge = Self.charge(text)
      if charge == nil { noteCharge(text) }
      record.charge = charge ?? 0
    }
    guard element != nil, let charge, name != 0, text.count != 77, atomCache.ion == .unknown else { return }
    atomCache.names.keep(UInt64(name), tail, name: record.name, element: record.element, charge: charge)
  }

  /// Returns the element in columns 77-78, or nil.
  private func statedElement(_ text: PDBLine) -> Element? {
    guard text.count >= 77, !usesLegacyColumns else { return nil }
    let (left, right) = (text.byte(77), text.byte(78))
    return left == 32 ? Element.of(first: right, second: 32) : Element.of(first: left, second: right)
  }

  /// Returns the element of an atom without one in columns 77-78, and records a note.
  private mutating func elementInColumns(_ text: PDBLine) -> Element {
    if !text.isBlank(77, 78), !usesLegacyColumns {
      if let element = Element(symbol: text.text(77, 78)) { return element }
      note(
        "element-unreadable", text, column: 77,
        "'\(text.text(77, 78))' in columns 77-78 is not an element symbol; the element comes from the atom name")
    }
    if let found = derivedElement(text) { return found }
    note(
      "element-unknown", text, column: 13, severity: .note,
      "atom name '\(text.text(13, 16))' has no known element; the element is unknown")
    return .unknown
  }

  /// Returns the element by the atom name in columns 13-16, or nil.
  ///
  /// The atom of a monatomic ion has the ion's element: GROMACS and others write ` CL ` and ` NA ` in other columns.
  private func derivedElement(_ text: PDBLine) -> Element? {
    if atomCache.ion != .unknown {
      let residue = builder.names[atomCache.record.residueName]
      if let ion = MonatomicIon.element(ofAtom: text.text(13, 16), inResidue: residue) { return ion }
    }
    return Self.elementByColumns(text)
  }

  /// Returns the element by the columns of the atom name, or nil.
  ///
  /// A name that begins in column 14, or with a digit, has a one-letter element there; `C210` begins with its element;
  /// four-character names begin with their element if that is H, D, C, N, O, P or S; else columns 13-14 contain the
  /// symbol.
  private static func elementByColumns(_ text: PDBLine) -> Element? {
    func isOrganic(_ byte: UInt8) -> Bool { [67, 78, 79, 80, 83].contains(byte) }
    let first = text.byte(13)
    let second = text.byte(14)
    let isLong = text.byte(16) > 32
    if first <= 32 || first.isDigit { return Element.of(first: second, second: 32) }
    if second.isDigit { return Element.of(first: first, second: 32) }
    if isLong, (first | 32) == 104 { return .hydrogen }
    if isLong, (first | 32) == 100 { return .deuterium }
    // `CAX3`, `NH1A`: a long name has no leading blank; chlorine is the only such element with common long names.
    if isLong, isOrganic(first), !((first | 32) == 99 && (second | 32) == 108) {
      return Element.of(first: first, second: 32)
    }
    return Element.of(first: first, second: second)
  }

  /// Returns the charge in columns 79-80: `2+`, also `+2` and a bare digit; nil if there is none.
  private static func charge(_ text: PDBLine) -> Int8? {
    var digit = text.byte(79)
    var sign = text.byte(80)
    if sign.isDigit { swap(&digit, &sign) }
    guard digit.isDigit, sign == 43 || sign == 45 || sign <= 32 else { return nil }
    let amount = Int8(digit - 48)
    return sign == 45 ? -amount : amount
  }

  private mutating func noteCharge(_ text: PDBLine) {
    note(
      "charge-unreadable", text, column: 79,
      "charge '\(text.text(79, 80))' is not a digit with a sign, such as '2+', and was read as 0")
  }

  /// Reads columns 18-27 unless they equal those of the previous line, and returns whether they do.
  @inline(__always)
  private mutating func readResidue(_ text: PDBLine) -> Bool {
    let raw = UnsafeRawPointer(text.base)
    let word = raw.loadUnaligned(fromByteOffset: 17, as: UInt64.self)
    let tail = raw.loadUnaligned(fromByteOffset: 25, as: UInt16.self)
    let segment =
      text.count >= 76 && !usesLegacyColumns
      ? raw.loadUnaligned(fromByteOffset: 72, as: UInt32.self) : shortSegment(text)
    if word == atomCache.residueWord, tail == atomCache.residueTail, segment == atomCache.segmentWord { return true }
    atomCache.residueWord = word
    atomCache.residueTail = tail
    atomCache.segmentWord = segment
    if segment != PDBAtomCache.noSegment || atomCache.record.segment != segment {
      atomCache.record.segment = (0..<4).reduce(0) { $0 | max(segment >> ($1 * 8) & 255, 32) << ($1 * 8) }
    }
    readNewResidue(text)
    return false
  }

  /// Returns the segment name (columns 73-76) of a line that ends within it; four blanks in files without segments.
  private func shortSegment(_ text: PDBLine) -> UInt32 {
    guard text.count >= 73, !usesLegacyColumns else { return PDBAtomCache.noSegment }
    return (73...76).reversed().reduce(0) { $0 << 8 | UInt32(text.byte($1)) }
  }

  @inline(never)
  private mutating func readNewResidue(_ text: PDBLine) {
    var nameEnd = 20
    var chain: UInt64 = text.byte(22) > 32 ? UInt64(text.byte(22)) : 0
    if text.byte(21) > 32 {
      switch columnUse(text) {
      case .residueName: nameEnd = 21
      case .chain: chain = UInt64(text.byte(21)) | chain << 8
      }
    }
    if chain != atomCache.chainWord {
      atomCache.chainWord = chain
      atomCache.chain = builder.chainNames.intern(packed: chain)
    }
    atomCache.record.chain = atomCache.chain
    atomCache.record.residueName = residueName(text, nameEnd)
    atomCache.record.insertionCode = text.byte(27) > 32 ? text.byte(27) : 0
    if text.byte(27).isDigit {
      note(
        "insertion-code-digit", text, column: 27, severity: .note,
        "insertion code '\(text.text(27, 27))' is a digit; '\(text.text(23, 27))' may be a five-digit number")
    }
    if let number = DecimalWord.integer(DecimalWord.last(4, of: DecimalWord.load(text.base + 18)))
      ?? text.hybrid36(23, 26)
    {
      atomCache.record.residueNumber = Int32(truncatingIfNeeded: number)
    } else {
      note(
        "residue-number-unreadable", text, column: 23,
        "residue number '\(text.text(23, 26))' is not a number and was read as 0")
      atomCache.record.residueNumber = 0
    }
  }

  /// Returns the residue name that begins in column 18, and sets the ion that it names.
  private mutating func residueName(_ text: PDBLine, _ last: Int) -> NameID {
    var word = UnsafeRawPointer(text.base).loadUnaligned(fromByteOffset: 17, as: UInt32.self)
    if last == 20 { word = word & 0xFF_FFFF | 0x2000_0000 }
    if let known = atomCache.names.entry(UInt64(word), PDBAtomCache.residueName) {
      atomCache.ion = known.element
      return known.name
    }
    let name = builder.names.intern(packed: PDBAtomCache.trimmed(word))
    atomCache.ion = MonatomicIon.element(ofResidue: builder.names[name]) ?? .unknown
    if word != 0 { atomCache.names.keep(UInt64(word), PDBAtomCache.residueName, name: name, element: atomCache.ion) }
    return name
  }

  private mutating func columnUse(_ text: PDBLine) -> PDBColumn21 {
    if let use = atomCache.columnUse { return use }
    let use = PDBColumn21.decide(restOfFile(from: text))
    atomCache.columnUse = use
    let message =
      use == .chain
      ? "columns 21-22 are read as two-character chain names" : "columns 18-21 are read as residue names"
    note("column-21-used", text, column: 21, severity: .note, message)
    return use
  }

  @inline(never)
  private mutating func irregularSerial(_ text: PDBLine) -> Int32 {
    if let number = text.hybrid36(7, 11) { return Int32(truncatingIfNeeded: number) }
    note(
      "serial-unreadable", text, column: 7, severity: .note,
      "serial number '\(text.text(7, 11))' is not a number; the atom has none")
    return AtomTable.missingSerial
  }

  /// Reads an atom line with tabs; returns false if it has none.
  private mutating func readTabbed(_ text: PDBLine) -> Bool {
    guard let tab = text.tabColumn else { return false }
    note(
      "tabs-expanded", text, column: tab, severity: .note, "tabs were expanded to tab stops of eight columns")
    text.withTabsExpanded { readAtom($0, isHetero: (text.byte(1) | 32) == 104) }
    return true
  }

  /// Reads an atom line whose coordinates are not in their columns; unreadable values are skipped.
  @inline(never)
  private mutating func readMovedAtom(_ text: PDBLine, isHetero: Bool, serial: Int32?) {
    if readTabbed(text) { return }
    // A serial number of six digits has shifted the line already.
    let isSerialWide = serial == nil && text.base[11].isDigit
    let line = isSerialWide ? PDBLine(base: text.base + 1, count: text.count - 1) : text
    if let number = line.wideResidueNumber {
      if !hasWideResidueNumbers {
        hasWideResidueNumbers = true
        note(
          "residue-number-too-wide", line, column: 23, severity: .note,
          "five-digit residue number '\(number)'; in such lines the columns after it were read one column to the right"
        )
      }
      let serial = isSerialWide ? text.integer(7, 12).map { Int32(truncatingIfNeeded: $0) } : serial
      line.withResidueNumber(number) { addAtom($0, isHetero: isHetero, serial: serial) }
      return
    }
    let column = [31, 39, 47].first { NumberText.coordinate(text.base + ($0 - 1), 8) == nil } ?? 31
    note(
      "coordinate-unreadable", text, column: column, severity: .error,
      "coordinates '\(text.text(31, 54))' are not three numbers in columns 31-54; the atom was left out")
  }

  /// Returns true if a six-digit serial number has shifted the other fields one column to the right.
  private func isShifted(_ text: PDBLine) -> Bool {
    guard text.base[11].isDigit, text.count >= 55 else { return false }
    return text.byte(35) != 46 && text.byte(36) == 46 && text.byte(44) == 46 && text.byte(52) == 46
  }

  /// Reads an atom line that is too short or has shifted columns.
  @inline(never)
  private mutating func readIrregularAtom(_ text: PDBLine, isHetero: Bool) {
    guard text.count >= 54 else {
      note(
        "atom-line-short", text, column: [31, 39, 47].first { text.count < $0 + 7 } ?? 31, severity: .error,
        "atom line of \(text.count) columns ends before its coordinates (columns 31-54); the atom was left out")
      return
    }
    note(
      "serial-too-wide", text, column: 7, severity: .note,
      "six-digit serial number; the columns after it were read one column to the right")
    let serial = text.integer(7, 12).map { Int32(truncatingIfNeeded: $0) } ?? AtomTable.missingSerial
    addAtom(PDBLine(base: text.base + 1, count: text.count - 1), isHetero: isHetero, serial: serial)
  }

  /// Reads an atom line whose record name is in lower case, or that is too short to be one.
  mutating func readShortAtom(_ text: PDBLine) {
    if readTabbed(text) { return }
    guard text.count >= 54 else {
      readIrregularAtom(text, isHetero: false)
      return
    }
    note(
      "record-lower-case", text, column: 1, severity: .note, "record name in lower case was read as upper case")
    addAtom(text, isHetero: (text.byte(1) | 32) == 104, serial: nil)
  }

  /// Reads the anisotropic displacement of the previous atom (columns 29-70, units of 1e-4 Å²).
  mutating func readAnisotropy(_ text: PDBLine) {
    let atom = builder.atomCount - 1
    guard atom >= 0, builder.isInModel else { return }
    guard let u11 = text.number(29, 35), let u22 = text.number(36, 42), let u33 = text.number(43, 49),
      let u12 = text.number(50, 56), let u13 = text.number(57, 63), let u23 = text.number(64, 70)
    else {
      let column = stride(from: 29, to: 70, by: 7).first { text.number($0, $0 + 6) == nil } ?? 29
      note(
        "anisotropy-unreadable", text, column: column, "ANISOU line without six numbers in columns 29-70 was ignored")
      return
    }
    let serial = text.hybrid36(7, 11).map { Int32(truncatingIfNeeded: $0) } ?? AtomTable.missingSerial
    guard serial == builder.lastSerial, builder.lastAnisotropy?.atom != Int32(atom) else {
      note(
        "anisotropy-misplaced", text, column: 7, "ANISOU line does not follow the atom of its serial number; ignored")
      return
    }
    builder.addAnisotropy(
      Anisotropy(
        atom: Int32(atom), u11: Float(u11 * 1e-4), u22: Float(u22 * 1e-4), u33: Float(u33 * 1e-4),
        u12: Float(u12 * 1e-4), u13: Float(u13 * 1e-4), u23: Float(u23 * 1e-4)))
  }
}

/// A cache of the columns that consecutive atom lines have in common.
struct PDBAtomCache {
  /// Columns 18-27 of the previous line, as two words.
  var residueWord: UInt64 = 0
  var residueTail: UInt16 = 0
  /// Columns 73-76 of a line without a segment.
  static let noSegment: UInt32 = 0x2020_2020
  /// Columns 73-76 of the previous line.
  var segmentWord: UInt32 = 0
  /// Chain, residue name, number and insertion code of the previous line.
  var record = AtomRecord()
  /// The element of the ion named by the residue of the previous line; unknown for other residues.
  var ion = Element.unknown
  /// The use of columns 21 and 22; nil until a line has a character in column 21.
  var columnUse: PDBColumn21?
  /// A substitute for columns 77-80 if a line has none, and for residue names; four columns cannot have these values.
  static let withoutElement: UInt64 = 1 << 32
  static let residueName: UInt64 = 2 << 32
  /// Names, elements and charges by the bytes of their columns.
  var names = AtomNameCache()
  /// Columns 55-60 of the previous line and their occupancy.
  var occupancyWord: UInt64 = 0
  var occupancy: Float = 0
  /// The packed chain name of the previous line, and its index in the builder's chain names.
  var chainWord: UInt64?
  var chain: NameID = 0

  /// Returns the bytes of a word without blanks and control codes at either end, the first in the lowest byte.
  static func trimmed(_ word: UInt32) -> UInt64 {
    var remaining = UInt64(word)
    var count = 4
    while count > 0, remaining >> UInt64(8 * count - 8) & 255 <= 32 { count -= 1 }
    remaining &= 1 &<< UInt64(8 * count) &- 1
    while count > 0, remaining & 255 <= 32 {
      remaining >>= 8
      count -= 1
    }
    var clean: UInt64 = 0
    for byte in 0..<UInt64(count) { clean |= max(remaining >> (8 * byte) & 255, 32) << (8 * byte) }
    return clean
  }
}

/// The meaning of column 21 if it is not blank.
enum PDBColumn21 {
  /// The second half of a two-character chain name.
  case chain
  /// The fourth character of a residue name (TIP3, POPC).
  case residueName

  /// Decides for a whole file, starting at the first line that uses the column.
  ///
  /// Four-character residue names are assumed if no atom line uses both columns 21 and 22: a two-character chain name
  /// fills both.
  /// - Complexity: linear in the rest of the file; done once.
  static func decide(_ lines: UnsafeBufferPointer<UInt8>) -> Self {
    var start = 0
    while start + 22 <= lines.count {
      let line = PDBLine(base: lines.baseAddress.unsafelyUnwrapped + start, count: 22)
      if PDBRecord.isHetero(line) != nil, line.byte(21) > 32, line.byte(22) > 32 { return .chain }
      while start < lines.count, lines[start] != 10 { start += 1 }
      start += 1
    }
    return .residueName
  }
}
