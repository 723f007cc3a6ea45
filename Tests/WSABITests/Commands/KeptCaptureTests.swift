import Foundation
import PluginAPI
import Testing

@testable import WSABI

/// Sensor data that is damaged or of unknown type is stored like all other data, and reported as such.
struct KeptCaptureTests {
  private let here: StoreFolder
  private let there: StoreFolder

  init() throws { (here, there) = (try StoreFolder(), try StoreFolder()) }

  private static let types = ["PNG": "image/png", "BMP": "image/bmp", "JPEG": "image/jpeg", "WSQ": "image/x-wsq"]
  private static let codes = ["PNG": "PNG", "JPEG": "JPEGB", "WSQ": "WSQ20", "JPEG 2000": "JP2"]

  private struct Sample {
    var bytes: [UInt8]
    /// Nil for unknown bytes.
    var header: PictureHeader?
  }

  @Test func `WSQ, JPEG 2000 and broken pictures are stored, described, exported and imported unchanged`() async throws
  {
    let (source, target) = (try await here.create(), try await there.create())
    let person = try await source.addPerson(StoreSamples.biography("Ada"), at: StoreFolder.time)
    // Headers of pictures without the data that should follow, and meaningless bytes.
    let broken: [Sample] = [Sample(bytes: [1, 2, 3], header: nil), Sample(bytes: [0xFF], header: nil)]
    let all = PictureHeaderTests.all.map { Sample(bytes: $0.0, header: $0.1) } + broken
    for (number, sample) in all.enumerated() {
      let (bytes, header) = (sample.bytes, sample.header)
      let item = try await source.addItem(StoreSamples.draft(person.id, "LeftIndexFlat"), at: StoreFolder.time)
      let record = try await source.sampleCapture(item.id, StoreSamples.uuid(number + 1), bytes)
      #expect(try await source.data(of: record) == bytes)
      #expect(record.claimedType == "image/png")
      #expect(record.sniffedType == header.map { Self.types[$0.format.rawValue] ?? "image/jp2" })
      let shown = CaptureText.fields(record).map(\.label)
      #expect(shown.contains("Content") == (header == nil))
      #expect(shown.contains("Claimed") == (header != nil && header?.format != .png))
      let reviewed = try await CaptureReview(records: source).review(record, of: item.submodality)
      #expect(reviewed.record.quality == nil)
      // Damage is reported.
      #expect((reviewed.flaw != nil) == (header != nil))
      #expect(try await source.thumbnail(of: record.id) == nil)
    }
    let order = try await CaptureReview(records: source).order(try await source.items(of: person.id))
    #expect(order.unseen.count == all.count && order.findings.isEmpty)
    let folder = String(here.path.dropLast("/store".count))
    let export = PersonExport(records: source, person: person.id, exported: StoreFolder.time)
    let whole = try await export.write(.json, to: folder + "/whole") { _ in }
    #expect(whole.captures == all.count)
    let outcome = try await export.writeTransaction(
      to: folder + "/a.an2", .init(controlNumber: "T", created: StoreFolder.time))
    // For a bitmap the rows would be needed.
    let fit = all.filter { sample in sample.header.map { $0.format != .bmp } ?? false }
    #expect(outcome.captures == fit.count && outcome.leftOut.count == all.count - fit.count)
    let records = try PlainITLReader(Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/a.an2")))).records
    #expect(records.dropFirst(2).map(\.image) == fit.map(\.bytes))
    let found = records.dropFirst(2).map { $0.texts["14.011"] ?? "" }
    let expected = fit.compactMap { sample in sample.header.flatMap { Self.codes[$0.format.rawValue] } }
    #expect(found == expected)
    for path in ["/whole", "/a.an2"] {
      let read = try await PersonImport(records: target, takesKnownData: true, now: StoreFolder.time)
        .read(folder + path) { _ in }
      #expect(read.captures == (path == "/whole" ? all.count : fit.count))
      for (item, before) in zip(try await target.items(of: read.person), path == "/whole" ? all : fit) {
        #expect(try await target.data(of: try #require(item.capture)) == before.bytes)
      }
    }
    #expect(try await target.check(readsData: true).isEmpty)
    await source.close()
    await target.close()
  }
}
