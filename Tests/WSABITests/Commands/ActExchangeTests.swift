import Foundation
import PluginAPI
import Testing

@testable import WSABI

/// Pictures of one response are exported and imported together.
@Suite struct ActExchangeTests {
  private let here: StoreFolder
  private let there: StoreFolder

  init() throws { (here, there) = (try StoreFolder(), try StoreFolder()) }

  private var folder: String { String(here.path.dropLast("/store".count)) }

  private func manifest(_ records: RecordStore, _ person: Int) async throws -> ExchangeManifest {
    try await PersonExport(records: records, person: person, exported: StoreFolder.time)
      .manifest(try await records.items(of: person))
  }

  private func export(_ records: RecordStore, _ person: Int, _ path: String) async throws {
    _ = try await PersonExport(records: records, person: person, exported: StoreFolder.time)
      .write(path.hasSuffix(".zip") ? .zip : .json, to: path) { _ in }
  }

  private func load(_ records: RecordStore, _ path: String) async throws -> PersonImport.Outcome {
    try await PersonImport(records: records, takesKnownData: false, now: StoreFolder.time).read(path) { _ in }
  }

  /// Returns a distinct picture for each number.
  private func bitmap(_ number: Int) -> [UInt8] {
    var image = GrayImage(width: 40 + number, height: 30, pixelsPerInch: 500)
    for place in image.pixels.indices { image.pixels[place] = UInt8(truncatingIfNeeded: place &* (number &+ 3)) }
    return image.bitmap
  }

  /// Returns the samples of a bitmap from the top, in transaction order.
  private func rows(_ number: Int) -> [UInt8] {
    (0..<30 * (40 + number)).map { UInt8(truncatingIfNeeded: $0 &* (number &+ 3)) }
  }

