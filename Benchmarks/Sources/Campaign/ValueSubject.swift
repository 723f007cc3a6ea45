import PluginAPI

/// The byte form of values, as it comes from plugins, probes, registries and stores.
struct ValueSubject: FuzzSubject {
  let seeds: [[UInt8]]
  let tokens: [[UInt8]]

  init() {
    seeds = Self.values.map { $0.encoded() }
    // Heads of items with lengths that no input has, tags, floats, indefinite lengths, deep nesting.
    tokens = [
      [0x9B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x5B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      [0xBB, 0, 0, 0, 1, 0, 0, 0, 0], [0x7A, 0x80, 0, 0, 0], [0x9A, 0, 0x10, 0, 0],
      [0x1B] + Array(repeating: 255, count: 8),
      [0x3B] + Array(repeating: 255, count: 8), [0xD8, 39], [0xD8, 39, 0x82, 4], [0xD8, 39, 0x84, 5],
      [0xFB, 0x7F, 0xF0],
      [0xF9, 0x7E, 0], [0x9F], [0xBF], [0xFF], [0xF6], Array(repeating: 0x81, count: 300),
    ]
  }

  func read(_ bytes: [UInt8]) -> FuzzReading {
    guard let value = try? Value(decoding: bytes) else { return FuzzReading(isAccepted: false) }
    let form = value.encoded()
    guard let again = try? Value(decoding: form) else { fatalError("an encoded value cannot be decoded") }
    precondition(again.encoded() == form, "the byte form is the same after a round trip")
    _ = try? Contributions(value: value)
    return FuzzReading(isAccepted: true)
  }

  private static let values: [Value] = {
    var record = Record()
    record["text"] = "größer"
    record["list"] = .list([.null, .bool(true), .integer(.min), .number(-0.0), .number(.infinity), .bytes([1, 2, 3])])
    record["decimal"] = .decimal("-12.3400")
    record["date"] = .date(Instant(seconds: 1_800_000_000, nanoseconds: 5))
    record["quantity"] = .quantity(1.5, unit: "Å")
    record["picture"] = .picture(Picture(width: 3, height: 2))
    let table = Table(columns: [
      Table.Column("number", .integers([1, -2, 300])), Table.Column("height", .numbers([1.5, .nan, 0], decimals: 2)),
      Table.Column("name", .texts(["a", "", "c"])), Table.Column("any", .values([1, "x", nil])),
    ])
    var contributions = Contributions(
      plugin: PluginIdentity(id: "tides", name: "Tides", version: "1.0.0", summary: "tides"))
    contributions.commands = [
      CommandDescription("list", "lists stations", output: .init(.any)).taking(
        [Parameter("name", .text, "the name")], options: [Parameter("day", .choice(["a", "b"]), "the day")])
    ]
    contributions.screens = [ScreenDescription("main", title: "Main")]
    let nested = (0..<200).reduce(Value.integer(1)) { value, _ in .list([value]) }
    return [.record(record), .table(table), contributions.value, nested, .list([.record(record), .table(table)])]
  }()
}
