import PluginAPI
import Testing

@testable import Host

/// The bytes of Arrow streams, read by ``ArrowDocument``.
struct ArrowWriterTests {
  /// Returns the stream of a result's values.
  private static func stream(
    _ values: [Value], _ schema: ValueSchema = .any, limits: ArrowWriter.Limits = .init()
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = ArrowWriter(schema: schema, limits: limits)
    for value in values { try writer.add(value) { bytes += $0 } }
    try writer.finish { bytes += $0 }
    return bytes
  }

  private static func read(
    _ values: [Value], _ schema: ValueSchema = .any, limits: ArrowWriter.Limits = .init()
  ) throws -> ArrowDocument {
    let document = try ArrowDocument(try stream(values, schema, limits: limits))
    #expect(document.hasEnd && document.remaining == [])
    return document
  }

  /// Returns the only column of a table with these values.
  private static func column(
    _ values: [Value], _ schema: ValueSchema? = nil
  ) throws -> (field: ArrowDocument.Field, cells: [Value]) {
    let table = Value.table(Table(columns: [.init("c", .values(values))]))
    let document = try read([table], schema.map { .table([.init("c", $0)]) } ?? .any)
    return (try #require(document.fields.first), document["c"])
  }

  private static func bytes(_ lines: [String]) -> [UInt8] {
    lines.flatMap { $0.split(separator: " ").compactMap { UInt8($0, radix: 16) } }
  }

  /// Worked out by hand from `Message.fbs`, `Schema.fbs` and the layout of FlatBuffers.
  ///
  /// Positions count from the begin of each message's metadata. Each table is preceded by the list of its fields'
  /// offsets: size of the list, size of the table, then an offset for each field of the schema, 0 if it is absent.
  @Test func `a table of one column and two rows has the expected bytes`() throws {
    let table = Value.table(Table(columns: [.init("n", .values([7, nil]))]))
    let schema = Self.bytes([
      "ff ff ff ff 88 00 00 00",  // a message with 0x88 bytes of metadata
      "10 00 00 00",  // 0x00: the root is at 0x10
      "0c 00 18 00 04 00 06 00 08 00 10 00",  // 0x04: Message: version 4, kind of header 6, header 8, body length 16
      "0c 00 00 00 04 00 01 00",  // 0x10: its list is 0x0c before; version V5 (4), the header is a Schema (1)
      "18 00 00 00 00 00 00 00",  // 0x18: the header is 0x18 further, at 0x30; 4 bytes align the length
      "00 00 00 00 00 00 00 00",  // 0x20: the body is empty
      "08 00 08 00 00 00 04 00",  // 0x28: Schema: no byte order, which means little-endian; fields 4
      "08 00 00 00 04 00 00 00",  // 0x30: its list is 8 before; the fields are at 0x38
      "01 00 00 00 14 00 00 00",  // 0x38: one field, at 0x3c + 0x14 = 0x50
      "10 00 14 00 04 00 08 00",  // 0x40: Field: name 4, nullable 8,
      "09 00 0c 00 00 00 10 00",  // 0x48: kind of type 9, type 12, no dictionary, children 16
      "10 00 00 00 10 00 00 00",  // 0x50: its list is 0x10 before; the name is at 0x54 + 0x10 = 0x64
      "01 02 00 00 1c 00 00 00",  // 0x58: nullable; Int (2); the type is at 0x5c + 0x1c = 0x78
      "24 00 00 00",  // 0x60: the children are at 0x60 + 0x24 = 0x84
      "01 00 00 00 6e 00 00 00",  // 0x64: a text of 1 byte, 'n', a zero, 2 bytes of padding
      "08 00 09 00 04 00 08 00",  // 0x6c: Int: bits 4, signed 8
      "00 00 00 00",  // 0x74: padding, as tables begin at multiples of 8
      "0c 00 00 00 40 00 00 00",  // 0x78: its list is 0x0c before; 64 bits
      "01 00 00 00 00 00 00 00",  // 0x80: signed; 0x84: no children
    ])
    let batch = Self.bytes([
      "ff ff ff ff 90 00 00 00",  // a message with 0x90 bytes of metadata
      "10 00 00 00 0c 00 18 00 04 00 06 00 08 00 10 00",  // 0x00: the root, and the list of Message as above
      "0c 00 00 00 04 00 03 00",  // 0x10: version V5; the header is a RecordBatch (3)
      "20 00 00 00 00 00 00 00",  // 0x18: the header is at 0x38
      "18 00 00 00 00 00 00 00",  // 0x20: the body has 24 bytes
      "0a 00 18 00 08 00 10 00",  // 0x28: RecordBatch: length 8, nodes 16,
      "14 00 00 00 00 00 00 00",  // 0x30: buffers 20; padding
      "10 00 00 00 00 00 00 00",  // 0x38: its list is 0x10 before
      "02 00 00 00 00 00 00 00",  // 0x40: two rows
      "0c 00 00 00 20 00 00 00",  // 0x48: nodes at 0x48 + 0x0c = 0x54, buffers at 0x4c + 0x20 = 0x6c
      "00 00 00 00 01 00 00 00",  // 0x50: padding; 0x54: one node
      "02 00 00 00 00 00 00 00",  // 0x58: of two cells
      "01 00 00 00 00 00 00 00",  // 0x60: one of which is null
      "00 00 00 00 02 00 00 00",  // 0x68: padding; 0x6c: two buffers
      "00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00",  // 0x70: validity: 1 byte at 0
      "08 00 00 00 00 00 00 00 10 00 00 00 00 00 00 00",  // 0x80: numbers: 16 bytes at 8
      "01 00 00 00 00 00 00 00",  // the body: the first cell has a value, the second has none
      "07 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",  // 7, and 0 in the place of null
    ])
    let end = Self.bytes(["ff ff ff ff 00 00 00 00"])
    #expect(try Self.stream([table], .table([.init("n", .integer)])) == schema + batch + end)
  }

  @Test func `the declared schema decides the types of columns`() throws {
    let declared: [(ValueSchema, Value, String)] = [
      (.integer, 1, "Int64"), (.number, 1, "Float64"), (.text, "a", "Utf8"), (.choice(["a"]), "a", "Utf8"),
      (.bool, true, "Bool"), (.date, .date(Instant(seconds: 1)), "Timestamp(ms, UTC)"),
      (.bytes, .bytes([1]), "Binary"), (.optional(.integer), nil, "Int64"), (.list(.number), nil, "List"),
    ]
    for (schema, value, type) in declared {
      let (field, cells) = try Self.column([value], schema)
      #expect(field.type == type && field.isNullable && field.metadata == [:], "\(schema)")
      #expect(cells.count == 1)
    }
    #expect(try Self.column([3], .number).cells == [.number(3)])
    #expect(try Self.column([nil], .list(.number)).field.children.map(\.type) == ["Float64"])
  }

  @Test func `values decide the types of undeclared columns`() throws {
    #expect(try Self.column([1, nil, 2]).field.type == "Int64")
    #expect(try Self.column([1, nil, 2]).cells == [1, nil, 2])
    #expect(try Self.column([1, 2.5]).cells == [.number(1), 2.5])
    #expect(try Self.column(["a", .decimal("1.50")]).cells == ["a", "1.50"])
    #expect(try Self.column([true, false, nil]).cells == [true, false, nil])
    let number = Value.decimal("1.50").typed(JSONReader.rawNumberType)
    #expect(try Self.column([number, 1]).cells == [1.5, .number(1)])
  }

  @Test func `a column whose type cannot hold its first rows becomes wider or JSON`() throws {
    #expect(try Self.column([1, 2.5], .integer).field.type == "Float64")
    let (field, cells) = try Self.column([1, "1", nil, ["a": [nil]], 2.5], .integer)
    #expect(field.type == "Utf8" && field.metadata == ["encoding": "json"])
    #expect(cells == ["1", #""1""#, nil, #"{"a":[null]}"#, "2.5"])
    // A 'Float64' would round these.
    let large = Value.integer(1 << 53 + 1)
    #expect(try Self.column([large, 0.5]).cells == ["9007199254740993", "0.5"])
    #expect(try Self.column([0.5, large]).cells == ["0.5", "9007199254740993"])
    #expect(try Self.column([large], .number).cells == ["9007199254740993"])
    #expect(try Self.column([.integer(.max), .integer(.min)]).cells == [.integer(.max), .integer(.min)])
    let far = Value.date(Instant(seconds: .max))
    #expect(try Self.column([far], .date).field.metadata == ["encoding": "json"])
    #expect(try Self.column([nil, nil]).field.metadata == ["encoding": "json"])
  }

  @Test func `lists of one type are Arrow lists, and others are JSON`() throws {
    let (field, cells) = try Self.column([[1, nil], [], nil, [3]])
    #expect(field.type == "List" && field.children.map(\.type) == ["Int64"] && field.children[0].name == "item")
    #expect(cells == [[1, nil], [], nil, [3]])
    #expect(try Self.column([["é", ""], ["b"]]).cells == [["é", ""], ["b"]])
    #expect(try Self.column([[1], [0.5]]).cells == [[.number(1)], [0.5]])
    for mixed: [Value] in [[[1, "a"]], [[[1]]], [[["a": 1]]], [[1], ["a"]], [[.quantity(1, unit: "m")]]] {
      #expect(try Self.column(mixed).field.metadata == ["encoding": "json"], "\(mixed)")
    }
  }

  @Test func `a number that is not finite is null, as in all formats`() throws {
    let table = Table(columns: [
      .init("c", .numbers([1e-300, .nan, .infinity, -.infinity, -0.0, .leastNonzeroMagnitude], decimals: 2))
    ])
    let document = try Self.read([.table(table)])
    #expect(document["c"] == [1e-300, nil, nil, nil, .number(-0.0), .number(.leastNonzeroMagnitude)])
    #expect(try Self.column([[.number(.nan), 1.5]]).cells == [[nil, 1.5]])
  }

  @Test func `a quantity is a number with its unit in the metadata`() throws {
    let (field, cells) = try Self.column([.quantity(1.8, unit: "Å"), nil, .quantity(.nan, unit: "Å")], .quantity)
    #expect(field.type == "Float64" && field.metadata == ["unit": "Å"] && cells == [1.8, nil, nil])
    let mixed = try Self.column([.quantity(1, unit: "m"), .quantity(2, unit: "s")])
    #expect(mixed.field.metadata == ["encoding": "json"])
    #expect(mixed.cells == [#"{"value":1.0,"unit":"m"}"#, #"{"value":2.0,"unit":"s"}"#])
  }

  @Test func `a table's units, headings and summaries override declared ones in the metadata`() throws {
    let schema = ValueSchema.table([
      .init("x", .number, "Position", heading: "Declared", unit: "angstrom", decimals: 2), .init("y", .number),
    ])
    let bare = Table(columns: [
      .init("x", .numbers([1], decimals: 2)), .init("y", unit: "m", .numbers([1], decimals: 2)),
    ])
    let document = try Self.read([.table(bare)], schema)
    #expect(document.field("y")?.metadata == ["unit": "m"])
    // A column without a title of its own has its name as one.
    #expect(document.field("x")?.metadata == ["unit": "angstrom", "description": "Position"])
    let titled = Table(columns: [.init("x", title: "X", unit: "nm", .numbers([1], decimals: 2))])
    #expect(
      try Self.read([.table(titled)], schema).field("x")?.metadata
        == ["unit": "nm", "title": "X", "description": "Position"])
    var bytes: [UInt8] = []
    var writer = ArrowWriter(schema: schema, typeName: "sample.points")
    try writer.finish { bytes += $0 }
    let empty = try ArrowDocument(bytes)
    #expect(empty.metadata == ["type": "sample.points"] && empty.batches == [])
    #expect(
      empty.field("x")?.metadata == ["unit": "angstrom", "title": "Declared", "description": "Position"])
  }

  @Test func `text is preserved exactly, whatever it contains`() throws {
    let texts = [
      "", "\"", "a,b", "tab\t", "line\r\nbreak", "\0\u{1B}[2J", "🧬👨‍👩‍👧", "e\u{301}", "\u{202E}", "NaN", "null",
    ]
    let table = Table(columns: [
      .init("t", .texts(texts)), .init("long", .texts(texts.map { String(repeating: $0, count: 1000) })),
    ])
    let document = try Self.read([.table(table)])
    #expect(document["t"].compactMap(\.text).map { Array($0.utf8) } == texts.map { Array($0.utf8) })
    #expect(document["long"].compactMap(\.text).map(\.utf8.count) == texts.map { $0.utf8.count * 1000 })
    #expect(try Self.column([.bytes([0, 255]), .bytes([]), nil]).cells == [.bytes([0, 255]), .bytes([]), nil])
  }

  @Test func `dates are milliseconds since 1970`() throws {
    let dates = [
      Instant(seconds: 0), Instant(seconds: -1, nanoseconds: 999_000_000), Instant(seconds: 1, nanoseconds: 1),
    ]
    #expect(try Self.column(dates.map(Value.date)).cells == [0, -1, 1000])
    #expect(try Self.column([.list([.date(Instant(seconds: 2))])]).cells == [[2000]])
  }

  @Test(arguments: [0, 1, 7, 8, 9, 63, 64, 65]) func `bitmaps hold any number of rows`(count: Int) throws {
    let flags = (0..<count).map { Value.bool($0 % 3 == 0) }
    let holes = (0..<count).map { $0 % 2 == 0 ? Value.integer($0) : .null }
    let table = Table(columns: [.init("b", .values(flags)), .init("n", .values(holes))])
    let document = try Self.read([.table(table)], .table([.init("b", .bool), .init("n", .integer)]))
    #expect(document["b"] == flags && document["n"] == holes)
    #expect(document.batches == (count == 0 ? [] : [count]))
  }

  @Test func `a batch ends at its limit of rows or bytes`() throws {
    let texts = (0..<10).map { "row \($0)" }
    let table = Value.table(
      Table(columns: [.init("t", .texts(texts)), .init("n", .values((0..<10).map { [.integer($0)] }))]))
    let byRows = try Self.read([table], limits: .init(rows: 4))
    #expect(byRows.batches == [4, 4, 2])
    #expect(byRows["t"] == texts.map(Value.text) && byRows["n"] == (0..<10).map { [.integer($0)] })
    // Two offsets of 4 bytes for the text and for the list, 5 bytes of text, 8 of the element: 29 after one row.
    #expect(try Self.read([table], limits: .init(bytes: 28)).batches == Array(repeating: 1, count: 10))
    // After two rows 50 bytes.
    #expect(try Self.read([table], limits: .init(bytes: 29)).batches == Array(repeating: 2, count: 5))
  }

  @Test func `later parts of a stream have the columns of the first`() throws {
    let schema = ValueSchema.table([.init("n", .integer), .init("t", .text)])
    let parts: [Value] = [
      .table(Table(columns: [.init("n", .values([])), .init("t", .values([]))])),
      .table(Table(columns: [.init("n", .integers([1])), .init("t", .texts(["a"]))])),
      .list([["t": "b", "more": 1], ["n": 2]]),
    ]
    let document = try Self.read(parts, schema)
    #expect(document.fields.map(\.name) == ["n", "t"])
    #expect(document["n"] == [1, nil, 2] && document["t"] == ["a", "b", nil])
  }

  @Test func `a row of another type is an error, and earlier rows are written`() throws {
    var bytes: [UInt8] = []
    var writer = ArrowWriter(schema: .any)
    try writer.add(["n": 1]) { bytes += $0 }
    #expect(throws: ArrowError.mixedColumn("n", row: 2, .integer)) { try writer.add(["n": "one"]) { bytes += $0 } }
    let report = ArrowError.mixedColumn("n", row: 2, .list(.integer))
    #expect(report.message == "column 'n' of the result has lists of whole numbers, but row 2 has another value")
    #expect(report.code == "host.mixed-column" && report.advice == "use '--jsonl' or '--csv'")
    try writer.finish { bytes += $0 }
    #expect(try ArrowDocument(bytes)["n"] == [1])
  }

  @Test func `other results have the rows of CSV`() throws {
    let series = ValueSchema.record([
      .init("status", .text), .init("fluxes", .map(.number), "Fluxes", heading: nil, unit: "mmol", decimals: nil),
    ])
    let fluxes = try Self.read([["status": "optimal", "fluxes": ["R_1": 2.5, "R_2": nil]]], series)
    #expect(fluxes["id"] == ["R_1", "R_2"] && fluxes["fluxes"] == [2.5, nil])
    #expect(fluxes.field("fluxes")?.metadata == ["unit": "mmol", "description": "Fluxes"])
    let table = Value.table(Table(columns: [.init("x", .integers([1, 2]))]))
    let inner = ValueSchema.record([.init("sum", .integer), .init("points", .table([.init("x", .number, "X")]))])
    let points = try Self.read([["sum": 3, "points": table]], inner)
    #expect(points["x"] == [.number(1), .number(2)] && points.field("x")?.metadata == ["description": "X"])
    #expect(try Self.read([["a": 1, "b": "x"]]).fields.map(\.type) == ["Int64", "Utf8"])
    #expect(try Self.read([["a", nil]], .list(.text))["value"] == ["a", nil])
    #expect(try Self.read([true])["value"] == [true])
    #expect(try Self.read([[["a": 1], ["b": 2]]])["b"] == [nil, 2])
  }

  @Test func `a column of ids has their namespace, and one with another value has none`() throws {
    let fields: [ValueSchema.Field] = [
      .init("enzyme", .optional(.text), "EC number of the enzyme"), .init("uniprotId", .text),
      .init("proteins", .list(.text), "UniProt accession of each chain"), .init("name", .text),
    ]
    let table = Table(columns: [
      .init("enzyme", .values(["2.7.1.11", nil])), .init("uniprotId", .texts(["P69905", "hemoglobin"])),
      .init("proteins", .values([["P69905", "P68871"], []])), .init("name", .texts(["P69905", "P68871"])),
    ])
    let document = try Self.read([.table(table)], .table(fields))
    #expect(document.fields.map { $0.metadata["namespace"] } == ["ec-code", nil, "uniprot", nil])
    #expect(document.field("enzyme")?.metadata["description"] == "EC number of the enzyme")
    let records: [Value] = [["enzyme": "1.1.1.1", "uniprotId": "P69905"], ["enzyme": nil, "uniprotId": "Q9Y261"]]
    let stream = try Self.read(records, .record(Array(fields.prefix(2))))
    #expect(stream.fields.map { $0.metadata["namespace"] } == ["ec-code", "uniprot"])
    #expect(try Self.read([], .table(fields)).fields.map { $0.metadata["namespace"] } == [nil, "uniprot", nil, nil])
  }

  @Test func `a result without values is a stream with the declared columns`() throws {
    let fields: [ValueSchema.Field] = [.init("a", .integer), .init("b", .any)]
    for (values, schema): ([Value], ValueSchema) in [
      ([], .table(fields)), ([.list([])], .list(.record(fields))), ([.null], .list(.record(fields))),
      ([], .record(fields)),
    ] {
      let document = try Self.read(values, schema)
      #expect(document.fields.map(\.name) == ["a", "b"] && document.batches == [], "\(schema)")
      #expect(document.fields.map(\.type) == ["Int64", "Utf8"])
    }
    #expect(try Self.read([.null]).fields == [])
  }

  @Test func `each prefix of a stream is malformed or a shorter stream`() throws {
    let table = Value.table(Table(columns: [.init("n", .integers([1, 2])), .init("t", .texts(["a", "b"]))]))
    let bytes = try Self.stream([table], limits: .init(rows: 1))
    for count in 0..<bytes.count {
      guard let document = try? ArrowDocument(Array(bytes[..<count])) else { continue }
      #expect(!document.hasEnd && document.batches.count <= 2)
      #expect(document["n"] == [1, 2].prefix(document.batches.count).map(Value.integer))
    }
  }
}
