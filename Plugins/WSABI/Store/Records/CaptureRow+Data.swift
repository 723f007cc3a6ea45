import PluginStore
import PluginVault

/// Lookup of captures by their data.
extension CaptureRow {
  /// The number of rows tagged in one change.
  private static let batch = 500

  /// Returns the tag by which data is found without revealing its hash, so that the presence of other data cannot be
  /// tested.
  static func tag(_ sha256: [UInt8], _ keys: VaultKeys) -> [UInt8] { keys.tags.code(Array("data".utf8) + sha256) }

  /// Returns a capture whose data has one of some hashes; nil if there is none.
  static func holding(
    _ hashes: Set<[UInt8]>, _ connection: Connection, _ keys: VaultKeys
  ) throws -> CaptureRecord? {
    for hash in hashes {
      let found = try connection.list("SELECT \(columns) FROM capture WHERE hash = ?", [tag(hash, keys)]) {
        try CaptureRow($0, keys).record
      }
      // The tag alone is not proof, as it is not sealed with its row.
      if let record = found.first(where: { $0.sha256 == hash }) { return record }
    }
    return nil
  }

  /// Tags some of the rows of older versions.
  ///
  /// - Returns: True if there may be more of them.
  static func tagSome(_ scope: WriteScope) throws -> Bool {
    let ids = try scope.connection.list("SELECT id FROM capture WHERE hash IS NULL LIMIT \(batch)") { $0.integer(0) }
    for id in ids {
      // Damaged rows are found by a check, and have no known data.
      let row = try? capture(id, scope.connection, scope.keys)
      try scope.connection.execute(
        "UPDATE capture SET hash = ? WHERE id = ?", [row.map { tag($0.record.sha256, scope.keys) } ?? [], id])
    }
    return ids.count == batch
  }

  /// Returns true if the row is found by its data.
  func isFound(_ keys: VaultKeys) -> Bool { tag.map { $0 == Self.tag(record.sha256, keys) } ?? true }
}
