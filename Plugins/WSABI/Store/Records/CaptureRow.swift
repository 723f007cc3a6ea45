import PluginStore
import PluginVault

/// A row of captures in the file.
struct CaptureRow {
  static let columns = "id, item, entry, place, version, key, body, file, hash"

  var record: CaptureRecord
  /// The journal entry of its capture.
  var entry: Int
  /// The index of the id within the response.
  var order: Int
  var version: Int
  var wrappedKey: [UInt8]
  /// The name of the file with its data; nil if the data is in the database.
  var file: String?
  /// The tag by which its data is found without revealing it; nil if an older version wrote the row.
  let tag: [UInt8]?

  /// Returns the associated data of a capture, including its position among the item's captures: the entry, then the
  /// index of the id.
  static func place(_ id: Int, item: Int, entry: Int, order: Int, version: Int) -> RecordPlace {
    RecordPlace(kind: .capture, id: id, owner: item, version: version, order: entry << 16 | order & 0xFFFF)
  }

  var place: RecordPlace { place(version: version) }

  private func place(version: Int) -> RecordPlace {
    Self.place(record.id, item: record.item, entry: entry, order: order, version: version)
  }

  /// Reads a row of ``columns``.
  init(_ row: Row, _ keys: VaultKeys) throws {
    let place = Self.place(
      row.integer(0), item: row.integer(1), entry: row.integer(2), order: row.integer(3), version: row.integer(4))
    let bytes = try keys.open(SealedRecord(key: row.bytes(5), body: row.bytes(6)), of: place)
    record = try decoded(bytes, forms: 1...2, as: place) { reader throws(ByteReader.Problem) in
      try CaptureRecord(place, &reader)
    }
    (entry, order, version, wrappedKey) = (row.integer(2), row.integer(3), place.version, row.bytes(5))
    (record.act, record.place) = (entry, order)
    file = row.isNull(7) ? nil : row.text(7)
    tag = row.isNull(8) ? nil : row.bytes(8)
  }

  static func capture(_ id: Int, _ connection: Connection, _ keys: VaultKeys) throws -> CaptureRow {
    let row = try connection.first("SELECT \(columns) FROM capture WHERE id = ?", [id]) {
      try CaptureRow($0, keys).named(connection, keys)
    }
    guard let row else { throw VaultError.noCapture(id) }
    return row
  }

  /// Returns this row with its subject, if an older version wrote it without: the journal knows the sensor's
  /// configuration.
  private func named(_ connection: Connection, _ keys: VaultKeys) -> CaptureRow {
    guard record.subject == nil, let entry = try? JournalRow.entry(JournalNumber(entry), connection, keys),
      let word = entry.intent.configuration["submodality"]?.plainText
    else { return self }
    let submodality = Submodality(wire: word)
    guard let modality = submodality.modality else { return self }
    var named = self
    named.record.subject = CaptureSubject(modality: modality, submodality: submodality)
    return named
  }

  /// Returns all captures of an item: newest response first, its ids in order.
  static func all(of item: Int, _ connection: Connection, _ keys: VaultKeys) throws -> [CaptureRow] {
    try connection.list("SELECT \(columns) FROM capture WHERE item = ? ORDER BY entry DESC, place", [item]) {
      try CaptureRow($0, keys).named(connection, keys)
    }
  }

  /// Returns the pictures of an item's newest response, in the order of its ids, and those not received.
  static func shown(
    of item: Int, _ connection: Connection, _ keys: VaultKeys
  ) throws -> (pictures: [CaptureRecord], losses: [LostPicture]) {
    let lost = "(SELECT count(*) FROM captured WHERE captured.entry = capture.entry AND captured.state = 2)"
    let newest = "(SELECT max(entry) FROM capture WHERE item = ?1)"
    let rows = try connection.list(
      "SELECT \(columns), \(lost) FROM capture WHERE item = ?1 AND entry = \(newest) ORDER BY place", [item]
    ) { (record: try CaptureRow($0, keys).named(connection, keys).record, lost: $0.integer(9)) }
    guard let first = rows.first, first.lost > 0 else { return (rows.map(\.record), []) }
    // Missing pictures must not hide those that arrived: a check of the store names the damaged row.
    return (rows.map(\.record), (try? CapturedRow.losses(ofEntry: first.record.act, connection, keys)) ?? [])
  }

