extension PDBWriter {
  /// Writes the title section: HEADER to REMARK 350.
  mutating func writeHeader() {
    let metadata = structure.metadata
    writeEntry(metadata)
    text("TITLE ", metadata.title)
    list("COMPND", compounds())
    list("SOURCE", sources())
    text("KEYWDS", metadata.keywords)
    text("EXPDTA", metadata.method)
    text("AUTHOR", metadata.authors.joined(separator: ","))
    writeCitation(metadata.citation)
    if let resolution = metadata.resolution {
      line("REMARK   2")
      line("REMARK   2 RESOLUTION." + Self.padded(DecimalText.fixed(resolution, 2), 8) + " ANGSTROMS.")
    }
    writeAssemblies()
  }

  private mutating func writeEntry(_ metadata: StructureMetadata) {
    guard !metadata.entryID.isEmpty || !metadata.classification.isEmpty || !metadata.depositionDate.isEmpty else {
      return
    }
    let classification = Self.filled(String(metadata.classification.replacingLineEnds().prefix(40)), 40)
    let date = Self.filled(PDBDate.pdb(metadata.depositionDate), 9)
    line("HEADER    " + classification + date + "   " + metadata.entryID)
  }

  /// Writes running text in 11-80, with the continuation number in 9-10; for JRNL in 20-79 and 17-18.
  private mutating func text(_ record: String, _ text: String, isJournal: Bool = false) {
    for (index, part) in Self.wrapped(text.replacingLineEnds(), isJournal ? 60 : 69).enumerated() {
      let number = index == 0 ? "  " : Self.padded("\(index + 1)", 2)
      line(Self.filled(record, isJournal ? 16 : 8) + number + (isJournal || index > 0 ? " " : "") + part)
    }
  }

  /// Writes `TOKEN: value;` entries, each on its own line.
  private mutating func list(_ record: String, _ entries: [(String, String)]) {
    var number = 0
    for (token, value) in entries {
      for part in Self.wrapped(token + ": " + value.replacingLineEnds() + ";", 69) {
        number += 1
        line(record + " " + (number == 1 ? "   " : Self.padded("\(number)", 3) + " ") + part)
      }
    }
  }

  /// The compounds that are polymers of chains; all of them if none has chains.
  private var described: [Compound] {
    let polymers = structure.metadata.compounds.filter { !$0.chains.isEmpty }
    return polymers.isEmpty ? structure.metadata.compounds : polymers
  }

  private func compounds() -> [(String, String)] {
    described.enumerated().flatMap { index, compound in
      var entries = [("MOL_ID", compound.id.isEmpty ? "\(index + 1)" : compound.id)]
      if !compound.name.isEmpty { entries.append(("MOLECULE", compound.name)) }
      if !compound.chains.isEmpty { entries.append(("CHAIN", compound.chains.joined(separator: ", "))) }
      return entries + Self.tokens(compound.details, Self.compoundTokens)
    }
  }

  private func sources() -> [(String, String)] {
    described.enumerated().flatMap { index, compound in
      let others = Self.tokens(compound.sourceDetails, Self.sourceTokens)
      guard !compound.organism.isEmpty || !others.isEmpty else { return [(String, String)]() }
      var entries = [("MOL_ID", compound.id.isEmpty ? "\(index + 1)" : compound.id)]
      if !compound.organism.isEmpty { entries.append(("ORGANISM_SCIENTIFIC", compound.organism)) }
      return entries + others
    }
  }

  /// Returns the details with a token of the format; those of other formats (data items) have none.
  private static func tokens(_ details: [Compound.Detail], _ known: Set<String>) -> [(String, String)] {
    details.filter { known.contains($0.token) }.map { ($0.token, $0.value) }
  }

  private static let compoundTokens: Set<String> = [
    "FRAGMENT", "SYNONYM", "EC", "ENGINEERED", "MUTATION", "OTHER_DETAILS", "BIOLOGICAL_UNIT",
  ]
  private static let sourceTokens: Set<String> = [
    "SYNTHETIC", "ORGANISM_COMMON", "ORGANISM_TAXID", "STRAIN", "VARIANT", "CELL_LINE", "ATCC", "ORGAN", "TISSUE",
    "CELL",
    "ORGANELLE", "SECRETION", "CELLULAR_LOCATION", "PLASMID", "GENE", "EXPRESSION_SYSTEM",
    "EXPRESSION_SYSTEM_COMMON", "EXPRESSION_SYSTEM_TAXID", "EXPRESSION_SYSTEM_STRAIN", "EXPRESSION_SYSTEM_PLASMID",
    "EXPRESSION_SYSTEM_VECTOR", "EXPRESSION_SYSTEM_VECTOR_TYPE", "EXPRESSION_SYSTEM_GENE", "OTHER_DETAILS",
  ]

