import PluginAPI
import PluginPostgres
import PluginStore

/// An access to the user's data, in the file of this machine or a shared database.
///
/// Both databases take the same statements: arguments are `$1`, `$2`, … in the order in which they first appear.
protocol UserDataAccess {
  /// Runs a statement.
  ///
  /// - Returns: The number of rows that it inserted, changed or deleted.
  func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int

  /// Returns the rows of a query.
  func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [UserRow]

  /// Returns the user who added a row and alone may delete it; nil if everybody may, or the row does not exist.
  func author(of table: String, where condition: String, _ arguments: [SQLValue]) throws -> String?
}

/// An access to the file of this machine.
struct LocalAccess: UserDataAccess {
  let connection: Connection

  func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
    try connection.execute(sql, arguments.map { $0 as (any SQLConvertible)? })
    return connection.changedRows
  }

  func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [UserRow] {
    try connection.list(sql, arguments.map { $0 as (any SQLConvertible)? }) { UserRow(values: $0.values) }
  }

  func author(of table: String, where condition: String, _ arguments: [SQLValue]) throws -> String? { nil }
}

/// An access to a shared database.
struct SharedAccess: UserDataAccess {
  let connection: PostgresConnection

  func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
    try connection.execute(sql, arguments.map(PostgresValue.init))
  }

  func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [UserRow] {
    try connection.rows(sql, arguments.map(PostgresValue.init)).map { UserRow(values: $0.values.map(SQLValue.init)) }
  }

  func author(of table: String, where condition: String, _ arguments: [SQLValue]) throws -> String? {
    try rows("SELECT added_by FROM \(table) WHERE \(condition)", arguments).first?.text(0)
  }
}

extension PostgresValue {
  fileprivate init(_ value: SQLValue) {
    switch value {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .text(let value): self = .text(value)
    case .bytes(let value): self = .bytes(value)
    @unknown default: self = .null
    }
  }
}

extension SQLValue {
  fileprivate init(_ value: PostgresValue) {
    switch value {
    case .null: self = .null
    case .boolean(let value): self = value.sqlValue
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .text(let value): self = .text(value)
    case .bytes(let value): self = .bytes(value)
    @unknown default: self = .null
    }
  }
}

// MARK: Items

extension UserDataAccess {
  /// Returns the items whose keys begin with some values, ordered by their keys.
  func items<Item: UserItem>(_ type: Item.Type = Item.self, key: [String] = []) throws -> [Item] {
    let table = Item.table
    let columns = table.key + table.columns + ["version"]
    return try items(
      type, key: key,
      heads: "SELECT \(columns.joined(separator: ", ")) FROM \(table.name)\(Self.condition(table, key))"
        + " ORDER BY \(table.key.joined(separator: ", "))")
  }

  /// Returns the items of a query.
  ///
  /// - Parameter query: A query for the key, the other columns and, if the table has one, the version.
  func items<Item: UserItem>(_: Item.Type, key: [String] = [], heads query: String) throws -> [Item] {
    let table = Item.table
    let arguments = key.map(SQLValue.text)
    let heads = try rows(query, arguments)
    let keyWidth = table.key.count
    func ids(_ row: UserRow) -> [Identifier] { row.values.prefix(keyWidth).map { Identifier($0.text ?? "") } }
    let parts = try table.parts.map { part in
      let columns = (table.key + part.columns).joined(separator: ", ")
      let found = try rows(
        "SELECT \(columns) FROM \(part.name)\(Self.condition(table, key)) ORDER BY position", arguments)
      return Dictionary(grouping: found.map { UserRow(values: $0.values, offset: keyWidth) }, by: ids)
    }
    return heads.map { head in
      let id = ids(head)
      var item = Item(head, parts: parts.map { $0[id] ?? [] })
      item.version = head.values.dropFirst(keyWidth + table.columns.count).first?.integer
      return item
    }
  }

  private static func condition(_ table: UserTable, _ key: [String]) -> String {
    key.isEmpty ? "" : " WHERE " + list(table.key.prefix(key.count), from: 1, separator: " AND ")
  }

  /// Returns `a = $1, b = $2, …`.
  private static func list(_ columns: some Sequence<String>, from first: Int, separator: String) -> String {
    columns.enumerated().map { "\($1) = $\($0 + first)" }.joined(separator: separator)
  }

  /// Returns the keys of all items of a kind, in their order.
  func keys<Item: UserItem>(of _: Item.Type) throws -> [[String]] {
    let columns = Item.table.key.joined(separator: ", ")
    return try rows("SELECT \(columns) FROM \(Item.table.name) ORDER BY \(columns)", []).map { row in
      row.values.indices.map(row.text)
    }
  }

