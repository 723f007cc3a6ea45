import Foundation
import PluginAPI
import Testing

@testable import WSABI

/// Transactions of ANSI/NIST-ITL out of the store and into it, judged by the reader that shares nothing with them.
@Suite struct TransactionExchangeTests {
  private let here: StoreFolder
  private let there: StoreFolder

  init() throws { (here, there) = (try StoreFolder(), try StoreFolder()) }

  private var folder: String { String(here.path.dropLast("/store".count)) }

  /// A picture of its own for each number.
  private func bitmap(_ number: Int) -> [UInt8] {
    var image = GreyImage(width: 40 + number % 7, height: 30, pixelsPerInch: 500)
    for place in image.pixels.indices { image.pixels[place] = UInt8(truncatingIfNeeded: place &* (number &+ 3)) }
    for place in 0..<4 { image.pixels[place] = UInt8(truncatingIfNeeded: number >> (8 * place)) }
    return BitmapFile.bytes(of: image)
  }

  @Test func `random people are read field by field by another reader, and come back into a store`() async throws {
    let (source, target) = (try await here.create(), try await there.create())
    var people = RandomPeople(seed: 5)
    let words = Submodality.standard.filter { [.finger, .face, .iris].contains($0.modality) }
    let count = RandomPeople.count(usually: 20)
    for number in 0..<count {
      let person = try await source.addPerson(people.biography(), at: StoreFolder.time)
      var expected: [(Submodality, [UInt8], [PartCondition])] = []
      for place in 0..<people.below(5) {
        let submodality = words[people.below(words.count)]
        let item = try await source.addItem(StoreSamples.draft(person.id, submodality.wireName), at: StoreFolder.time)
        let data = bitmap(number * 8 + place)
        try await source.sampleCapture(item.id, StoreSamples.uuid(number * 8 + place + 1), data)
        let conditions = submodality.parts.map { _ in PartCondition.allCases[people.below(3)] }
        _ = try await source.annotate(item.id, Annotation(conditions: conditions, notes: ""), at: StoreFolder.time)
        expected.append((submodality, data, conditions))
      }
      let path = folder + "/\(number).an2"
      let export = PersonExport(records: source, person: person.id, exported: StoreFolder.time)
      let outcome = try await export.writeTransaction(
        to: path, .init(controlNumber: "T\(number)", created: StoreFolder.time))
      #expect(outcome.captures == expected.count && outcome.leftOut.isEmpty)
      let records = try PlainITLReader(Array(try Data(contentsOf: URL(fileURLWithPath: path)))).records
      #expect(records.count == 2 + expected.count && records[0].texts["1.009"] == "T\(number)")
      for (record, item) in zip(records.dropFirst(2), expected) {
        check(record, item.0, item.1, item.2)
      }
      let read = try await PersonImport(records: target, takesKnownData: false, now: StoreFolder.time).read(path) { _ in
      }
      let items = try await target.items(of: read.person)
      #expect(items.count == expected.count)
      for (item, before) in zip(items, expected) {
        let capture = try #require(item.capture)
        #expect(try await target.data(of: capture) == before.1)
        #expect(capture.sniffedType == "image/bmp" && capture.received == Instant(seconds: 1_789_948_800))
        if before.0.modality == .finger { #expect(item.annotation.conditions == before.2) }
        #expect(try await target.thumbnail(of: capture.id) != nil)
      }
      if !expected.isEmpty {
        await #expect(throws: ExchangeError.self) {
          try await PersonImport(records: target, takesKnownData: true, now: StoreFolder.time).read(path) { _ in }
        }
      }
    }
    #expect(try await target.people(0..<1).total == count)
    await source.close()
    await target.close()
  }

  /// A picture record as the standard's layout has it.
  private func check(
    _ record: PlainITLReader.Record, _ submodality: Submodality, _ data: [UInt8], _ conditions: [PartCondition]
  ) {
    let type = [Modality.finger: "14", .face: "10", .iris: "17"][submodality.modality ?? .other] ?? ""
    #expect(record.type == type)
    let header = PictureHeader(data)
    #expect(record.texts["\(type).006"] == header.map { "\($0.width)" } && record.texts["\(type).007"] == "30")
    #expect(record.texts["\(type).009"] == "500" && record.texts["\(type).011"] == "NONE")
    #expect(record.texts["\(type).005"] == "20260921")
    // Rows of a bitmap stand from the bottom, padded; those of a transaction from the top.
    let width = header?.width ?? 0
    let padded = (width + 3) / 4 * 4
    var rows: [UInt8] = []
    for row in (0..<30).reversed() {
      let start = 1078 + row * padded
      rows += data[start..<start + width]
    }
    #expect(record.image == rows)
    let codes = zip(submodality.parts, conditions).compactMap { part, condition in
      condition.code.flatMap { code in part.fingerPosition.map { "\($0)\u{1F}\(code)" } }
    }
    if type == "14" {
      #expect(record.texts["14.018"] == (codes.isEmpty ? nil : codes.joined(separator: "\u{1E}")))
      #expect(record.texts["14.003"] == (submodality.wireName.hasSuffix("Rolled") ? "1" : "0"))
    }
  }

  @Test func `what no transaction takes is named, and the rest is written`() async throws {
    let source = try await here.create()
    let person = try await source.addPerson(StoreSamples.biography("Ada"), at: StoreFolder.time)
    let voice = try await source.addItem(StoreSamples.draft(person.id, "Voice"), at: StoreFolder.time)
    try await source.sampleCapture(voice.id, StoreSamples.uuid(1), [1, 2, 3])
    let finger = try await source.addItem(StoreSamples.draft(person.id), at: StoreFolder.time)
    try await source.sampleCapture(finger.id, StoreSamples.uuid(2), [1, 2, 3])
    let face = try await source.addItem(StoreSamples.draft(person.id, "Face2d"), at: StoreFolder.time)
    try await source.sampleCapture(face.id, StoreSamples.uuid(3), bitmap(1))
    let path = folder + "/a.an2"
    let outcome = try await PersonExport(records: source, person: person.id, exported: StoreFolder.time)
      .writeTransaction(to: path, .init(controlNumber: "T", created: StoreFolder.time))
    #expect(outcome.captures == 1 && outcome.leftOut.map(\.item.id) == [voice.id, finger.id])
    let reasons = outcome.leftOut.map(\.reason).filter { $0.contains("picture") || $0.contains("record type") }
    #expect(reasons.count == 2)
    #expect(try PlainITLReader(Array(try Data(contentsOf: URL(fileURLWithPath: path)))).records.count == 3)
    #expect(try ExchangeFiles.form(of: path) == .an2k)
    await source.close()
  }
}