  private mutating func writeCitation(_ citation: Citation) {
    text("JRNL        AUTH", citation.authors.joined(separator: ","), isJournal: true)
    text("JRNL        TITL", citation.title, isJournal: true)
    text("JRNL        REF ", citation.reference, isJournal: true)
    text("JRNL        PMID", citation.pubMed, isJournal: true)
    text("JRNL        DOI ", citation.doi, isJournal: true)
  }

  /// Writes REMARK 350, with author names of chains: label names of mmCIF become those of their chains.
  private mutating func writeAssemblies() {
    for (index, assembly) in structure.assemblies.enumerated() {
      line("REMARK 350")
      line("REMARK 350 BIOMOLECULE: " + (Int(assembly.id) != nil ? assembly.id : "\(index + 1)"))
      let size = assembly.oligomericDetails.uppercased()
      let isSoftwareAlone = assembly.details == "software_defined_assembly"
      if !size.isEmpty, !isSoftwareAlone { line("REMARK 350 AUTHOR DETERMINED BIOLOGICAL UNIT: \(size)") }
      if !size.isEmpty, isSoftwareAlone || assembly.details == "author_and_software_defined_assembly" {
        line("REMARK 350 SOFTWARE DETERMINED QUATERNARY STRUCTURE: \(size)")
      }
      var serial = 1
      for part in assembly.parts { write(part, &serial) }
    }
  }

  private mutating func write(_ part: AssemblyPart, _ serial: inout Int) {
    let names = authorNames(part)
    for (index, part) in Self.wrapped(names.joined(separator: ", "), 36).enumerated() {
      line("REMARK 350 " + (index == 0 ? "APPLY THE FOLLOWING TO CHAINS: " : "                   AND CHAINS: ") + part)
    }
    for transform in part.operators {
      for (row, vector) in [transform.row0, transform.row1, transform.row2].enumerated() {
        line(
          "REMARK 350   BIOMT\(row + 1)" + Self.padded("\(serial)", 4) + Self.matrixColumns(vector)
            + Self.padded(DecimalText.fixed(transform.translation[row], 5), 15))
      }
      serial += 1
    }
  }

  /// Returns a row of a matrix in three fields of ten columns.
  private static func matrixColumns(_ row: SIMD3<Double>) -> String {
    (0..<3).map { padded(DecimalText.fixed(row[$0], 6), 10) }.joined()
  }

  private func authorNames(_ part: AssemblyPart) -> [String] {
    guard part.usesLabels, let model = structure.models.first else { return part.chains }
    let chains = structure.chains[model.chains]
    guard chains.contains(where: { !$0.labels.isEmpty }) else { return part.chains }
    let labels = Set(part.chains)
    return chains.filter { !labels.isDisjoint(with: $0.labels) }.map(\.name)
  }

  /// Returns a text split at blanks and commas into parts of at most a number of bytes; parts without either are split
  /// when full.
  private static func wrapped(_ text: String, _ width: Int) -> [String] {
    var remaining = Array(text.utf8)
    var parts: [String] = []
    while remaining.count > width {
      var end = width
      // Split after a blank, else a comma, so that joining the parts restores the text.
      if let split = remaining[..<width].lastIndex(of: 32) ?? remaining[..<width].lastIndex(of: 44) { end = split + 1 }
      // Never inside a multibyte character.
      while end > 1, remaining[end] & 0xC0 == 0x80 { end -= 1 }
      parts.append(String(decoding: remaining[..<end], as: UTF8.self))
      remaining.removeFirst(end)
    }
    if !remaining.isEmpty { parts.append(String(decoding: remaining, as: UTF8.self)) }
    return parts
  }

  static func filled(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.utf8.count))
  }

  // MARK: Records between the title section and the coordinates

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
      line(
        "\(record)\(row + 1) " + Self.padded(number, 3) + Self.matrixColumns(vector) + "     "
          + Self.padded(DecimalText.fixed(transform.translation[row], 5), 10) + (isGiven ? "    1" : ""))
    }
  }
}
