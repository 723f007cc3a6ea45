import PluginAPI
import PluginPostgres
import PluginStore

/// A library that several users share in a PostgreSQL database.
///
/// A molecule and its original are committed together, so that there is nothing to complete after an interruption.
struct SharedLibrary: LibraryBackend, SharedContent {
  /// The name of the user's own setting for the last viewed molecule of the shared library.
  static let lastViewed = "last-viewed-shared"
  private static let schema = "molecules_library"

  /// The address as the user gave it.
  private let address: String
  private let local: LocalLibrary
  private let store: PostgresStore

  /// Creates the library without connecting.
  ///
  /// - Parameters:
  ///   - address: The address of the database.
  ///   - local: The user's own library, which stores data of this user alone.
  ///   - isOffline: True if no connection is allowed.
  ///   - onChange: Called after every change made here; after those by any user once ``listen()`` was called.
  init(
    _ address: String, local: LocalLibrary, isOffline: Bool, onChange: @escaping @Sendable () -> Void
  ) throws {
    self.local = local
    self.address = address
    store = PostgresStore(
      name: LibraryStore.storeName, address: try PostgresAddress(address), schema: Self.schema,
      migrations: SharedLibraryMigrations.all, isOffline: isOffline, onChange: onChange)
  }

  func listen() { store.listen() }
  func close() async { await store.close() }

  private func read<R: Sendable>(_ body: @escaping @Sendable (PostgresConnection) throws -> R) async throws -> R {
    try await store.read(body)
  }

  private func write<R: Sendable>(_ body: @escaping @Sendable (PostgresConnection) throws -> R) async throws -> R {
    try await store.write(body)
  }
}

// MARK: Reading

extension SharedLibrary {
  /// Returns the molecules.
  ///
  /// Only users who may write are asked to read outdated molecules again. A shared library has no starters.
  func snapshot() async throws -> LibrarySnapshot {
    var snapshot = try await read { connection in
      var snapshot = LibrarySnapshot(isInitialised: true)
      let isWriter = try connection.value("SELECT has_table_privilege('molecule', 'UPDATE')").boolean == true
      try connection.forEach("SELECT \(MoleculeSummary.columns), reading FROM molecule ORDER BY id") { row in
        let molecule = MoleculeSummary(integer: row.integer, text: row.text)
        snapshot.molecules.append(molecule)
        if isWriter, row.integer(13) < LibraryStore.reading { snapshot.outdated.append(molecule) }
      }
      return snapshot
    }
    // The shared library is usable even if the user's own database is not.
    let lastViewed = (try? await local.setting(Self.lastViewed)).flatMap { $0 }.flatMap { Int($0) }
    snapshot.lastViewed = snapshot.molecules.first { $0.id == lastViewed }?.id
    return snapshot
  }

  func metadata(of id: Int) async throws -> [MetadataEntry] {
    try await read { connection in
      try connection.rows(
        "SELECT section, label, value FROM metadata WHERE molecule = $1 ORDER BY position", [.integer(id)]
      ).map { row in
        MetadataEntry(
          group: MetadataEntry.Group(rawValue: row.integer(0)) ?? .description, label: row.text(1),
          text: row.text(2))
      }
    }
  }

  func molecule(_ id: Int) async throws -> StoredMolecule {
    try await read { connection in
      let head = try connection.first("SELECT format, file FROM molecule WHERE id = $1", [.integer(id)])
      guard let head else { throw LibraryError.unknownMolecule(id) }
      var stored = StoredMolecule(id: id, format: head.text(0), file: head.text(1))
      try connection.forEach(
        "SELECT kind, content FROM piece WHERE molecule = $1 ORDER BY kind, model", [.integer(id)]
      ) { row in
        // The schema permits no other kinds.
        guard let kind = MoleculePiece.Kind(rawValue: row.text(0)) else { return }
        stored.add(kind, row.bytes(1))
      }
      return stored
    }
  }

  func original(of molecule: MoleculeSummary) async throws -> [UInt8] {
    try await read { connection in
      var bytes: [UInt8] = []
      try connection.forEach(
        """
        SELECT bytes FROM original JOIN molecule ON digest = file_digest WHERE id = $1 ORDER BY part
        """, [.integer(molecule.id)]
      ) { bytes += $0.bytes(0) }
      if bytes.isEmpty {
        throw LibraryError.originalUnreadable(file: molecule.file, reason: "the database does not have it")
      }
      return bytes
    }
  }

