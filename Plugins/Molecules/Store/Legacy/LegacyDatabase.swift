import Glibc
import PluginStore

/// A database of the original application, version 1.2: `molecules.sql`.
///
/// The file itself is never opened for writing: reading uses a copy, and writing creates a new file that appears under
/// its name only when complete.
struct LegacyDatabase {
  /// The folder for temporary folders with the copy or the new file.
  let scratch: String

  /// The tables as created by the original application, without indexes or references.
  private static let schema = """
    CREATE TABLE database_settings (version INTEGER);
    CREATE TABLE molecules (id INTEGER PRIMARY KEY, filename TEXT, title TEXT, compound TEXT, format INTEGER,
      atom_count INTEGER, bond_count INTEGER, structure_count INTEGER, centerofmass_x REAL, centerofmass_y REAL,
      centerofmass_z REAL, minimumposition_x REAL, minimumposition_y REAL, minimumposition_z REAL,
      maximumposition_x REAL, maximumposition_y REAL, maximumposition_z REAL);
    CREATE TABLE metadata (id INTEGER PRIMARY KEY, molecule INTEGER, type INTEGER, value TEXT);
    CREATE TABLE atoms (id INTEGER PRIMARY KEY, molecule INTEGER, residue INTEGER, structure INTEGER, element INTEGER,
      x REAL, y REAL, z REAL);
    CREATE TABLE bonds (id INTEGER PRIMARY KEY, molecule INTEGER, residue INTEGER, structure INTEGER, bond_type INTEGER,
      start_x REAL, start_y REAL, start_z REAL, end_x REAL, end_y REAL, end_z REAL);
    INSERT INTO database_settings (version) VALUES (1);
    """

  /// Writes a database of molecules.
  ///
  /// - Parameters:
  ///   - molecules: The molecules in the order of their rows, numbered from 1.
  ///   - finish: Receives the path of the complete file, which is removed when it returns.
  func write(_ molecules: [Molecule], _ finish: (String) throws -> Void) async throws {
    try await withStore { store, folder in
      try await store.write { connection in
        try connection.execute(script: Self.schema)
        for (index, molecule) in molecules.enumerated() {
          try LegacyRows(molecule, id: index + 1).insert(connection)
        }
      }
      try await store.backup(to: folder + "/finished.sqlite")
      try finish(folder + "/finished.sqlite")
    }
  }

  /// Reads the molecules of a database.
  ///
  /// - Parameter bytes: The whole file `molecules.sql`.
  /// - Throws: `StoreError` if it is not a database, or lacks the tables of the original.
  func read(_ bytes: [UInt8]) async throws -> [LegacyMolecule] {
    try await withStore { store, _ in
      let failure = WholeFile.write(bytes, to: store.path, isDurable: false)
      if failure != 0 {
        throw LibraryError.originalNotKept(file: store.path, reason: String(cString: strerror(failure)))
      }
      return try await store.read { try LegacyMolecule.all($0) }
    }
  }

  /// Calls `body` with a store in a temporary folder, which is removed afterward.
  private func withStore<Result>(
    _ body: (_ store: SQLiteStore, _ folder: String) async throws -> Result
  ) async throws -> Result {
    var template = Array((scratch + "/molecules-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      let reason = String(cString: strerror(errno))
      throw LibraryError.originalNotKept(file: scratch, reason: reason)
    }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      for suffix in ["", "-wal", "-shm", "-journal"] {
        for name in ["work.sqlite", "finished.sqlite"] { unlink(folder + "/" + name + suffix) }
      }
      rmdir(folder)
    }
    let store = SQLiteStore(name: "molecules.sql", path: folder + "/work.sqlite", migrations: [])
    do {
      let result = try await body(store, folder)
      await store.close()
      return result
    } catch {
      await store.close()
      throw error
    }
  }
}

/// The rows of one molecule in a database of the original application.
private struct LegacyRows {
  private let molecule: Molecule
  private let structure: Structure
  private let id: Int

  init(_ molecule: Molecule, id: Int) {
    self.molecule = molecule
    structure = molecule.structure
    self.id = id
  }

  /// Inserts all rows; models count from 1.
  func insert(_ connection: PluginStore.Connection) throws {
    try insertMolecule(connection)
    for (type, text) in metadata where !text.isEmpty {
      try connection.execute(
        "INSERT INTO metadata (molecule, type, value) VALUES (?, ?, ?)", [id, type.rawValue, text])
    }
    for model in structure.models.indices {
      try insertAtoms(model, connection)
      try insertBonds(model, connection)
    }
  }

