import PluginAPI

/// A column of an Arrow stream: name, kind and metadata.
struct ArrowField {
  let name: String
  let kind: ArrowKind
  /// The metadata of the field: `unit`, `namespace`, `title` and `description` where there are any, and `encoding` for
  /// JSON.
  let metadata: [(key: String, value: String)]

  /// Creates a field for a column of undeclared values.
  init(_ name: String, _ kind: ArrowKind) {
    self.init(ResultRows.Column(field: .init(name, .any), title: nil, unit: nil, values: nil), kind)
  }

  /// Creates a field for a column.
  ///
  /// - Parameter namespace: The namespace of the ids in the column; nil if they are of none.
  init(_ column: ResultRows.Column, _ kind: ArrowKind, namespace: ReferenceNamespace? = nil) {
    (name, self.kind) = (column.name, kind)
    var metadata: [(key: String, value: String)] = []
    if case .quantity(let unit) = kind {
      metadata.append(("unit", unit))
    } else if let unit = column.unit {
      metadata.append(("unit", unit))
    }
    if let namespace { metadata.append(("namespace", namespace.rawValue)) }
    if let title = column.title, title != name { metadata.append(("title", title)) }
    if !column.field.summary.isEmpty { metadata.append(("description", column.field.summary)) }
    if kind == .json { metadata.append(("encoding", "json")) }
    self.metadata = metadata
  }
}

/// The messages of Arrow's streaming format.
///
/// Each is a mark of 4 bytes, the size of its metadata, the metadata as FlatBuffers, and the body. Metadata and each
/// buffer of the body end at a multiple of 8 bytes. The numbers of tables, fields and types are those of `Message.fbs`
/// and `Schema.fbs`; the version is V5.
/// - Source: https://arrow.apache.org/docs/format/Columnar.html, "Serialization and Interprocess Communication (IPC)"
enum ArrowMessage {
  private static let mark = UInt32.max
  /// `MetadataVersion.V5`.
  private static let version: Int16 = 4

  /// The kinds of messages, as numbered in `MessageHeader`.
  private enum Header: UInt8 {
    case schema = 1
    case recordBatch = 3
  }

  /// The end of a stream: a mark and the size 0.
  static let endOfStream: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]

  /// Returns the message with the columns.
  static func schema(_ fields: [ArrowField], metadata: [(key: String, value: String)]) -> [UInt8] {
    var schema: [FlatBuffer.Field] = [
      .init(1, .tables(fields.map { field($0.name, $0.kind, metadata: $0.metadata) }))
    ]
    if !metadata.isEmpty { schema.append(.init(2, pairs(metadata))) }
    return message(.schema, schema, body: [])
  }

  /// Returns the message with rows.
  static func recordBatch(_ columns: [ArrowColumn], rowCount: Int) -> [UInt8] {
    var nodes: [(Int64, Int64)] = []
    var buffers: [(Int64, Int64)] = []
    var body: [UInt8] = []
    body.reserveCapacity(columns.reduce(0) { $0 + $1.byteCount + $1.count / 8 + 32 })
    func add(_ columns: [ArrowColumn]) {
      for column in columns {
        nodes.append((Int64(column.count), Int64(column.nullCount)))
        for buffer in column.buffers {
          buffers.append((Int64(body.count), Int64(buffer.count)))
          body += buffer
          body.append(contentsOf: repeatElement(0, count: (8 - buffer.count % 8) % 8))
        }
        add(column.children)
      }
    }
    add(columns)
    let batch: [FlatBuffer.Field] = [
      .init(0, .long(Int64(rowCount))), .init(1, .pairs(nodes)), .init(2, .pairs(buffers)),
    ]
    return message(.recordBatch, batch, body: body)
  }

  private static func message(_ header: Header, _ table: [FlatBuffer.Field], body: [UInt8]) -> [UInt8] {
    let metadata = FlatBuffer([
      .init(0, .short(version)), .init(1, .byte(header.rawValue)), .init(2, .table(table)),
      .init(3, .long(Int64(body.count))),
    ]).bytes
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 + metadata.count + body.count)
    bytes.append(littleEndian: mark)
    bytes.append(littleEndian: UInt32(metadata.count))
    return bytes + metadata + body
  }

  private static func field(
    _ name: String, _ kind: ArrowKind, metadata: [(key: String, value: String)] = []
  ) -> [FlatBuffer.Field] {
    let (type, table) = type(of: kind)
    var children: [[FlatBuffer.Field]] = []
    if case .list(let element) = kind { children = [field("item", element)] }
    let isNullable: UInt8 = 1
    var fields: [FlatBuffer.Field] = [
      .init(0, .text(name)), .init(1, .byte(isNullable)), .init(2, .byte(type)), .init(3, .table(table)),
      .init(5, .tables(children)),
    ]
    if !metadata.isEmpty { fields.append(.init(6, pairs(metadata))) }
    return fields
  }

  /// Returns the number of a kind in `Type`, and the table of that type.
  private static func type(of kind: ArrowKind) -> (type: UInt8, table: [FlatBuffer.Field]) {
    switch kind {
    case .integer: (2, [.init(0, .int(64)), .init(1, .byte(1))])
    // `Precision.DOUBLE`.
    case .number, .quantity: (3, [.init(0, .short(2))])
    case .bytes: (4, [])
    case .text, .json: (5, [])
    case .bool: (6, [])
    // `TimeUnit.MILLISECOND`.
    case .date: (10, [.init(0, .short(1)), .init(1, .text("UTC"))])
    case .list: (12, [])
    }
  }

  private static func pairs(_ metadata: [(key: String, value: String)]) -> FlatBuffer.FieldValue {
    .tables(metadata.map { [.init(0, .text($0.key)), .init(1, .text($0.value))] })
  }
}
