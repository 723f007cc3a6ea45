public import PluginAPI

/// A table of a shared store as `store export` shows it.
public struct PostgresTable: Sendable {
  /// The table's name.
  public let name: String
  private let columns: [String]
  private let order: String

  /// Creates the description of a table.
  ///
  /// - Parameters:
  ///   - columns: The names of the columns to show.
  ///   - order: The columns that decide the order of the rows, in SQL.
  public init(_ name: String, columns: [String], order: String) {
    (self.name, self.columns, self.order) = (name, columns, order)
  }

  func content(_ connection: PostgresConnection) throws -> Table {
    let rows = try connection.rows("SELECT \(columns.joined(separator: ", ")) FROM \(name) ORDER BY \(order)")
    return Table(
      columns: columns.enumerated().map { index, name in
        Table.Column(name, Self.values(rows.map { $0[index] }))
      })
  }

  private static func values(_ column: [PostgresValue]) -> Table.Values {
    let integers = column.compactMap(\.integer)
    if integers.count == column.count { return .integers(integers) }
    let texts = column.compactMap(\.text)
    if texts.count == column.count { return .texts(texts) }
    return .values(column.map(Value.init(postgresValue:)))
  }
}

extension PostgresStore {
  /// Returns tables in the form of `store export`, in one state.
  public func export(_ tables: [PostgresTable]) async throws -> Value {
    let contents = try await read { connection in
      try Record(tables.map { Record.Field($0.name, .table(try $0.content(connection))) })
    }
    return ["store": .text(name), "schemaVersion": .integer(schemaVersion), "tables": .record(contents)]
  }
}

extension Value {
  /// Creates a value from the value of a column.
  fileprivate init(postgresValue: PostgresValue) {
    switch postgresValue {
    case .null: self = .null
    case .boolean(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .text(let value): self = .text(value)
    case .bytes(let value): self = .bytes(value)
    }
  }
}