  /// Writes a new capture with its data.
  static func insert(
    _ record: CaptureRecord, entry: Int, order: Int, _ content: StoredContent, _ scope: WriteScope
  ) throws {
    let place = place(record.id, item: record.item, entry: entry, order: order, version: 1)
    let key = content.key
    try scope.connection.execute(
      "INSERT INTO capture (id, item, entry, place, version, key, body, file, hash) VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?)",
      [
        record.id, record.item, entry, order, scope.keys.wrapped(key, as: place),
        key.seal(record.bytes, as: place.part(.body)), content.file, tag(record.sha256, scope.keys),
      ])
    if content.file == nil {
      try scope.connection.execute(
        "INSERT INTO content VALUES (?, ?)", [record.id, key.seal(content.data, as: place.lasting(.data))])
    }
    scope.toggle(place)
    scope.anchor.captures += 1
  }

  /// Rewrites the sealed content of a capture; its key stays, as it also protects the data.
  func update(to record: CaptureRecord, _ scope: WriteScope) throws {
    let next = place(version: version + 1)
    let key = try scope.keys.dataKey(wrappedKey, of: place)
    try scope.connection.execute(
      "UPDATE capture SET version = ?, key = ?, body = ? WHERE id = ?",
      [version + 1, scope.keys.wrapped(key, as: next), key.seal(record.bytes, as: next.part(.body)), record.id])
    scope.toggle(place)
    scope.toggle(next)
  }

  /// Removes a capture with its data, thumbnail and key; its file is removed once that is committed.
  func delete(_ scope: WriteScope) throws {
    scope.toggle(place)
    if let file { try scope.connection.execute("INSERT OR IGNORE INTO doomed VALUES (?)", [file]) }
    try CapturedRow.clear(record.captureID, scope)
    try scope.connection.execute("DELETE FROM capture WHERE id = ?", [record.id])
    scope.anchor.captures -= 1
  }
}

extension CaptureRecord {
  /// The sealed content of a capture: all fields that its row does not hold.
  var bytes: [UInt8] {
    var writer = ByteWriter(form: 2)
    writer.put(captureID)
    writer.put(address)
    writer.put(sizeInBytes)
    writer.put(sha256)
    writer.put(claimedType)
    writer.put(optional: sniffedType) { $0.put($1) }
    writer.put(metadata)
    writer.put(received)
    writer.put(optional: quality) {
      $0.put($1.score)
      $0.put($1.scorer)
    }
    writer.put(optional: subject) {
      $0.put($1.modality.rawValue)
      $0.put($1.submodality.wireName)
    }
    return writer.bytes
  }

  /// Reads the sealed content.
  init(_ place: RecordPlace, _ reader: inout ByteReader) throws(ByteReader.Problem) {
    let (captureID, address) = (try reader.uuid(), try reader.text())
    let (size, hash) = (try reader.number(), try reader.content())
    let claimed = try reader.text()
    let sniffed = try reader.optional { reader throws(ByteReader.Problem) in try reader.text() }
    let metadata = try reader.dictionary()
    let received = try reader.instant()
    let quality = try reader.optional { reader throws(ByteReader.Problem) in
      Quality(score: try reader.number(), scorer: try reader.text())
    }
    var subject: CaptureSubject?
    // The first form did not contain it.
    if reader.form >= 2 {
      subject = try reader.optional { reader throws(ByteReader.Problem) in
        guard let modality = Modality(rawValue: try reader.number()) else { throw ByteReader.Problem() }
        return CaptureSubject(modality: modality, submodality: Submodality(wire: try reader.text()))
      }
    }
    self.init(
      id: place.id, item: place.owner, captureID: captureID, address: address, sizeInBytes: size, sha256: hash,
      claimedType: claimed, sniffedType: sniffed, metadata: metadata, received: received, quality: quality,
      subject: subject)
  }
}

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
