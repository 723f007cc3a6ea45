import PluginAPI
import PluginStore
import Synchronization

extension RecordStore {
  /// Returns the people with an item of a sensor, by its name and address, the oldest first.
  ///
  /// - Parameter limit: The largest number of people.
  /// - Complexity: O(log *n*) in the items of the store; the first use of a store of an older schema reads them all.
  func people(using device: DeviceDefinition, limit: Int) async throws -> [Person] {
    try await tellListing()
    while try await look(.readRecords, { connection, _ in try ItemRow.hasUntagged(connection) }) {
      try await change(.readRecords) { try ItemRow.tagSome($0) }
    }
    return try await look(.readRecords) { connection, vault in
      try ItemRow.people(using: device, limit: limit, connection, vault.keys).map {
        try PersonRow.person($0, connection, vault.keys)
      }
    }
  }
}

extension RecordStore {
  /// Returns true if another process changed anything since the last call; false the first time.
  ///
  /// - Throws: ``VaultError/locked``, `StoreError`.
  func isChangedByOthers() async throws -> Bool {
    _ = try opened()
    // It counts commits through any other connection.
    let version = try await sqlite.read { try $0.value("PRAGMA data_version").integer }
    return seenVersion.withLock { seen in
      defer { seen = version }
      return seen != nil && seen != version
    }
  }
}
