internal import PluginStore

/// The database that ships with the plugin.
enum BundledDatabase {
  /// Reads and links it.
  ///
  /// - Parameter resources: The plugin's folder of resources.
  /// - Throws: What reading and linking documents throws.
  static func open(_ resources: String) throws -> MetabolicDatabase {
    let found = try read(resources)
    return try DatabaseLinker.link(found.records, places: found.places)
  }

  /// Reads it.
  static func read(_ resources: String) throws -> (records: DatabaseRecords, places: RecordPlaces) {
    let found = try SnapshotFiles.folder(folder(resources)).read()
    return (found.records, found.places)
  }

  /// Its documents, as if they had been fetched.
  static func documents(_ resources: String) throws -> [FetchedDocument] {
    let files = SnapshotFiles.folder(folder(resources))
    let manifest = try ContractReader().read(files.bytes("manifest.xml"), name: "manifest.xml", expecting: .manifest)
    return try manifest.documents.map { FetchedDocument(entry: $0, bytes: try files.bytes($0.path)) }
  }

  /// The digest of its manifest, 64 small hexadecimal digits.
  static func sha256(_ resources: String) throws -> String {
    SHA256.hexadecimal(of: try SnapshotFiles.folder(folder(resources)).bytes("manifest.xml"))
  }

  private static func folder(_ resources: String) -> String { "\(resources)/database" }
}
