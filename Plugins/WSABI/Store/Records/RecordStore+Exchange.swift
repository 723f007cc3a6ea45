import PluginAPI
import PluginStore

/// A person to import: details, items, and data to be stored.
struct ImportedPerson: Sendable {
  /// Data in a sink, with its record as it was exported.
  struct Capture: Sendable {
    var record: CaptureRecord
    var sink: any DataSink
    /// Its thumbnail, as a PNG.
    var thumbnail: [UInt8]?
  }

  /// An item with its captures: newest response first, grouped by response.
  struct Item: Sendable {
    var item: BiometricItem
    var captures: [Capture]
    /// Pictures of these responses that were not received.
    var losses: [LostPicture] = []
  }

  /// The store assigns new numbers.
  ///
  /// Those of acts group captures; 0 marks a capture on its own.
  var person: Person
  /// In order of their index.
  var items: [Item]
}

/// The result of one act of capture, as an import delivers it.
struct ImportedAct {
  var pictures: [(capture: ImportedPerson.Capture, data: WrittenCapture)]
  var losses: [LostPicture]

  /// Returns the acts of an item, in the order of their captures.
  static func all(_ item: ImportedPerson.Item, _ written: ArraySlice<WrittenCapture>) -> [ImportedAct] {
    var acts: [ImportedAct] = []
    for (capture, data) in zip(item.captures, written) {
      let act = capture.record.act
      if act != 0, acts.last?.pictures.first?.capture.record.act == act {
        acts[acts.count - 1].pictures.append((capture, data))
      } else {
        let losses = act == 0 ? [] : item.losses.filter { $0.act == act }
        acts.append(ImportedAct(pictures: [(capture, data)], losses: losses))
      }
    }
    return acts
  }

  /// All ids of the response, in order.
  var ids: [SensorUUID] {
    let came = pictures.map { (place: $0.capture.record.place, id: $0.capture.record.captureID) }
    return (came + losses.map { (place: $0.place, id: $0.captureID) }).sorted { $0.place < $1.place }.map(\.id)
  }
}

extension RecordStore {
  /// Records the export of a person in the audit log, before any data leaves the store.
  ///
  /// - Parameter form: The name of the export format.
  /// - Throws: ``VaultRefusal/permission(_:_:)``.
  func beginExport(of person: Int, as form: String) async throws {
    try await change(.exportRecords) { scope in
      _ = try PersonRow.person(person, scope.connection, scope.keys)
      try scope.audit(AuditEvent(.exported, person: person, outcome: form))
    }
  }

  /// Opens a sink for imported data.
  func importSink() async throws -> any DataSink {
    _ = try opened()
    return CaptureSink(files)
  }

  /// Stores a person with all items and captures, or nothing of them.
  ///
  /// - Returns: The person's new number.
  /// - Throws: ``VaultRefusal/knownCaptureID(item:)`` if an id is known from another item,
  ///   ``VaultError/otherData(expected:found:)`` if a sink received other data than a record describes.
  func importPerson(_ imported: ImportedPerson, from form: String) async throws -> Int {
    let sinks = imported.items.flatMap(\.captures).compactMap { $0.sink as? CaptureSink }
    let written = try await OwnThread.value { _ in try sinks.map { try $0.finish() } }
    guard written.count == imported.items.reduce(0, { $0 + $1.captures.count }) else { throw VaultError.sinkClosed }
    let id = try await change(.importRecords) { scope in
      try Self.insert(imported, written, scope, from: form)
    }
    for sink in sinks { sink.settle() }
    return id
  }

  /// Returns the item that has data with one of some hashes; nil if there is none.
  ///
  /// - Complexity: O(*hashes*), but for the first time after an older version wrote the store: each capture is opened then.
  func item(withDataOf hashes: Set<[UInt8]>) async throws -> (item: Int, person: Int)? {
    while try await hasUntaggedCaptures() {
      if try await !change(.readRecords, { try CaptureRow.tagSome($0) }) { break }
    }
    return try await look(.readRecords) { connection, vault in
      guard let record = try CaptureRow.holding(hashes, connection, vault.keys) else { return nil }
      return (record.item, try ItemRow.person(of: record.item, connection) ?? 0)
    }
  }

