import Foundation
import PluginAPI
import PluginStore
import PluginVault
import Synchronization
import TestSupport

@testable import WSABI

/// A folder for a store of people and captures, removed with its owner; key derivation is fast, and the clock is fixed
/// until it is set.
final class StoreFolder: Sendable {
  private let folder: TemporaryFolder
  let clock = Mutex(Instant(seconds: 1_790_000_000))
  let changes = Mutex<Set<RecordChange>>([])

  static let passphrase = VaultKeySource.passphrase(Array("correct horse battery staple".utf8))
  static let fast = Stretching(passes: 1, memoryInBytes: 64 << 10)
  static let time = Instant(seconds: 1_780_000_000)

  init() throws { folder = try TemporaryFolder() }

  var path: String { folder.path.path + "/store" }
  var database: String { path + "/people.sqlite" }

  var options: RecordStore.Options {
    RecordStore.Options(
      clock: { self.clock.withLock { $0 } }, onChange: { new in self.changes.withLock { $0.formUnion(new) } },
      stretching: Self.fast)
  }

  func create(key: VaultKeySource = passphrase) async throws -> RecordStore {
    try await RecordStore.create(at: path, key: key, user: "anna", options)
  }

  func open(key: VaultKeySource = passphrase) async throws -> RecordStore {
    try await RecordStore.open(at: path, key: key, options)
  }

  /// Advances the clock.
  func wait(seconds: Int64) { clock.withLock { $0.seconds += seconds } }

  /// Returns the changes since the last call.
  func takeChanges() -> Set<RecordChange> {
    changes.withLock { changes in
      defer { changes = [] }
      return changes
    }
  }

  /// Tampers with the database directly; the store must be closed.
  func tamper(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
    let sqlite = SQLiteStore(name: "tampered", path: database, migrations: RecordMigrations.all)
    try await sqlite.write(body)
    try await sqlite.checkpoint()
    await sqlite.close()
  }

  /// Returns all files, by their path below the folder, with their content.
  func files() throws -> [(name: String, content: Data)] {
    let root = URL(fileURLWithPath: path)
    let paths = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return try paths.sorted().compactMap { name in
      let url = root.appendingPathComponent(name)
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue else {
        return nil
      }
      return (name, try Data(contentsOf: url))
    }
  }

  /// Returns the files that hold a text.
  func files(with text: String) throws -> [String] {
    let word = Data(text.utf8)
    return try files().filter { $0.content.range(of: word) != nil }.map(\.name)
  }

  /// Returns the mode of a file or folder below the folder.
  func mode(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: name.isEmpty ? path : path + "/" + name)
    return (attributes[.posixPermissions] as? Int) ?? 0
  }
}

extension String {
  /// True if this is the name of a file with capture data, below the folder of a store.
  var isCapture: Bool { hasPrefix("captures/") && !hasSuffix("/reserve") }
}
