import Foundation
import PluginAPI
import PluginTesting
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Malformed manifests: refused with a code, or read and then shown and exported without a crash.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct ManifestMutationTests {
  private let here: StoreFolder
  private let plugin: ScreensPlugin
  private let test: TestPlugin

  init() async throws {
    here = try StoreFolder()
    plugin = try await ScreensPlugin.opened()
    test = try await TestPlugin(plugin)
  }

  private var folder: String { String(here.path.dropLast("/store".count)) }

  /// Returns an export with several pictures of one response, a lost one, and an older capture.
  private func export() async throws -> RewrittenExport {
    let source = try await here.create()
    let person = try await source.addPerson(StoreSamples.full("x"), at: StoreFolder.time)
    var image = GrayImage(width: 40, height: 30, pixelsPerInch: 500)
    func bitmap(_ number: Int) -> [UInt8] {
      image.pixels[0] = UInt8(number)
      return image.bitmap
    }
    let slap = try await source.addItem(StoreSamples.draft(person.id, "RightSlap"), at: StoreFolder.time)
    let old = try await source.sampleCapture(slap.id, StoreSamples.uuid(1), bitmap(1))
    _ = try await source.setQuality(of: old.id, .init(score: 50, scorer: "s"))
    try await source.sampleAct(
      slap.id, [(2, bitmap(2), "RightSlap"), (3, nil, ""), (4, bitmap(4), "RightIndexFlat")])
    let eyes = try await source.addItem(StoreSamples.draft(person.id, "BothIrises"), at: StoreFolder.time)
    try await source.sampleAct(eyes.id, [(5, bitmap(5), "LeftIris"), (6, bitmap(6), "RightIris")])
    let path = folder + "/export"
    let export = PersonExport(records: source, person: person.id, exported: StoreFolder.time)
    _ = try await export.write(.json, to: path) { @Sendable _ in }
    await source.close()
    return try RewrittenExport(path)
  }

  private func load(_ path: String) async throws -> Int {
    try await PersonImport(records: plugin.records, takesKnownData: true, now: StoreFolder.time).read(path) { _ in }
      .person
  }

  /// Shows all of a person as commands and the lightbox do, and exports a transaction.
  private func look(at person: Int, _ number: Int) async throws {
    let records = plugin.records
    let renderer = ItemRenderer(typeName: WSABIValueType.item)
    for item in try await records.items(of: person) {
      let value = try await ItemRecord(item, records).value
      _ = renderer.render(value, for: TextRequest(width: 80))
      let screen = try await test.screen("lightbox", ["item": .integer(item.id)], size: Size(width: 60, height: 20))
      for key in ["n", "n", "n", "+", "p"] {
        await screen.press(key)
        _ = screen.text
      }
      let card = try await test.screen("card", ["item": .integer(item.id)], size: Size(width: 100, height: 30))
      _ = card.text
    }
    do {
      _ = try await PersonExport(records: records, person: person, exported: StoreFolder.time).writeTransaction(
        to: folder + "/\(number).an2", .init(controlNumber: "T", created: StoreFolder.time))
    } catch is ITLError {
      // Reported with a code, such as that there are too many pictures.
    }
  }

  private static let numbers = [0, -1, 1, 2, 3, 4, 101, 65_535, 65_536, 1 << 40, .min, .max]
  private static let texts = [
    "", "Face", "Iris", "Finger", "LeftIris", "RightSlap", "ThumbsSlap", "Odd\u{1B}[2J", "bandaged", "../../etc/passwd",
    "captures/a", "9999-12-31T23:59:59Z", "999999999-01-01T00:00:00Z", "-0001-01-01T00:00:00Z",
    String(repeating: "f", count: 64), "0A000000-0000-4000-8000-000000000002", String(repeating: "x", count: 3000),
  ]

  /// Returns a value with one random change.
  private func mutated(_ value: Value, _ chance: inout SeededChance, left: inout Int) -> Value {
    left -= 1
    if left == 0 { return changed(value, &chance) }
    switch value.content {
    case .record(let record):
      var fields = record.fields
      for place in fields.indices where left > 0 {
        fields[place].value = mutated(fields[place].value, &chance, left: &left)
      }
      return .record(Record(fields))
    case .list(let values):
      var values = values
      for place in values.indices where left > 0 { values[place] = mutated(values[place], &chance, left: &left) }
      return .list(values)
    default: return value
    }
  }

  private func changed(_ value: Value, _ chance: inout SeededChance) -> Value {
    switch value.content {
    case .integer: return .integer(Self.numbers[chance.below(Self.numbers.count)])
    case .text: return .text(Self.texts[chance.below(Self.texts.count)])
    case .list(let values) where !values.isEmpty:
      switch chance.below(4) {
      case 0: return .list(values + [values[chance.below(values.count)]])
      case 1: return .list(Array(values.reversed()))
      case 2: return .list(Array(values.dropFirst()))
      default: return .list([])
      }
    case .record(let record) where !record.fields.isEmpty:
      var fields = record.fields
      fields.remove(at: chance.below(fields.count))
      return .record(Record(fields))
    default: return [.null, .integer(-1), .text("x"), .list([])][chance.below(4)]
    }
  }

  private static func size(_ value: Value) -> Int {
    switch value.content {
    case .record(let record): 1 + record.fields.reduce(0) { $0 + size($1.value) }
    case .list(let values): 1 + values.reduce(0) { $0 + size($1) }
    default: 1
    }
  }

  @Test func `any manifest is either refused with a code, or can be read, shown and exported`() async throws {
    let export = try await export()
    var chance = SeededChance(20)
    let size = Self.size(export.manifest)
    var (taken, refused) = (0, 0)
    for number in 0..<300 {
      var manifest = export.manifest
      for _ in 0...chance.below(3) {
        var left = 1 + chance.below(size)
        manifest = mutated(manifest, &chance, left: &left)
      }
      try export.write(manifest)
      let person: Int
      do {
        person = try await load(export.path)
      } catch {
        #expect((error as? any ReportableError)?.report.code.hasPrefix("wsabi.") == true, "\(error)")
        refused += 1
        continue
      }
      taken += 1
      try await look(at: person, number)
      try await plugin.records.deletePerson(person)
    }
    // Some are accepted and some are refused.
    #expect(taken > 20 && refused > 100, "\(taken) taken, \(refused) refused")
    #expect(try await plugin.records.check(readsData: true).isEmpty)
    #expect(try await plugin.records.people(0..<1).total == 0)
  }

  /// Changes the captures of the first item, the newest first: three pictures of two acts.
  private func changing(
    _ manifest: Value, _ captures: [(act: Int, place: Int)], lost: (act: Int, place: Int) = (1, 1)
  ) -> Value {
    var number = 0
    return RewrittenExport.mapped(manifest) { record in
      var record = record
      guard record["act"] != nil else { return record }
      if record["reason"] != nil {
        (record["act"], record["place"]) = (.integer(lost.act), .integer(lost.place))
      } else if number < captures.count {
        (record["act"], record["place"]) = (.integer(captures[number].act), .integer(captures[number].place))
        number += 1
      }
      return record
    }
  }

  @Test func `inconsistent acts and places are refused with their position`() async throws {
    let export = try await export()
    let cases: [([(act: Int, place: Int)], (act: Int, place: Int), String)] = [
      ([(1, 0), (1, 0), (2, 0)], (1, 1), "items[0].captures[1].place"),
      ([(1, 2), (1, 0), (2, 0)], (1, 1), "items[0].captures[1].place"),
      ([(1, 0), (2, 0), (1, 2)], (1, 1), "items[0].captures[2].act"),
      ([(1, 0), (1, 2), (2, -1)], (1, 1), "items[0].captures[2].place"),
      ([(1, 0), (1, 65_536), (2, 0)], (1, 1), "items[0].captures[1].place"),
      ([(1, 0), (1, 2), (0, 0)], (1, 1), "items[0].captures[2].act"),
      ([(1, 0), (1, 2), (.max, 0)], (1, 1), "items[0].captures[2].act"),
      ([(1, 0), (1, 2), (2, 0)], (3, 1), "items[0].lost[0].act"),
      ([(1, 0), (1, 2), (2, 0)], (1, 2), "items[0].lost[0].place"),
    ]
    for (captures, lost, place) in cases {
      try export.write(changing(export.manifest, captures, lost: lost))
      await #expect(throws: ExchangeError.badManifest(location: place)) { try await load(export.path) }
    }
    // Any numbers in order will do.
    try export.write(changing(export.manifest, [(7, 3), (7, 9), (2, 5)], lost: (7, 4)))
    let person = try await load(export.path)
    let item = try #require(try await plugin.records.items(of: person).first)
    #expect(item.pictures.map(\.place) == [0, 2] && item.losses.map(\.place) == [1])
  }

  @Test func `contradictions are refused with their position`() async throws {
    let export = try await export()
    let cases: [(key: String, value: Value, beside: String, place: String)] = [
      ("submodality", "LeftIris", "captures", "items[0].submodality"),
      ("modality", "Iris", "file", "items[0].captures[0].submodality"),
      ("submodality", "RightIndexFlat", "file", "items[0].captures[1].submodality"),
      ("captureId", "0A000000-0000-4000-8000-000000000005", "file", "items[1].captures[0].captureId"),
      ("conditions", ["present"], "captures", "items[0].conditions"),
      ("score", 101, "scorer", "items[0].captures[2].quality.score"),
      ("pins", ["none"], "pins", "items[0].device.trust.pins[0]"),
      ("created", "999999999-01-01T00:00:00Z", "captures", "items[0].created"),
    ]
    for (key, value, beside, place) in cases {
      var isDone = false
      try export.write(
        RewrittenExport.mapped(export.manifest) { record in
          var record = record
          if !isDone, record[beside] != nil, record[key] != nil { (record[key], isDone) = (value, true) }
          return record
        })
      await #expect(throws: ExchangeError.badManifest(location: place), "\(key)") { try await load(export.path) }
    }
    #expect(try await plugin.records.people(0..<1).total == 0)
  }
}
