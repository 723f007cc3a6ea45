import PluginAPI

/// The rows of a result, the same for separated values and for Arrow.
///
/// A list of records has the names of all of them as columns, in order of appearance; a record with one table in it is
/// the rows of that table, any other record is one row; anything else is a column `value`. A record whose schema has
/// numbers by name, such as the fluxes of reactions, has a row for each of these: the name as `id`, then the number.
struct ResultRows {
  /// A column of the rows.
  struct Column {
    /// The declaration of its values; of any shape if there is none.
    let field: ValueSchema.Field
    /// The heading that users see; nil for the name.
    let title: String?
    /// The unit of every value; nil for none.
    let unit: String?
    /// The values of a table's column; nil if the rows are values of a list, or if the table lacks the column.
    let values: Table.Values?

    var name: String { field.name }
  }

  let columns: [Column]
  let count: Int
  /// The values with a row each; nil if the rows are those of a table.
  private let elements: [Value]?

  fileprivate init(_ columns: [Column], elements: [Value]) {
    (self.columns, self.elements, count) = (columns, elements, elements.count)
  }

  fileprivate init(_ columns: [Column], rowsOfTable count: Int) {
    (self.columns, self.count, elements) = (columns, count, nil)
  }

  /// Returns the value of a column at a 0-based row; null if the row lacks it.
  func value(_ row: Int, _ column: Int) -> Value {
    guard let element = elements?[row] else { return columns[column].values?[row] ?? .null }
    let name = columns[column].name
    guard let record = element.record else { return name == Self.valueColumn ? element : .null }
    return record[name] ?? .null
  }

  /// Returns the values of a 0-based row.
  func row(_ index: Int) -> [Value] {
    guard let record = elements?[index].record else { return columns.indices.map { value(index, $0) } }
    return columns.map { record[$0.name] ?? .null }
  }

  /// The column of values that are not records.
  fileprivate static let valueColumn = "value"

  /// Returns the columns of a shape with rows; nil for others.
  static func columns(of schema: ValueSchema) -> [String]? {
    switch schema {
    case .table(let fields), .list(.record(let fields)): fields.map(\.name)
    case .list(.map): []
    case .optional(let schema): columns(of: schema)
    case .any, .bool, .integer, .number, .text, .choice, .date, .bytes, .quantity, .picture, .array, .list, .record,
      .map:
      nil
    @unknown default: nil
    }
  }

  /// Returns the field of a record's schema that holds numbers by name; nil if there is none, or several.
  static func series(of schema: ValueSchema) -> String? {
    guard case .record(let fields) = schema else { return nil }
    let series = fields.filter { $0.schema == .map(.number) }
    return series.count == 1 ? series[0].name : nil
  }

  /// Returns the only table of a record, or else the value itself; the record's other fields are available as JSON.
  static func table(in value: Value) -> Value { table(in: value, .any).value }

  fileprivate static func table(in value: Value, _ schema: ValueSchema) -> (value: Value, schema: ValueSchema) {
    let tables = (value.record?.fields ?? []).filter { $0.value.table != nil }
    guard tables.count == 1 else { return (value, schema) }
    return (tables[0].value, schema.declared(tables[0].name)?.schema ?? .any)
  }
}

/// A reader of the rows of a result, whose parts follow the columns of the first one.
struct RowReader {
  /// The names of the columns, once a value named them.
  private(set) var names: [String]?

  /// Sets the names of the columns, unless they are set already.
  mutating func begin(_ names: [String]) {
    if self.names == nil { self.names = names }
  }

  /// Returns the rows of a value, of which there may be none; nil if it does not even have columns.
  ///
  /// - Parameter schema: The declared shape of the value.
  mutating func rows(of value: Value, schema: ValueSchema = .any) -> ResultRows? {
    let inner = ResultRows.table(in: value, schema)
    let (value, schema) = Self.series(in: inner.value, inner.schema) ?? inner
    switch value.content {
    case .null: return nil
    case .table(let table):
      begin(table.columns.map(\.name))
      return ResultRows(columns(schema.element, table), rowsOfTable: table.rowCount)
    case .list(let values) where values.isEmpty:
      // Without declared columns, a later part of a stream names them.
      guard let declared = ResultRows.columns(of: schema), !declared.isEmpty else { return nil }
      begin(declared)
      return ResultRows(columns(schema.element), elements: [])
    case .list(let values):
      begin(Self.names(of: values))
      return ResultRows(columns(schema.element), elements: values)
    default:
      begin(Self.names(of: [value]))
      return ResultRows(columns(schema), elements: [value])
    }
  }

  private func columns(_ row: ValueSchema, _ table: Table? = nil) -> [ResultRows.Column] {
    (names ?? []).map { name in
      let field = row.declared(name) ?? Self.undeclared(name, row)
      let column = table?[name]
      return ResultRows.Column(
        field: field, title: column?.title ?? field.heading, unit: column?.unit ?? field.unit, values: column?.values)
    }
  }

  /// Returns the field of a column that no record declares: of a map, or of values that are not records.
  private static func undeclared(_ name: String, _ row: ValueSchema) -> ValueSchema.Field {
    switch row {
    case .record: .init(name, .any)
    case .map(let element): .init(name, element)
    default: .init(name, name == ResultRows.valueColumn ? row : .any)
    }
  }

  /// Returns the numbers by name of a record as a table; nil if its schema has none.
  private static func series(in value: Value, _ schema: ValueSchema) -> (value: Value, schema: ValueSchema)? {
    guard let record = value.record, let name = ResultRows.series(of: schema), var field = schema.declared(name) else {
      return nil
    }
    let entries = record[name]?.record?.fields ?? []
    field.schema = .number
    let table = Table(columns: [
      .init("id", .texts(entries.map(\.name))),
      .init(name, title: field.heading, unit: field.unit, .values(entries.map(\.value))),
    ])
    return (.table(table), .table([.init("id", .text), field]))
  }

  private static func names(of values: [Value]) -> [String] {
    var names: [String] = []
    var seen: Set<String> = []
    for value in values {
      for name in value.record?.names ?? [ResultRows.valueColumn] where seen.insert(name).inserted {
        names.append(name)
      }
    }
    return names
  }
}
