import PluginStore

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
    writer.put(intent.address.text)
    writer.put(intent.address.host)
    writer.put(intent.address.port)
    writer.put(intent.address.isSecure)
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
      let (text, host) = (try reader.text(), try reader.text())
      let (port, isSecure) = (try reader.number(), try reader.flag())
      var address = SensorAddress(text: text, host: host, port: port, isSecure: isSecure)
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
