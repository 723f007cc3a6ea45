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
  mutating func text(_ record: String, _ text: String, isJournal: Bool = false) {
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
        let matrix = (0..<3).map { Self.padded(DecimalText.fixed(vector[$0], 6), 10) }.joined()
        line(
          "REMARK 350   BIOMT\(row + 1)" + Self.padded("\(serial)", 4) + matrix
            + Self.padded(DecimalText.fixed(transform.translation[row], 5), 15))
      }
      serial += 1
    }
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
  static func wrapped(_ text: String, _ width: Int) -> [String] {
    var rest = Array(text.utf8)
    var parts: [String] = []
    while rest.count > width {
      var end = width
      // Split after a blank, else a comma, so that joining the parts restores the text.
      if let place = rest[..<width].lastIndex(of: 32) ?? rest[..<width].lastIndex(of: 44) { end = place + 1 }
      // Never inside a multibyte character.
      while end > 1, rest[end] & 0xC0 == 0x80 { end -= 1 }
      parts.append(String(decoding: rest[..<end], as: UTF8.self))
      rest.removeFirst(end)
    }
    if !rest.isEmpty { parts.append(String(decoding: rest, as: UTF8.self)) }
    return parts
  }

  static func filled(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.utf8.count))
  }
}

extension PDBDate {
  /// Returns the date `YYYY-MM-DD` as `DD-MMM-YY`; a date of another form unchanged.
  static func pdb(_ text: String) -> String {
    let parts = text.split(separator: "-")
    guard parts.count == 3, parts[0].utf8.count == 4, let month = Int(parts[1]), (1...12).contains(month) else {
      return text
    }
    let names = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
    return "\(parts[2])-\(names[month - 1])-\(parts[0].suffix(2))"
  }
}
