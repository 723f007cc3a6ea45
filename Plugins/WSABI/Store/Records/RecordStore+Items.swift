import PluginAPI
import PluginStore
import PluginVault

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
  /// Conditions stay while the parts are the same. The person of the draft must be that of the item. Captures keep the
  /// name they were made under.
  /// - Parameter renaming: True to allow renaming an item with captures within its modality.
  /// - Throws: ``VaultError/captureUnderWay(item:)`` if a capture in progress would change its name or its sensor; the
  ///   name of the sensor may change. ``VaultRefusal/renaming(item:_:)`` and ``VaultError/capturedModality(item:_:)``
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
}

/// A row of items in the file.
struct ItemRow {
  static let columns = "id, person, place, version, key, body"

  var item: BiometricItem
  var version: Int

  static func place(_ id: Int, person: Int, order: Int, version: Int) -> RecordPlace {
    RecordPlace(kind: .item, id: id, owner: person, version: version, order: order)
  }

  var place: RecordPlace { Self.place(item.id, person: item.person, order: item.index, version: version) }

  /// Reads a row of ``columns``; the captures are those of the item's newest response.
  init(_ row: Row, _ connection: Connection, _ keys: VaultKeys) throws {
    try self.init(withoutCapture: row, keys)
    let shown = try CaptureRow.shown(of: item.id, connection, keys)
    (item.capture, item.otherPictures) = (shown.pictures.first, Array(shown.pictures.dropFirst()))
    item.losses = shown.losses
  }

  private init(withoutCapture row: Row, _ keys: VaultKeys) throws {
    let place = Self.place(row.integer(0), person: row.integer(1), order: row.integer(2), version: row.integer(3))
    let bytes = try keys.open(SealedRecord(key: row.bytes(4), body: row.bytes(5)), of: place)
    item = try decoded(bytes, forms: 1...2, as: place) { reader throws(ByteReader.Problem) in
      try BiometricItem(place, &reader)
    }
    version = place.version
  }

  /// Returns the notes of a person's items, by index, without empty ones.
  static func notes(of person: Int, _ connection: Connection, _ keys: VaultKeys) throws -> [String] {
    try connection.list("SELECT \(columns) FROM item WHERE person = ? ORDER BY place, id", [person]) {
      try ItemRow(withoutCapture: $0, keys).item.annotation.notes
    }.filter { !$0.isEmpty }
  }

  /// Returns the subject of an item's captures from now on.
  static func subject(of id: Int, _ connection: Connection, _ keys: VaultKeys) throws -> CaptureSubject {
    let row = try connection.first("SELECT \(columns) FROM item WHERE id = ?", [id]) {
      try ItemRow(withoutCapture: $0, keys).item
    }
    guard let row else { throw VaultError.noItem(id) }
    return row.subject
  }

  init(new item: BiometricItem) { (self.item, version) = (item, 0) }

  static func item(_ id: Int, _ connection: Connection, _ keys: VaultKeys) throws -> ItemRow {
    let row = try connection.first("SELECT \(columns) FROM item WHERE id = ?", [id]) {
      try ItemRow($0, connection, keys)
    }
    guard let row else { throw VaultError.noItem(id) }
    return row
  }

  /// Returns the person of an item; nil if there is no such item.
  static func person(of id: Int, _ connection: Connection) throws -> Int? {
    try connection.value("SELECT person FROM item WHERE id = ?", [id]).integer
  }

  /// Returns the items of a person, in order of their index.
  static func items(of person: Int, _ connection: Connection, _ keys: VaultKeys) throws -> [ItemRow] {
    try connection.list("SELECT \(columns) FROM item WHERE person = ? ORDER BY place, id", [person]) {
      try ItemRow($0, connection, keys)
    }
  }

  func insert(_ scope: WriteScope) throws {
    let place = Self.place(item.id, person: item.person, order: item.index, version: 1)
    let sealed = try scope.keys.seal(item.bytes, as: place)
    try scope.connection.execute(
      "INSERT INTO item (id, person, place, version, key, body, sensor) VALUES (?, ?, ?, 1, ?, ?, ?)",
      [item.id, item.person, item.index, sealed.key, sealed.body, Self.tag(item.device, scope.keys)])
    scope.toggle(place)
    scope.anchor.items += 1
    scope.note(.item(item.id, person: item.person))
  }

  /// Writes the current state of an item.
  func update(to item: BiometricItem, _ scope: WriteScope) throws {
    let next = Self.place(item.id, person: item.person, order: item.index, version: version + 1)
    let sealed = try scope.keys.seal(item.bytes, as: next)
    try scope.connection.execute(
      "UPDATE item SET place = ?, version = ?, key = ?, body = ?, sensor = ? WHERE id = ?",
      [item.index, version + 1, sealed.key, sealed.body, Self.tag(item.device, scope.keys), item.id])
    scope.toggle(place)
    scope.toggle(next)
    scope.note(.item(item.id, person: item.person))
  }

