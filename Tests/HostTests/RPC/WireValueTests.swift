import PluginAPI
import PluginText
import Testing

@testable import Host

@Suite struct WireValueTests {
  private static let table = Table(columns: [
    Table.Column("id", title: "Id", .integers([1, 2])),
    Table.Column("mass", title: "Mass", unit: "dalton", .numbers([1.5, .nan], decimals: 2)),
    Table.Column("name", .texts(["a", "b"])), Table.Column("any", .values([.null, [1, "x"]])),
  ])

  private static let values: [Value] = [
    .null, true, false, 0, -7, .integer(.max), .integer(.min), 1.5, .number(1e300), .number(.infinity),
    .number(-.infinity), "text\n\u{1F9EC}\u{1B}[2J\u{202E}", .decimal("-12.50"), .bytes([]), .bytes([0, 255, 1]),
    .bytes([1, 2, 3, 4]), .date(Instant(seconds: -1)), .date(Instant(seconds: 1_795_132_800, nanoseconds: 5_000_000)),
    .quantity(1.8, unit: "angstrom"), .quantity(.infinity, unit: "m"), [], [1, [2, []]], [:],
    ["a": 1, "$b": ["c": nil]], ["$date": "not a date", "x": 1], .table(table), .table(Table(columns: [])),
    .picture(Picture(width: 1, height: 2, pixels: [1, 2, 3, 4, 5, 6, 7, 8])),
    .array(NumericArray([1.5, 2, 3, 4] as [Float], shape: [2, 2])),
    Value.list([1]).typed("a.list"), ["inner": Value.table(table).typed("a.table")],
  ]

  private static func roundTrip(_ value: Value) throws -> Value {
    let line = JSONWriter.bytes(of: WireValue.json(value))
    #expect(!line.contains(UInt8(ascii: "\n")))
    return try WireValue.value(try JSONReader.read(line, deepest: WireValue.deepest))
  }

  @Test func `a value is unchanged by encoding to JSON and decoding`() throws {
    for value in Self.values {
      // NaN differs from itself; the byte forms do not.
      #expect(try Self.roundTrip(value).encoded() == value.encoded(), "\(value)")
    }
    let nan = try #require(try Self.roundTrip(.number(.nan)).number)
    #expect(nan.isNaN)
  }

  @Test func `a value of the maximum depth is unchanged too`() throws {
    var value: Value = 1
    for _ in 0..<Value.maximumDepth / 2 { value = Value.list([value]).typed("a.b") }
    #expect(try Self.roundTrip(value) == value)
  }

  @Test(arguments: [
    (#"{"$bytes":"AAA"}"#, "'$bytes' is not base64"), (#"{"$bytes":"A=AA"}"#, "'$bytes' is not base64"),
    (#"{"$bytes":7}"#, "'$bytes' is not base64"), (#"{"$date":"2026-13-01"}"#, "'$date' is not a date of ISO 8601"),
    (#"{"$decimal":"1e5"}"#, "'$decimal' is not the text of a decimal number"),
    (#"{"$type":7,"$value":1}"#, "'$type' is not one of '$type', the name of a type, and '$value'"),
    (#"{"$record":[["a"]]}"#, "'$record' is not a list of names and values"),
    (#"{"$quantity":[1]}"#, "'$quantity' is not a number and its unit"),
    (
      #"{"$table":[{"name":"a","kind":"integers","values":["x"]}]}"#,
      "'$table' is not a table whose column 'a' has whole numbers only"
    ),
    (
      #"{"$table":[{"name":"a","values":[1]},{"name":"b","values":[]}]}"#,
      "'$table' is not a list of columns of the same length"
    ),
    (#"{"$picture":{"width":9,"height":9,"pixels":""}}"#, "'$picture' is not a picture with its pixels"),
    (
      #"{"$picture":{"width":4611686018427387904,"height":4,"pixels":""}}"#,
      "'$picture' is not a picture with its pixels"
    ),
    (#"{"$array":{"type":"int7","shape":[1],"data":""}}"#, "'$array' is not an array of numbers with its data"),
    (#"{"$nonsense":1}"#, "'$nonsense' is not a kind of values"),
  ]) func `an invalid typed object is refused with a specific message`(json: String, message: String) throws {
    let document = try JSONReader.read(Array(json.utf8))
    let problem = #expect(throws: WireValue.Problem.self) { try WireValue.value(document) }
    #expect(problem?.message == message)
  }

  @Test func `numbers in any JSON spelling are numbers`() throws {
    let document = try JSONReader.read(
      Array("[1.50,1e5,1E-3,12345678901234567890,-0,{\"$value\":1,\"$type\":\"a.b\"}]".utf8))
    #expect(
      try WireValue.value(document) == [
        1.5, 100_000.0, 0.001, 12_345_678_901_234_567_890.0, -0.0, Value.integer(1).typed("a.b"),
      ])
  }

  @Test func `damaged messages are read or refused and never crash`() throws {
    var random = SplitMix64(seed: 25)
    let messages = Self.values.map { value in
      RPCMessage.notification(method: "emit", parameters: ["id": 2, "value": WireValue.json(value)]).line
    }
    var readCount = 0
    for round in 0..<20_000 {
      var line = messages[round % messages.count].dropLast()
      for _ in 0...Int.random(in: 0..<3, using: &random) where !line.isEmpty {
        let index = line.indices.randomElement(using: &random) ?? line.startIndex
        switch Int.random(in: 0..<4, using: &random) {
        case 0: line[index] = UInt8.random(in: 0...255, using: &random)
        case 1: line.remove(at: index)
        case 2: line = line[..<index]
        default: line.insert(contentsOf: line[..<index], at: index)
        }
      }
      guard let message = try? RPCMessage(line: Array(line)), case .notification(_, let parameters) = message else {
        continue
      }
      if (try? WireValue.value(parameters)) != nil { readCount += 1 }
    }
    #expect(readCount > 100 && readCount < 19_000)
  }
}
