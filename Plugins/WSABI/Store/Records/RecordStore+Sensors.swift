import PluginAPI
import PluginStore
import PluginVault
import Synchronization

extension RecordStore {
  /// Returns the sensors that items of a modality were set to, the one edited last first; each name and address once.
  func recentSensors(for modality: Modality, limit: Int = 5) async throws -> [DeviceDefinition] {
    try await look(.readRecords) { connection, vault in
      try Array(SensorRow.all(connection, vault.keys).filter { $0.modality == modality }.map(\.device).prefix(limit))
    }
  }

  /// Puts a sensor first among the recent ones of a modality, without an item that uses it.
  func rememberSensor(_ device: DeviceDefinition, for modality: Modality) async throws {
    try await change(.editItems) { scope in
      try SensorRow.remember(device, modality, scope)
      try scope.audit(AuditEvent(.sensorRemembered, address: device.address))
    }
  }

  /// Removes a sensor from the recent ones; items that have it keep it.
  func forgetSensor(_ device: DeviceDefinition, for modality: Modality) async throws {
    try await change(.editItems) { scope in
      try SensorRow.forget(device, modality, scope)
      try scope.audit(AuditEvent(.sensorForgotten, address: device.address))
    }
  }

  /// Returns the people with an item of a sensor, by its name and address, the oldest first.
  ///
  /// - Parameter limit: The largest number of people.
  /// - Complexity: O(log *n*) in the items of the store; the first use of a store of an older schema reads them all.
  func people(using device: DeviceDefinition, limit: Int) async throws -> [Person] {
    try await auditListing()
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

/// Rows of recent sensors in the file.
enum SensorRow {
  /// The largest number of remembered sensors.
  private static let most = 64

  static func place(_ id: Int) -> RecordPlace { RecordPlace(kind: .sensor, id: id, owner: 0, version: 1) }

  /// Returns all recent sensors, the most recently edited first.
  static func all(_ connection: Connection, _ keys: VaultKeys) throws -> [(
    modality: Modality, device: DeviceDefinition
  )] {
    let found = try connection.list("SELECT id, key, body FROM sensor ORDER BY turn DESC") { row in
      let place = place(row.integer(0))
      let bytes = try keys.open(SealedRecord(key: row.bytes(1), body: row.bytes(2)), of: place)
      return try decoded(bytes, forms: 1...2, as: place) { reader throws(ByteReader.Problem) in
        guard let modality = Modality(rawValue: try reader.number()) else { throw ByteReader.Problem() }
        return (modality: modality, device: try reader.device())
      }
    }
    // Times come from outside and may go back: the order of edits decides between equal ones.
    return found.enumerated().sorted { left, right in
      (right.element.device.edited, left.offset) < (left.element.device.edited, right.offset)
    }.map(\.element)
  }

  /// Remembers a sensor as the one used last.
  static func remember(_ device: DeviceDefinition, _ modality: Modality, _ scope: WriteScope) throws {
    if device.address.isEmpty { return }
    try forget(device, modality, scope)
    let last = try scope.connection.value("SELECT max(turn) FROM sensor").integer ?? 0
    guard last < Int.max else { throw VaultError.damaged("a recent sensor") }
    let id = try scope.nextID(of: "sensor")
    var writer = ByteWriter(form: 2)
    writer.put(modality.rawValue)
    writer.put(device)
    let sealed = try scope.keys.seal(writer.bytes, as: place(id))
    try scope.connection.execute(
      "INSERT INTO sensor (id, turn, tag, key, body) VALUES (?, ?, ?, ?, ?)",
      [id, last + 1, tag(device, modality, scope.keys), sealed.key, sealed.body])
    try scope.connection.execute(
      "DELETE FROM sensor WHERE id NOT IN (SELECT id FROM sensor ORDER BY turn DESC LIMIT ?)", [most])
  }

  /// Removes a sensor from the recent ones.
  static func forget(_ device: DeviceDefinition, _ modality: Modality, _ scope: WriteScope) throws {
    try scope.connection.execute("DELETE FROM sensor WHERE tag = ?", [tag(device, modality, scope.keys)])
  }

  private static func tag(_ device: DeviceDefinition, _ modality: Modality, _ keys: VaultKeys) -> [UInt8] {
    var writer = ByteWriter(form: 1)
    writer.put("sensor")
    writer.put(modality.rawValue)
    writer.put(device.name)
    writer.put(device.address)
    return keys.tags.code(writer.bytes)
  }
}
