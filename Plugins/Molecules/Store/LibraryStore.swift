internal import CDispatch
import PluginAPI
import PluginStore

/// The library: molecules in one database, and their original files beside it.
///
/// The order of steps keeps it consistent at every moment. Importing stores the file first and then commits the row: a
/// file without a row is imported at the next start. Deleting commits the removal first and then removes the file: an
/// interrupted removal is completed at the next start.
final class LibraryStore: Store {
  static let storeName = "library"
  /// The version of the readers; a molecule read with a lower one is read again from its original.
  ///
  /// Raise it when a reader or the bond perception finds more than before, or when the schema stores more.
  static let reading = 2

  let sqlite: SQLiteStore
  let originals: Originals
  /// The folder of the database, as an absolute path.
  let folder: String
  static let databaseFile = "library.sqlite"
  // A C handle; a queue may be used on any thread.
  private nonisolated(unsafe) static let disk: dispatch_queue_t = dispatch_queue_create("molecules.originals", nil)

  /// Creates the store without opening anything.
  ///
  /// - Parameters:
  ///   - folder: The plugin's data folder, as an absolute path.
  ///   - onChange: Called after every committed change of the molecules.
  init(folder: String, onChange: @escaping @Sendable () -> Void = {}) {
    self.folder = folder
    originals = Originals(folder: folder + "/originals")
    sqlite = SQLiteStore(
      name: Self.storeName, path: folder + "/" + Self.databaseFile, migrations: LibraryMigrations.all
    ) { tables in
      if tables.contains("molecule") { onChange() }
    }
  }

  var name: String { sqlite.name }
  var path: String { sqlite.path }
  var schemaVersion: Int { sqlite.schemaVersion }

  func backup(to path: String) async throws { try await sqlite.backup(to: path) }
  func export() async throws -> Value { try await sqlite.export() }
  func close() async { await sqlite.close() }

  /// Works on the originals outside of the cooperative thread pool, whose threads must not wait for a disk.
  func onDisk<Result: Sendable>(
    _ work: @escaping @Sendable (Originals) throws -> Result
  ) async throws -> Result {
    let originals = self.originals
    return try await withCheckedThrowingContinuation { continuation in
      dispatch_async(Self.disk) { continuation.resume(with: Swift.Result { try work(originals) }) }
    }
  }

  /// Replaces the molecules by those of a backup, which contains the database but no originals.
  ///
  /// Originals are unchanged: a molecule without its original is still shown, and a file unknown to the backup is left
  /// alone, neither removed nor imported again.
  func restore(from path: String) async throws {
    try await sqlite.restore(from: path)
    // A removal in progress when the backup was made may name a later file.
    try await write { try $0.execute("DELETE FROM removal") }
    for file in try await strayFiles(snapshot()) {
      try await refuse(file, reason: "the restored backup does not have it; import it to have it again")
    }
  }

  /// Returns the findings of the database check, and originals that are missing or changed.
  func check() async throws -> [Diagnostic] {
    let found = LibraryDamage.advising(try await sqlite.check())
    // The tables of a damaged file may be unreadable.
    if found.contains(where: { $0.severity == .error }) { return found }
    let (kept, refused) = try await read { connection in
      (
        try connection.list("SELECT file, file_digest FROM molecule ORDER BY id") {
          (file: $0.text(0), digest: $0.text(1))
        },
        try connection.list("SELECT file, reason FROM refused_file ORDER BY file") { ($0.text(0), $0.text(1)) }
      )
    }
    let changed = try await onDisk { originals in
      kept.compactMap { Self.fault(of: $0.file, digest: $0.digest, in: originals) }
    }
    let ignored = refused.map { file, reason in
      Diagnostic(.note, code: "molecules.file-ignored", "the file '\(file)' among the originals is ignored: \(reason)")
    }
    return found + changed + ignored
  }

  /// Returns the fault of an original; nil if it is the file that was imported.
  private static func fault(of file: String, digest: String, in originals: Originals) -> Diagnostic? {
    guard originals.size(of: file) != nil else {
      return Diagnostic(
        .warning, code: "molecules.original-missing", "the original '\(file)' is missing",
        advice: "the molecule is shown all the same; import the file again to keep it")
    }
    if (try? originals.read(file)).map(SHA256.hexadecimal) == digest { return nil }
    return Diagnostic(
      .warning, code: "molecules.original-changed", "the original '\(file)' is not the file that was imported",
      advice: "import it under another name, or restore it")
  }
}