  /// Returns the molecules that have all words, or words with these prefixes: a code has the most weight, keywords the
  /// least.
  ///
  /// - Source: PostgreSQL 15, section 12.3.3; the weights are in the order D, C, B, A.
  func matches(_ words: [String]) async throws -> [Int] {
    let query = LibraryWords.query(words)
    return try await read { connection in
      try connection.rows(
        """
        SELECT id FROM molecule WHERE words @@ $1::tsquery
          ORDER BY ts_rank('{0.125, 0.25, 0.5, 1}', words, $1::tsquery) DESC, id
        """, [.text(query)]
      ).map { $0.integer(0) }
    }
  }

  func digests() async throws -> [String: Int] {
    let rows = try await read { try $0.rows("SELECT file_digest, id FROM molecule") }
    return Dictionary(rows.map { ($0.text(0), $0.integer(1)) }) { first, _ in first }
  }

  func id(ofSource source: String) async throws -> Int? {
    try await read { connection in
      try connection.value("SELECT id FROM molecule WHERE source = $1 ORDER BY id LIMIT 1", [.text(source)]).integer
    }
  }

  /// Returns nothing: files in a user's folder of originals belong to the user's own library.
  func strayFiles(_ snapshot: LibrarySnapshot) async throws -> [String] { [] }
}

// MARK: Writing

extension SharedLibrary {
  func add(_ new: NewMolecule) async throws -> (id: Int, wasKnown: Bool) {
    try await write { connection in
      let entry = new.entry
      while true {
        let known = try connection.value("SELECT id FROM molecule WHERE file_digest = $1", [.text(new.digest)])
        // Another user may add or delete the molecule at any moment.
        if let id = known.integer {
          if try Self.rewrite(id, entry, connection) {
            try Self.insertOriginal(of: entry, connection)
            return (id, true)
          }
        } else if let id = try Self.insert(entry, connection) {
          return (id, false)
        }
      }
    }
  }

  func replace(_ id: Int, by new: NewMolecule) async throws {
    try await write { connection in
      if try !Self.rewrite(id, new.entry, connection) { throw LibraryError.unknownMolecule(id) }
    }
  }

  /// Inserts a molecule.
  ///
  /// - Returns: Its number; nil if another user has added it in the meantime.
  private static func insert(_ entry: LibraryEntry, _ connection: PostgresConnection) throws -> Int? {
    let inserted = try connection.value(
      """
      INSERT INTO molecule (code, title, compound, format, models, chains, residues, atoms, bonds, reading, words,
        added_seconds, added_nanoseconds, file, file_size, file_digest, source)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::tsvector, $12, $13, $14, $15, $16, $17)
        ON CONFLICT (file_digest) DO NOTHING RETURNING id
      """,
      values(of: entry) + [
        .integer(Int(entry.summary.addedAt.seconds)), .integer(Int(entry.summary.addedAt.nanoseconds)),
        .text(entry.summary.file), .integer(entry.size), .text(entry.digest), .text(entry.source),
      ])
    guard let id = inserted.integer else { return nil }
    try insertParts(of: entry, id: id, connection)
    try insertOriginal(of: entry, connection)
    return id
  }

  /// Replaces everything that was read of a molecule's file.
  ///
  /// - Returns: False if the molecule is not there.
  private static func rewrite(_ id: Int, _ entry: LibraryEntry, _ connection: PostgresConnection) throws -> Bool {
    let count = try connection.execute(
      """
      UPDATE molecule SET code = $1, title = $2, compound = $3, format = $4, models = $5, chains = $6, residues = $7,
        atoms = $8, bonds = $9, reading = $10, words = $11::tsvector WHERE id = $12
      """, values(of: entry) + [.integer(id)])
    if count == 0 { return false }
    try connection.execute("DELETE FROM metadata WHERE molecule = $1", [.integer(id)])
    try connection.execute("DELETE FROM piece WHERE molecule = $1", [.integer(id)])
    try insertParts(of: entry, id: id, connection)
    return true
  }

  /// The values of a molecule's row that were read from its file.
  private static func values(of entry: LibraryEntry) -> [PostgresValue] {
    let (summary, counts) = (entry.summary, entry.summary.counts)
    return [
      .text(summary.code), .text(summary.title), .text(summary.compound), .text(summary.format),
      .integer(counts.models), .integer(counts.chains), .integer(counts.residues), .integer(counts.atoms),
      .integer(counts.bonds), .integer(entry.reading), .text(LibraryWords.vector(of: entry)),
    ]
  }

