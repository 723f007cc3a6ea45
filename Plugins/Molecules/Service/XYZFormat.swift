import Glibc

/// Reads XYZ files, plain and extended; several frames become models.
///
/// A frame is a number of atoms, a comment and a line for each atom: element symbol or atomic number, then x, y and z
/// in Å. Columns after these are skipped.
/// - Source: XMOL manual (1993); extended form: https://github.com/libAtoms/extxyz
struct XYZReader {
  private var lines: TextLines
  private var atoms: PlainAtoms
  private var faults = TextFaults()
  private var metadata = StructureMetadata()
  private var frames = 0
  /// A line that was read ahead.
  private var pending: TextLine?

  /// Reads a whole file.
  ///
  /// - Parameter file: the uncompressed bytes.
  /// - Returns: the structure, with at least one atom.
  /// - Throws: `malformed` if no atom can be read, with the position of the first fault.
  static func read(_ file: UnsafeBufferPointer<UInt8>) throws(StructureReadingError) -> Structure {
    var reader = XYZReader(file)
    while reader.readFrame() {}
    return try reader.finished()
  }

  /// Returns true if content begins with a line of one integer, a comment, and a line of an element and three numbers.
  static func isXYZ(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var lines = TextLines(bytes)
    var line = lines.next()
    while let blank = line, blank.isBlank { line = lines.next() }
    guard let count = line, count.count <= 40, let countFields = line?.fields(most: 2), countFields.count == 1,
      count.integer(countFields[0]) != nil, let comment = lines.next(), let atom = lines.next()
    else { return false }
    let layout = XYZComment(comment)
    let fields = atom.fields(most: max(layout.elementColumn + 1, layout.positionColumn + 3))
    guard fields.count > max(layout.positionColumn + 2, layout.elementColumn) else { return false }
    return (0..<3).allSatisfy { atom.number(fields[layout.positionColumn + $0]) != nil }
      && atom.text(fields[layout.elementColumn]).utf8.count <= 8
  }

  private init(_ file: UnsafeBufferPointer<UInt8>) {
    lines = TextLines(file)
    atoms = PlainAtoms(expectedAtoms: min(file.count / 40 + 16, 4_000_000))
  }

  private mutating func next() -> TextLine? {
    guard let line = pending else { return lines.next() }
    pending = nil
    return line
  }

  /// Reads a frame; returns false if there is none left, or the next line does not begin one.
  private mutating func readFrame() -> Bool {
    var line = next()
    while let blank = line, blank.isBlank { line = next() }
    guard let head = line else { return false }
    let fields = head.fields(most: 1)
    guard let count = head.integer(fields[0]), count >= 0 else {
      let frame = frames + 1
      faults.add(
        "xyz-count-unreadable", head, fields[0], severity: .error,
        "'\(head.excerpt())' is not the number of atoms of frame \(frame); the rest of the file was ignored"
      )
      return false
    }
    guard let comment = next() else {
      faults.add(
        "xyz-frame-short", head, fields[0], severity: .error, "the file ends after the number of atoms")
      return false
    }
    frames += 1
    let layout = XYZComment(comment)
    if frames == 1 { take(layout) }
    atoms.beginModel(number: frames)
    return readAtoms(count, layout, head)
  }

  /// Reads the atoms of a frame; returns false if the file ends inside it.
  private mutating func readAtoms(_ count: Int, _ layout: XYZComment, _ head: TextLine) -> Bool {
    var found = 0
    while found < count {
      guard let line = next() else {
        noteShort(head, found, count, "the file ends")
        return false
      }
      let fields = line.fields(most: max(layout.elementColumn + 1, layout.positionColumn + 3))
      if fields.count == 1, line.integer(fields[0]) != nil {
        // The next frame begins early.
        noteShort(head, found, count, "another frame begins")
        pending = line
        return true
      }
      found += 1
      readAtom(line, fields, layout, serial: found)
    }
    return true
  }

