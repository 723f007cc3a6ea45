import PluginAPI

/// The forms of gathered results.
enum GatherFormat: String, Sendable, CaseIterable {
  case jsonLines = "jsonl"
  case csv, tsv

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
      let series = DelimitedWriter.series(of: schema)
      var names = OrderedNames()
      try records.forEach(progress) { document in
        for row in GatheredRow.rows(of: try ItemRecord.read(document), series: series) { names.add(row.names) }
      }
      var writer = DelimitedWriter(self == .csv ? .comma : .tab)
      writer.begin(names.all)
      try records.forEach(progress) { document in
        let rows = GatheredRow.rows(of: try ItemRecord.read(document), series: series)
        writer.write(.list(rows.map(Value.record)))
        if writer.bytes.count > 1 << 16 { try write(writer.take()) }
      }
      try write(writer.take())
    }
  }
}

/// The names of columns, in the order of their first appearance; those of errors are last.
private struct OrderedNames {
  private var names: [String] = []
  private var known: Set<String> = []

  mutating func add(_ more: [String]) {
    for name in more where known.insert(name).inserted { names.append(name) }
  }

  var all: [String] {
    names.filter { !GatheredRow.errorColumns.contains($0) } + GatheredRow.errorColumns.filter(known.contains)
  }
}

/// The rows of a record in separated values: the item's columns, then those of its value.
enum GatheredRow {
  static let errorColumns = ["error.code", "error.message"]

  /// Returns the rows of a record's document.
  ///
  /// A list of records, or the only such list in a record, has a row for each record. A record whose schema has
  /// numbers by name has a row for each number. An item without rows has one with empty cells.
  /// - Parameter series: The field with numbers by name; nil for none.
  static func rows(of document: Value, series: String?) -> [Record] {
    var item = [Record.Field("item", document["item"]), Record.Field("item.id", document["id"])]
    item += (document["fields"].record?.fields ?? []).map { .init("item." + $0.name, $0.value) }
    if let error = document["error"].record {
      return [Record(item + zip(errorColumns, [error["code"], error["message"]]).map { .init($0, $1 ?? .null) })]
    }
    return values(document["value"], series: series).map { Record(item + $0.fields) }
  }

  private static func values(_ value: Value, series: String?) -> [Record] {
    if let series, let numbers = value[series].record {
      return numbers.isEmpty ? [Record()] : numbers.fields.map { ["id": .text($0.name), series: $0.value] }
    }
    if let rows = records(value) { return rows }
    if value.isNull || value.list?.isEmpty == true { return [Record()] }
    guard let record = value.record else { return [["value": value]] }
    let tables = record.fields.compactMap { records($0.value) }
    return tables.count == 1 ? tables[0] : [record]
  }

  /// Returns the elements of a list of records; nil for anything else.
  private static func records(_ value: Value) -> [Record]? {
    guard let list = value.list, !list.isEmpty else { return nil }
    let records = list.compactMap(\.record)
    return records.count == list.count ? records : nil
  }
}
