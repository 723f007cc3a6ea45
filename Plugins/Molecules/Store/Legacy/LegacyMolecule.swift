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
    text.utf8.split(separator: UInt8(ascii: ",")).map { part in
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

/// Builds a structure from rows that have elements, positions and kinds of residues, but neither names nor residue
/// numbers.
///
/// A residue begins where the kind changes, and within a run of amino acids of one kind at every N C C O, of nucleotides at
/// every phosphorus, of water at every oxygen. Backbone atoms have their names, the others element and number.
private struct LegacyStructureBuilder {
  private struct Row {
    var model: Int
    var residue: Int
    var element: Element
    var position: SIMD3<Double>
  }

  private struct BondRow {
    var model: Int
    var type: Int
    var start: SIMD3<Double>
    var end: SIMD3<Double>
  }

  private var rows: [Row] = []
  private var bonds: [BondRow] = []

  mutating func add(model: Int, residue: Int, element: Int, _ position: SIMD3<Double>) {
    let limit = 1e8
    // NaN fails all three comparisons.
    guard abs(position.x) < limit, abs(position.y) < limit, abs(position.z) < limit else { return }
    rows.append(Row(model: model, residue: residue, element: LegacyCodes.element(element), position: position))
  }

  mutating func addBond(model: Int, type: Int, _ start: SIMD3<Double>, _ end: SIMD3<Double>) {
    bonds.append(BondRow(model: model, type: type, start: start, end: end))
  }

  /// Returns the structure; without atoms if there were no rows.
  func finished() -> Structure {
    var builder = StructureBuilder(expectedAtoms: rows.count)
    let chain = builder.chainNames.intern("A")
    // Version 1.2 stored every atom as serine: then the codes are meaningless.
    let codesAreUsable = rows.contains { $0.residue != LegacyCodes.serine && $0.residue != LegacyCodes.water }
    var (model, number, residueStart) = (Int.min, Int32(0), 0)
    var counts: [Element: Int] = [:]
    for index in rows.indices {
      let row = rows[index]
      if row.model != model {
        builder.beginModel(number: row.model)
        (model, number, residueStart) = (row.model, 1, index)
        counts.removeAll()
      } else if codesAreUsable, beginsResidue(index, from: residueStart) {
        number += 1
        residueStart = index
        counts.removeAll()
      }
      let code = codesAreUsable ? row.residue : 0
      var record = AtomRecord()
      (record.x, record.y, record.z) = (row.position.x, row.position.y, row.position.z)
      record.element = row.element
      record.serial = Int32(truncatingIfNeeded: index + 1)
      counts[row.element, default: 0] += 1
      record.name = builder.names.intern(name(index, from: residueStart, code, counts[row.element] ?? 1))
      record.residueName = builder.names.intern(LegacyCodes.residue(code))
      record.residueNumber = number
      record.chain = chain
      record.isHetero = code == 0 || code == LegacyCodes.water
      builder.add(record)
    }
    var structure = Structure()
    builder.finish(into: &structure)
    addBonds(to: &structure)
    ResidueKinds.assign(to: &structure, polymerResidues: nil)
    return structure
  }

  /// Returns true if a residue begins with an atom that is not the first of its model.
  private func beginsResidue(_ index: Int, from start: Int) -> Bool {
    let row = rows[index]
    guard row.residue == rows[index - 1].residue else { return true }
    switch row.residue {
    case LegacyCodes.water: return row.element == .oxygen
    case 1...8: return row.element == .phosphorus && index - start > 3
    case 9...28: return index - start > 3 && isBackbone(index)
    default: return false
    }
  }

  /// Returns true if the next elements are N, C, C, O.
  private func isBackbone(_ index: Int) -> Bool {
    let pattern: [Element] = [.nitrogen, .carbon, .carbon, .oxygen]
    guard index + 3 < rows.count else { return false }
    return (0..<4).allSatisfy { rows[index + $0].element == pattern[$0] }
  }

  private func name(_ index: Int, from start: Int, _ code: Int, _ count: Int) -> String {
    if (9...28).contains(code), index - start < 4, isBackbone(start) { return ["N", "CA", "C", "O"][index - start] }
    if code == LegacyCodes.water, rows[index].element == .oxygen { return "O" }
    if (1...8).contains(code), rows[index].element == .phosphorus { return "P" }
    return "\(rows[index].element.symbol.uppercased())\(count)"
  }

  /// Finds the atoms of the bonds by their positions, which the database stores instead of numbers.
  private func addBonds(to structure: inout Structure) {
    var atoms: [Position: Int32] = [:]
    for model in structure.models {
      for atom in model.atoms {
        atoms[Position(model.number, structure.atoms.position(atom))] = Int32(atom)
      }
    }
    var found: [StatedBond] = []
    for bond in bonds {
      guard let first = atoms[Position(bond.model, bond.start)], let second = atoms[Position(bond.model, bond.end)],
        first != second
      else { continue }
      found.append(
        StatedBond(first: min(first, second), second: max(first, second), order: LegacyCodes.order(bond.type)))
    }
    found.sort { ($0.first, $0.second) < ($1.first, $1.second) }
    // Each CONECT bond was stored from both ends.
    structure.statedBonds = found.enumerated().filter { index, bond in
      index == 0 || found[index - 1].first != bond.first || found[index - 1].second != bond.second
    }.map(\.element)
    structure.statesAllBonds = !structure.statedBonds.isEmpty
  }

  /// A position in a model, to a thousandth of an ångström.
  private struct Position: Hashable {
    var model: Int
    var x: Int
    var y: Int
    var z: Int

    init(_ model: Int, _ position: SIMD3<Double>) {
      func rounded(_ value: Double) -> Int { abs(value) < 1e9 ? Int((value * 1000).rounded()) : 0 }
      self.model = model
      (x, y, z) = (rounded(position.x), rounded(position.y), rounded(position.z))
    }
  }
}