  private func hasUntaggedCaptures() async throws -> Bool {
    try await look(.readRecords) { connection, _ in
      try connection.value("SELECT 1 FROM capture WHERE hash IS NULL LIMIT 1").integer == 1
    }
  }

  /// Returns the person of an item; nil if there is no such item.
  func person(ofItem item: Int) async throws -> Int? {
    try await look(.readRecords) { connection, _ in try ItemRow.person(of: item, connection) }
  }

  private static func insert(
    _ imported: ImportedPerson, _ written: [WrittenCapture], _ scope: WriteScope, from form: String
  ) throws -> Int {
    var person = imported.person
    person.id = try scope.nextID(of: "person")
    try PersonRow.insert(person, scope)
    try scope.audit(AuditEvent(.imported, person: person.id, outcome: form))
    var next = 0
    for (index, entry) in imported.items.enumerated() {
      var item = entry.item
      (item.id, item.person, item.index) = (try scope.nextID(of: "item"), person.id, index)
      item.forgetCaptures()
      try ItemRow(new: item).insert(scope)
      // Oldest first, as each response gets a number of the journal after those before.
      for act in ImportedAct.all(entry, written[next...]).reversed() { try insert(act, of: item, scope) }
      next += entry.captures.count
    }
    if imported.items.contains(where: { !$0.item.annotation.notes.isEmpty }) {
      try PersonRow.renewWords(person.id, scope)
    }
    return person.id
  }

  /// Files the pictures of one response as one act again, its ids in order.
  ///
  /// The journal entry of the act has no sensor; it is the owner of the ids.
  static func insert(_ act: ImportedAct, of item: BiometricItem, _ scope: WriteScope) throws {
    guard let first = act.pictures.first?.capture.record else { return }
    let address = SensorAddress(text: first.address, host: "", port: 0, isSecure: false)
    let intent = CaptureIntent(
      item: item.id, address: address, session: first.captureID, configuration: WireDictionary())
    let number = JournalNumber(try JournalRow.insert(intent, scope))
    let entry = try JournalRow.entry(number, scope.connection, scope.keys)
    for id in act.ids {
      switch try CapturedRow.insert(id, entry, scope, isImported: true) {
      case .written: break
      case .belongs(let owner): throw VaultRefusal.knownCaptureID(item: owner ?? 0)
      case .known: throw VaultRefusal.knownCaptureID(item: item.id)
      }
    }
    for (capture, data) in act.pictures { try insert(capture, data, number, of: item, scope) }
    for loss in act.losses {
      try CapturedRow.waiting(number, loss.captureID, scope.connection, scope.keys).set(.lost(loss.reason), scope)
    }
    try entry.end(.captured, scope)
  }

  private static func insert(
    _ capture: ImportedPerson.Capture, _ written: WrittenCapture, _ number: JournalNumber, of item: BiometricItem,
    _ scope: WriteScope
  ) throws {
    let described = capture.record
    guard described.sha256 == written.sha256, described.sizeInBytes == written.sizeInBytes else {
      throw VaultError.otherData(expected: described.sizeInBytes, found: written.sizeInBytes)
    }
    let captured = try CapturedRow.waiting(number, described.captureID, scope.connection, scope.keys)
    var record = described
    (record.id, record.item) = (try scope.nextID(of: "capture"), item.id)
    (record.act, record.place) = (number.value, captured.order)
    record.subject = described.subject ?? item.subject
    try CaptureRow.insert(record, entry: number.value, order: captured.order, written.content, scope)
    try captured.set(.kept, scope)
    if let thumbnail = capture.thumbnail {
      try scope.setThumbnail(of: CaptureRow.capture(record.id, scope.connection, scope.keys), thumbnail)
    }
    try scope.auditKept(record, .captureImported)
  }
}