  /// Inserts the row of the molecule: counts, mean and box are those of the first model.
  private func insertMolecule(_ connection: PluginStore.Connection) throws {
    let (metadata, range) = (structure.metadata, structure.models.first?.atoms ?? 0..<0)
    var (sum, low, high) = (SIMD3<Double>(), SIMD3<Double>(), SIMD3<Double>())
    for atom in range {
      let position = structure.atoms.position(atom)
      sum += position
      (low, high) =
        atom == range.lowerBound ? (position, position) : (pointwiseMin(low, position), pointwiseMax(high, position))
    }
    let mean = range.isEmpty ? sum : sum / Double(range.count)
    let numbers = [mean, low, high].flatMap { [$0.x, $0.y, $0.z] as [(any SQLConvertible)?] }
    let texts: [(any SQLConvertible)?] = [
      id, molecule.file, metadata.title, metadata.compounds.first?.name ?? "", 0, range.count,
      molecule.bonds(ofModel: 0).count, structure.models.count,
    ]
    try connection.execute(
      """
      INSERT INTO molecules (id, filename, title, compound, format, atom_count, bond_count, structure_count,
        centerofmass_x, centerofmass_y, centerofmass_z, minimumposition_x, minimumposition_y, minimumposition_z,
        maximumposition_x, maximumposition_y, maximumposition_z)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, texts + numbers)
  }

  private var metadata: [(LegacyCodes.MetadataType, String)] {
    let (data, citation) = (structure.metadata, structure.metadata.citation)
    return [
      (.source, data.compounds.map(\.organism).first { !$0.isEmpty } ?? ""),
      (.author, data.authors.joined(separator: ",")),
      (.journalAuthor, citation.authors.joined(separator: ",")),
      (.journalTitle, citation.title),
      (.journalReference, citation.reference),
      (.sequence, sequenceLines.joined(separator: "\n")),
    ]
  }

  /// Lines of thirteen residue names, as in SEQRES.
  private var sequenceLines: [String] {
    structure.sequences.flatMap { sequence in
      stride(from: 0, to: sequence.residueNames.count, by: 13).map {
        sequence.residueNames[$0..<min($0 + 13, sequence.residueNames.count)].joined(separator: " ")
      }
    }
  }

  private func insertAtoms(_ model: Int, _ connection: PluginStore.Connection) throws {
    let atoms = structure.atoms
    for residue in structure.models[model].residues {
      let row = structure.residues[residue]
      let code = LegacyCodes.code(ofResidue: structure.names[row.name])
      for atom in row.atoms {
        try connection.execute(
          "INSERT INTO atoms (molecule, residue, structure, element, x, y, z) VALUES (?, ?, ?, ?, ?, ?, ?)",
          [
            id, code, model + 1, LegacyCodes.code(of: atoms.element[atom]), atoms.x[atom], atoms.y[atom], atoms.z[atom],
          ])
      }
    }
  }

  private func insertBonds(_ model: Int, _ connection: PluginStore.Connection) throws {
    for bond in molecule.bonds(ofModel: model) {
      let residue = structure.residues[Int(structure.atoms.residue[Int(bond.first)])]
      let ends = [bond.first, bond.second].flatMap { atom in
        let position = structure.atoms.position(Int(atom))
        return [position.x, position.y, position.z] as [(any SQLConvertible)?]
      }
      let codes: [(any SQLConvertible)?] = [
        id, LegacyCodes.code(ofResidue: structure.names[residue.name]), model + 1, LegacyCodes.code(of: bond.order),
      ]
      try connection.execute(
        """
        INSERT INTO bonds (molecule, residue, structure, bond_type, start_x, start_y, start_z, end_x, end_y, end_z)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, codes + ends)
    }
  }
}

/// The integer codes in the database of the original application, version 1.2 of 2008, with later additions.
enum LegacyCodes {
  /// The elements by code; 7 is unknown.
  private static let elements: [(code: Int, symbol: String)] = [
    (0, "C"), (1, "H"), (2, "O"), (3, "N"), (4, "S"), (5, "P"), (6, "Fe"), (8, "Si"), (9, "F"), (10, "Cl"), (11, "Br"),
    (12, "I"), (13, "Ca"), (14, "Zn"), (15, "Cd"), (16, "Na"), (17, "Mg"),
  ]
  static let unknownElement = 7

  /// The residues by code: 0 is unknown, 29 water.
  private static let residues = [
    "UNL", "DA", "DC", "DG", "DT", "A", "C", "G", "U", "GLY", "ALA", "VAL", "LEU", "ILE", "SER", "CYS", "THR", "MET",
    "PRO", "PHE", "TYR", "TRP", "HIS", "LYS", "ARG", "ASP", "GLU", "ASN", "GLN", "HOH",
  ]
  static let serine = 14
  static let water = 29

  private static let codeOfElement: [Element: Int] = {
    var table: [Element: Int] = [.deuterium: 1]
    for (code, symbol) in elements {
      if let element = Element(symbol: symbol) { table[element] = code }
    }
    return table
  }()

  private static let codeOfResidue = Dictionary(
    uniqueKeysWithValues: residues.enumerated().dropFirst().map { ($0.element, $0.offset) })

  static func code(of element: Element) -> Int { codeOfElement[element] ?? unknownElement }

  static func element(_ code: Int) -> Element {
    elements.first { $0.code == code }.flatMap { Element(symbol: $0.symbol) } ?? .unknown
  }

  /// Returns the code of a residue name; variants have that of their template, other residues 0.
  static func code(ofResidue name: String) -> Int {
    codeOfResidue[name] ?? ResidueCatalog.entry(name).flatMap { codeOfResidue[$0.template] } ?? 0
  }

  static func residue(_ code: Int) -> String { residues.indices.contains(code) ? residues[code] : "UNL" }

  /// Returns single 0, double 1, triple 2; the original application wrote 0 only.
  static func code(of order: BondOrder) -> Int {
    switch order {
    case .double: 1
    case .triple: 2
    case .unknown, .single, .aromatic: 0
    }
  }

  static func order(_ code: Int) -> UInt8 { (0...2).contains(code) ? UInt8(code + 1) : 0 }

  /// The type of a row of metadata.
  enum MetadataType: Int {
    case source = 0
    case author = 1
    case journalAuthor = 2
    case journalTitle = 3
    case journalReference = 4
    case sequence = 5
  }
}