  /// Removes an item with its captures and its part of the journal.
  func delete(_ scope: WriteScope) throws {
    for capture in try CaptureRow.all(of: item.id, scope.connection, scope.keys) { try capture.delete(scope) }
    scope.toggle(place)
    try CapturedRow.spend(ofItem: item.id, scope)
    try scope.connection.execute("DELETE FROM item WHERE id = ?", [item.id])
    scope.anchor.items -= 1
    scope.note(.item(item.id, person: item.person))
  }

  // MARK: Items of a sensor

  /// The number of rows of an older schema tagged in one change.
  private static let tagsAtOnce = 5000

  /// Returns the tag by which a sensor's items are found by its name and address.
  ///
  /// It cannot be computed without the key, and differs from that of the recent sensors.
  static func tag(_ device: DeviceDefinition, _ keys: VaultKeys) -> [UInt8] {
    var writer = ByteWriter(form: 1)
    writer.put("item")
    writer.put(device.name)
    writer.put(device.address)
    return keys.tags.code(writer.bytes)
  }

  /// Returns the people with an item of a sensor, the oldest first.
  static func people(
    using device: DeviceDefinition, limit: Int, _ connection: Connection, _ keys: VaultKeys
  ) throws -> [Int] {
    try connection.list(
      "SELECT DISTINCT person FROM item WHERE sensor = ? ORDER BY person LIMIT ?", [tag(device, keys), limit]
    ) { $0.integer(0) }
  }

  /// Returns true if there are rows of an older schema, which no tag finds.
  static func hasUntagged(_ connection: Connection) throws -> Bool {
    try !connection.value("SELECT 1 FROM item WHERE sensor IS NULL LIMIT 1").isNull
  }

  /// Tags rows of an older schema; a damaged one gets a tag that never matches.
  static func tagSome(_ scope: WriteScope) throws {
    let sql = "SELECT \(columns) FROM item WHERE sensor IS NULL LIMIT ?"
    let tags = try scope.connection.list(sql, [tagsAtOnce]) { row in
      let device = try? ItemRow(withoutCapture: row, scope.keys).item.device
      return (id: row.integer(0), tag: device.map { tag($0, scope.keys) } ?? [])
    }
    for (id, tag) in tags { try scope.connection.execute("UPDATE item SET sensor = ? WHERE id = ?", [tag, id]) }
  }

  // MARK: Conditions of changes

  /// Throws an error if a capture for the item is requested, or its data is awaited.
  ///
  /// - Throws: ``VaultError/captureUnderWay(item:)``.
  func checkIdle(_ scope: WriteScope) throws {
    let open = try scope.connection.value(
      """
      SELECT 1 FROM journal WHERE item = ?1 AND (is_open = 1 OR EXISTS (
        SELECT 1 FROM captured WHERE entry = journal.id AND state = 0))
      """, [item.id])
    if !open.isNull { throw VaultError.captureUnderWay(item: item.id) }
  }

  /// Checks whether the item may be renamed, and has its captures keep their subject.
  ///
  /// - Throws: ``VaultError/capturedModality(item:_:)``; ``VaultRefusal/renaming(item:_:)`` unless `renaming`.
  fileprivate func keepNames(before draft: DraftItem, renaming: Bool, _ scope: WriteScope) throws {
    let captures = try CaptureRow.all(of: item.id, scope.connection, scope.keys)
    if captures.isEmpty { return }
    guard draft.modality == item.modality, draft.submodality.modality ?? item.modality == item.modality else {
      throw VaultError.capturedModality(item: item.id, item.modality)
    }
    if !renaming { throw VaultRefusal.renaming(item: item.id, item.submodality) }
    for capture in captures where capture.record.subject == nil {
      var record = capture.record
      record.subject = item.subject
      try capture.update(to: record, scope)
    }
  }
}

extension BiometricItem {
  /// Creates a new item from the walkthrough's draft.
  init(_ draft: DraftItem, id: Int, index: Int, at time: Instant) {
    let conditions = draft.submodality.parts.map { _ in PartCondition.present }
    self.init(
      id: id, person: draft.person, index: index, submodality: draft.submodality, modality: draft.modality,
      device: draft.device, annotation: Annotation(conditions: conditions, notes: ""), capture: nil, created: time,
      modified: time)
  }

  /// The sealed content of an item: all fields that its row does not hold.
  var bytes: [UInt8] {
    var writer = ByteWriter(form: 2)
    writer.put(submodality.wireName)
    writer.put(modality.rawValue)
    writer.put(device)
    writer.put(annotation)
    writer.put(created)
    writer.put(modified)
    return writer.bytes
  }

  /// Reads the sealed content.
  init(_ place: RecordPlace, _ reader: inout ByteReader) throws(ByteReader.Problem) {
    let submodality = Submodality(wire: try reader.text())
    guard let modality = Modality(rawValue: try reader.number()) else { throw ByteReader.Problem() }
    let device = try reader.device()
    let annotation = try reader.annotation()
    let created = try reader.instant()
    self.init(
      id: place.id, person: place.owner, index: place.order, submodality: submodality, modality: modality,
      device: device, annotation: annotation, capture: nil, created: created, modified: try reader.instant())
  }
}
