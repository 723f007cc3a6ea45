extension PDBReader {
  /// Reads CRYST1: edges 7-33, angles 34-54, space group 56-66, Z 67-70; 1 × 1 × 1 Å means that there is no crystal.
  mutating func readCell(_ text: PDBLine) {
    header.spaceGroup = text.text(56, 66)
    header.chainsPerCell = text.integer(67, 70)
    guard let a = text.number(7, 15), let b = text.number(16, 24), let c = text.number(25, 33) else {
      let column = [7, 16, 25].first { text.number($0, $0 + 8) == nil } ?? 7
      note(
        "cell-unreadable", text, column: column, "CRYST1 line without three cell edges in columns 7-33 was ignored")
      return
    }
    guard a > 1 || b > 1 || c > 1 else { return }
    header.cell = UnitCell(
      a: a, b: b, c: c, alpha: text.number(34, 40) ?? 90, beta: text.number(41, 47) ?? 90,
      gamma: text.number(48, 54) ?? 90)
  }

  /// Reads HELIX: residues at 16-26 and 28-38, class 39-40, length 72-76.
  mutating func readHelix(_ text: PDBLine) {
    guard let first = address(text, name: 16, chain: 20, number: 22),
      let last = address(text, name: 28, chain: 32, number: 34)
    else { return noteRange("HELIX", text, numbers: 22, 34) }
    structure.helices.append(
      Helix(
        id: text.text(12, 14), first: first, last: last, helixClass: text.integer(39, 40) ?? 1,
        length: text.integer(72, 76) ?? 0))
  }

  /// Reads SHEET: strand 8-10, sheet 12-14, residues at 18-27 and 29-38, sense 39-40.
  mutating func readStrand(_ text: PDBLine) {
    guard let first = address(text, name: 18, chain: 22, number: 23),
      let last = address(text, name: 29, chain: 33, number: 34)
    else { return noteRange("SHEET", text, numbers: 23, 34) }
    let strand = Strand(id: text.text(8, 10), first: first, last: last, sense: text.integer(39, 40) ?? 0)
    let id = text.text(12, 14)
    if let known = structure.sheets.lastIndex(where: { $0.id == id }) {
      structure.sheets[known].strands.append(strand)
    } else {
      structure.sheets.append(Sheet(id: id, strands: [strand]))
    }
  }

  private mutating func noteRange(_ record: String, _ text: PDBLine, numbers columns: Int...) {
    let column = columns.first { text.hybrid36($0, $0 + 3) == nil } ?? columns[0]
    note(
      "range-unreadable", text, column: column,
      "\(record) line without residue numbers in their columns was ignored")
  }

  /// Reads SSBOND: residues at 12-22 and 26-36, symmetry 60-65 and 67-72.
  mutating func readDisulfide(_ text: PDBLine) {
    guard let first = address(text, name: 12, chain: 16, number: 18),
      let second = address(text, name: 26, chain: 30, number: 32)
    else { return noteRange("SSBOND", text, numbers: 18, 32) }
    structure.connections.append(
      Connection(
        kind: .disulfide, first: ConnectionEnd(residue: first, atomName: "SG", symmetry: symmetry(text, 60)),
        second: ConnectionEnd(residue: second, atomName: "SG", symmetry: symmetry(text, 67))))
  }

  /// Reads LINK: atom 13-16, altloc 17, residue at 18-27; the other end 30 columns further; symmetry 60-65 and 67-72.
  mutating func readLink(_ text: PDBLine) {
    guard let first = address(text, name: 18, chain: 22, number: 23),
      let second = address(text, name: 48, chain: 52, number: 53)
    else { return noteRange("LINK", text, numbers: 23, 53) }
    func end(_ residue: ResidueAddress, _ column: Int, _ symmetryColumn: Int) -> ConnectionEnd {
      let altloc = text.byte(column + 4)
      return ConnectionEnd(
        residue: residue, atomName: text.text(column, column + 3), altloc: altloc > 32 ? altloc : 0,
        symmetry: symmetry(text, symmetryColumn))
    }
    let isMetal = [13, 43].contains { column in
      let symbol = text.text(column, column + 1)
      return text.byte(column) > 32 && text.byte(column + 3) <= 32 && (Element(symbol: symbol)?.isMetal ?? false)
    }
    structure.connections.append(
      Connection(
        kind: isMetal ? .metal : .covalent, first: end(first, 13, 60), second: end(second, 43, 67)))
  }

  /// Reads CISPEP: residues at 12-22 and 26-36, model 44-46, omega 54-59.
  mutating func readCisPeptide(_ text: PDBLine) {
    guard let first = address(text, name: 12, chain: 16, number: 18),
      let second = address(text, name: 26, chain: 30, number: 32)
    else { return noteRange("CISPEP", text, numbers: 18, 32) }
    structure.cisPeptides.append(
      CisPeptide(first: first, second: second, model: text.integer(44, 46) ?? 0, omega: text.number(54, 59)))
  }

  /// Reads MODRES: residue at 13-23, standard name 25-27, comment 30-70.
  mutating func readModifiedResidue(_ text: PDBLine) {
    guard let residue = address(text, name: 13, chain: 17, number: 19) else {
      return noteRange("MODRES", text, numbers: 19)
    }
    structure.modifiedResidues.append(
      ModifiedResidue(residue: residue, parent: text.text(25, 27), details: text.text(30, 70)))
  }

  /// Returns a symmetry operator of six columns, `1555` as `1_555`.
  ///
  /// Blank columns are the identity: files from before 1996 state no operators, and their links lie within the unit.
  private func symmetry(_ text: PDBLine, _ column: Int) -> String {
    let word = text.text(column, column + 5)
    if word.isEmpty { return "1_555" }
    return word.utf8.count > 3 ? word.dropLast(3) + "_" + word.suffix(3) : word
  }

  /// Returns the residue with a name of three columns, a chain of one, a number of four and an insertion code after it.
  private func address(_ text: PDBLine, name: Int, chain: Int, number: Int) -> ResidueAddress? {
    guard let value = text.hybrid36(number, number + 3) else { return nil }
    let code = text.byte(number + 4)
    // A two-character chain name begins in the previous column, which is blank in files without such names.
    let chainName = text.text(chain - 1, chain)
    return ResidueAddress(
      chain: chainName, number: Int32(truncatingIfNeeded: value), insertionCode: code > 32 ? code : 0,
      name: text.text(name, name + 2))
  }
}
