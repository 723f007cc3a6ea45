import PluginAPI

/// The SHA-256 of plugin libraries, with the identities of the files: hashing them at each start of a worker takes
/// longer than the start itself.
///
/// They are in the file `library-hashes` in the state folder, which may be deleted at any time.
struct LibraryHashes {
  private let file: String
  private var known: Record
  private var used = Record()

  /// Reads the file; an unreadable one is treated as empty.
  init(state: String) {
    file = state + "/library-hashes"
    known = (try? JSONReader.read(try HostFile.read(file)))?.record ?? Record()
  }

  /// Returns the hash of a plugin's library or manifest.
  ///
  /// - Throws: ``ErrorReport`` with the code `host.no-libsodium`; ``HostFileError``.
  mutating func hash(of plugin: CatalogedPlugin) throws -> String? {
    guard let dossier = plugin.dossier else { return nil }
    // The known hash of a bundled library may be that of the installation.
    if plugin.source != .bundled, !dossier.hash.isEmpty { return dossier.hash }
    let identity = Value.list(dossier.identity.numbers.map(Value.integer))
    if let entry = known[plugin.path], entry["file"] == identity, let hash = entry["sha256"].text {
      used[plugin.path] = entry
      return hash
    }
    let hash = try ContentHash.required(try HostFile.read(plugin.path))
    used[plugin.path] = ["file": identity, "sha256": .text(hash)]
    return hash
  }

  /// Stores the hashes that were used, if any is new; without the file they are computed again.
  func save() {
    if used == known { return }
    try? HostFile.write(JSONWriter.bytes(of: .record(used)), to: file, isDurable: false, makesFolder: true)
  }
}
