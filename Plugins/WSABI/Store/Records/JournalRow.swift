import PluginStore
import PluginVault

/// A row of the journal in the file.
struct JournalRow {
  var number: Int
  var intent: CaptureIntent
  var outcome: CaptureOutcome?
  private var wrappedKey: [UInt8]
  private var place: RecordPlace

  static func place(_ number: Int, item: Int) -> RecordPlace {
    RecordPlace(kind: .journal, id: number, owner: item, version: 1)
  }

  /// Writes a new entry.
  ///
  /// - Returns: Its number.
  static func insert(_ intent: CaptureIntent, _ scope: WriteScope) throws -> Int {
    let number = try scope.nextID(of: "journal")
    var writer = ByteWriter(form: 2)
    writer.put(intent.address)
    writer.put(intent.session)
    writer.put(intent.configuration)
    writer.put(intent.address.trust)
    let sealed = try scope.keys.seal(writer.bytes, as: place(number, item: intent.item))
    try scope.connection.execute(
      "INSERT INTO journal (id, item, is_open, key, body) VALUES (?, ?, 1, ?, ?)",
      [number, intent.item, sealed.key, sealed.body])
    return number
  }

  static func entry(_ number: JournalNumber, _ connection: Connection, _ keys: VaultKeys) throws -> JournalRow {
    let row = try connection.first("SELECT id, item, key, body, outcome FROM journal WHERE id = ?", [number.value]) {
      try JournalRow($0, keys)
    }
    guard let row else { throw VaultError.noJournalEntry(number.value) }
    return row
  }

  private init(_ row: Row, _ keys: VaultKeys) throws {
    let place = Self.place(row.integer(0), item: row.integer(1))
    let key = try keys.dataKey(row.bytes(2), of: place)
    intent = try decoded(key.open(row.bytes(3), of: place, .body), forms: 1...2, as: place) {
      reader throws(ByteReader.Problem) in
      var address = try reader.address()
      let session = try reader.uuid()
      let configuration = try reader.dictionary()
      // The trust of the sensor at that time: data downloaded after a restart comes from the same sensor.
      if reader.form >= 2 { address.trust = try reader.trust() }
      return CaptureIntent(item: place.owner, address: address, session: session, configuration: configuration)
    }
    if !row.isNull(4) {
      outcome = try decoded(key.open(row.bytes(4), of: place, .outcome), as: place) {
        reader throws(ByteReader.Problem) in try CaptureOutcome(&reader)
      }
    }
    (number, wrappedKey, self.place) = (place.id, row.bytes(2), place)
  }

  /// Writes the outcome.
  func end(_ outcome: CaptureOutcome, _ scope: WriteScope) throws {
    let key = try scope.keys.dataKey(wrappedKey, of: place)
    try scope.connection.execute(
      "UPDATE journal SET is_open = 0, outcome = ? WHERE id = ?",
      [key.seal(outcome.bytes, as: place.part(.outcome)), number])
  }
}

extension CaptureOutcome {
  fileprivate var bytes: [UInt8] {
    var writer = ByteWriter(form: 1)
    switch self {
    case .captured: writer.put(UInt8(1))
    case .refused(let status, let message):
      writer.put(UInt8(2))
      writer.put(status.word)
      writer.put(message)
    case .unknown(let reason):
      writer.put(UInt8(3))
      writer.put(reason)
    case .notAsked(let reason):
      writer.put(UInt8(4))
      writer.put(reason)
    }
    return writer.bytes
  }

  fileprivate init(_ reader: inout ByteReader) throws(ByteReader.Problem) {
    switch try reader.byte() {
    case 1: self = .captured
    case 2:
      let status = OperationStatus(word: try reader.text())
      self = .refused(status, message: try reader.text())
    case 3: self = .unknown(reason: try reader.text())
    case 4: self = .notAsked(reason: try reader.text())
    default: throw ByteReader.Problem()
    }
  }
}

