import Foundation
import PluginAPI
import PluginStore
import Testing

@testable import WSABI

struct StoredCaptureTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private static let piece = CaptureWriter.pieceSize

  @Test(arguments: [0, 1, 63, 64, 65, piece - 1, piece, piece + 1, 2 * piece, 3 * piece + 17])
  func `data of any size is read back unchanged`(_ size: Int) async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let data = StoreSamples.data(size)
    let record = try await store.sampleCapture(item.id, StoreSamples.uuid(1), data)
    #expect(record.sizeInBytes == size)
    #expect(try await store.data(of: record) == data)
    #expect(try await store.item(item.id).capture == record)
    let files = try folder.files().filter { $0.name.isCapture }
    #expect(files.count == (size < Self.piece ? 0 : 1))
    #expect(files.allSatisfy { !$0.name.contains("incoming") && $0.content.range(of: Data(data.prefix(64))) == nil })
    await store.close()
    let again = try await folder.open()
    #expect(try await again.data(of: record) == data)
    #expect(try await again.check(readsData: true).isEmpty)
    await again.close()
  }

  @Test(arguments: [1, 7, 4096, 65_536, 262_144, 400_000])
  func `data can be written in chunks of any size`(_ step: Int) async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let data = StoreSamples.data(step == 1 ? 2000 : 600_001)
    let number = try await store.begin(StoreSamples.intent(item.id))
    try await store.captured(number, ids: [StoreSamples.uuid(1)])
    let sink = try await store.sink(number, StoreSamples.uuid(1))
    for start in stride(from: 0, to: data.count, by: step) {
      try data[start..<min(start + step, data.count)].withUnsafeBytes { try sink.write($0) }
    }
    let record = try await store.keep(number, sink, StoreSamples.download(StoreSamples.uuid(1)))
    #expect(try await store.data(of: record) == data)
    await store.close()
  }

  @Test func `metadata is stored with the capture`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let metadata = WireDictionary([
      .init("captureDate", .dateTime("2011-12-05T20:01:19.3921234-05:00")), .init("width", .integer(640, type: "int")),
      .init("contentType", .string("image/bmp")),
    ])
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
    let number = try await store.begin(StoreSamples.intent(item.id))
    try await store.captured(number, ids: [StoreSamples.uuid(1)])
    let sink = try await store.sink(number, StoreSamples.uuid(1))
    try png.withUnsafeBytes { try sink.write($0) }
    folder.wait(seconds: 5)
    let download = StoreSamples.download(StoreSamples.uuid(1), metadata, contentType: nil)
    let record = try await store.keep(number, sink, download)
    #expect(record.metadata == metadata)
    #expect(record.claimedType == "image/bmp")
    #expect(record.sniffedType == "image/png")
    #expect(record.address == StoreSamples.address.text)
    #expect(record.captureID == StoreSamples.uuid(1))
    #expect(record.received == Instant(seconds: 1_790_000_005))
    #expect(record.quality == nil)
    #expect(try await store.capture(record.id) == record)
    await store.close()
  }

  @Test func `the hash matches the standard's example`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let record = try await store.sampleCapture(item.id, StoreSamples.uuid(1), Array("abc".utf8))
    // FIPS 180-4, example of one block.
    let expected: [UInt8] = [
      0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61,
      0xa3, 0x96, 0x17, 0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad,
    ]
    #expect(record.sha256 == expected)
    await store.close()
  }

  @Test(arguments: [10, 700_000]) func `data that differs from what the sensor sent is not stored`(_ size: Int)
    async throws
  {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let number = try await store.begin(StoreSamples.intent(item.id))
    try await store.captured(number, ids: [StoreSamples.uuid(1)])
    let data = StoreSamples.data(size)
    let sink = try await store.sink(number, StoreSamples.uuid(1))
    try data.withUnsafeBytes { try sink.write($0) }
    for said in [
      SensorData(sizeInBytes: size, sha256: [UInt8](repeating: 0, count: 32)), SensorData(sizeInBytes: 1, sha256: []),
    ] {
      await #expect(throws: VaultError.otherData(expected: said.sizeInBytes, found: size)) {
        try await store.keep(number, sink, StoreSamples.download(StoreSamples.uuid(1), data: said))
      }
    }
    #expect(try await store.captures(of: item.id).isEmpty)
    sink.abandon()
    #expect(try !folder.files().contains { $0.name.isCapture })
    await #expect(throws: VaultError.sinkClosed) {
      try await store.keep(number, sink, StoreSamples.download(StoreSamples.uuid(1)))
    }
    #expect(throws: VaultError.sinkClosed) { try data.withUnsafeBytes { try sink.write($0) } }
    #expect(try await store.unfinished().map(\.waiting) == [[StoreSamples.uuid(1)]])
    await store.close()
  }

  @Test func `a sink that goes out of scope leaves no file`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let number = try await store.begin(StoreSamples.intent(item.id))
    try await store.captured(number, ids: [StoreSamples.uuid(1)])
    do {
      let sink = try await store.sink(number, StoreSamples.uuid(1))
      try StoreSamples.data(900_000).withUnsafeBytes { try sink.write($0) }
      #expect(try folder.files().contains { $0.name.hasPrefix("captures/incoming/") })
    }
    #expect(try !folder.files().contains { $0.name.isCapture })
    await store.close()
  }

  @Test func `leftover files are moved into place or removed, and files being written are left alone`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let record = try await store.sampleCapture(item.id, StoreSamples.uuid(1), StoreSamples.data(300_000))
    let place = try #require(try folder.files().first { $0.name.isCapture }).name
    let name = try #require(place.split(separator: "/").last)
    // As if the process had ended between the row and the name.
    try FileManager.default.moveItem(
      atPath: folder.path + "/" + place, toPath: folder.path + "/captures/incoming/" + name)
    #expect(try await store.data(of: record).count == 300_000)
    let orphan = "captures/incoming/" + String(repeating: "a", count: 32)
    try Data([1]).write(to: URL(fileURLWithPath: folder.path + "/" + orphan))
    let number = try await store.begin(StoreSamples.intent(item.id))
    try await store.captured(number, ids: [StoreSamples.uuid(2)])
    let sink = try await store.sink(number, StoreSamples.uuid(2))
    try StoreSamples.data(600_000).withUnsafeBytes { try sink.write($0) }
    let other = try await folder.open()
    let files = try folder.files().map(\.name)
    #expect(files.contains(place))
    #expect(!files.contains(orphan))
    let second = try await store.keep(number, sink, StoreSamples.download(StoreSamples.uuid(2)))
    #expect(try await other.data(of: second).count == 600_000)
    await other.close()
    await store.close()
  }

  @Test(arguments: [0, 8, 20, 31, 32, 40, 200_000, 262_170, 262_200, 300_000, -1])
  func `a flipped byte of a file is detected on reading`(_ place: Int) async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let record = try await store.sampleCapture(item.id, StoreSamples.uuid(1), StoreSamples.data(300_000))
    let name = try #require(try folder.files().first { $0.name.isCapture }).name
    let url = URL(fileURLWithPath: folder.path + "/" + name)
    var content = try Data(contentsOf: url)
    content[place < 0 ? content.count + place : place] ^= 1
    try content.write(to: url)
    let error = await #expect(throws: ErrorReport.self) { try await store.data(of: record) }
    #expect(error == VaultError.damaged("the data of capture 1"))
    #expect(try await store.check(readsData: true).map(\.code) == ["wsabi.store-damaged"])
    await store.close()
  }

  @Test func `a truncated, extended, swapped or missing file is detected on reading`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let record = try await store.sampleCapture(item.id, StoreSamples.uuid(1), StoreSamples.data(600_000))
    let name = try #require(try folder.files().first { $0.name.isCapture }).name
    let other = try await store.sampleCapture(item.id, StoreSamples.uuid(2), StoreSamples.data(600_000, seed: 2))
    let second = try #require(try folder.files().first { $0.name.isCapture && $0.name != name }).name
    let url = URL(fileURLWithPath: folder.path + "/" + name)
    let whole = try Data(contentsOf: url)
    let sealed = Self.piece + 17
    var pieces = [whole.dropLast(), whole + [0], whole.prefix(32), whole.prefix(32 + sealed), Data(), whole.prefix(7)]
    // Pieces in another order, one twice, one left out.
    let (head, one, two) = (whole.prefix(32), whole[32..<(32 + sealed)], whole[(32 + sealed)..<(32 + 2 * sealed)])
    let rest = whole[(32 + 2 * sealed)...]
    pieces += [head + two + one + rest, head + one + one + rest, head + one + rest, head + rest]
    pieces.append(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + second)))
    for piece in pieces {
      try Data(piece).write(to: url)
      await #expect(throws: VaultError.damaged("the data of capture 1")) { try await store.data(of: record) }
    }
    try FileManager.default.removeItem(at: url)
    await #expect(throws: VaultError.damaged("the data of capture 1")) { try await store.data(of: record) }
    #expect(try await store.check().count == 1)
    #expect(try await store.data(of: other).count == 600_000)
    await store.close()
  }

  @Test func `thumbnails and quality scores are stored with a capture`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    for (number, size) in [10, 300_000].enumerated() {
      let data = StoreSamples.data(size)
      let record = try await store.sampleCapture(item.id, StoreSamples.uuid(number), data)
      #expect(try await store.thumbnail(of: record.id) == nil)
      try await store.setThumbnail(of: record.id, [7, 8, 9])
      let scored = try await store.setQuality(of: record.id, .init(score: 61, scorer: "own 1"))
      #expect(scored.quality == CaptureRecord.Quality(score: 61, scorer: "own 1"))
      #expect(try await store.item(item.id).capture == scored)
      #expect(try await store.thumbnail(of: record.id) == [7, 8, 9])
      #expect(try await store.data(of: scored) == data)
    }
    #expect(try await store.check(readsData: true).isEmpty)
    await store.close()
  }

  @Test func `an imported capture equals the exported one, and its id is used once`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let data = StoreSamples.data(5000)
    let record = try await store.setQuality(
      of: try await store.sampleCapture(item.id, StoreSamples.uuid(1), data).id, .init(score: 5, scorer: "s"))
    let other = try StoreFolder()
    let target = try await other.create()
    let place = try await target.samplePerson()
    func importing(_ record: CaptureRecord, into item: Int) async throws -> CaptureRecord {
      let sink = try await target.importSink()
      try data.withUnsafeBytes { try sink.write($0) }
      return try await target.keepImported(sink, for: item, record)
    }
    var imported = try await importing(record, into: place.id)
    #expect(try await target.data(of: imported) == data)
    (imported.id, imported.item) = (record.id, record.item)
    #expect(imported == record)
    let second = try await target.samplePerson("Bob")
    await #expect(throws: VaultRefusal.knownCaptureID(item: place.id)) { try await importing(record, into: second.id) }
    var changed = record
    changed.captureID = StoreSamples.uuid(2)
    changed.sha256[0] ^= 1
    await #expect(throws: VaultError.otherData(expected: 5000, found: 5000)) {
      try await importing(changed, into: place.id)
    }
    #expect(try await target.unfinished().isEmpty)
    #expect(try await target.check(readsData: true).isEmpty)
    await target.close()
    await store.close()
  }

  @Test func `an id of a deleted item is refused for captures and accepted for imports`() async throws {
    let store = try await folder.create()
    let (first, second) = (try await store.samplePerson(), try await store.samplePerson("Bob"))
    let data = StoreSamples.data(900)
    let record = try await store.sampleCapture(first.id, StoreSamples.uuid(1), data)
    try await store.deletePerson(first.person)
    let number = try await store.begin(StoreSamples.intent(second.id))
    let accepted = try await store.captured(number, ids: [StoreSamples.uuid(1), StoreSamples.uuid(2)])
    #expect(accepted == [StoreSamples.uuid(2)])
    let refused = try await store.auditEntries(1..<100).filter { $0.event.action == .captureRefused }
    #expect(refused.map(\.event.outcome) == ["belongs to a deleted item"])
    // The export is that of the deleted item itself.
    let sink = try await store.importSink()
    try data.withUnsafeBytes { try sink.write($0) }
    let back = try await store.keepImported(sink, for: second.id, record)
    #expect(back.captureID == StoreSamples.uuid(1))
    await store.close()
  }

  @Test func `known data is found without opening other captures`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    var records: [CaptureRecord] = []
    for number in 1...4 {
      records.append(
        try await store.sampleCapture(item.id, StoreSamples.uuid(number), StoreSamples.data(900, seed: UInt64(number))))
    }
    // A store of an older version, of which one capture is damaged.
    try await store.sqlite.write { connection in
      try connection.execute("UPDATE capture SET hash = NULL")
      try connection.execute("UPDATE capture SET key = zeroblob(72) WHERE id = 2")
    }
    let hashes = records.map(\.sha256)
    #expect(try await store.item(withDataOf: [hashes[3]])?.item == item.id)
    #expect(try await store.item(withDataOf: [[1], hashes[0]])?.person == item.person)
    #expect(try await store.item(withDataOf: [hashes[1]]) == nil)
    #expect(try await store.item(withDataOf: [[UInt8](repeating: 1, count: 32)]) == nil)
    #expect(try await store.item(withDataOf: []) == nil)
    // The tag of one row in another finds nothing, and a check reports it.
    try await store.sqlite.write { connection in
      try connection.execute("UPDATE capture SET hash = (SELECT hash FROM capture WHERE id = 4) WHERE id = 3")
      try connection.execute("DELETE FROM capture WHERE id = 4")
    }
    #expect(try await store.item(withDataOf: [hashes[3]]) == nil)
    #expect(try await store.check().contains { $0.message.contains("the hash of capture 3") })
    await store.close()
  }
}