  private mutating func readAtom(_ line: TextLine, _ fields: [TextLine.Word], _ layout: XYZComment, serial: Int) {
    let column = layout.positionColumn
    guard fields.count > max(column + 2, layout.elementColumn) else {
      faults.add(
        "xyz-atom-unreadable", line: line.number, column: line.count + 1, severity: .error,
        "'\(line.excerpt())' has \(fields.count) of the \(max(column + 3, layout.elementColumn + 1)) fields of an atom; it was left out"
      )
      return
    }
    var position = SIMD3<Double>()
    for axis in 0..<3 {
      guard let value = line.coordinate(fields[column + axis]) else {
        faults.add(
          "xyz-atom-unreadable", line, fields[column + axis], severity: .error,
          "'\(line.text(fields[column + axis]))' is not a coordinate in Å; the atom was left out")
        return
      }
      position[axis] = value
    }
    atoms.add(element(line, fields[layout.elementColumn]), position, serial: serial)
  }

  /// Returns the element of a symbol, an atomic number, or a label that begins with a symbol (`C12`, `Fe2+`, `OW`).
  private mutating func element(_ line: TextLine, _ word: TextLine.Word) -> Element {
    let bytes = UnsafeBufferPointer(start: line.base + word.start, count: word.count)
    if bytes.count <= 2, let element = Element.of(first: bytes[0], second: bytes.count == 2 ? bytes[1] : 32) {
      return element
    }
    if let number = line.integer(word) {
      if (0...118).contains(number) { return Element(rawValue: UInt8(number)) }
    } else {
      let letters = bytes.prefix(while: \.isLetter)
      if letters.count == 1 || letters.count == 2, letters.count < bytes.count,
        let element = Element.of(first: letters[0], second: letters.count == 2 ? letters[1] : 32)
      {
        return element
      }
      if let first = letters.first, let element = Element.of(first: first, second: 32) {
        faults.add(
          "xyz-element-guessed", line, word, severity: .note,
          "'\(line.text(word))' is not an element symbol; it was read as '\(element.symbol)'")
        return element
      }
    }
    faults.add(
      "xyz-element-unknown", line, word,
      "'\(line.text(word))' is not an element symbol or atomic number; the element is unknown")
    return .unknown
  }

  private mutating func take(_ layout: XYZComment) {
    metadata.title = layout.title
    metadata.cell = layout.cell
    guard !layout.pairs.isEmpty else { return }
    metadata.compounds = [Compound(id: "1", name: layout.title, details: layout.pairs)]
  }

  private mutating func noteShort(_ head: TextLine, _ found: Int, _ count: Int, _ cause: String) {
    let message = "frame \(frames) has \(found) of \(count) declared atoms: \(cause)"
    let column = head.fields(most: 1).first?.column ?? 1
    faults.add("xyz-frame-short", line: head.number, column: column, severity: .error, message)
  }

  private consuming func finished() throws(StructureReadingError) -> Structure {
    guard !atoms.builder.atoms.isEmpty else {
      throw faults.first ?? .noCoordinates("no frame has an atom")
    }
    var structure = Structure()
    atoms.builder.finish(into: &structure)
    structure.metadata = metadata
    ResidueKinds.assign(to: &structure, polymerResidues: nil)
    structure.diagnostics = faults.log.finished()
    return structure
  }
}

/// The second line of an XYZ frame: running text, or the keys of the extended form.
///
/// - Source: extended XYZ, https://wiki.fysik.dtu.dk/ase/ase/io/formatoptions.html#extxyz
struct XYZComment {
  /// The title: the whole line, or the title key of the extended form.
  private(set) var title = ""
  /// The keys of the extended form in file order, except those represented elsewhere.
  private(set) var pairs: [Compound.Detail] = []
  private(set) var cell: UnitCell?
  /// The columns of element and position in an atom line, 0-based.
  private(set) var elementColumn = 0
  private(set) var positionColumn = 1

  init(_ line: TextLine) {
    let text = line.text
    let found = Self.pairs(text)
    guard Self.areExtended(found) else {
      title = text
      return
    }
    for pair in found {
      switch pair.token.lowercased() {
      case "lattice": cell = Self.cell(pair.value)
      case "properties": readProperties(pair.value)
      case "title", "name", "comment": if title.isEmpty { title = pair.value }
      default: pairs.append(pair)
      }
    }
  }

  /// Returns true if a text would be read as keys of the extended form.
  static func isExtended(_ text: String) -> Bool { areExtended(pairs(text)) }

  private static func areExtended(_ pairs: [Compound.Detail]) -> Bool {
    pairs.contains { ["lattice", "properties"].contains($0.token.lowercased()) }
  }

