import PluginStore
import PluginVault

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