  private static func insertParts(of entry: LibraryEntry, id: Int, _ connection: PostgresConnection) throws {
    try connection.copyIn("COPY metadata (molecule, position, section, label, value) FROM STDIN") { write in
      for (position, line) in entry.metadata.enumerated() {
        try write([
          .integer(id), .integer(position), .integer(line.group.rawValue), .text(line.label), .text(line.text),
        ])
      }
    }
    for piece in entry.pieces {
      try connection.execute(
        "INSERT INTO piece (molecule, kind, model, content) VALUES ($1, $2, $3, $4)",
        [.integer(id), .text(piece.kind.rawValue), .integer(piece.model), .bytes(piece.content)])
    }
  }

  /// Stores the original of a molecule, also in place of one that was lost or damaged on the server.
  private static func insertOriginal(of entry: LibraryEntry, _ connection: PostgresConnection) throws {
    guard let original = entry.original else { return }
    for (part, start) in stride(from: 0, to: original.count, by: partSize).enumerated() {
      try connection.execute(
        """
        INSERT INTO original (digest, part, bytes) VALUES ($1, $2, $3)
          ON CONFLICT (digest, part) DO UPDATE SET bytes = excluded.bytes WHERE original.bytes <> excluded.bytes
        """,
        [
          .text(entry.digest), .integer(part),
          .bytes(Array(original[start..<min(start + partSize, original.count)])),
        ])
    }
  }

  /// The size of a row of an original, in bytes.
  private static let partSize = 1 << 20

  func keepReading(of id: Int) async throws {
    _ = try await write { connection in
      try connection.execute(
        "UPDATE molecule SET reading = $1 WHERE id = $2", [.integer(LibraryStore.reading), .integer(id)])
    }
  }

  /// Deletes a molecule with everything that belongs to it; users who are not owners delete only what they added.
  func delete(_ id: Int) async throws {
    try await write { connection in
      if try connection.execute("DELETE FROM molecule WHERE id = $1", [.integer(id)]) > 0 { return }
      let user = try connection.value("SELECT added_by FROM molecule WHERE id = $1", [.integer(id)]).text
      if let user { throw LibraryStore.sharingErrors.addedByOther("molecule '\(id)'", user: user) }
      throw LibraryError.unknownMolecule(id)
    }
  }

  func setLastViewed(_ id: Int) async throws {
    let found = try await read { try $0.value("SELECT 1 FROM molecule WHERE id = $1", [.integer(id)]) }
    if found == .null { throw LibraryError.unknownMolecule(id) }
    try await local.set(Self.lastViewed, String(id))
  }
}

// MARK: Maintenance

extension SharedLibrary {
  /// Returns the molecules whose originals are missing or changed on the server, which computes the digests.
  func check() async throws -> [Diagnostic] {
    try await read { try Self.faults($0, among: nil).map(\.finding) }
  }

  /// - Parameter digests: The molecules to check; nil for all.
  private static func faults(
    _ connection: PostgresConnection, among digests: [String]?
  ) throws -> [(digest: String, finding: Diagnostic)] {
    var faults: [(String, Diagnostic)] = []
    try connection.forEach(
      """
      SELECT file, file_digest, encode(sha256(whole.bytes), 'hex') FROM molecule LEFT JOIN LATERAL (
          SELECT string_agg(bytes, ''::bytea ORDER BY part) AS bytes FROM original WHERE digest = file_digest
        ) AS whole ON true
        WHERE $1::text[] IS NULL OR file_digest = ANY ($1::text[]) ORDER BY id
      """, [digests.map { .text("{" + $0.joined(separator: ",") + "}") } ?? .null]
    ) { row in
      let (file, digest) = (row.text(0), row.text(1))
      if row.isNull(2) {
        faults.append((digest, OriginalFault.missing(file)))
      } else if row.text(2) != digest {
        faults.append((digest, OriginalFault.changed(file)))
      }
    }
    return faults
  }

  /// Returns the molecules and their metadata; the parts and originals are binary and omitted.
  func export() async throws -> Value {
    try await store.export([
      PostgresTable(
        "metadata", columns: ["molecule", "position", "section", "label", "value"], order: "molecule, position"),
      PostgresTable(
        "molecule",
        columns: [
          "id", "code", "title", "compound", "format", "models", "chains", "residues", "atoms", "bonds",
          "added_seconds", "added_nanoseconds", "file", "file_size", "file_digest", "source", "reading", "added_by",
        ], order: "id"),
    ])
  }

