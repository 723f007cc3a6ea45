import PluginAPI
import Testing

struct ValueTests {
  @Test func `a value survives its byte form`() throws {
    let value: Value = [
      "null": nil, "flag": true, "whole": -12, "number": 1.5, "text": "β-sheet", "list": [1, "two"],
      "bytes": .bytes([0, 255]), "decimal": .decimal("123456789012345678901234567890.5"),
      "date": .date(Instant(seconds: -1, nanoseconds: 5)), "length": .quantity(1.8, unit: "angstrom"),
      "table": .table(
        Table(columns: [
          Table.Column("id", .integers([1, 2])),
          Table.Column("x", unit: "angstrom", .numbers([0.5, .infinity], decimals: 3)),
          Table.Column("name", .texts(["a", "b"])), Table.Column("any", .values([nil, [1]])),
        ])),
      "picture": .picture(Picture(width: 1, height: 2)), "typed": Value.text("x").typed("test.kind"),
    ]
    #expect(try Value(decoding: value.encoded()) == value)
  }

  @Test func `every truncation of a value's bytes is refused`() {
    let bytes = Value.list([["a": 1, "b": [2, 3.5, "x"]], .picture(Picture(width: 2, height: 2))]).encoded()
    let accepted = bytes.indices.filter { (try? Value(decoding: Array(bytes[..<$0]))) != nil }
    #expect(accepted.isEmpty)
  }

  @Test func `a hostile length or depth is refused without allocating memory`() {
    #expect(throws: ValueDecodingError.truncated(offset: 0)) {
      try Value(decoding: [0x9B] + [UInt8](repeating: 0x7F, count: 8))
    }
    #expect(throws: ValueDecodingError.self) { try Value(decoding: [UInt8](repeating: 0x81, count: 100_000)) }
  }

  @Test func `a picture is created from a color per pixel`() {
    let picture = Picture(size: Size(width: 2, height: 2)) { x, y in (UInt8(x), UInt8(y), 9) }
    #expect(picture == Picture(width: 2, height: 2, pixels: [0, 0, 9, 255, 1, 0, 9, 255, 0, 1, 9, 255, 1, 1, 9, 255]))
    #expect(Picture(size: Size(width: -1, height: 3)) { _, _ in (0, 0, 0) } == Picture(width: 0, height: 3))
  }

  @Test func `an instant is formatted in ISO 8601`() {
    #expect(Instant(seconds: 0).description == "1970-01-01T00:00:00Z")
    #expect(Instant(seconds: 1_795_208_820, nanoseconds: 250_000_000).description == "2026-11-20T21:07:00.250Z")
    #expect(Instant(seconds: -86_400 * 719_528).description == "0000-01-01T00:00:00Z")
    #expect(Instant(seconds: -1).description == "1969-12-31T23:59:59Z")
    #expect(Instant(seconds: .min).description == "-292277022657-01-27T08:29:52Z")
    #expect(Instant(seconds: .max).description == "292277026596-12-04T15:30:07Z")
  }

  @Test func `a record of many fields preserves order and the last value of a name`() throws {
    let many = (0..<40_000).map { Record.Field("field\($0 % 20_000)", .integer($0)) }
    let record = Record(many)
    #expect(record.names == (0..<20_000).map { "field\($0)" })
    #expect(record["field7"] == 20_007)
    #expect(try Value(decoding: Value.record(record).encoded()) == .record(record))
  }
}
