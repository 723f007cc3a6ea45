import PluginAPI
import PluginStore

/// The contents of the library at one moment.
struct LibrarySnapshot: Equatable, Sendable {
  /// The molecules, oldest first.
  var molecules: [MoleculeSummary] = []
  /// A Boolean value indicating whether the first start was completed.
  var isInitialised = false
  /// The number of the last viewed molecule.
  var lastViewed: Int?
  /// Files whose removal was started.
  var removals: [String] = []
  /// Molecules that were read by older readers, or into an older schema.
  var outdated: [MoleculeSummary] = []
}

extension LibraryStore {
  /// Returns the molecules and the maintenance tasks of a start, in one access.
  func snapshot() async throws -> LibrarySnapshot {
    try await read { try Self.snapshot($0) }
  }

  private static func snapshot(_ connection: PluginStore.Connection) throws -> LibrarySnapshot {
    var snapshot = LibrarySnapshot()
    try connection.forEach(
      """
      SELECT id, code, title, compound, format, models, chains, residues, atoms, bonds, added_seconds,
        added_nanoseconds, file, reading FROM molecule ORDER BY id
      """
    ) { row in
      let molecule = summary(row)
      snapshot.molecules.append(molecule)
      if row.integer(13) < reading { snapshot.outdated.append(molecule) }
    }
    try connection.forEach("SELECT name, value FROM setting UNION ALL SELECT 'removal', file FROM removal") { row in
      switch row.text(0) {
      case "initialised": snapshot.isInitialised = true
      case "last-viewed": snapshot.lastViewed = Int(row.text(1))
      case "removal": snapshot.removals.append(row.text(1))
      default: break
      }
    }
    return snapshot
  }

  private static func summary(_ row: Row) -> MoleculeSummary {
    let counts = MoleculeCounts(
      models: row.integer(5), chains: row.integer(6), residues: row.integer(7), atoms: row.integer(8),
      bonds: row.integer(9))
    let nanoseconds = Int32(truncatingIfNeeded: min(max(0, row.integer(11)), 999_999_999))
    return MoleculeSummary(
      id: row.integer(0), code: row.text(1), title: row.text(2), compound: row.text(3), format: row.text(4),
      counts: counts, addedAt: Instant(seconds: Int64(row.integer(10)), nanoseconds: nanoseconds), file: row.text(12))
  }

  /// Returns the metadata of a molecule, read only on demand.
  func metadata(of id: Int) async throws -> [MetadataEntry] {
    try await read { connection in
      try connection.list(
        "SELECT section, label, value FROM metadata WHERE molecule = ? ORDER BY position", [id]
      ) { row in
        MetadataEntry(
          group: MetadataEntry.Group(rawValue: row.integer(0)) ?? .description, label: row.text(1), text: row.text(2))
      }
    }
  }

  /// Returns the stored form of a molecule.
  ///
  /// - Throws: ``LibraryError/unknownMolecule``.
  func molecule(_ id: Int) async throws -> StoredMolecule {
    try await read { try Self.molecule(id, $0) }
  }

  private static func molecule(_ id: Int, _ connection: PluginStore.Connection) throws -> StoredMolecule {
    let head = try connection.first("SELECT format, file FROM molecule WHERE id = ?", [id]) {
      StoredMolecule(id: id, format: $0.text(0), file: $0.text(1))
    }
    guard var stored = head else { throw LibraryError.unknownMolecule(id) }
    try connection.forEach("SELECT kind, content FROM piece WHERE molecule = ? ORDER BY kind, model", [id]) { row in
      switch row.text(0) {
      case "hierarchy": stored.pieces.hierarchy = row.bytes(1)
      case "annotations": stored.pieces.annotations = row.bytes(1)
      case "atoms": stored.pieces.atoms.append(row.bytes(1))
      default: stored.bonds.append(row.bytes(1))
      }
    }
    return stored
  }

  /// Returns the files among the originals that belong to no molecule and no removal.
  ///
  /// - Complexity: one listing of the folder; the database is queried only if there is such a file.
  func strayFiles(_ snapshot: LibrarySnapshot) async throws -> [String] {
    let files = originals.files()
    guard !files.isEmpty else { return [] }
    let known = Set(snapshot.molecules.map(\.file) + snapshot.removals)
    let stray = files.filter { !known.contains($0) }.sorted()
    guard !stray.isEmpty else { return [] }
    let refused = try await read { connection in
      try connection.list("SELECT file, size FROM refused_file") { ($0.text(0), $0.integer(1)) }
    }
    return stray.filter { file in
      !refused.contains { $0.0 == file && $0.1 == originals.size(of: file) }
    }
  }
}

/// A molecule in encoded form.
struct StoredMolecule: Sendable {
  fileprivate let id: Int
  fileprivate let format: String
  fileprivate let file: String
  fileprivate var pieces = StructureCoding.Pieces()
  fileprivate var bonds: [[UInt8]] = []

  fileprivate init(id: Int, format: String, file: String) {
    (self.id, self.format, self.file) = (id, format, file)
  }

  /// Decodes structure and bonds, which takes a while for a large molecule.
  ///
  /// - Throws: ``ColumnError`` if a piece is damaged or of another version.
  func decoded() throws -> Molecule {
    let structure = try StructureCoding.structure(from: pieces)
    guard bonds.count == structure.models.count else { throw ColumnError.unexpected(offset: 0) }
    let decoded = try bonds.map { try StructureCoding.bonds(from: $0, atomCount: structure.atoms.count) }
    return Molecule(id: id, format: format, file: file, structure: structure, bonds: decoded)
  }
}
