import PluginAPI
import PluginStore

extension BiometricItem {
  /// Creates a new item from the walkthrough's draft.
  init(_ draft: DraftItem, id: Int, index: Int, at time: Instant) {
    let conditions = draft.submodality.parts.map { _ in PartCondition.present }
    self.init(
      id: id, person: draft.person, index: index, submodality: draft.submodality, modality: draft.modality,
      device: draft.device, annotation: Annotation(conditions: conditions, notes: ""), capture: nil, created: time,
      modified: time)
  }
}

extension ItemRow {
  /// - Throws: ``VaultError/captureUnderWay(item:)``.
  func checkIdle(_ scope: WriteScope) throws {
    if try Self.isBusy(item.id, scope.connection) { throw VaultError.captureUnderWay(item: item.id) }
  }

  /// Checks whether the item may be renamed, and has its captures keep their subject.
  ///
  /// - Throws: ``VaultError/capturedModality(item:_:)``; ``VaultError/capturedAs(item:_:)`` unless `renaming`.
  fileprivate func keepNames(before draft: DraftItem, renaming: Bool, _ scope: WriteScope) throws {
    let captures = try CaptureRow.all(of: item.id, scope.connection, scope.keys)
    if captures.isEmpty { return }
    guard draft.modality == item.modality, draft.submodality.modality ?? item.modality == item.modality else {
      throw VaultError.capturedModality(item: item.id, item.modality)
    }
    if !renaming { throw VaultError.capturedAs(item: item.id, item.submodality) }
    for capture in captures where capture.record.subject == nil {
      var record = capture.record
      record.subject = item.subject
      try capture.update(to: record, scope)
    }
  }
}

extension RecordStore {
  /// Stores an item after the person's other ones; its sensor becomes the most recent.
  func addItem(_ draft: DraftItem, at time: Instant) async throws -> BiometricItem {
    try await change(.editItems) { scope in
      _ = try PersonRow.person(draft.person, scope.connection, scope.keys)
      let count = try scope.connection.value("SELECT count(*) FROM item WHERE person = ?", [draft.person]).integer ?? 0
      let item = BiometricItem(draft, id: try scope.nextID(of: "item"), index: count, at: time)
      try ItemRow(new: item).insert(scope)
      try SensorRow.remember(draft.device, draft.modality, scope)
      try scope.audit(AuditEvent(.itemAdded, person: item.person, item: item.id, address: draft.device.address))
      return item
    }
  }

  /// Returns an item; reading it is recorded in the audit log.
  ///
  /// - Throws: ``VaultError/noItem(_:)``.
  func item(_ id: Int) async throws -> BiometricItem {
    try await change(.readRecords) { scope in
      let item = try ItemRow.item(id, scope.connection, scope.keys).item
      try scope.auditReading(AuditEvent(.itemRead, person: item.person, item: id))
      return item
    }
  }

  /// Returns the items of a person, in order of their index.
  func items(of person: Int) async throws -> [BiometricItem] {
    try await change(.readRecords) { scope in
      _ = try PersonRow.person(person, scope.connection, scope.keys)
      let items = try ItemRow.items(of: person, scope.connection, scope.keys).map(\.item)
      try scope.auditReading(AuditEvent(.personRead, person: person))
      return items
    }
  }

  /// Changes an item's part of the body and its sensor.
  ///
  /// Conditions of parts stay as long as the parts do. The person of the draft must be that of the item. Captures keep the
  /// name they were made under.
  /// - Parameter renaming: True to allow renaming an item with captures within its modality.
  /// - Throws: ``VaultError/captureUnderWay(item:)`` if a capture in progress would change its name or its sensor; the
  ///   name of the sensor may change. ``VaultError/capturedAs(item:_:)`` and ``VaultError/capturedModality(item:_:)``
  ///   if the item has captures.
  func edit(
    item id: Int, _ draft: DraftItem, at time: Instant, renaming: Bool = false
  ) async throws -> BiometricItem {
    try await change(.editItems) { scope in
      let row = try ItemRow.item(id, scope.connection, scope.keys)
      var item = row.item
      guard item.person == draft.person else { throw VaultError.noItem(id) }
      // The current capture would be filed under another name than it was requested for.
      if item.definition != draft.definition { try row.checkIdle(scope) }
      if item.submodality != draft.submodality || item.modality != draft.modality {
        try row.keepNames(before: draft, renaming: renaming, scope)
      }
      if item.submodality.parts != draft.submodality.parts {
        item.annotation.conditions = draft.submodality.parts.map { _ in .present }
      }
      (item.submodality, item.modality) = (draft.submodality, draft.modality)
      (item.device, item.modified) = (draft.device, time)
      try row.update(to: item, scope)
      try SensorRow.remember(draft.device, draft.modality, scope)
      try scope.audit(AuditEvent(.itemEdited, person: item.person, item: id, address: draft.device.address))
      return try ItemRow.item(id, scope.connection, scope.keys).item
    }
  }

  /// Stores the faults of a capture, and notes.
  func annotate(_ id: Int, _ annotation: Annotation, at time: Instant) async throws -> BiometricItem {
    try await change(.annotate) { scope in
      let row = try ItemRow.item(id, scope.connection, scope.keys)
      var item = row.item
      (item.annotation, item.modified) = (annotation, time)
      try row.update(to: item, scope)
      if annotation.notes != row.item.annotation.notes { try PersonRow.renewWords(item.person, scope) }
      try scope.audit(AuditEvent(.itemAnnotated, person: item.person, item: id))
      return item
    }
  }

  /// Removes all that was captured for an item, thumbnails included; the item and its sensor stay.
  ///
  /// - Throws: ``VaultError/captureUnderWay(item:)``.
  func clear(_ id: Int, at time: Instant) async throws -> BiometricItem {
    let item = try await change(.clearCaptures) { scope in
      let row = try ItemRow.item(id, scope.connection, scope.keys)
      try row.checkIdle(scope)
      for capture in try CaptureRow.all(of: id, scope.connection, scope.keys) { try capture.delete(scope) }
      // Lost pictures are no longer reported as missing.
      try CapturedRow.clearLosses(ofItem: id, scope)
      var item = row.item
      item.forgetCaptures()
      item.modified = time
      try row.update(to: item, scope)
      try scope.audit(AuditEvent(.itemCleared, person: item.person, item: id))
      return item
    }
    await tidy()
    return item
  }

  /// Deletes an item with its captures; the following ones move up.
  ///
  /// - Throws: ``VaultError/captureUnderWay(item:)``.
  func deleteItem(_ id: Int) async throws {
    try await change(.deleteItems) { scope in
      let row = try ItemRow.item(id, scope.connection, scope.keys)
      try row.checkIdle(scope)
      try row.delete(scope)
      let others = try ItemRow.items(of: row.item.person, scope.connection, scope.keys)
      for (index, other) in others.enumerated() where other.item.index != index {
        var moved = other.item
        moved.index = index
        try other.update(to: moved, scope)
      }
      if !row.item.annotation.notes.isEmpty { try PersonRow.renewWords(row.item.person, scope) }
      try scope.audit(AuditEvent(.itemDeleted, person: row.item.person, item: id))
    }
    await tidy()
  }

  /// Sensors that items of a modality were set to, the one edited last first; each name and address once.
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
}
