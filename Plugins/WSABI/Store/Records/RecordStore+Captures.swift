import Glibc
import PluginAPI
import PluginStore
import PluginVault
import Synchronization

extension RecordStore {
  /// Returns all captures of an item, those of the newest response first.
  func captures(of item: Int) async throws -> [CaptureRecord] {
    try await change(.readRecords) { scope in
      let records = try CaptureRow.all(of: item, scope.connection, scope.keys).map(\.record)
      try scope.auditReading(AuditEvent(.itemRead, person: try scope.person(ofItem: item), item: item))
      return records
    }
  }

  /// Returns all captures of an item, newest response first, and the missing pictures of these responses, at one
  /// moment.
  ///
  /// - Parameter waiting: The reason reported for data still awaited.
  func answers(
    of item: Int, waitingAs waiting: String
  ) async throws -> (captures: [CaptureRecord], losses: [LostPicture]) {
    try await change(.readRecords) { scope in
      let records = try CaptureRow.all(of: item, scope.connection, scope.keys).map(\.record)
      let losses = try Self.losses(of: item, waitingAs: waiting, scope.connection, scope.keys)
      try scope.auditReading(AuditEvent(.itemRead, person: try scope.person(ofItem: item), item: item))
      return (records, losses)
    }
  }

  private static func losses(
    of item: Int, waitingAs waiting: String, _ connection: Connection, _ keys: VaultKeys
  ) throws -> [LostPicture] {
    let acts = try connection.list("SELECT DISTINCT entry FROM capture WHERE item = ? ORDER BY entry DESC", [item]) {
      $0.integer(0)
    }
    return try acts.flatMap { try CapturedRow.losses(ofEntry: $0, waitingAs: waiting, connection, keys) }
  }

  /// Returns the record of a capture.
  func capture(_ id: Int) async throws -> CaptureRecord {
    try await change(.readRecords) { scope in
      let record = try CaptureRow.capture(id, scope.connection, scope.keys).record
      try scope.auditReading(
        AuditEvent(.itemRead, person: try scope.person(ofItem: record.item), item: record.item, capture: id))
      return record
    }
  }

  /// Returns the request by which a capture was made: its sensor and the setting.
  func origin(of capture: Int) async throws -> CaptureIntent {
    try await look(.readRecords) { connection, vault in
      let row = try CaptureRow.capture(capture, connection, vault.keys)
      return try JournalRow.entry(JournalNumber(row.entry), connection, vault.keys).intent
    }
  }

  /// Passes on the data of a capture in pieces, in order; this is recorded in the audit log.
  ///
  /// Every piece is verified before it is passed on; their completeness is verified when this returns.
  /// - Throws: ``VaultError/damaged(_:)`` if a byte was changed, or is missing.
  func read(
    _ capture: CaptureRecord, _ body: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
  ) async throws {
    let files = files
    let (record, source) = try await change(.readRecords) { scope in
      let row = try CaptureRow.capture(capture.id, scope.connection, scope.keys)
      let person = try scope.person(ofItem: row.record.item)
      var event = AuditEvent(.captureRead, person: person, item: row.record.item, capture: capture.id)
      event.captureID = row.record.captureID
      try scope.auditReading(event)
      return (row.record, try CaptureSource(row, scope.connection, scope.keys))
    }
    try await OwnThread.value { _ in try source.read(record, files, body) }
  }

  /// Reads all data of a capture without passing it on; this is not recorded in the audit log.
  ///
  /// - Throws: ``VaultError/damaged(_:)`` if a byte was changed, or is missing.
  func verifyData(of capture: Int) async throws { try await readUntold(capture) { _ in } }

  /// Returns all data of a capture for computations that are not shown to anyone; this is not recorded in the audit
  /// log.
  ///
  /// - Throws: ``VaultError/damaged(_:)`` if a byte was changed, or is missing.
  func dataToCompute(of capture: CaptureRecord) async throws -> [UInt8] {
    let all = Gathered()
    try await readUntold(capture.id) { all.append($0) }
    return all.bytes
  }

  private func readUntold(
    _ capture: Int, _ body: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
  ) async throws {
    let files = files
    let (record, source) = try await look(.readRecords) { connection, vault in
      let row = try CaptureRow.capture(capture, connection, vault.keys)
      return (row.record, try CaptureSource(row, connection, vault.keys))
    }
    try await OwnThread.value { _ in try source.read(record, files, body) }
  }

