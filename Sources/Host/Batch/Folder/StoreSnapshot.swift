import PluginAPI

/// A backup of a store in a run's folder: `stores/<plugin>/<store>`; of a store in a shared database the address:
/// `stores/<plugin>/<store>.shared`.
///
/// Children restore it into a store of their own, in place of the user's: another machine may have other stores, and a
/// store that many machines share may not be opened by all of them.
struct StoreSnapshot: Sendable, Equatable {
  /// The suffix of the file with a store's address, as in the kit (`StoreSharing`).
  static let addressSuffix = ".shared"

  var plugin: String
  /// The name of the file.
  var store: String
  /// The SHA-256 of the file.
  var sha256: String

  init(plugin: String, store: String, sha256: String) {
    (self.plugin, self.store, self.sha256) = (plugin, store, sha256)
  }

  /// Creates a snapshot from the value in a plan; nil if the value is not a snapshot.
  init?(_ value: Value) {
    guard let plugin = value["plugin"].text, let store = value["store"].text, let sha256 = value["sha256"].text else {
      return nil
    }
    self.init(plugin: plugin, store: store, sha256: sha256)
  }

  /// The snapshot as it is written.
  var value: Value { ["plugin": .text(plugin), "store": .text(store), "sha256": .text(sha256)] }

  /// Returns the files of a folder with backups, as plugin and name.
  static func files(in folder: String) -> [(plugin: String, store: String)] {
    HostFile.names(in: folder).sorted().flatMap { plugin in
      HostFile.names(in: folder + "/" + plugin).sorted().map { (plugin, $0) }
    }
  }

  /// Copies the backups of a folder into that of a run.
  static func add(from source: String, to folder: RunFolder) throws -> [StoreSnapshot] {
    try files(in: source).map { plugin, store in
      let bytes = try HostFile.read(source + "/\(plugin)/\(store)", limit: 1 << 40)
      try HostFile.write(bytes, to: folder.stores + "/\(plugin)/\(store)", makesFolder: true)
      return StoreSnapshot(plugin: plugin, store: store, sha256: try ContentHash.required(bytes))
    }
  }

  /// Refuses a file that is not the one that was planned.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.broken-run`.
  func check(in folder: RunFolder) throws {
    let path = folder.stores + "/\(plugin)/\(store)"
    guard let bytes = try? HostFile.read(path, limit: 1 << 40), try ContentHash.required(bytes) == sha256 else {
      throw BatchError.brokenRun(
        "'\(path)' is not the backup of '\(plugin):\(store)' that was planned", advice: "plan a new run")
    }
  }
}