/// A row of ids that services issued.
struct CapturedRow {
  /// The result of writing an id.
  enum Insertion: Equatable {
    case written
    /// The entry already has it, or its data is stored.
    case known
    /// The id belongs to another item, nil for a deleted one; nothing was written.
    case belongs(to: Int?)
  }

  private var id: Int
  private var entry: Int
  /// The index of the id within the response, from 0.
  var order: Int
  var uuid: SensorUUID
  var state: JournalEntry.State
  /// The reason for which waiting data is fetched on request only; nil if it is fetched as soon as it can be.
  private(set) var putOffReason: String?

  private static let columns = "id, entry, place, state, key, body"

  static func place(_ id: Int, entry: Int, order: Int) -> RecordPlace {
    RecordPlace(kind: .captured, id: id, owner: entry, version: 1, order: order)
  }

  private init(_ row: Row, _ keys: VaultKeys) throws {
    (id, entry, order) = (row.integer(0), row.integer(1), row.integer(2))
    let place = Self.place(id, entry: entry, order: order)
    let bytes = try keys.open(SealedRecord(key: row.bytes(4), body: row.bytes(5)), of: place)
    let (uuid, reason) = try decoded(bytes, as: place) { reader throws(ByteReader.Problem) in
      (try reader.uuid(), try reader.text())
    }
    self.uuid = uuid
    switch row.integer(3) {
    case 0:
      state = .waiting
      putOffReason = reason.isEmpty ? nil : reason
    case 1: state = .kept
    case 2: state = .lost(reason)
    default: throw VaultError.damaged(place.words)
    }
  }

  /// Returns the ids of an entry, in order, without cleared ones.
  static func all(of entry: Int, _ connection: Connection, _ keys: VaultKeys) throws -> [CapturedRow] {
    try connection.list("SELECT \(columns) FROM captured WHERE entry = ? AND state < 3 ORDER BY place", [entry]) {
      try CapturedRow($0, keys)
    }
  }

  /// Returns the pictures of a response that were not received.
  ///
  /// - Parameter waiting: The reason reported for data still awaited; nil to leave it out.
  static func losses(
    ofEntry entry: Int, waitingAs waiting: String? = nil, _ connection: Connection, _ keys: VaultKeys
  ) throws -> [LostPicture] {
    try all(of: entry, connection, keys).compactMap { row in
      let reason: String? =
        switch row.state {
        case .kept: nil
        case .waiting: waiting
        case .lost(let reason): reason
        }
      return reason.map { LostPicture(act: entry, place: row.order, captureID: row.uuid, reason: $0) }
    }
  }

  /// Returns an id whose data is awaited.
  ///
  /// - Throws: ``VaultError/noJournalEntry(_:)`` if the entry waits for no such id.
  static func waiting(
    _ number: JournalNumber, _ id: SensorUUID, _ connection: Connection, _ keys: VaultKeys
  ) throws -> CapturedRow {
    let row = try connection.first(
      "SELECT \(columns) FROM captured WHERE tag = ? AND entry = ? AND state = 0", [tag(id, keys), number.value]
    ) { try CapturedRow($0, keys) }
    guard let row else { throw VaultError.noJournalEntry(number.value) }
    return row
  }