  /// Returns all data of a capture at once.
  func data(of capture: CaptureRecord) async throws -> [UInt8] {
    let all = Gathered()
    try await read(capture) { all.append($0) }
    return all.bytes
  }

  /// Returns the thumbnail of a capture, as a PNG; nil if there is none.
  func thumbnail(of capture: Int) async throws -> [UInt8]? {
    try await change(.readRecords) { try $0.thumbnail(of: capture) }
  }

  /// Returns the thumbnails of captures, as PNGs, by the numbers of the captures.
  ///
  /// - Returns: The thumbnails, and the captures without one; missing and damaged captures are in neither.
  func thumbnails(of captures: [Int]) async throws -> (kept: [Int: [UInt8]], absent: Set<Int>) {
    try await change(.readRecords) { scope in
      var (kept, absent): ([Int: [UInt8]], Set<Int>) = ([:], [])
      for capture in captures {
        do {
          kept[capture] = try scope.thumbnail(of: capture)
          if kept[capture] == nil { absent.insert(capture) }
        } catch is ErrorReport {}
      }
      return (kept, absent)
    }
  }

  /// Stores the thumbnail of a capture.
  ///
  /// - Parameter png: The picture as a PNG.
  func setThumbnail(of capture: Int, _ png: [UInt8]) async throws {
    try await change(nil) { scope in
      let row = try CaptureRow.capture(capture, scope.connection, scope.keys)
      try scope.setThumbnail(of: row, png)
      try scope.noteItem(row.record.item)
    }
  }

  /// Stores the quality of a capture, which is reviewed then.
  func setQuality(of capture: Int, _ quality: CaptureRecord.Quality?) async throws -> CaptureRecord {
    try await change(nil) { scope in
      let row = try CaptureRow.capture(capture, scope.connection, scope.keys)
      let record = try scope.setQuality(of: row, quality)
      if quality != nil { try scope.markReviewed(capture) }
      try scope.noteItem(record.item)
      return record
    }
  }

  /// Stores the findings of a review, all or nothing; nil changes nothing.
  ///
  /// - Parameter isComplete: False if a quality follows: the capture counts as unreviewed until then.
  /// - Returns: The record with its quality.
  func keepReview(
    of capture: CaptureRecord, thumbnail: [UInt8]?, quality: CaptureRecord.Quality?, isComplete: Bool = true
  ) async throws -> CaptureRecord {
    if thumbnail == nil, quality == nil {
      // A screen that waits for it must learn that there is none; without a notification it does at the next read.
      try? await change(nil) { scope in
        if isComplete { try scope.markReviewed(capture.id) }
        try scope.noteItem(capture.item)
      }
      return capture
    }
    return try await change(nil) { scope in
      let row = try CaptureRow.capture(capture.id, scope.connection, scope.keys)
      if isComplete { try scope.markReviewed(capture.id) }
      if let thumbnail { try scope.setThumbnail(of: row, thumbnail) }
      let record = try quality.map { try scope.setQuality(of: row, $0) } ?? capture
      try scope.noteItem(row.record.item)
      return record
    }
  }

  /// Returns captures that were not reviewed, with their items, oldest first: a process ended before it could.
  ///
  /// - Parameter limit: The most captures.
  func unreviewedCaptures(limit: Int) async throws -> [(record: CaptureRecord, item: BiometricItem)] {
    try await look(.readRecords) { connection, vault in
      let ids = try connection.list(
        "SELECT id FROM capture WHERE reviewed = 0 ORDER BY id LIMIT ?", [limit]
      ) { $0.integer(0) }
      // A damaged capture is found by the check of the store, and hides no other.
      return ids.compactMap { id in
        guard let row = try? CaptureRow.capture(id, connection, vault.keys),
          let item = try? ItemRow.item(row.record.item, connection, vault.keys).item
        else { return nil }
        return (row.record, item)
      }
    }
  }

