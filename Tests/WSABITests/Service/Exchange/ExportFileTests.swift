import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import WSABI

/// Files that hold people's data in the clear, while they are written and when something goes wrong.
struct ExportFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path.path + "/out" }
  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path.path).sorted() }
  }

  @Test func `a file is complete when it appears, and a discarded one leaves nothing`() throws {
    let file = try PrivateFile(for: path)
    try file.write([1, 2, 3])
    #expect(try !names.contains("out"))
    try file.settle(at: path)
    #expect(try names == ["out"])
    #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == [1, 2, 3])
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    let other = try PrivateFile(for: path)
    try other.write([4])
    #expect(throws: ExchangeError.targetExists(path: path)) { try other.settle(at: path) }
    other.discard()
    #expect(try names == ["out"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 3)
  }

  @Test func `leftovers of a killed export are removed by the next export to the same path`() throws {
    // A draft without a lock, one that is being written, and one of another export.
    let abandoned = folder.path.path + "/.out.abc.part"
    let other = folder.path.path + "/.outer.abc.part"
    for left in [abandoned, other] {
      try FileManager.default.createDirectory(atPath: left + "/captures", withIntermediateDirectories: true)
      try Data("canary".utf8).write(to: URL(fileURLWithPath: left + "/captures/000-a-1.png"))
      try Data("canary".utf8).write(to: URL(fileURLWithPath: left + "/manifest.json"))
    }
    let busy = try FolderTarget(path)
    try busy.begin("captures/000-a-1.png", sizeInBytes: 1)
    #expect(try names.count == 2 && !names.contains(".out.abc.part"))
    let target = try FolderTarget(path)
    #expect(try names.count == 3)
    try target.write("manifest.json", [1])
    try target.finish()
    busy.abandon()
    #expect(try names == [".outer.abc.part", "out"])
  }

  @Test func `an archive whose files share bytes is refused`() throws {
    let target = try ArchiveTarget(path)
    for name in ["manifest.json", "captures/a"] { try target.write(name, StoreSamples.data(500)) }
    try target.finish()
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    _ = try ArchiveSource(path)
    // The offset of the second file in the directory becomes that of the first.
    let mark: [UInt8] = [0x50, 0x4B, 1, 2]
    let places = bytes.indices.filter { bytes[$0...].starts(with: mark) }
    let second = try #require(places.last)
    for place in 0..<4 { bytes[second + 42 + place] = 0 }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(throws: ExchangeError.badArchive(reason: "the files overlap")) { try ArchiveSource(path) }
  }

  @Test func `an import too large for the disk is refused, whatever sizes the export states`() throws {
    try ExchangeFiles.checkRoom(for: 0, in: folder.path.path)
    #expect(throws: ErrorReport.self) { try ExchangeFiles.checkRoom(for: .max, in: folder.path.path) }
    let record = CaptureRecord(
      id: 1, item: 1, captureID: StoreSamples.uuid(1), address: "", sizeInBytes: .max - 1, sha256: [], claimedType: "",
      sniffedType: nil, metadata: WireDictionary(), received: StoreFolder.time)
    let draft = StoreSamples.draft(1)
    let item = ExchangeManifest.Item(
      item: BiometricItem(draft, id: 1, index: 0, at: StoreFolder.time),
      captures: [.init(record: record, file: "captures/a"), .init(record: record, file: "captures/b")])
    let manifest = ExchangeManifest(
      exported: StoreFolder.time, software: "",
      person: Person(id: 1, created: StoreFolder.time, modified: StoreFolder.time),
      items: [item])
    #expect(manifest.sizeInBytes == .max)
  }
}
