import PluginAPI
import PluginStore

extension RecordStore: CaptureJournal {
  /// Writes that a capture is about to be requested; refused if there would be no room for the response, or the item
  /// changed since the order.
  func begin(_ intent: CaptureIntent) async throws -> JournalNumber {
    let failure = files.holdReserve()
    if failure != 0 { throw VaultError.file(path: files.path, number: failure) }
    let number = try await change(.capture) { scope in
      let item = try ItemRow.item(intent.item, scope.connection, scope.keys).item
      if let ordered = intent.definition, ordered != item.definition { throw VaultError.itemEdited(item.id) }
      let number = try JournalRow.insert(intent, scope)
      var event = AuditEvent(.captureAsked, person: item.person, item: item.id, address: intent.address.text)
      event.session = intent.session
      try scope.audit(event)
      scope.note(.journal)
      return JournalNumber(number)
    }
    underWay.begin(number)
    return number
  }

  /// Writes the ids of the response; those that belong to another item are left out and recorded in the audit log.
  @discardableResult
  func captured(_ number: JournalNumber, ids: [SensorUUID]) async throws -> [SensorUUID] {
    let waiting = try await record { scope in
      let entry = try JournalRow.entry(number, scope.connection, scope.keys)
      for id in ids {
        let insertion = try CapturedRow.insert(id, entry, scope)
        if insertion == .known { continue }
        var event = AuditEvent(
          .captureAnswered, person: try scope.person(ofItem: entry.intent.item), item: entry.intent.item)
        (event.address, event.session, event.captureID) = (entry.intent.address.text, entry.intent.session, id)
        if case .belongs(let owner) = insertion {
          let item = owner.map { "item \($0)" } ?? "a deleted item"
          (event.action, event.outcome) = (.captureRefused, "belongs to \(item)")
        }
        try scope.audit(event)
      }
      // The ids determine the outcome of the capture, even if its end is never reported.
      if entry.outcome == nil { try Self.end(entry, .captured, scope) }
      scope.note(.journal)
      let waiting = Set(
        try CapturedRow.all(of: number.value, scope.connection, scope.keys).filter { $0.state == .waiting }.map(\.uuid))
      return ids.filter(waiting.contains)
    }
    underWay.end(number)
    underWay.announce(waiting, of: number)
    return waiting
  }

  func sink(_ number: JournalNumber, _ id: SensorUUID) async throws -> any DataSink {
    let vault = try opened()
    // An id written a moment ago waits for its data; with many sensors, reading the store takes time.
    if !underWay.remove(id, of: number) {
      _ = try await sqlite.read { try CapturedRow.waiting(number, id, $0, vault.keys) }
    }
    return CaptureSink(files)
  }

  func keep(_ number: JournalNumber, _ sink: any DataSink, _ download: FinishedDownload) async throws -> CaptureRecord {
    guard let sink = sink as? CaptureSink else { throw VaultError.sinkClosed }
    // Waits for the device: not on a thread of Swift's pool, nor on the one of the database.
    let written = try await OwnThread.value { _ in try sink.finish() }
    if let sent = download.answer.data, sent.sizeInBytes != written.sizeInBytes || sent.sha256 != written.sha256 {
      throw VaultError.otherData(expected: sent.sizeInBytes, found: written.sizeInBytes)
    }
    let record = try await change(nil) { scope in
      let entry = try JournalRow.entry(number, scope.connection, scope.keys)
      let captured = try CapturedRow.waiting(number, download.id, scope.connection, scope.keys)
      let answer = download.answer
      var record = CaptureRecord(
        id: try scope.nextID(of: "capture"), item: entry.intent.item, captureID: download.id,
        address: entry.intent.address.text, sizeInBytes: written.sizeInBytes, sha256: written.sha256,
        claimedType: answer.claimedType, sniffedType: SniffedType.of(written.start),
        metadata: answer.metadata ?? WireDictionary(), received: scope.now, quality: nil)
      record.subject = try ItemRow.subject(of: entry.intent.item, scope.connection, scope.keys)
      (record.act, record.place) = (number.value, captured.order)
      try CaptureRow.insert(record, entry: number.value, order: captured.order, written.content, scope)
      try captured.set(.kept, scope)
      try scope.auditKept(record, .captureKept)
      return record
    }
    sink.settle()
    return record
  }

  func lost(_ number: JournalNumber, _ id: SensorUUID, because reason: String) async throws {
    try await record { scope in
      let entry = try JournalRow.entry(number, scope.connection, scope.keys)
      try CapturedRow.waiting(number, id, scope.connection, scope.keys).set(.lost(reason), scope)
      var event = AuditEvent(
        .captureLost, person: try scope.person(ofItem: entry.intent.item), item: entry.intent.item,
        address: entry.intent.address.text)
      (event.captureID, event.outcome) = (id, reason)
      try scope.audit(event)
      scope.note(.journal)
    }
  }

  func putOff(_ number: JournalNumber, _ id: SensorUUID, because reason: String) async throws {
    try await record { scope in
      try CapturedRow.waiting(number, id, scope.connection, scope.keys).putOff(because: reason, scope)
      scope.note(.journal)
    }
  }

