internal import PluginText

/// The database bundled with the plugin.
enum BundledDatabase {
  /// Reads and links the database.
  ///
  /// - Parameter resources: The plugin's resource folder.
  /// - Throws: The errors of reading and linking documents.
  static func open(_ resources: String) throws -> MetabolicDatabase {
    let found = try read(resources)
    return try DatabaseLinker.link(found.records, places: found.places)
  }

  /// Reads the database without linking it.
  static func read(_ resources: String) throws -> (records: DatabaseRecords, places: RecordPlaces) {
    let found = try SnapshotFiles.folder(folder(resources)).read()
    return (found.records, found.places)
  }

  /// Returns its documents as if they had been downloaded.
  static func documents(_ resources: String) throws -> [FetchedDocument] {
    let files = SnapshotFiles.folder(folder(resources))
    let manifest = try ContractReader().read(files.bytes("manifest.xml"), name: "manifest.xml", expecting: .manifest)
    return try manifest.documents.map { FetchedDocument(entry: $0, bytes: try files.bytes($0.path)) }
  }

  /// Returns the SHA-256 digest of its manifest as 64 lowercase hexadecimal digits.
  static func sha256(_ resources: String) throws -> String {
    SHA256.hexadecimal(of: try SnapshotFiles.folder(folder(resources)).bytes("manifest.xml"))
  }

  private static func folder(_ resources: String) -> String { "\(resources)/database" }
}
