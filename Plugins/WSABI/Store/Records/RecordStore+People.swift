import PluginAPI
import PluginStore
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
    let words = SearchWords.asked(text)
    try await tellListing()
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
  func place(of person: Int, matching text: String = "") async throws -> Int? {
    let words = SearchWords.asked(text)
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
      try scope.audit(AuditEvent(.personDeleted, person: id, outcome: "nothing was said of them"))
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
  func tellListing() async throws {
    let event = AuditEvent(.peopleListed)
    let now = options.clock()
    let isTold = try opened().readings.withLock { readings in
      readings[event].map { abs(now.seconds(since: $0)) < 60 } ?? false
    }
    if !isTold { try await change(.readRecords) { try $0.auditReading(event) } }
  }
}