  func end(_ number: JournalNumber, _ outcome: CaptureOutcome) async throws {
    // Even if it cannot be written, the capture is no longer in progress: a lock for idleness waits for that.
    defer { underWay.end(number) }
    try await record { scope in
      let entry = try JournalRow.entry(number, scope.connection, scope.keys)
      // A repeated outcome is not a second end.
      if entry.outcome != outcome { try Self.end(entry, outcome, scope) }
      scope.note(.journal)
    }
  }

  private static func end(_ entry: JournalRow, _ outcome: CaptureOutcome, _ scope: WriteScope) throws {
    try entry.end(outcome, scope)
    var event = AuditEvent(
      .captureEnded, person: try scope.person(ofItem: entry.intent.item), item: entry.intent.item,
      address: entry.intent.address.text)
    (event.session, event.outcome) = (entry.intent.session, outcome.words)
    try scope.audit(event)
  }

  func unfinished() async throws -> [UnfinishedCapture] {
    try await look(.readRecords) { connection, vault in
      let numbers = try connection.list(
        """
        SELECT id FROM journal WHERE is_open = 1 UNION SELECT entry FROM captured WHERE state = 0 ORDER BY 1
        """
      ) { $0.integer(0) }
      return try numbers.map { number in
        let entry = try JournalRow.entry(JournalNumber(number), connection, vault.keys)
        let waiting = try CapturedRow.all(of: number, connection, vault.keys).filter { $0.state == .waiting }
        var unfinished = UnfinishedCapture(
          number: JournalNumber(number), intent: entry.intent, outcome: entry.outcome, waiting: waiting.map(\.uuid))
        for row in waiting { unfinished.putOff[row.uuid] = row.putOffReason }
        return unfinished
      }
    }
  }
}

extension RecordStore {
  /// Returns the newest journal entries of some items; items without an entry are left out.
  func newestEntries(of items: [Int]) async throws -> [Int: JournalEntry] {
    if items.isEmpty { return [:] }
    let wanted = Set(items)
    return try await look(.readRecords) { connection, vault in
      let only = items.count == 1 ? "WHERE item = \(items[0])" : ""
      let numbers = try connection.list("SELECT item, MAX(id) FROM journal \(only) GROUP BY item") {
        ($0.integer(0), JournalNumber($0.integer(1)))
      }
      var found: [Int: JournalEntry] = [:]
      for (item, number) in numbers where wanted.contains(item) {
        found[item] = try Self.entry(number, connection, vault.keys)
      }
      return found
    }
  }

  /// Returns captures with an unknown outcome, of items that have no data and no later request; oldest first.
  func unknownCaptures() async throws -> [JournalEntry] {
    try await look(.readRecords) { connection, vault in
      let numbers = try connection.list(
        """
        SELECT MAX(id) FROM journal WHERE item NOT IN (SELECT item FROM capture) GROUP BY item ORDER BY 1
        """
      ) { JournalNumber($0.integer(0)) }
      return try numbers.compactMap { number in
        let entry = try Self.entry(number, connection, vault.keys)
        guard case .unknown = CaptureQuestion([entry]) else { return nil }
        return entry
      }
    }
  }

  private static func entry(
    _ number: JournalNumber, _ connection: Connection, _ keys: VaultKeys
  ) throws -> JournalEntry {
    let entry = try JournalRow.entry(number, connection, keys)
    let ids = try CapturedRow.all(of: number.value, connection, keys)
    return JournalEntry(
      number: number, intent: entry.intent, outcome: entry.outcome,
      ids: ids.map { JournalEntry.CapturedID(id: $0.uuid, state: $0.state) })
  }

  /// Returns the journal entries of an item, newest first.
  func journal(of item: Int) async throws -> [JournalEntry] {
    try await look(.readRecords) { connection, vault in
      let numbers = try connection.list("SELECT id FROM journal WHERE item = ? ORDER BY id DESC", [item]) {
        JournalNumber($0.integer(0))
      }
      return try numbers.map { try Self.entry($0, connection, vault.keys) }
    }
  }
}

extension WriteScope {
  /// Reports a stored capture, in the audit log and to observers.
  func auditKept(_ record: CaptureRecord, _ action: AuditAction) throws {
    let person = try person(ofItem: record.item)
    var event = AuditEvent(
      action, person: person, item: record.item, capture: record.id, address: record.address)
    (event.captureID, event.sha256) = (record.captureID, record.sha256)
    try audit(event)
    if let person { note(.item(record.item, person: person)) }
    note(.journal)
  }
}

extension SensorAnswer {
  /// The type that the service claims: beside the data, or in its metadata.
  fileprivate var claimedType: String { contentType ?? metadata?["contentType"]?.plainText ?? "" }
}

extension CaptureOutcome {
  /// A word or two for the audit log; never a service's text, which could contain anything.
  fileprivate var words: String {
    switch self {
    case .captured: "captured"
    case .refused(let status, _): status.auditWord
    case .unknown: "unknown"
    case .notAsked: "not asked"
    }
  }
}