  @Test func `pictures of one response are imported as one act, in order, with the missing ones`() async throws {
    let (source, target) = (try await here.create(), try await there.create())
    let person = try await source.addPerson(StoreSamples.biography("Ada"), at: StoreFolder.time)
    var device = StoreSamples.device()
    device.trust = SensorTrust(pins: [String(repeating: "A", count: 43) + "="])
    (device.trust.authorities, device.trust.clientKey) = ("/etc/ca.pem", "/etc/key.pem")
    let item = try await source.addItem(
      StoreSamples.draft(person.id, "RightSlap", device: device), at: StoreFolder.time)
    try await source.sampleCapture(item.id, StoreSamples.uuid(9), StoreSamples.data(100))
    try await source.sampleAct(
      item.id,
      [(5, bitmap(5), "RightSlap"), (4, nil, ""), (3, bitmap(3), "RightIndexFlat"), (2, bitmap(2), "RightRingFlat")])
    // A captured item keeps its name.
    let draft = StoreSamples.draft(person.id, "ThumbsSlap", device: device)
    _ = try await source.edit(item: item.id, draft, at: StoreFolder.time, renaming: true)
    for path in [folder + "/folder", folder + "/archive.zip"] {
      try await export(source, person.id, path)
      let read = try await load(target, path)
      let back = try #require(try await target.items(of: read.person).first)
      #expect(back.pictures.map(\.captureID) == [5, 3, 2].map(StoreSamples.uuid))
      #expect(back.losses.map(\.captureID) == [StoreSamples.uuid(4)] && back.losses.map(\.place) == [1])
      #expect(back.losses.first?.reason == "the service no longer has the data (invalidId)")
      // Paths of another station are not taken.
      #expect(back.device.trust == SensorTrust(pins: device.trust.pins))
      #expect(back.submodality.wireName == "ThumbsSlap")
      #expect(back.pictures.map { back.shown($0).wireName } == ["RightSlap", "RightIndexFlat", "RightRingFlat"])
      let captures = try await target.captures(of: back.id)
      #expect(captures.map { $0.act == back.capture?.act } == [true, true, true, false])
      let names = try await manifest(target, read.person).items.flatMap(\.captures).map(\.file)
      #expect(names.first == "captures/000-RightSlap-1.bmp" && names.count == 4)
      // An imported person exports identically again, except for the store's numbers.
      let (before, after) = (try await manifest(source, person.id), try await manifest(target, read.person))
      #expect(before.items.map(\.losses) == after.items.map(\.losses))
      #expect(
        before.items[0].captures.map { [$0.record.act, $0.record.place] } == [[1, 0], [1, 2], [1, 3], [2, 0]])
      #expect(
        after.items[0].captures.map { [$0.record.act, $0.record.place] } == [[1, 0], [1, 2], [1, 3], [2, 0]])
      #expect(try await target.check(readsData: true).isEmpty)
      try await target.deletePerson(read.person)
    }
    await source.close()
    await target.close()
  }

  @Test func `every form of export reports missing pictures and pictures still at their sensor`()
    async throws
  {
    let source = try await here.create()
    let item = try await source.samplePerson()
    try await source.sampleAct(item.id, [(1, bitmap(1), ""), (2, nil, "")])
    let waiting = try await source.begin(StoreSamples.intent(item.id))
    try await source.captured(waiting, ids: [StoreSamples.uuid(3), StoreSamples.uuid(4)])
    try await source.end(waiting, .captured)
    let export = PersonExport(records: source, person: item.person, exported: StoreFolder.time)
    let outcomes = [
      try await export.write(.json, to: folder + "/folder") { _ in },
      try await export.write(.zip, to: folder + "/archive.zip") { _ in },
      try await export.writeTransaction(
        to: folder + "/a.an2", .init(controlNumber: "T", created: StoreFolder.time)),
    ]
    for outcome in outcomes {
      #expect(outcome.incomplete.map(\.item.id) == [item.id, item.id])
      #expect(outcome.incomplete.first?.reason.hasPrefix("1 of 2 pictures of the capture were not received") == true)
      #expect(outcome.incomplete.last?.reason.hasPrefix("2 pictures are still at the sensor") == true)
    }
    await source.close()
  }

  @Test func `a picture still at its sensor during the export counts as missing after the import`()
    async throws
  {
    let (source, target) = (try await here.create(), try await there.create())
    let item = try await source.samplePerson()
    let number = try await source.begin(StoreSamples.intent(item.id))
    try await source.captured(number, ids: [StoreSamples.uuid(1), StoreSamples.uuid(2)])
    let sink = try await source.sink(number, StoreSamples.uuid(2))
    try bitmap(2).withUnsafeBytes { try sink.write($0) }
    _ = try await source.keep(number, sink, StoreSamples.download(StoreSamples.uuid(2), WireDictionary()))
    try await export(source, item.person, folder + "/folder")
    let read = try await load(target, folder + "/folder")
    let back = try #require(try await target.items(of: read.person).first)
    #expect(back.pictures.map(\.captureID) == [StoreSamples.uuid(2)] && back.pictures.map(\.place) == [1])
    #expect(back.losses.map(\.captureID) == [StoreSamples.uuid(1)] && back.losses.map(\.place) == [0])
    #expect(back.losses.first?.reason == "its data was still at the sensor at the time of the export")
    // Here it is waited for as before.
    #expect(try await source.item(item.id).losses.isEmpty)
    #expect(try await source.unfinished().map(\.waiting) == [[StoreSamples.uuid(1)]])
    await source.close()
    await target.close()
  }

  @Test func `a transaction has the first picture of each item if not all fit`() async throws {
    let source = try await here.create()
    let person = try await source.addPerson(StoreSamples.biography("Ada"), at: StoreFolder.time)
    for number in 0..<20 {
      let face = try await source.addItem(StoreSamples.draft(person.id, "Face2d"), at: StoreFolder.time)
      try await source.sampleAct(face.id, (0..<5).map { (number * 5 + $0 + 1, bitmap(number * 5 + $0), "") })
    }
    let path = folder + "/a.an2"
    let outcome = try await PersonExport(records: source, person: person.id, exported: StoreFolder.time)
      .writeTransaction(to: path, .init(controlNumber: "T", created: StoreFolder.time))
    #expect(outcome.captures == 20 && outcome.leftOut.isEmpty && outcome.incomplete.count == 20)
    #expect(outcome.incomplete.allSatisfy { $0.reason.hasPrefix("4 of its 5 pictures were left out") })
    let records = try PlainITLReader(Array(try Data(contentsOf: URL(fileURLWithPath: path)))).records.dropFirst(2)
    #expect(records.map { $0.texts["10.006"] } == (0..<20).map { "\(40 + $0 * 5)" })
    await source.close()
  }

  @Test func `an export of an older version, without acts, is still read`() async throws {
    let (source, target) = (try await here.create(), try await there.create())
    let item = try await source.samplePerson()
    try await source.sampleAct(item.id, [(1, StoreSamples.data(100), ""), (2, StoreSamples.data(100, seed: 2), "")])
    let path = folder + "/export"
    try await export(source, item.person, path)
    let export = try RewrittenExport(path)
    let added = Set(["act", "place", "lost", "trust"])
    try export.write(
      RewrittenExport.mapped(export.manifest) { record in
        let isCapture = record.fields.contains { $0.name == "captureId" }
        let names = isCapture ? added.union(["modality", "submodality", "title"]) : added
        return Record(record.fields.filter { !names.contains($0.name) })
      })
    let read = try await load(target, path)
    let back = try #require(try await target.items(of: read.person).first)
    let captures = try await target.captures(of: back.id)
    #expect(captures.map(\.captureID) == [StoreSamples.uuid(1), StoreSamples.uuid(2)])
    #expect(captures[0].act != captures[1].act && back.pictures.count == 1)
    #expect(captures.allSatisfy { $0.subject == back.subject })
    await source.close()
    await target.close()
  }

  @Test func `a transaction has a record of every picture, each under its own position`() async throws {
    let (source, target) = (try await here.create(), try await there.create())
    let person = try await source.addPerson(StoreSamples.biography("Ada"), at: StoreFolder.time)
    let slap = try await source.addItem(StoreSamples.draft(person.id, "RightSlap"), at: StoreFolder.time)
    let words = ["RightSlap", "RightIndexFlat", "RightMiddleFlat", "RightRingFlat"]
    try await source.sampleAct(slap.id, words.enumerated().map { ($0 + 1, bitmap($0), $1) })
    let annotation = Annotation(conditions: [.bandaged, .present, .present, .amputated], notes: "dry")
    _ = try await source.annotate(slap.id, annotation, at: StoreFolder.time)
    let eyes = try await source.addItem(StoreSamples.draft(person.id, "BothIrises"), at: StoreFolder.time)
    try await source.sampleAct(eyes.id, [(11, bitmap(4), "LeftIris"), (12, bitmap(5), "RightIris")])
    let face = try await source.addItem(StoreSamples.draft(person.id, "Face2d"), at: StoreFolder.time)
    try await source.sampleAct(
      face.id, [(21, bitmap(6), ""), (22, [1, 2, 3], ""), (23, bitmap(7), ""), (24, nil, "")])
    let path = folder + "/a.an2"
    let outcome = try await PersonExport(records: source, person: person.id, exported: StoreFolder.time)
      .writeTransaction(to: path, .init(controlNumber: "T", created: StoreFolder.time))
    #expect(outcome.captures == 8 && outcome.leftOut.map(\.item.id) == [face.id])
    #expect(outcome.incomplete.map(\.item.id) == [face.id])
    #expect(outcome.incomplete.last?.reason.hasPrefix("1 of 4 pictures of the capture were not received") == true)
    let records = try PlainITLReader(Array(try Data(contentsOf: URL(fileURLWithPath: path)))).records.dropFirst(2)
    #expect(records.map(\.type) == ["14", "14", "14", "14", "17", "17", "10", "10"])
    #expect(records.map(\.image) == (0..<8).map(rows))
    #expect(records.compactMap { $0.texts["14.013"] } == ["13", "2", "3", "4"])
    #expect(records.compactMap { $0.texts["17.003"] } == ["2", "1"])
    #expect(records.map { $0.texts["\($0.type).002"] } == (1...8).map { "0\($0)" })
    #expect(records.prefix(4).map { $0.texts["14.018"] } == ["2\u{1F}UP\u{1E}5\u{1F}XX", "2\u{1F}UP", nil, nil])
    #expect(records.compactMap { $0.texts["14.020"] } == ["dry; bandaged: Index", "bandaged: Right Index"])
    for (place, record) in records.enumerated() {
      let numbers = record.order.compactMap { Int($0.suffix(3)) }
      #expect(numbers == numbers.sorted() && record.texts["\(record.type).006"] == "\(40 + place)")
    }
    // Each is imported as an item of its own, under the name of its subject.
    let read = try await PersonImport(records: target, takesKnownData: false, now: StoreFolder.time).read(path) { _ in }
    #expect(
      try await target.items(of: read.person).map(\.submodality.wireName) == words + [
        "LeftIris", "RightIris", "Face2d", "Face2d",
      ])
    await source.close()
    await target.close()
  }
}