  /// Stores an item in place of the version that it has; a new one only if there is no other with its key.
  ///
  /// - Returns: The item with the version that it has now.
  /// - Throws: `store.changed-meanwhile`.
  func save<Item: UserItem>(_ item: Item) throws -> Item {
    guard let replaced = item.version else {
      if let added = try add(item) { return added }
      throw UserDataError.changedMeanwhile(item)
    }
    let table = Item.table
    var saved = item
    saved.version = Self.newVersion()
    let columns = table.columns + ["version"]
    let key = item.key.map(SQLValue.text)
    let count = try execute(
      "UPDATE \(table.name) SET \(Self.list(columns, from: 1, separator: ", ")) WHERE "
        + Self.list(table.key + ["version"], from: columns.count + 1, separator: " AND "),
      item.values + [saved.version.sqlValue] + key + [.integer(replaced)])
    if count == 0 { throw UserDataError.changedMeanwhile(item) }
    for part in table.parts {
      _ = try execute("DELETE FROM \(part.name)\(Self.condition(table, item.key))", key)
    }
    try addParts(of: item)
    return saved
  }

  /// Stores a new item.
  ///
  /// - Returns: The item with its version; nil if there is another one with its key.
  func add<Item: UserItem>(_ item: Item) throws -> Item? {
    let table = Item.table
    var added = item
    added.version = Self.newVersion()
    let row = item.key.map(SQLValue.text) + item.values + [added.version.sqlValue]
    let count = try insert([row], table.key + table.columns + ["version"], into: table.name, " ON CONFLICT DO NOTHING")
    if count == 0 { return nil }
    try addParts(of: item)
    return added
  }

  /// Stores the parts of an item.
  func addParts<Item: UserItem>(of item: Item) throws {
    let key = item.key.map(SQLValue.text)
    for (part, rows) in zip(Item.table.parts, item.parts) {
      _ = try insert(rows.map { key + $0 }, Item.table.key + part.columns, into: part.name)
    }
  }

  /// Returns a number that no other version of an item has, not even of one that was deleted and stored again.
  private static func newVersion() -> Int { .random(in: 1...1 << 53) }

  /// Inserts rows, many in each statement, as a server on another machine takes a while for each.
  ///
  /// - Returns: The number of rows that were inserted.
  private func insert(
    _ rows: [[SQLValue]], _ columns: [String], into table: String, _ ending: String = ""
  ) throws -> Int {
    let size = max(1, Self.mostArguments / columns.count)
    var count = 0
    for start in stride(from: 0, to: rows.count, by: size) {
      let some = rows[start..<min(start + size, rows.count)]
      let places = some.indices.map { row in
        let first = (row - start) * columns.count + 1
        return "(" + columns.indices.map { "$\(first + $0)" }.joined(separator: ", ") + ")"
      }
      count += try execute(
        "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES \(places.joined(separator: ", "))\(ending)",
        some.flatMap(\.self))
    }
    return count
  }

  /// The maximum number of arguments of a statement.
  private static var mostArguments: Int { 900 }

  /// Deletes an item if it still has the version that it was read with.
  ///
  /// - Throws: `store.changed-meanwhile`; `pathcase.added-by-other`.
  func remove<Item: UserItem>(_ item: Item) throws {
    let condition = Self.list(Item.table.key + ["version"], from: 1, separator: " AND ")
    let arguments = item.key.map(SQLValue.text) + [item.version.sqlValue]
    if try execute("DELETE FROM \(Item.table.name) WHERE \(condition)", arguments) > 0 { return }
    if let user = try author(of: Item.table.name, where: condition, arguments) {
      throw UserDataError.sharing.addedByOther(item.title, user: user)
    }
    throw UserDataError.changedMeanwhile(item)
  }
}

extension Int? {
  fileprivate var sqlValue: SQLValue { map(SQLValue.integer) ?? .null }
}

/// The errors of the user's data.
enum UserDataError {
  static let sharing = SharedStoreErrors(of: UserDataStore.storeName, plugin: "pathcase")

  /// The codes, for the catalog of errors.
  static let errorCodes = [CommonStoreError.changedMeanwhile.catalogueEntry, changedNetwork] + sharing.errorCodes

  static func changedMeanwhile(_ item: some UserItem) -> ErrorReport {
    CommonStoreError.changedMeanwhile(
      "another user or program changed or deleted \(item.title) in the meantime", advice: "repeat the change",
      isRetryable: true)
  }

  private static let changedNetwork = ErrorCodeDescription(
    "pathcase.network-changed", "the stored file of an imported network is not the one that was imported")

  static func networkChanged(_ network: ImportedNetwork) -> Diagnostic {
    Diagnostic(
      .error, code: changedNetwork.code, "the stored file of network '\(network.id)' is not the one that was imported",
      advice: "import it again with '--replace'")
  }
}
