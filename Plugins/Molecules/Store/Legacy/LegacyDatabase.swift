import Glibc
import PluginStore

/// A database of the original application, version 1.2: `molecules.sql`.
///
/// The file itself is never opened for writing: reading uses a copy, and writing creates a new file that appears under
/// its name only when complete.
struct LegacyDatabase {
  /// The folder for temporary folders with the copy or the new file.
  let scratch: String

  /// Creates a database that uses a folder for its temporary files.
  ///
  /// - Parameter scratch: A folder for temporary files.
  init(scratch: String) { self.scratch = scratch }

  /// The tables as created by the original application, without indexes or references.
  static let schema = """
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

  /// Calls `body` with a temporary folder for a database, which is removed afterward.
  func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
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
    return try await body(folder)
  }

  /// Writes a database of molecules.
  ///
  /// - Parameters:
  ///   - molecules: The molecules in the order of their rows, numbered from 1.
  ///   - finish: Receives the path of the complete file, which is removed when it returns.
  func write(_ molecules: [Molecule], _ finish: (String) throws -> Void) async throws {
    try await withFolder { folder in
      let store = SQLiteStore(name: "molecules.sql", path: folder + "/work.sqlite", migrations: [])
      do {
        try await store.write { connection in
          try connection.execute(script: Self.schema)
          for (index, molecule) in molecules.enumerated() {
            try LegacyRows(molecule, id: index + 1).insert(connection)
          }
        }
        try await store.backup(to: folder + "/finished.sqlite")
      } catch {
        await store.close()
        throw error
      }
      await store.close()
      try finish(folder + "/finished.sqlite")
    }
  }

  /// Reads the molecules of a database.
  ///
  /// - Parameter bytes: The whole file `molecules.sql`.
  /// - Throws: `StoreError` if it is not a database, or lacks the tables of the original.
  func read(_ bytes: [UInt8]) async throws -> [LegacyMolecule] {
    try await withFolder { folder in
      let path = folder + "/work.sqlite"
      try Self.copy(bytes, to: path)
      let store = SQLiteStore(name: "molecules.sql", path: path, migrations: [])
      let result: Result<[LegacyMolecule], any Error>
      do {
        result = .success(try await store.read { try LegacyMolecule.all($0) })
      } catch {
        result = .failure(error)
      }
      await store.close()
      return try result.get()
    }
  }

  private static func copy(_ bytes: [UInt8], to path: String) throws(LibraryError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .originalNotKept(file: path, reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .originalNotKept(file: path, reason: String(cString: strerror(errno))) }
      written += count
    }
  }
}
