import PluginAPI
import PluginStore
import PluginVault
import Synchronization

extension RecordStore {
  /// Adds a person without items.
  func addPerson(_ biography: Biography, at time: Instant) async throws -> Person {
    try await change(.addPeople) { scope in
      let person = Person(id: try scope.nextID(of: "person"), biography: biography, created: time, modified: time)
      try PersonRow.insert(person, scope)
      try scope.audit(AuditEvent(.personAdded, person: person.id))
      return person
    }
  }

  /// Returns a person; reading them is recorded in the audit log.
  ///
  /// - Throws: ``VaultError/noPerson(_:)``.
  func person(_ id: Int) async throws -> Person {
    try await change(.readRecords) { scope in
      let person = try PersonRow.person(id, scope.connection, scope.keys)
      try scope.auditReading(AuditEvent(.personRead, person: id))
      return person
    }
  }

  /// Returns a part of the list of people, oldest first.
  ///
  /// - Parameters:
  ///   - range: Indices in the list, from 0; those beyond its end are left out.
  ///   - text: Words that all must occur in a person's details, ignoring case and accents; empty to match everyone.
  ///   - includesItems: True to include the items in the rows.
  func people(
    _ range: Range<Int>, matching text: String = "", includesItems: Bool = true
  ) async throws -> PeoplePage {
    let words = SearchWords.terms(text)
    try await auditListing()
    return try await look(.readRecords) { connection, vault in
      let (ids, total) = try Self.list(range, words, connection, vault)
      let rows = try ids.map { id in
        PeoplePage.Row(
          person: try PersonRow.person(id, connection, vault.keys),
          items: includesItems ? try ItemRow.items(of: id, connection, vault.keys).map(\.item) : [])
      }
      return PeoplePage(rows: rows, total: total)
    }
  }

  /// Returns the index of a person in the list, from 0; nil if the list does not contain them.
  func index(of person: Int, matching text: String = "") async throws -> Int? {
    let words = SearchWords.terms(text)
    return try await look(.readRecords) { connection, vault in
      if words.isEmpty {
        let isThere = try connection.value("SELECT count(*) FROM person WHERE id = ?", [person]).integer == 1
        return isThere ? try connection.value("SELECT count(*) FROM person WHERE id < ?", [person]).integer : nil
      }
      return try Self.withIndex(connection, vault) { $0.matches(words) }.firstIndex(of: person)
    }
  }

  /// Builds the search index, so that the first search is as fast as later ones.
  func prepareSearch() async throws {
    try await look(.readRecords) { connection, vault in try Self.withIndex(connection, vault) { _ in } }
  }

  /// Changes the details of a person.
  func edit(person id: Int, _ biography: Biography, at time: Instant) async throws -> Person {
    try await change(.editPeople) { scope in
      var person = try PersonRow.person(id, scope.connection, scope.keys)
      (person.biography, person.modified) = (biography, time)
      try PersonRow.update(person, scope)
      try scope.audit(AuditEvent(.personEdited, person: id))
      return person
    }
  }

  /// Adds a person with the same items and sensor settings, but without details and captures.
  func duplicatePerson(_ id: Int, at time: Instant) async throws -> Person {
    try await change(.addPeople) { scope in
      let items = try ItemRow.items(of: id, scope.connection, scope.keys)
      _ = try PersonRow.person(id, scope.connection, scope.keys)
      let person = Person(id: try scope.nextID(of: "person"), created: time, modified: time)
      try PersonRow.insert(person, scope)
      for old in items {
        var item = BiometricItem(
          DraftItem(old.item), id: try scope.nextID(of: "item"), index: old.item.index, at: time)
        item.person = person.id
        try ItemRow(new: item).insert(scope)
      }
      try scope.audit(AuditEvent(.personDuplicated, person: id, outcome: "person \(person.id)"))
      return person
    }
  }

  /// Deletes a person with all items and captures: their keys are destroyed, and the data they protect is overwritten.
  ///
  /// - Throws: ``VaultError/captureUnderWay(item:)``.
  func deletePerson(_ id: Int) async throws {
    try await change(.deletePeople) { scope in
      let items = try ItemRow.items(of: id, scope.connection, scope.keys)
      for item in items {
        try item.checkIdle(scope)
        try item.delete(scope)
      }
      try PersonRow.delete(id, scope)
      try scope.audit(AuditEvent(.personDeleted, person: id))
    }
    await tidy()
  }

  /// Removes a person without details and items, who was added by mistake.
  ///
  /// - Returns: True if there was one; any other person stays.
  func withdrawPerson(_ id: Int) async throws -> Bool {
    try await change(.addPeople) { scope in
      let sql = "SELECT 1 FROM person WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM item WHERE person = ?1)"
      guard try !scope.connection.value(sql, [id]).isNull,
        try PersonRow.person(id, scope.connection, scope.keys).biography.isEmpty
      else { return false }
      try PersonRow.delete(id, scope)
      try scope.audit(AuditEvent(.personDeleted, person: id, outcome: "left empty"))
      return true
    }
  }

  // MARK: On the store's thread

  /// Returns the people of a part of the list, and the length of the whole list.
  private static func list(
    _ range: Range<Int>, _ words: [[UInt8]], _ connection: Connection, _ vault: OpenVault
  ) throws -> ([Int], total: Int) {
    if words.isEmpty {
      let total = try Header.anchor(connection, vault).people
      let ids = try connection.list(
        "SELECT id FROM person ORDER BY id LIMIT ? OFFSET ?", [range.count, max(0, range.lowerBound)]
      ) { $0.integer(0) }
      return (ids, total)
    }
    let matches = try withIndex(connection, vault) { $0.matches(words) }
    return (Array(matches[range.clamped(to: 0..<matches.count)]), matches.count)
  }

