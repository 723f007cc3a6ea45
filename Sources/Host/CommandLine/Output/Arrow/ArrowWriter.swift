import PluginAPI

/// Writes the rows of results as an Arrow stream: the schema, batches of rows, and the end.
///
/// The columns are those of ``ResultRows``. The declared shape of the result decides the kinds of the columns; the first
/// rows widen a kind that does not hold them, and decide those that are not declared. Bounded memory: a batch has at most
/// ``Limits/rows`` rows, and ends with the row that exceeds ``Limits/bytes``.
struct ArrowWriter {
  /// The limits of a batch.
  struct Limits {
    var rows = 65_536
    var bytes = 8 << 20
  }

  private let schema: ValueSchema
  private let metadata: [(key: String, value: String)]
  private let limits: Limits
  private var reader = RowReader()
  /// The columns of a part without rows, until a part with rows decides their kinds.
  private var emptyRows: ResultRows?
  /// The columns; nil until they are written.
  private var fields: [ArrowField]?
  private var batch: [ArrowColumn] = []
  /// The number of rows in the batch.
  private(set) var pendingRows = 0
  private var writtenRows = 0

  /// Creates a writer of results.
  ///
  /// - Parameters:
  ///   - schema: The declared shape of the values.
  ///   - typeName: The name of their type, which becomes `type` in the metadata; nil for plain data.
  init(schema: ValueSchema, typeName: String? = nil, limits: Limits = Limits()) {
    self.schema = schema
    self.limits = limits
    metadata = typeName.map { [("type", $0)] } ?? []
  }

  /// Creates a writer of records whose columns are known.
  init(fields: [ArrowField], to write: ([UInt8]) throws -> Void) throws {
    self.init(schema: .any)
    reader.begin(fields.map(\.name))
    try begin(fields, to: write)
  }

  /// Adds the rows of a value.
  ///
  /// - Parameter write: Receives the bytes of complete messages.
  /// - Throws: ``ArrowError``, or an error of `write`.
  mutating func add(_ value: Value, to write: ([UInt8]) throws -> Void) throws {
    guard let rows = reader.rows(of: value, schema: schema) else { return }
    if rows.count == 0 {
      emptyRows = emptyRows ?? rows
      return
    }
    if fields == nil { try begin(Self.fields(of: rows), to: write) }
    for index in 0..<rows.count {
      try append(rows.row(index))
      if pendingRows == limits.rows || batch.reduce(0, { $0 + $1.byteCount }) > limits.bytes { try flush(to: write) }
    }
  }

  /// Writes the rows added so far as a batch, if there are any.
  mutating func flush(to write: ([UInt8]) throws -> Void) throws {
    if pendingRows == 0 { return }
    let message = ArrowMessage.recordBatch(batch, rowCount: pendingRows)
    writtenRows += pendingRows
    clear()
    try write(message)
  }

  /// Ends the stream; one without rows has the declared columns.
  mutating func finish(to write: ([UInt8]) throws -> Void) throws {
    if fields == nil {
      let rows =
        emptyRows ?? reader.rows(of: .list([]), schema: schema) ?? reader.rows(of: .list([]), schema: .list(schema))
      try begin(rows.map(Self.fields) ?? [], to: write)
    }
    try flush(to: write)
    try write(ArrowMessage.endOfStream)
  }

  private mutating func begin(_ fields: [ArrowField], to write: ([UInt8]) throws -> Void) throws {
    self.fields = fields
    clear()
    try write(ArrowMessage.schema(fields, metadata: metadata))
  }

  private mutating func clear() {
    batch = (fields ?? []).map { ArrowColumn($0.kind) }
    pendingRows = 0
  }

  private mutating func append(_ row: [Value]) throws(ErrorReport) {
    let fields = fields ?? []
    for (field, value) in zip(fields, row) where !field.kind.holds(value) {
      throw ArrowError.mixedColumn(field.name, row: writtenRows + pendingRows + 1, field.kind)
    }
    for index in batch.indices {
      do {
        try batch[index].append(row[index])
      } catch {
        clear()
        throw error
      }
    }
    pendingRows += 1
  }

  private static func fields(of rows: ResultRows) -> [ArrowField] {
    rows.columns.indices.map { index in
      let kind = kind(of: index, rows)
      return ArrowField(rows.columns[index], kind, namespace: namespace(of: index, kind, rows))
    }
  }

  /// Returns the namespace of the ids in a column; nil if they are of none.
  private static func namespace(of column: Int, _ kind: ArrowKind, _ rows: ResultRows) -> ReferenceNamespace? {
    switch kind {
    case .text, .integer, .list(.text), .list(.integer):
      ReferenceNamespace.namespace(
        of: rows.columns[column].field, values: (0..<rows.count).lazy.map { rows.value($0, column) })
    case .number, .quantity, .bool, .date, .bytes, .list, .json: nil
    }
  }

  /// Returns the kind that holds the declared and the actual values of a column.
  private static func kind(of column: Int, _ rows: ResultRows) -> ArrowKind {
    let (field, unit) = (rows.columns[column].field, rows.columns[column].unit)
    var kind = ArrowKind(declared: field.schema, unit: unit)
    let buffer: ArrowKind? =
      switch rows.columns[column].values {
      case .integers: .integer
      case .numbers: .number
      case .texts: .text
      case .values, nil: nil
      @unknown default: nil
      }
    // Values of one kind need not be examined if it is the declared kind.
    if let buffer, kind ?? buffer == buffer { return buffer }
    for row in 0..<rows.count { kind = ArrowKind.widened(kind, by: rows.value(row, column)) }
    guard let kind, kind == .number || kind == .list(.number) else { return kind ?? .json }
    // A fraction may have widened the kind of a whole number that a `Float64` would round.
    return (0..<rows.count).allSatisfy { kind.holds(rows.value($0, column)) } ? kind : .json
  }
}

/// An error in writing results as Arrow.
enum ArrowError {
  static let mixedColumn = DeclaredError(
    "host.mixed-column", .failure, "a column of the result has values of several kinds, which --arrow cannot write")
  /// A row has a value of another kind than those before it; rows are counted from 1.
  static func mixedColumn(_ column: String, row: Int, _ kind: ArrowKind) -> ErrorReport {
    mixedColumn(
      "column '\(column)' of the result has \(text(for: kind)), but row \(row) has another value",
      advice: "use '--jsonl' or '--csv'", details: ["column": .text(column), "row": .integer(row)])
  }
  static let tooLongCode = DeclaredError(
    "host.cell-too-long", .failure, "a value of the result exceeds the limit of 2 GB for a cell with --arrow")
  static let tooLong = tooLongCode(
    "a value of the result is longer than the 2 GB that Arrow can hold", advice: "use '--jsonl' or '--csv'")

  private static func text(for kind: ArrowKind) -> String {
    switch kind {
    case .integer: "whole numbers"
    case .number: "numbers"
    case .quantity(let unit): "numbers in \(unit)"
    case .text: "texts"
    case .bool: "yes or no"
    case .date: "dates"
    case .bytes: "bytes"
    case .list(let element): "lists of \(text(for: element))"
    case .json: "values of any kind"
    }
  }
}