  /// Finds element and position among `name:type:columns` triples; a mismatch leaves the usual order.
  private mutating func readProperties(_ text: String) {
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
    var column = 0
    for start in stride(from: 0, to: fields.count - 2, by: 3) {
      guard let width = Int(fields[start + 2]), width > 0, width < 1000 else { return }
      switch fields[start].lowercased() {
      case "species", "element", "z", "numbers": elementColumn = column
      case "pos", "positions": positionColumn = column
      default: break
      }
      column += width
    }
  }

  /// Returns the cell of three vectors in nine numbers; nil if they span none.
  private static func cell(_ text: String) -> UnitCell? {
    let numbers = text.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 9, numbers.allSatisfy({ abs($0) < NumberText.largestCoordinate }) else { return nil }
    let vectors = (0..<3).map { SIMD3(numbers[3 * $0], numbers[3 * $0 + 1], numbers[3 * $0 + 2]) }
    let lengths = vectors.map { ($0 * $0).sum().squareRoot() }
    guard lengths.allSatisfy({ $0 > 0 }) else { return nil }
    func angle(_ first: Int, _ second: Int) -> Double {
      let cosine = (vectors[first] * vectors[second]).sum() / (lengths[first] * lengths[second])
      return acos(max(-1, min(1, cosine))) * 180 / .pi
    }
    return UnitCell(
      a: lengths[0], b: lengths[1], c: lengths[2], alpha: angle(1, 2), beta: angle(0, 2), gamma: angle(0, 1))
  }

  /// Returns the `key=value` pairs of a line; values may be quoted, a key alone has an empty value.
  private static func pairs(_ text: String) -> [Compound.Detail] {
    var pairs: [Compound.Detail] = []
    var key: [UInt8] = []
    var value: [UInt8] = []
    var (isInValue, quote) = (false, UInt8(0))
    func close() {
      guard !key.isEmpty else { return }
      pairs.append(
        Compound.Detail(token: String(decoding: key, as: UTF8.self), value: String(decoding: value, as: UTF8.self)))
    }
    for byte in text.utf8 {
      if quote != 0 {
        if byte == quote { quote = 0 } else if isInValue { value.append(byte) } else { key.append(byte) }
      } else if byte == 34 || byte == 39 {
        quote = byte
      } else if byte <= 32 {
        close()
        (key, value, isInValue) = ([], [], false)
      } else if byte == 61, !isInValue {
        isInValue = true
      } else if isInValue {
        value.append(byte)
      } else {
        key.append(byte)
      }
    }
    close()
    return pairs
  }
}

/// Writes molecules in XYZ format, each model as a frame.
enum XYZWriter {
  /// Returns the bytes of a file.
  ///
  /// Every atom is written, alternate locations included; coordinates are restored exactly.
  static func bytes(of molecule: Molecule) -> [UInt8] {
    let structure = molecule.structure
    let atoms = structure.atoms
    var buffer = TextBuffer(expectedBytes: atoms.count * 40)
    for model in structure.models {
      buffer.add("\(model.atoms.count)\n")
      buffer.add(comment(molecule, model))
      buffer.newLine()
      for atom in model.atoms {
        buffer.left(atoms.element[atom].symbol, 2)
        for value in [atoms.x[atom], atoms.y[atom], atoms.z[atom]] {
          buffer.blanks(1)
          buffer.right(DecimalText.exact(value, atLeast: 3), 11)
        }
        buffer.newLine()
      }
    }
    return buffer.bytes
  }

  /// Returns the title, with the model's number if there are several.
  ///
  /// A title that looks like keys of the extended form is written as the value of a key.
  private static func comment(_ molecule: Molecule, _ model: StructureModel) -> String {
    let title = molecule.displayTitle.replacingLineEnds()
    let comment = molecule.structure.models.count > 1 ? "\(title), model \(model.number)" : title
    guard XYZComment.isExtended(comment) else { return comment }
    // Pieces with the other kind of quotes each, if the title contains quotes itself.
    let pieces = comment.split(separator: "\"", omittingEmptySubsequences: false).map { "\"\($0)\"" }
    return "Properties=species:S:1:pos:R:3 title=" + pieces.joined(separator: "'\"'")
  }
}
