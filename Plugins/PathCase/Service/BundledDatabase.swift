/// The database that ships with the plugin.
enum BundledDatabase {
  /// Reads and links it.
  ///
  /// - Parameter resources: The plugin's folder of resources.
  /// - Throws: What reading and linking documents throws.
  static func open(_ resources: String) throws -> MetabolicDatabase {
    let found = try SnapshotFiles.folder("\(resources)/database").read()
    return try DatabaseLinker.link(found.records, places: found.places)
  }
}
