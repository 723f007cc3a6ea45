import PluginStore

@testable import WSABI

/// The same people in a database without protection, which gives the minimum cost of a search and a page.
struct PlainStore {
  private let store: SQLiteStore

  init(path: String) {
    let tables = Migration(1, "tables") { connection in
      try connection.execute("CREATE TABLE person(id INTEGER PRIMARY KEY, text TEXT)")
      try connection.execute("CREATE TABLE item(id INTEGER PRIMARY KEY, person INTEGER, text TEXT)")
      try connection.execute("CREATE INDEX item_person ON item(person)")
    }
    store = SQLiteStore(name: "plain", path: path, migrations: [tables])
  }

  func fill(people: Int, items: Int) async throws {
    try await store.write { connection in
      for number in 0..<people {
        let said = LargeStore.biography(number)
        let text = [said.firstName, said.middleName, said.lastName, said.notes].joined(separator: " ").lowercased()
        try connection.execute("INSERT INTO person VALUES(?, ?)", [number + 1, text])
        for place in 0..<items {
          try connection.execute(
            "INSERT INTO item(person, text) VALUES(?, ?)",
            [number + 1, "desk \(place) http://127.0.0.1:8000/sensor/\(place) RightThumbFlat"])
        }
      }
    }
  }

  /// Returns the rows of a page, with their items.
  func page(_ range: Range<Int>) async throws -> Int {
    try await store.read { connection in
      let sql = """
        SELECT person.text, item.text FROM (SELECT * FROM person ORDER BY id LIMIT ? OFFSET ?) AS person
        JOIN item ON item.person = person.id
        """
      return try connection.list(sql, [range.count, range.lowerBound]) { $0.text(0).utf8.count + $0.text(1).utf8.count }
        .reduce(0, +)
    }
  }

  /// Returns the first people whose text has a word, and how many there are.
  func search(_ word: String, count: Int) async throws -> Int {
    try await store.read { connection in
      try connection.list("SELECT id FROM person WHERE text LIKE ? ORDER BY id", ["%\(word)%"]) { $0.integer(0) }.count
    }
  }

  func close() async { await store.close() }
}
