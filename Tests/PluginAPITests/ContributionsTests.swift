import PluginAPI
import PluginText
import TestSupport
import Testing

struct ContributionsTests {
  /// Contributions with every part and every kind of parameter.
  private static let whole: Contributions = {
    var all = Contributions(
      plugin: PluginIdentity(id: "tides", name: "Gezeiten – 潮", version: "1.2.3", summary: "high and low water"))
    let kinds: [Parameter.Kind] = [
      .text, .integer(minimum: .min, maximum: .max), .integer(minimum: -3, maximum: 12),
      .number(minimum: -.greatestFiniteMagnitude, maximum: .greatestFiniteMagnitude),
      .number(minimum: 0, maximum: 0.5), .choice(["a", "b"]), .numbers(count: 3),
      .inputFile(extensions: ["csv", "gz"]),
      .outputFile, .folder, .document(extensions: []), .url, .flag,
    ]
    let parameters = kinds.enumerated().map { number, kind in
      Parameter("p\(number)", kind, "parameter \(number)", unit: number == 4 ? "metre" : nil, isRequired: number == 0)
    }
    let fields: [ValueSchema.Field] = [
      .init("id", .integer), .init("height", .optional(.number), "in metres"), .init("kind", .choice(["high", "low"])),
      .init("all", .list(.record([.init("x", .any)]))),
    ]
    all.commands = [
      CommandDescription(
        "predict", "predicts", output: .init(.table(fields), isStream: true),
        effects: [.reads, .writes, .deletes, .network]
      ).taking(
        Array(parameters.dropLast()),
        options: [
          parameters[12], Parameter("days", .integer(minimum: 1, maximum: 9), "days", defaultValue: 3),
          Parameter("at", .text, "places", isRepeatable: true).personal(),
          Parameter("port", .text, "port").completed(by: "list ports", column: "name", summaryColumn: "sea"),
          Parameter("unit", .text, "unit").completed(by: "list", column: "unit", otherColumns: ["code"]),
        ]
      ).explained("At length.", examples: [.init("predict here", "one place")]).findable(by: ["forecast"]),
      CommandDescription("draw", "draws", output: .init(.picture)),
    ]
    all.screens = [
      ScreenDescription(
        "main", title: "Main", summary: "all of it",
        actions: [
          ScreenAction("turn", "Turn", keys: ["left", "ctrl-x"], arguments: ["by": -1, "at": [1.5, nil]])
            .findable(by: ["rotate", "spin"])
        ],
        topics: ["tides.told", "molecules.library-changed"]), ScreenDescription("bare", title: "Bare"),
    ]
    all.stores = [StoreDescription("stations", "places")]
    all.textRenderers = ["tides.prediction"]
    all.fileTypes = [
      FileTypeDescription("Tide table", extensions: ["tide", "tide.gz"], magic: [0, 255, 0x1F], screen: "main"),
      FileTypeDescription("List", extensions: [], command: "predict"),
    ]
    all.settings = [Parameter("datum", .choice(["chart", "mean"]), "what heights are above", defaultValue: "chart")]
    all.checks = [CheckDescription("clock", "whether the clock is right")]
    all.topics = [TopicDescription("told", "it was told", payload: .record(fields))]
    all.errorCodes = [ErrorCodeDescription("tides.no-water", "the place is on land")]
    return all
  }()

  @Test func `contributions survive their byte form`() throws {
    let value = try Value(decoding: Self.whole.value.encoded())
    #expect(try Contributions(value: value) == Self.whole)
    let bare = Contributions(plugin: PluginIdentity(id: "ab", name: "A", version: "0.0.1", summary: ""))
    #expect(try Contributions(value: Value(decoding: bare.value.encoded())) == bare)
  }

  @Test func `unknown fields of later contracts are ignored, and missing ones are empty`() throws {
    var record = try #require(Self.whole.value.record)
    record["laterPart"] = ["x": 1]
    #expect(try Contributions(value: .record(record)) == Self.whole)
    let identity = Self.whole.plugin.value
    #expect(try Contributions(value: ["plugin": identity]) == Contributions(plugin: Self.whole.plugin))
  }

  @Test func `values that are not contributions are refused`() {
    let bad: [Value] = [
      nil, 1, [:], ["plugin": 3], ["plugin": ["id": 1]],
      ["plugin": Self.whole.plugin.value, "commands": [1]],
      ["plugin": Self.whole.plugin.value, "screens": [["title": "no name"]]],
    ]
    let accepted = bad.filter { (try? Contributions(value: $0)) != nil }
    #expect(accepted.isEmpty)
  }

  @Test func `damaged bytes are refused or decode to a value with a stable byte form`() {
    let good = Self.whole.value.encoded()
    var random = SplitMix64(seed: 20_261_120)
    var (refused, unstable) = (0, 0)
    for _ in 0..<4000 {
      var bytes = good
      for _ in 0...Int.random(in: 0...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 1: bytes[place] = .random(in: 0...255, using: &random)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...9, using: &random)))
        default: bytes.insert(contentsOf: [0x9B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], at: place)
        }
        if bytes.isEmpty { break }
      }
      guard let value = try? Value(decoding: bytes) else {
        refused += 1
        continue
      }
      let form = value.encoded()
      if (try? Value(decoding: form).encoded()) != form { unstable += 1 }
      _ = try? Contributions(value: value)
    }
    #expect(unstable == 0)
    #expect(refused > 1000 && refused < 4000)
  }
}
