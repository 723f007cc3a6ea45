public import PluginAPI

extension SQLiteStore {
  /// Returns all tables with their rows: `{store, schemaVersion, tables: {name: table}}`.
  ///
  /// A column whose values are all of one type becomes a column of that type; others hold values of any kind.
  /// - Complexity: Holds the whole content in memory.
  public func export() async throws -> Value {
    try await read { connection in
      var tables = Record()
      for name in try SQLiteStore.tableNames(connection) {
        tables[name] = .table(try SQLiteStore.table(name, of: connection))
      }
      return [
        "store": .text(self.name), "schemaVersion": .integer(self.schemaVersion), "tables": .record(tables),
      ]
    }
  }

  /// Returns the sorted names of the plugin's tables, without the internal tables of SQLite and its virtual tables.
  static func tableNames(_ connection: Connection) throws -> [String] {
    try connection.list(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite@_%' "
        + "ESCAPE '@' ORDER BY name"
    ) { $0.text(0) }
  }

  private static func table(_ name: String, of connection: Connection) throws -> Table {
    let quoted = "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    let rows = try connection.rows("SELECT * FROM \(quoted)")
    var columns = [[SQLValue]](repeating: [], count: rows.columnNames.count)
    while let row = try rows.next() {
      for column in columns.indices { columns[column].append(row[column]) }
    }
    return Table(columns: zip(rows.columnNames, columns).map { Table.Column($0, values($1)) })
  }

  private static func values(_ column: [SQLValue]) -> Table.Values {
    let integers = column.compactMap(\.integer)
    if integers.count == column.count { return .integers(integers) }
    let texts = column.compactMap(\.text)
    if texts.count == column.count { return .texts(texts) }
    if column.allSatisfy({ if case .number = $0 { true } else { false } }) {
      return .numbers(column.compactMap(\.number), decimals: nil)
    }
    return .values(column.map(Value.init(sqlValue:)))
  }
}

extension Value {
  /// Creates a value from the value of a column.
  init(sqlValue: SQLValue) {
    switch sqlValue {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .text(let value): self = .text(value)
    case .bytes(let value): self = .bytes(value)
    }
  }
}