  /// Uses the search index, which is built, or rebuilt after another process changed people.
  private static func withIndex<Value: Sendable>(
    _ connection: Connection, _ vault: OpenVault, _ body: (SearchIndex) throws -> Value
  ) throws -> Value {
    let turn = try Header.anchor(connection, vault).turn
    return try vault.index.withLock { index in
      if let index, index.turn == turn { return try body(index) }
      let new = try PersonRow.index(connection, vault.keys, turn: turn)
      let value = try body(new)
      index = new
      return value
    }
  }

  /// Records in the audit log that the list was read, once a minute at most.
  func auditListing() async throws {
    let event = AuditEvent(.peopleListed)
    let now = now
    let isLogged = try opened().readings.withLock { readings in
      readings[event].map { abs(now.seconds(since: $0)) < 60 } ?? false
    }
    if !isLogged { try await change(.readRecords) { try $0.auditReading(event) } }
  }
}

/// Rows of people in the file.
enum PersonRow {
  static let columns = "id, version, key, body"

  static func place(_ id: Int, version: Int) -> RecordPlace {
    RecordPlace(kind: .person, id: id, owner: 0, version: version)
  }

  /// Reads a row of ``columns``.
  static func read(_ row: Row, _ keys: VaultKeys) throws -> Person {
    let place = place(row.integer(0), version: row.integer(1))
    let bytes = try keys.open(SealedRecord(key: row.bytes(2), body: row.bytes(3)), of: place)
    return try decoded(bytes, as: place) { reader throws(ByteReader.Problem) in
      let biography = try reader.biography()
      let created = try reader.instant()
      return Person(id: place.id, biography: biography, created: created, modified: try reader.instant())
    }
  }

  static func person(_ id: Int, _ connection: Connection, _ keys: VaultKeys) throws -> Person {
    let person = try connection.first("SELECT \(columns) FROM person WHERE id = ?", [id]) { try read($0, keys) }
    guard let person else { throw VaultError.noPerson(id) }
    return person
  }

  static func insert(_ person: Person, _ scope: WriteScope) throws {
    let place = place(person.id, version: 1)
    let (sealed, words) = try seal(person, as: place, scope)
    try scope.connection.execute(
      "INSERT INTO person (id, version, key, body, words) VALUES (?, 1, ?, ?, ?)",
      [person.id, sealed.key, sealed.body, words])
    scope.toggle(place)
    scope.anchor.people += 1
  }

  static func update(_ person: Person, _ scope: WriteScope) throws {
    let version = try version(of: person.id, scope)
    let place = place(person.id, version: version + 1)
    let (sealed, words) = try seal(person, as: place, scope)
    try scope.connection.execute(
      "UPDATE person SET version = ?, key = ?, body = ?, words = ? WHERE id = ?",
      [version + 1, sealed.key, sealed.body, words, person.id])
    scope.toggle(PersonRow.place(person.id, version: version))
    scope.toggle(place)
  }

  /// Rewrites the searchable text of a person after notes of an item changed.
  static func renewWords(_ id: Int, _ scope: WriteScope) throws {
    try update(try person(id, scope.connection, scope.keys), scope)
  }

  /// Removes the row; its items must be gone.
  static func delete(_ id: Int, _ scope: WriteScope) throws {
    scope.toggle(place(id, version: try version(of: id, scope)))
    try scope.connection.execute("DELETE FROM person WHERE id = ?", [id])
    scope.anchor.people -= 1
    scope.edit(.remove(id))
    scope.note(.person(id))
  }

  private static func version(of id: Int, _ scope: WriteScope) throws -> Int {
    let version = try scope.connection.value("SELECT version FROM person WHERE id = ?", [id]).integer
    guard let version else { throw VaultError.noPerson(id) }
    guard version > 0, version < Int.max else { throw VaultError.damaged(place(id, version: version).words) }
    return version
  }

  private static func seal(
    _ person: Person, as place: RecordPlace, _ scope: WriteScope
  ) throws -> (SealedRecord, words: [UInt8]) {
    var writer = ByteWriter(form: 1)
    writer.put(person.biography)
    writer.put(person.created)
    writer.put(person.modified)
    let key = DataKey()
    let notes = try ItemRow.notes(of: person.id, scope.connection, scope.keys)
    let words = SearchWords.of(person.biography, notesOfItems: notes)
    scope.edit(.set(person.id, words))
    scope.note(.person(person.id))
    let record = SealedRecord(
      key: scope.keys.wrapped(key, as: place), body: key.seal(writer.bytes, as: place.part(.body)))
    return (record, key.seal(words, as: place.part(.words)))
  }

  /// Returns the search index of all people.
  static func index(_ connection: Connection, _ keys: VaultKeys, turn: Int) throws -> SearchIndex {
    let index = SearchIndex(turn: turn, capacity: 1 << 22)
    let rows = try connection.rows("SELECT id, version, key, words FROM person ORDER BY id")
    while let row = try rows.next() {
      let place = place(row.integer(0), version: row.integer(1))
      row.withBytes(2) { key in
        row.withBytes(3) { words in
          // A damaged person cannot be found, but does not prevent finding others.
          let isRead = index.append(place.id, words.count - Vault.sealSize) { room in
            keys.open(words, key, of: place, .words, into: room)
          }
          if !isRead { index.set(place.id, []) }
        }
      }
    }
    return index
  }
}