  func backup(to path: String) async throws {
    throw LibraryStore.sharingErrors.shared(at: address, "backed up to a file", use: "'pg_dump'")
  }

  func restore(from path: String) async throws {
    throw LibraryStore.sharingErrors.shared(at: address, "replaced by a backup")
  }

  func replaceByOriginals() async throws -> LibraryReplacement {
    throw LibraryStore.sharingErrors.shared(at: address, "rebuilt from files")
  }
}

// MARK: Sharing

extension SharedLibrary {
  /// The number of bytes after which a batch of copied molecules is committed.
  private static let batchSize = 8 << 20

  /// Copies the molecules that the database lacks, and verifies their originals there; a user who may only read copies
  /// nothing.
  ///
  /// Each batch is one transaction, so that an interrupted copy has whole molecules only and can be repeated.
  /// - Throws: `molecules.copy-differs`, also if the server drops molecules.
  func receive(
    _ library: LocalLibrary, progress: @escaping @Sendable (Progress) -> Void
  ) async throws -> SharedStoreSummary {
    progress(Progress("preparing the database"))
    try await store.migrate()
    var copied = 0
    var before: [String] = []
    while true {
      // The user's other programs may import during the copy.
      let own = try await library.digests()
      let present = try await digests()
      let missing = own.filter { present[$0.key] == nil }.sorted { $0.value < $1.value }.map(\.key)
      // All of these were stored, or known to the server, a moment ago.
      if !missing.isEmpty, missing == before { throw try await Self.copyDiffers(missing, of: library) }
      before = missing
      if missing.isEmpty {
        progress(Progress("verifying the original files"))
        try await verify(own.keys.sorted(), of: library)
        return SharedStoreSummary(copied: copied, known: max(0, own.count - copied))
      }
      if try await !mayAdd() {
        return SharedStoreSummary(copied: 0, known: own.count - missing.count, notCopied: missing.count)
      }
      copied += try await copy(missing, of: library, progress: progress)
    }
  }

  private func mayAdd() async throws -> Bool {
    try await read { try $0.value("SELECT has_table_privilege('molecule', 'INSERT')").boolean == true }
  }

  /// - Returns: The number of molecules that no other user has added in the meantime.
  private func copy(
    _ digests: [String], of library: LocalLibrary, progress: @Sendable (Progress) -> Void
  ) async throws -> Int {
    var copied = 0
    var batch: [LibraryEntry] = []
    var size = 0
    for (index, digest) in digests.enumerated() {
      try Task.checkCancellation()
      progress(Progress("copying molecules", fraction: Double(index) / Double(digests.count)))
      if let entry = try await library.entry(withDigest: digest) {
        batch.append(entry)
        size += entry.storedSize
      }
      guard size >= Self.batchSize || index == digests.count - 1 else { continue }
      let complete = batch
      copied += try await write { connection in
        // Users who share the same molecules in different orders would wait for each other.
        try connection.execute("LOCK TABLE molecule IN SHARE ROW EXCLUSIVE MODE")
        return try complete.count { try Self.insert($0, connection) != nil }
      }
      (batch, size) = ([], 0)
    }
    return copied
  }

  /// Compares originals on the server with their digests; stores those again that differ and that the library has.
  private func verify(_ digests: [String], of library: LocalLibrary) async throws {
    var differing: [LibraryEntry] = []
    for attempt in 1...2 {
      differing = []
      for fault in try await read({ try Self.faults($0, among: digests) }) {
        guard let entry = try await library.entry(withDigest: fault.digest), entry.original != nil else { continue }
        differing.append(entry)
      }
      if differing.isEmpty { return }
      if attempt == 2 { break }
      let entries = differing
      try await write { connection in for entry in entries { try Self.insertOriginal(of: entry, connection) } }
    }
    throw LibraryStore.sharingErrors.copyDiffers(differing.map { "'\($0.summary.file)'" })
  }

  private static func copyDiffers(_ digests: [String], of library: LocalLibrary) async throws -> ErrorReport {
    var files: [String] = []
    for digest in digests {
      if let entry = try await library.entry(withDigest: digest) { files.append("'\(entry.summary.file)'") }
    }
    return LibraryStore.sharingErrors.copyDiffers(files)
  }
}

extension LibraryEntry {
  /// The approximate number of bytes in a database.
  fileprivate var storedSize: Int { pieces.map(\.content.count).reduce(original?.count ?? 0, +) }
}
