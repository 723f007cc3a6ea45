import Glibc
import PluginText

/// The lines of a text, one after the other; they end with LF or CR LF.
struct TextLines {
  private let file: UnsafeBufferPointer<UInt8>
  private var offset = 0
  /// The number of the last returned line, from 1.
  private(set) var number = 0

  init(_ file: UnsafeBufferPointer<UInt8>) {
    self.file = file
    offset = file.withoutByteOrderMark.startIndex
  }

  /// Returns true if a text has carriage returns and neither line feeds nor NUL bytes.
  ///
  /// - Complexity: constant for texts with line feeds near their beginning; else linear.
  static func endWithCarriageReturns(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    return memchr(base, 10, bytes.count) == nil && memchr(base, 13, bytes.count) != nil
      && memchr(base, 0, bytes.count) == nil
  }

  /// Returns the next line without its end; nil after the last one.
  mutating func next() -> TextLine? {
    guard let base = file.baseAddress, offset < file.count else { return nil }
    let start = base + offset
    var length = file.count - offset
    if let end = memchr(start, 10, length) {
      length = UnsafeRawPointer(end) - UnsafeRawPointer(start)
      offset += length + 1
    } else {
      offset = file.count
    }
    if length > 0, start[length - 1] == 13 { length -= 1 }
    number += 1
    return TextLine(base: start, count: length, number: number)
  }
}

/// One line of a text, split at blanks or accessed by column.
///
/// Columns are 1-based. The line borrows the file's memory and must not outlive it.
struct TextLine {
  let base: UnsafePointer<UInt8>
  let count: Int
  /// The number in the file, from 1.
  let number: Int

  /// A word by its range in the line.
  struct Word {
    var start: Int
    var count: Int
    /// The first column, from 1.
    var column: Int { start + 1 }
  }

  /// The same line for access by column.
  var columns: PDBLine { PDBLine(base: base, count: count) }

  var isBlank: Bool { (0..<count).allSatisfy { base[$0] <= 32 } }

  /// The whole line without blanks at its ends.
  var text: String { columns.text(1, count) }

  /// Returns the words of the line, up to a maximum number.
  func fields(most: Int = .max) -> [Word] {
    var fields: [Word] = []
    var position = 0
    while position < count, fields.count < most {
      while position < count, base[position] <= 32 { position += 1 }
      let start = position
      while position < count, base[position] > 32 { position += 1 }
      if position > start { fields.append(Word(start: start, count: position - start)) }
    }
    return fields
  }

  func text(_ word: Word) -> String {
    String(decoding: UnsafeBufferPointer(start: base + word.start, count: word.count), as: UTF8.self)
  }

  func integer(_ word: Word) -> Int? { NumberText.integer(base + word.start, word.count) }

  func number(_ word: Word) -> Double? { NumberText.number(base + word.start, word.count) }

  /// Returns a coordinate in Å; nil if it is not a number or too large.
  func coordinate(_ word: Word) -> Double? { NumberText.coordinate(base + word.start, word.count) }

  /// Returns the line from a word on, at most 40 bytes, for quoting in messages.
  func excerpt(from word: Word? = nil) -> String {
    let start = word?.start ?? 0
    let bytes = UnsafeBufferPointer(start: base + start, count: min(count - start, 40))
    return String(decoding: bytes.map { $0 < 32 ? 32 : $0 }, as: UTF8.self).trimmed()
  }
}

/// The problems of a text file, and the first of them that caused a loss.
struct TextFaults {
  private(set) var log = DiagnosticLog()
  /// The first error, which is thrown if no atom is left.
  private(set) var first: StructureReadingError?

  /// Adds a problem at a position.
  ///
  /// - Parameters:
  ///   - line: the number of the line, from 1.
  ///   - column: its first column, from 1.
  mutating func add(
    _ code: String, line: Int, column: Int, severity: StructureDiagnostic.Severity = .warning,
    _ message: @autoclosure () -> String
  ) {
    if severity == .error, first == nil { first = .malformed(line: line, column: column, message()) }
    log.add(code, at: .text(line: line, column: column), severity: severity, message())
  }

  /// Adds a problem at the start of a word in a line.
  mutating func add(
    _ code: String, _ line: TextLine, _ word: TextLine.Word, severity: StructureDiagnostic.Severity = .warning,
    _ message: @autoclosure () -> String
  ) {
    add(code, line: line.number, column: word.column, severity: severity, message())
  }
}

/// Adds the atoms of formats that have elements and positions only: no residues, chains or atom names.
///
/// All atoms of a model are one residue `UNL` (unknown ligand) of number 1 in a chain without a name; an atom's name
/// consists of its element and its number among those of the element in the model: `C1`, `C2`, `O1`.
struct PlainAtoms {
  var builder: StructureBuilder
  private var counts = [Int](repeating: 0, count: 256)
  private var usedElements: [Element] = []
  /// Names by element and number, so that the models of a trajectory create each once.
  private var names = [[NameID]](repeating: [], count: 256)
  private var residueName: NameID
  private var chain: NameID

  init(expectedAtoms: Int) {
    builder = StructureBuilder(expectedAtoms: expectedAtoms)
    residueName = builder.names.intern("UNL")
    chain = builder.chainNames.intern("")
  }

  mutating func beginModel(number: Int) {
    builder.beginModel(number: number)
    for element in usedElements { counts[Int(element.rawValue)] = 0 }
    usedElements.removeAll(keepingCapacity: true)
  }

  /// Adds an atom to the open model.
  ///
  /// - Returns: Its index in the structure, 0-based.
  @discardableResult
  mutating func add(_ element: Element, _ position: SIMD3<Double>, charge: Int8 = 0, serial: Int) -> Int {
    var record = AtomRecord()
    (record.x, record.y, record.z) = (position.x, position.y, position.z)
    record.element = element
    record.name = name(element)
    record.serial = Int32(truncatingIfNeeded: serial)
    record.charge = charge
    record.isHetero = true
    record.chain = chain
    record.residueName = residueName
    record.residueNumber = 1
    builder.add(record)
    return builder.atoms.count - 1
  }

  private mutating func name(_ element: Element) -> NameID {
    let code = Int(element.rawValue)
    if counts[code] == 0 { usedElements.append(element) }
    counts[code] += 1
    if names[code].count < counts[code] {
      names[code].append(builder.names.intern("\(element.symbol.uppercased())\(counts[code])"))
    }
    return names[code][counts[code] - 1]
  }
}
