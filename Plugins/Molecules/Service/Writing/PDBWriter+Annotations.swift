extension PDBWriter {
  /// Writes SEQRES to MTRIX: the records between title section and coordinates.
  mutating func writeAnnotations() {
    writeSequences()
    for residue in structure.modifiedResidues { write(residue) }
    for (index, helix) in structure.helices.enumerated() { write(helix, number: index + 1) }
    for sheet in structure.sheets { write(sheet) }
    var disulfides = 0
    for connection in structure.connections where connection.kind == .disulfide {
      disulfides += 1
      writeDisulfide(connection, number: disulfides)
    }
    for connection in structure.connections
    where connection.kind == .covalent || connection.kind == .metal {
      writeLink(connection)
    }
    for (index, bond) in structure.cisPeptides.enumerated() { write(bond, number: index + 1) }
    writeCell()
    writeOperators()
  }

  private mutating func writeSequences() {
    for sequence in structure.sequences {
      for chain in sequence.chains where chain.utf8.count <= 2 {
        let names = sequence.residueNames
        for (row, start) in stride(from: 0, to: names.count, by: 13).enumerated() {
          let part = names[start..<min(start + 13, names.count)]
          line(
            "SEQRES" + Self.padded("\((row + 1) % 1000)", 4) + Self.padded(chain, 2) + Self.padded("\(names.count)", 5)
              + "  " + part.map { Self.padded(String($0.prefix(3)), 3) }.joined(separator: " "))
        }
      }
    }
  }

  /// Returns name, chain, number and insertion code: `ALA A  12B`; nil if the number does not fit in any form.
  private func columns(_ address: ResidueAddress) -> [UInt8]? {
    guard let number = Hybrid36.text(Int(address.number), width: 4) else { return nil }
    let name = Self.padded(String(address.name.prefix(3)), 3)
    return Array((name + Self.padded(address.chain, 2) + Self.padded(number, 4)).utf8)
      + [Self.column(address.insertionCode)]
  }

  /// Returns the columns with a blank between chain and number: `ALA A   12`.
  private func wide(_ columns: [UInt8]) -> [UInt8] { columns.prefix(5) + [32] + columns.dropFirst(5) }

  private mutating func write(_ helix: Helix, number: Int) {
    guard let first = columns(helix.first), let last = columns(helix.last) else { return }
    let head = "HELIX " + Self.padded("\(number % 1000)", 4) + Self.padded(String(helix.id.prefix(3)), 4) + " "
    let tail =
      Self.padded("\(helix.helixClass)", 2) + String(repeating: " ", count: 31) + Self.padded("\(helix.length)", 5)
    line(Array(head.utf8), wide(first), [32], wide(last), Array(tail.utf8))
  }

  private mutating func write(_ sheet: Sheet) {
    for (index, strand) in sheet.strands.enumerated() {
      guard let first = columns(strand.first), let last = columns(strand.last) else { continue }
      let head =
        "SHEET " + Self.padded(strand.id.isEmpty ? "\(index + 1)" : String(strand.id.prefix(3)), 4)
        + Self.padded(String(sheet.id.prefix(3)), 4) + Self.padded("\(sheet.strands.count % 100)", 2) + " "
      line(Array(head.utf8), first, [32], last, Array(Self.padded("\(strand.sense)", 2).utf8))
    }
  }

  private mutating func writeDisulfide(_ connection: Connection, number: Int) {
    guard let first = columns(connection.first.residue), let second = columns(connection.second.residue) else { return }
    let head = "SSBOND" + Self.padded("\(number % 1000)", 4) + " "
    let tail = String(repeating: " ", count: 23) + symmetry(connection)
    line(Array(head.utf8), wide(first), [32, 32, 32], wide(second), Array(tail.utf8))
  }

  private mutating func writeLink(_ connection: Connection) {
    guard let first = columns(connection.first.residue), let second = columns(connection.second.residue) else { return }
    line(
      Array("LINK        ".utf8), end(connection.first, connection.kind), first, Array(repeating: 32, count: 15),
      end(connection.second, connection.kind), second, Array(("  " + symmetry(connection)).utf8))
  }

  /// Returns atom name and alternate location; a metal's name begins in the first column.
  private func end(_ end: ConnectionEnd, _ kind: Connection.Kind) -> [UInt8] {
    let name = String(end.atomName.prefix(4))
    let isMetal = kind == .metal && (Element(symbol: String(name.prefix { $0.isLetter }))?.isMetal ?? false)
    let text = name.utf8.count < 4 && !isMetal ? " " + name : name
    return Array(Self.filled(text, 4).utf8) + [Self.column(end.altloc)]
  }

  /// Returns the operators of both ends in columns 60-65 and 67-72, `1_555` as `1555`.
  private func symmetry(_ connection: Connection) -> String {
    [connection.first, connection.second].map { end in
      Self.padded(String(end.symmetry.filter { $0 != "_" }.prefix(6)), 6)
    }.joined(separator: " ")
  }

  private mutating func write(_ bond: CisPeptide, number: Int) {
    guard let first = columns(bond.first), let second = columns(bond.second) else { return }
    let tail = bond.omega.map { Self.padded(DecimalText.fixed($0, 2), 13) } ?? ""
    line(
      Array(("CISPEP" + Self.padded("\(number % 1000)", 4) + " ").utf8), wide(first), [32, 32, 32], wide(second),
      Array((Self.padded("\(bond.model)", 10) + tail).utf8))
  }

  private mutating func write(_ residue: ModifiedResidue) {
    guard let columns = columns(residue.residue) else { return }
    let entry = Self.padded(String(structure.metadata.entryID.prefix(4)), 5)
    let text = " " + Self.filled(String(residue.parent.prefix(3)), 3) + "  " + residue.details.replacingLineEnds()
    line(Array(("MODRES" + entry + " ").utf8), wide(columns), Array(text.utf8.prefix(47)))
  }

  private mutating func writeCell() {
    let metadata = structure.metadata
    guard let cell = metadata.cell else { return }
    let edges = [cell.a, cell.b, cell.c].map { Self.padded(DecimalText.fixed($0, 3), 9) }.joined()
    let angles = [cell.alpha, cell.beta, cell.gamma].map { Self.padded(DecimalText.fixed($0, 2), 7) }.joined()
    line(
      "CRYST1" + edges + angles + " " + Self.filled(String(metadata.spaceGroup.prefix(11)), 11)
        + Self.padded(metadata.chainsPerCell.map { "\($0)" } ?? "", 4))
  }

  private mutating func writeOperators() {
    if let frame = structure.metadata.depositedFrame { write(frame, "ORIGX", number: "", isGiven: false) }
    for (index, ncs) in structure.ncsOperators.enumerated() {
      write(ncs.transform, "MTRIX", number: "\((index + 1) % 1000)", isGiven: ncs.isGiven)
    }
  }

  /// Writes the three lines of a transformation.
  private mutating func write(_ transform: Transform, _ record: String, number: String, isGiven: Bool) {
    for (row, vector) in [transform.row0, transform.row1, transform.row2].enumerated() {
      let matrix = (0..<3).map { Self.padded(DecimalText.fixed(vector[$0], 6), 10) }.joined()
      line(
        "\(record)\(row + 1) " + Self.padded(number, 3) + matrix + "     "
          + Self.padded(DecimalText.fixed(transform.translation[row], 5), 10) + (isGiven ? "    1" : ""))
    }
  }
}