  /// Writes an id that a service issued.
  ///
  /// An id the item already has is awaited again, unless its data is stored.
  /// - Parameter isImported: True if it comes from an export, which may be that of an item deleted since.
  static func insert(
    _ uuid: SensorUUID, _ entry: JournalRow, _ scope: WriteScope, isImported: Bool = false
  ) throws -> Insertion {
    let tag = tag(uuid, scope.keys)
    let known = try scope.connection.first(
      """
      SELECT captured.id, captured.state, captured.entry, journal.item FROM captured
      JOIN journal ON journal.id = captured.entry WHERE tag = ?
      """, [tag]
    ) { (id: $0.integer(0), state: $0.integer(1), entry: $0.integer(2), item: $0.integer(3)) }
    if let known {
      if known.item != entry.intent.item { return .belongs(to: known.item) }
      if known.entry == entry.number || known.state == JournalEntry.State.kept.number { return .known }
      try scope.connection.execute("DELETE FROM captured WHERE id = ?", [known.id])
    } else if !isImported {
      let isSpent = try !scope.connection.value("SELECT 1 FROM spent WHERE tag = ?", [tag]).isNull
      if isSpent { return .belongs(to: nil) }
    }
    let id = try scope.nextID(of: "captured")
    let order =
      try scope.connection.value("SELECT max(place) + 1 FROM captured WHERE entry = ?", [entry.number]).integer ?? 0
    let sealed = try seal(uuid, "", as: place(id, entry: entry.number, order: order), scope)
    try scope.connection.execute(
      "INSERT INTO captured (id, entry, place, state, tag, key, body) VALUES (?, ?, ?, 0, ?, ?, ?)",
      [id, entry.number, order, tag, sealed.key, sealed.body])
    return .written
  }

  /// Clears an id whose data was deleted, but keeps its owner.
  static func clear(_ uuid: SensorUUID, _ scope: WriteScope) throws {
    try scope.connection.execute(
      "UPDATE captured SET state = 3, key = x'', body = x'' WHERE tag = ?", [tag(uuid, scope.keys)])
  }

  /// Clears an item's ids whose data was not received, but keeps their owner.
  ///
  /// - Parameter entry: The entry of the response; nil for all responses.
  static func clearLosses(ofItem item: Int, entry: Int? = nil, _ scope: WriteScope) throws {
    let one = entry.map { " AND entry = \($0)" } ?? ""
    try scope.connection.execute(
      """
      UPDATE captured SET state = 3, key = x'', body = x''
      WHERE state = 2\(one) AND entry IN (SELECT id FROM journal WHERE item = ?)
      """, [item])
  }

  /// Keeps the ids of an item about to be deleted, as tags only: a sensor that repeats one of them has the data of
  /// another person.
  static func spend(ofItem item: Int, _ scope: WriteScope) throws {
    try scope.connection.execute(
      """
      INSERT OR IGNORE INTO spent SELECT captured.tag FROM captured JOIN journal ON journal.id = captured.entry
      WHERE journal.item = ?
      """, [item])
  }

  /// Writes the state of its data.
  func set(_ state: JournalEntry.State, _ scope: WriteScope) throws {
    var reason = ""
    if case .lost(let words) = state { reason = words }
    try write(state, reason, scope)
  }

  /// Writes that its data is fetched on request only.
  func putOff(because reason: String, _ scope: WriteScope) throws { try write(.waiting, reason, scope) }

  private func write(_ state: JournalEntry.State, _ reason: String, _ scope: WriteScope) throws {
    let sealed = try Self.seal(uuid, reason, as: Self.place(id, entry: entry, order: order), scope)
    try scope.connection.execute(
      "UPDATE captured SET state = ?, key = ?, body = ? WHERE id = ?", [state.number, sealed.key, sealed.body, id])
  }

  private static func seal(
    _ uuid: SensorUUID, _ reason: String, as place: RecordPlace, _ scope: WriteScope
  ) throws -> SealedRecord {
    var writer = ByteWriter(form: 1)
    writer.put(uuid)
    writer.put(reason)
    return try scope.keys.seal(writer.bytes, as: place)
  }

  /// Returns the tag by which an id is found without revealing it.
  private static func tag(_ id: SensorUUID, _ keys: VaultKeys) -> [UInt8] {
    keys.tags.code(Array("capture".utf8) + Array(id.key.utf8))
  }
}

extension JournalEntry.State {
  /// The state's number in the file; 3 is that of data that was deleted.
  fileprivate var number: Int {
    switch self {
    case .waiting: 0
    case .kept: 1
    case .lost: 2
    }
  }
}
