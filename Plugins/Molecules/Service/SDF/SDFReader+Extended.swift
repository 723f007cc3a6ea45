extension SDFReader {
  /// Reads the connection table of version V3000: lines that begin with `M  V30`, fields separated by blanks, `-` at
  /// the end continues a line.
  ///
  /// - Source: CTfile Formats, BIOVIA 2020, chapter 5
  mutating func readExtended(_ counts: TextLine, into record: inout SDFRecord) {
    var block = ""
    while let line = next() {
      let columns = line.columns
      if columns.text(1, 6) == "M  END" { return }
      guard columns.text(1, 6) == "M  V30" else { continue }
      let words = line.words().dropFirst(2)
      guard let first = words.first else { continue }
      switch (line.text(first).uppercased(), words.count) {
      case ("BEGIN", 2...): block = line.text(words[words.startIndex + 1]).uppercased()
      case ("END", _): block = ""
      default:
        let isContinued = line.base[line.count - 1] == 45
        switch block {
        case "ATOM": readExtendedAtom(line, Array(words), into: &record)
        case "BOND": readExtendedBond(line, Array(words), into: &record)
        default: break
        }
        if isContinued { skipContinuations(&record, isAtom: block == "ATOM") }
      }
    }
    faults.add(
      "sdf-table-short", line: counts.number, column: 1, severity: .error,
      "the table that begins here has no 'M  END'; what was there was read")
  }

  /// Reads the options of an atom on continuation lines, and skips the lines of other blocks.
  private mutating func skipContinuations(_ record: inout SDFRecord, isAtom: Bool) {
    while let line = next(), line.columns.text(1, 6) == "M  V30" {
      if isAtom, !record.atoms.isEmpty {
        readOptions(line, line.words().dropFirst(2), &record.atoms[record.atoms.count - 1])
      }
      if line.base[line.count - 1] != 45 { return }
    }
  }

  /// Reads `index type x y z aamap [CHG=n] [MASS=n] …`.
  private mutating func readExtendedAtom(_ line: TextLine, _ words: [TextLine.Word], into record: inout SDFRecord) {
    guard words.count >= 5, let number = line.integer(words[0]) else {
      faults.add(
        "sdf-atom-unreadable", line, words[0], severity: .error,
        "'\(line.excerpt(from: words[0]))' is not 'index symbol x y z'; the atom was left out")
      return
    }
    var position = SIMD3<Double>()
    for axis in 0..<3 {
      guard let value = line.coordinate(words[2 + axis]) else {
        faults.add(
          "sdf-atom-unreadable", line, words[2 + axis], severity: .error,
          "'\(line.text(words[2 + axis]))' is no coordinate in Å; the atom was left out")
        return
      }
      position[axis] = value
    }
    guard let element = element(line.text(words[1]), line, words[1].column) else { return }
    var atom = SDFRecord.Atom(element: element, position: position, number: number)
    readOptions(line, words.dropFirst(5), &atom)
    record.add(atom)
  }

  private mutating func readOptions(_ line: TextLine, _ words: ArraySlice<TextLine.Word>, _ atom: inout SDFRecord.Atom)
  {
    for word in words {
      let text = line.text(word).uppercased()
      if text.hasPrefix("CHG=") {
        if let charge = Int(text.dropFirst(4)) {
          atom.charge = Int8(clamping: charge)
        } else {
          faults.add(
            "sdf-charge-unreadable", line, word,
            "'\(text)' is no charge 'CHG=n'; 0 was taken")
        }
      } else if text == "MASS=2", atom.element == .hydrogen {
        atom.element = .deuterium
      }
    }
  }

  /// Reads `index order atom atom …`.
  private mutating func readExtendedBond(_ line: TextLine, _ words: [TextLine.Word], into record: inout SDFRecord) {
    guard words.count >= 4, let code = line.integer(words[1]), let first = line.integer(words[2]),
      let second = line.integer(words[3]), record.places[first] != nil, record.places[second] != nil
    else {
      faults.add(
        "sdf-bond-unreadable", line, words[0], severity: .error,
        "'\(line.excerpt(from: words[0]))' is not 'index order atom atom' with atoms that "
          + "were read; the bond was left out")
      return
    }
    guard let order = SDFRecord.order(code) else { return }
    record.bonds.append((first, second, order))
  }
}
