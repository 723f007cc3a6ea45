import PluginStore

/// The rows of a molecule in a database of the original application.
struct LegacyMolecule: Sendable {
  /// The file name as stored by the original application, with or without extensions.
  var file: String
  /// Title, compound and metadata.
  var metadata = StructureMetadata()
  /// Lines of residue names.
  var sequence = ""
  /// The structure of its atoms and bonds; names of atoms are deduced, since the database has none.
  var structure: Structure

  /// Returns all molecules of a database.
  static func all(_ connection: PluginStore.Connection) throws -> [LegacyMolecule] {
    let heads = try connection.list("SELECT id, filename, title, compound FROM molecules ORDER BY id") { row in
      (id: row.integer(0), file: row.text(1), title: row.text(2), compound: row.text(3))
    }
    return try heads.map { head in
      var molecule = LegacyMolecule(file: head.file, structure: try structure(head.id, connection))
      molecule.metadata.title = plain(head.title)
      if !head.compound.isEmpty { molecule.metadata.compounds = [Compound(id: "1", name: plain(head.compound))] }
      try molecule.readMetadata(head.id, connection)
      molecule.structure.metadata = molecule.metadata
      return molecule
    }
  }

  /// Returns a text with pairs of apostrophes reduced to one: the original application doubled them before binding.
  private static func plain(_ text: String) -> String {
    var bytes: [UInt8] = []
    var isSecond = false
    for byte in text.utf8 {
      if byte == 39, isSecond {
        isSecond = false
        continue
      }
      isSecond = byte == 39
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func readMetadata(_ id: Int, _ connection: PluginStore.Connection) throws {
    var (authors, journalAuthors) = ([String](), [String]())
    try connection.forEach("SELECT type, value FROM metadata WHERE molecule = ? ORDER BY id", [id]) { row in
      let text = Self.plain(row.text(1))
      switch LegacyCodes.MetadataType(rawValue: row.integer(0)) {
      case .source:
        if metadata.compounds.isEmpty { metadata.compounds = [Compound(id: "1")] }
        metadata.compounds[0].organism = text
      case .author: authors += Self.names(text)
      case .journalAuthor: journalAuthors += Self.names(text)
      case .journalTitle: metadata.citation.title = text
      case .journalReference: metadata.citation.reference = text
      case .sequence: sequence = text
      case nil: break
      }
    }
    metadata.authors = authors
    metadata.citation.authors = journalAuthors
  }

  private static func names(_ text: String) -> [String] {
    text.utf8.split(separator: 44).map { part in
      var bytes = part[...]
      while bytes.first == 32 { bytes.removeFirst() }
      return String(Substring(bytes))
    }
  }

  private static func structure(_ id: Int, _ connection: PluginStore.Connection) throws -> Structure {
    var builder = LegacyStructureBuilder()
    try connection.forEach(
      "SELECT structure, residue, element, x, y, z FROM atoms WHERE molecule = ? ORDER BY structure, id", [id]
    ) { row in
      builder.add(
        model: row.integer(0), residue: row.integer(1), element: row.integer(2),
        SIMD3(row.number(3), row.number(4), row.number(5)))
    }
    try connection.forEach(
      """
      SELECT structure, bond_type, start_x, start_y, start_z, end_x, end_y, end_z FROM bonds WHERE molecule = ?
      ORDER BY structure, id
      """, [id]
    ) { row in
      builder.addBond(
        model: row.integer(0), type: row.integer(1), SIMD3(row.number(2), row.number(3), row.number(4)),
        SIMD3(row.number(5), row.number(6), row.number(7)))
    }
    return builder.finished()
  }
}