  /// Deletes one capture of an item: the item shows the next one.
  ///
  /// - Parameter better: The captures that replace it, which must be stored.
  /// - Throws: ``VaultError/noCapture(_:)`` if it, or one of those, is missing; nothing is then deleted.
  func deleteCapture(_ id: Int, keeping better: [Int] = []) async throws {
    try await change(.clearCaptures) { scope in
      for id in better { _ = try CaptureRow.capture(id, scope.connection, scope.keys) }
      let row = try CaptureRow.capture(id, scope.connection, scope.keys)
      try row.delete(scope)
      // A response with nothing left, here or at the sensor, has no missing pictures either.
      let left = """
        SELECT 1 FROM capture WHERE entry = ?1 UNION ALL SELECT 1 FROM captured WHERE entry = ?1 AND state = 0 LIMIT 1
        """
      let isLast = try scope.connection.value(left, [row.entry]).isNull
      if isLast { try CapturedRow.clearLosses(ofItem: row.record.item, entry: row.entry, scope) }
      let person = try scope.person(ofItem: row.record.item)
      try scope.audit(AuditEvent(.captureDeleted, person: person, item: row.record.item, capture: id))
      try scope.noteItem(row.record.item)
    }
    await tidy()
  }
}

extension WriteScope {
  /// Returns the person of an item; nil if there is no such item.
  func person(ofItem id: Int) throws -> Int? { try ItemRow.person(of: id, connection) }

  /// Returns the thumbnail of a capture; nil if there is none.
  fileprivate func thumbnail(of capture: Int) throws -> [UInt8]? {
    let row = try CaptureRow.capture(capture, connection, keys)
    let sealed = try connection.value("SELECT thumbnail FROM capture WHERE id = ?", [capture]).bytes
    guard let sealed else { return nil }
    let opened = try keys.dataKey(row.wrappedKey, of: row.place).open(sealed, of: row.place, lasting: .thumbnail)
    try auditReading(
      AuditEvent(
        .captureRead, person: try person(ofItem: row.record.item), item: row.record.item, capture: capture,
        outcome: "thumbnail"))
    return opened
  }

  fileprivate func markReviewed(_ capture: Int) throws {
    try connection.execute("UPDATE capture SET reviewed = 1 WHERE id = ?", [capture])
  }

  /// Stores the thumbnail of a capture, a PNG.
  func setThumbnail(of row: CaptureRow, _ png: [UInt8]) throws {
    let key = try keys.dataKey(row.wrappedKey, of: row.place)
    try connection.execute(
      "UPDATE capture SET thumbnail = ? WHERE id = ?",
      [key.seal(png, as: row.place.lasting(.thumbnail)), row.record.id])
  }

  fileprivate func setQuality(of row: CaptureRow, _ quality: CaptureRecord.Quality?) throws -> CaptureRecord {
    var record = row.record
    record.quality = quality
    try row.update(to: record, self)
    try audit(
      AuditEvent(.captureScored, person: try person(ofItem: record.item), item: record.item, capture: record.id))
    return record
  }

  /// Notes that an item changed.
  fileprivate func noteItem(_ id: Int) throws {
    if let person = try person(ofItem: id) { note(.item(id, person: person)) }
  }
}

/// The location of a capture's data, with the key that opens it.
private struct CaptureSource: Sendable {
  private var key: DataKey
  private var file: String?
  private var data: [UInt8] = []

  init(_ row: CaptureRow, _ connection: Connection, _ keys: VaultKeys) throws {
    let key = try keys.dataKey(row.wrappedKey, of: row.place)
    file = row.file
    self.key = key
    if file != nil { return }
    let sealed = try connection.value("SELECT data FROM content WHERE capture = ?", [row.record.id]).bytes
    data = try key.open(sealed ?? [], of: row.place, lasting: .data)
  }

  func read(
    _ record: CaptureRecord, _ files: CaptureFolder, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let reader = CaptureReader(record: record)
    guard let file else { return try reader.read(data, body) }
    let descriptor = files.open(reading: file)
    guard descriptor >= 0 else { throw VaultError.damaged("the data of capture \(record.id)") }
    defer { Glibc.close(descriptor) }
    try reader.read(descriptor, key: key, body)
  }
}

/// Bytes that come piece by piece.
private final class Gathered: Sendable {
  private let content = Mutex<[UInt8]>([])

  var bytes: [UInt8] { content.withLock { $0 } }

  func append(_ piece: UnsafeRawBufferPointer) { content.withLock { $0.append(contentsOf: piece) } }
}
