import PluginAPI

/// The forms of gathered results.
enum GatherFormat: String, Sendable, CaseIterable {
  case jsonLines = "jsonl"
  case csv, tsv, arrow

  /// Creates the form that a global option names; JSON Lines for those that name no table.
  init(_ format: GlobalOptions.Format) {
    self =
      switch format {
      case .csv: .csv
      case .tsv: .tsv
      case .arrow: .arrow
      case .text, .json, .jsonLines: .jsonLines
      }
  }

  /// Writes all records of a run.
  ///
  /// Records are in the order of items and have nothing that depends on attempts, so that the bytes are the same for
  /// any number of shards and workers.
  ///
  /// - Parameters:
  ///   - schema: The declared shape of the values.
  ///   - write: Receives the bytes, a part at a time.
  func write(
    _ records: RunRecords, schema: ValueSchema, _ progress: any WorkProgress, to write: ([UInt8]) throws -> Void
  ) throws {
    switch self {
    case .jsonLines:
      var pending: [UInt8] = []
      try records.forEach(progress) { document in
        pending += document
        pending.append(UInt8(ascii: "\n"))
        if pending.count > 1 << 16 {
          try write(pending)
          pending.removeAll(keepingCapacity: true)
        }
      }
      try write(pending)
    case .csv, .tsv:
      let shape = GatheredRows(of: schema)
      let columns = try GatheredColumns(records, shape, progress)
      var writer = DelimitedWriter(self == .csv ? .comma : .tab)
      writer.begin(columns.names)
      try records.forEach(progress) { document in
        writer.write(records: shape.rows(of: try ItemRecord.read(document)))
        if writer.bytes.count > 1 << 16 { try write(writer.take()) }
      }
      try write(writer.take())
    case .arrow:
      let shape = GatheredRows(of: schema)
      let columns = try GatheredColumns(records, shape, progress)
      var writer = try ArrowWriter(fields: columns.names.map { ArrowField($0, columns.kind(of: $0)) }, to: write)
      try records.forEach(progress) { document in
        try writer.add(.list(shape.rows(of: try ItemRecord.read(document)).map(Value.record)), to: write)
      }
      try writer.finish(to: write)
    }
  }
}

/// The columns of all records of a run, in the order of their first appearance; those of errors are last.
private struct GatheredColumns {
  private struct Column {
    let name: String
    /// Nil without a value.
    var kind: ArrowKind?
  }

  private var columns: [Column] = []
  private var indices: [String: Int] = [:]
  /// The index of the column that most likely has the next name: names of records are in the same order.
  private var expected = 0

  init(_ records: RunRecords, _ shape: GatheredRows, _ progress: any WorkProgress) throws {
    try records.forEach(progress) { document in
      let record = try ItemRecord.read(document)
      expected = 0
      for name in GatheredRows.item(of: record).map(\.name) + shape.columns { add(name, .null) }
      for row in shape.rows(of: record) {
        expected = 0
        for field in row.fields { add(field.name, field.value) }
      }
    }
  }

  private mutating func add(_ name: String, _ value: Value) {
    let index = index(of: name)
    columns[index].kind = ArrowKind.widened(columns[index].kind, by: value)
    expected = index + 1
  }

  private mutating func index(of name: String) -> Int {
    if expected < columns.count, columns[expected].name == name { return expected }
    if let index = indices[name] { return index }
    indices[name] = columns.count
    columns.append(Column(name: name))
    return columns.count - 1
  }

  var names: [String] {
    columns.map(\.name).filter { !GatheredRows.errorColumns.contains($0) }
      + GatheredRows.errorColumns.filter { indices[$0] != nil }
  }

  func kind(of name: String) -> ArrowKind { indices[name].flatMap { columns[$0].kind } ?? .json }
}

/// The rows of records in separated values: the item's columns, then those of its value.
struct GatheredRows {
  static let errorColumns = ["error.code", "error.message"]

  /// The columns that the schema declares, which a run has even if no value has a row.
  let columns: [String]
  private let source: Source

  /// The part of a value that has its rows.
  private enum Source {
    /// The field with numbers by name.
    case series(String)
    /// The field with the table.
    case field(String)
    /// The record itself.
    case record
    /// Not declared: the only list of records in a record, or else the value itself.
    case undeclared
  }

  /// Chooses the rows of a command's values.
  ///
  /// - Parameter schema: The declared shape of the values.
  init(of schema: ValueSchema) {
    if let series = ResultRows.series(of: schema) {
      (source, columns) = (.series(series), ["id", series])
    } else if case .record(let fields) = schema {
      let tables = fields.filter { ResultRows.columns(of: $0.schema) != nil }
      let table = tables.count == 1 ? tables[0] : nil
      source = table.map { .field($0.name) } ?? .record
      columns = table.flatMap { ResultRows.columns(of: $0.schema) } ?? fields.map(\.name)
    } else {
      (source, columns) = (.undeclared, ResultRows.columns(of: schema) ?? [])
    }
  }

  /// Returns the columns of an item.
  static func item(of document: Value) -> [Record.Field] {
    [.init("item", document["item"]), .init("item.id", document["id"])]
      + (document["fields"].record?.fields ?? []).map { .init("item." + $0.name, $0.value) }
  }

  /// Returns the rows of a record's document.
  ///
  /// A list of records, or the only such list in a record, has a row for each record. A record whose schema has
  /// numbers by name has a row for each number. An item without rows has one with empty cells.
  func rows(of document: Value) -> [Record] {
    let item = Self.item(of: document)
    if let error = document["error"].record {
      let cells = [error["code"], error["message"]]
      return [Record(item + zip(Self.errorColumns, cells).map { .init($0, $1 ?? .null) })]
    }
    return values(document["value"]).map { Record(item + $0.fields) }
  }

  private func values(_ value: Value) -> [Record] {
    guard let record = value.record else { return Self.elements(value) }
    switch source {
    case .series(let name):
      let numbers = record[name]?.record?.fields ?? []
      return numbers.isEmpty ? [Record()] : numbers.map { ["id": .text($0.name), name: $0.value] }
    case .field(let name): return Self.elements(record[name] ?? .null)
    case .record: return [record]
    case .undeclared:
      let tables = record.fields.compactMap { Self.records($0.value) }
      return tables.count == 1 ? tables[0] : [record]
    }
  }

  /// Returns the records of a list; an empty one for a list without elements or null, and one with the value itself for
  /// anything else.
  private static func elements(_ value: Value) -> [Record] {
    if let rows = records(value) { return rows }
    return value.isNull || value.list?.isEmpty == true ? [Record()] : [["value": value]]
  }

  /// Returns the elements of a list of records; nil for anything else.
  private static func records(_ value: Value) -> [Record]? {
    guard let list = value.list, !list.isEmpty else { return nil }
    let records = list.compactMap(\.record)
    return records.count == list.count ? records : nil
  }
}
