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
    guard let count = line, count.count <= 40, let words = line?.words(most: 2), words.count == 1,
      count.integer(words[0]) != nil, let comment = lines.next(), let atom = lines.next()
    else { return false }
    let layout = XYZComment(comment)
    let fields = atom.words(most: max(layout.elementColumn + 1, layout.positionColumn + 3))
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
    let words = head.words(most: 1)
    guard let count = head.integer(words[0]), count >= 0 else {
      let frame = frames + 1
      faults.add(
        "xyz-count-unreadable", head, words[0], severity: .error,
        "'\(head.excerpt())' stands where the number of atoms of frame \(frame) is expected; what follows was not read"
      )
      return false
    }
    guard let comment = next() else {
      faults.add(
        "xyz-frame-short", head, words[0], severity: .error, "the file ends after the number of atoms")
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
      let words = line.words(most: max(layout.elementColumn + 1, layout.positionColumn + 3))
      if words.count == 1, line.integer(words[0]) != nil {
        // The next frame begins early.
        noteShort(head, found, count, "another frame begins")
        pending = line
        return true
      }
      found += 1
      readAtom(line, words, layout, serial: found)
    }
    return true
  }

  private mutating func readAtom(_ line: TextLine, _ words: [TextLine.Word], _ layout: XYZComment, serial: Int) {
    let place = layout.positionColumn
    guard words.count > max(place + 2, layout.elementColumn) else {
      faults.add(
        "xyz-atom-unreadable", line: line.number, column: line.count + 1, severity: .error,
        "'\(line.excerpt())' has \(words.count) of the \(max(place + 3, layout.elementColumn + 1)) fields of an atom; it was left out"
      )
      return
    }
    var position = SIMD3<Double>()
    for axis in 0..<3 {
      guard let value = line.coordinate(words[place + axis]) else {
        faults.add(
          "xyz-atom-unreadable", line, words[place + axis], severity: .error,
          "'\(line.text(words[place + axis]))' is no coordinate in Å; the atom was left out")
        return
      }
      position[axis] = value
    }
    atoms.add(element(line, words[layout.elementColumn]), position, serial: serial)
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
      let letters = bytes.prefix { ($0 | 32) >= 97 && ($0 | 32) <= 122 }
      if letters.count == 1 || letters.count == 2, letters.count < bytes.count,
        let element = Element.of(first: letters[0], second: letters.count == 2 ? letters[1] : 32)
      {
        return element
      }
      if let first = letters.first, let element = Element.of(first: first, second: 32) {
        faults.add(
          "xyz-element-guessed", line, word, severity: .note,
          "'\(line.text(word))' is not an element symbol; '\(element.symbol)' was taken")
        return element
      }
    }
    faults.add(
      "xyz-element-unknown", line, word,
      "'\(line.text(word))' is not an element symbol or atomic number; it is kept as unknown")
    return .unknown
  }

  private mutating func take(_ layout: XYZComment) {
    metadata.title = layout.title
    metadata.cell = layout.cell
    guard !layout.pairs.isEmpty else { return }
    metadata.compounds = [Compound(id: "1", name: layout.title, details: layout.pairs)]
  }

  private mutating func noteShort(_ head: TextLine, _ found: Int, _ count: Int, _ cause: String) {
    let message = "frame \(frames) has \(found) of the \(count) atoms it announces: \(cause)"
    let column = head.words(most: 1).first?.column ?? 1
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
