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

  /// Returns the same as ``snapshot()``, but blocks the calling thread.
  func snapshotAndWait() throws -> LibrarySnapshot {
    try readAndWait { try Self.snapshot($0) }
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

  /// Returns the metadata of a molecule, read only on demand; blocks the calling thread.
  func metadataAndWait(of id: Int) throws -> [MetadataEntry] {
    try readAndWait { connection in
      try connection.list(
        "SELECT section, label, value FROM metadata WHERE molecule = ? ORDER BY position", [id]
      ) { row in
        MetadataEntry(
          group: MetadataEntry.Group(rawValue: row.integer(0)) ?? .description, label: row.text(1), text: row.text(2))
      }
    }
  }

  /// Returns the structure and bonds of a molecule; blocks the calling thread.
  ///
  /// - Throws: ``LibraryError/unknownMolecule``; ``ColumnError`` if a piece is damaged or of another version.
  func molecule(_ id: Int) throws -> Molecule {
    let stored = try readAndWait { try Self.stored(id, $0) }
    let structure = try StructureCoding.structure(from: stored.pieces)
    guard stored.bonds.count == structure.models.count else { throw ColumnError.unexpected(offset: 0) }
    var bonds: [[Bond]] = []
    for bytes in stored.bonds {
      bonds.append(try StructureCoding.bonds(from: bytes, atomCount: structure.atoms.count))
    }
    return Molecule(id: id, format: stored.format, file: stored.file, structure: structure, bonds: bonds)
  }

  private struct Stored: Sendable {
    var format: String
    var file: String
    var pieces = StructureCoding.Pieces()
    var bonds: [[UInt8]] = []
  }

  private static func stored(_ id: Int, _ connection: PluginStore.Connection) throws -> Stored {
    let head = try connection.first("SELECT format, file FROM molecule WHERE id = ?", [id]) {
      Stored(format: $0.text(0), file: $0.text(1))
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
