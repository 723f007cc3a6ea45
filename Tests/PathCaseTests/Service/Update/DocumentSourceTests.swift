import Foundation
import PluginAPI
import PluginCompression
import Testing

@testable import PathCase
@testable import PathCaseSimulator

struct DocumentSourceTests {
  /// Options with patience, because computing tests may occupy the shared threads.
  private static var patient: UpdateOptions {
    var options = UpdateOptions()
    options.deadlineInSeconds = 600
    return options
  }

  /// Returns a tar archive of files.
  private func archive(_ files: [(String, [UInt8])], kind: Character = "0") -> [UInt8] {
    var bytes: [UInt8] = []
    for (name, content) in files {
      var header = [UInt8](repeating: 0, count: 512)
      header.replaceSubrange(0..<name.utf8.count, with: name.utf8)
      let size = String(content.count, radix: 8)
      header.replaceSubrange(124..<135, with: (String(repeating: "0", count: 11 - size.count) + size).utf8)
      header[156] = kind.asciiValue ?? 0
      header.replaceSubrange(257..<262, with: "ustar".utf8)
      bytes += header + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    }
    return bytes + [UInt8](repeating: 0, count: 1024)
  }

  @Test(arguments: ["", "./", "maw/small/"])
  func `an archive is read like a folder`(_ folder: String) async throws {
    let place = try PathCaseFolder()
    let documents = ContractWriter.documents(of: MawSamples.small)
    let tar = archive([("README", Array("x".utf8))] + documents.map { (folder + $0.path, $0.bytes) })
    let file = place.path + "/small.tar.gz"
    try Data(try Gzip.compress(tar)).write(to: URL(fileURLWithPath: file))
    let snapshot = try await SnapshotUpdater(source: .named(file), options: Self.patient).run()
    #expect(snapshot.database.records == (try DatabaseLinker.link(MawSamples.small).records))
  }

  @Test(arguments: ["gnu", "pax", "ustar"])
  func `long names in archives of every format are read`(_ format: String) throws {
    let folder = String(repeating: "a", count: 60)
    let long = "\(folder)/layouts/\(String(repeating: "w", count: 80)).xml"
    let record = " path=\(long)\n"
    let told: [UInt8] =
      switch format {
      case "gnu": archive([("././@LongLink", Array((long + "\0").utf8))], kind: "L").dropLast(1024)
      case "pax":
        archive([("pax", Array("\(record.utf8.count + 3)\(record)20 mtime=1800000000\n".utf8))], kind: "x")
          .dropLast(1024)
      default: []
      }
    var layout = archive([(String(long.prefix(100)), [1, 2])])
    if format == "ustar" {
      // The beginning of the name is in a separate field.
      layout = archive([(String(long.dropFirst(61)), [1, 2])])
      layout.replaceSubrange(345..<405, with: folder.utf8)
    } else if format == "gnu" {
      // Times are in that field.
      layout.replaceSubrange(262..<265, with: Array(" \0 ".utf8))
      layout.replaceSubrange(345..<356, with: Array("14000000000".utf8))
    }
    let first = Array(archive([("\(folder)/manifest.xml", [3])]).dropLast(1024))
    let tar = first + told + layout
    let documents = try SnapshotArchive(tar, path: "a.tar").documents
    #expect(documents == ["manifest.xml": [3], Identifier(String(long.dropFirst(61))): [1, 2]])
  }

  @Test func `malformed archives are refused`() {
    let plain = archive([("manifest.xml", Array("x".utf8))])
    var wrongSize = plain
    wrongSize.replaceSubrange(124..<135, with: "77777777777".utf8)
    let gzip: [UInt8] = [0x1F, 0x8B, 8, 0]
    for bytes in [
      [], Array("no archive at all".utf8), archive([("a", [])]), archive([("manifest.xml", [])], kind: "2"),
      wrongSize, gzip, Array(repeating: 0x41, count: 2000),
    ] {
      #expect(throws: ErrorReport.self) { try SnapshotArchive(bytes, path: "a.tar") }
    }
    #expect(throws: Never.self) { try SnapshotArchive(plain, path: "a.tar") }
  }

  @Test func `a folder of documents is read without an update`() throws {
    let place = try PathCaseFolder()
    try FileManager.default.createDirectory(
      at: place.url.appendingPathComponent("layouts"), withIntermediateDirectories: true)
    for document in ContractWriter.documents(of: MawSamples.small) {
      try Data(document.bytes).write(to: place.url.appendingPathComponent(document.path))
    }
    #expect(try SnapshotFiles.folder(place.path).read().records == MawSamples.small)
    #expect(throws: UpdateError.file(path: place.path + "/none/manifest.xml", reason: SystemReason(number: ENOENT))) {
      try SnapshotFiles.folder(place.path + "/none").read()
    }
  }

  @Test func `a missing path is reported`() {
    #expect(throws: UpdateError.file(path: "/none/such", reason: SystemReason(number: ENOENT))) {
      try DocumentSource.named("/none/such")
    }
  }

  @Test(arguments: ["ftp://example.org/maw", "file:///tmp", "htp://example.org", "https://"])
  func `an address with an unsupported scheme is refused as such`(_ address: String) {
    #expect(throws: UpdateError.otherAddress(address)) { try DocumentSource.named(address) }
    #expect(UpdateError.otherAddress(address).report.exitStatus == 2)
  }

  @Test func `an error about an address omits its password`() {
    #expect(throws: UpdateError.otherAddress("ftp://example.org/a@b")) {
      try DocumentSource.named("ftp://me:secret@example.org/a@b")
    }
  }

  @Test func `a scheme may be in upper case, and a query is sent with each document`() async throws {
    let simulator = try DatabaseSimulator(SimulatedDatabase(MawSamples.small))
    let address = "HTTP" + simulator.address.dropFirst(4)
    for ending in ["", "/", "?user=a", "/?user=a#part"] {
      let source = try DocumentSource.named(address + ending, DocumentSource.Access(stallInSeconds: 600))
      let snapshot = try await SnapshotUpdater(source: source, options: Self.patient).run()
      #expect(snapshot.database.pathways.count == 2, "\(ending)")
    }
    await simulator.stop()
  }

  @Test func `paths are compared by their bytes`() async throws {
    var records = MawSamples.small
    records.pathways += ["é", "e\u{301}"].map { MetabolicPathway(id: Identifier("w-" + $0), name: $0) }
    let layout = records.layouts[0]
    let ids: [Identifier] = ["w-é", "w-e\u{301}"]
    for id in ids {
      records.layouts.append(FrozenLayout(pathway: id, nodes: [FrozenNode(ref: layout.nodes[0].ref, x: 1, y: 2)]))
    }
    // A service without escaping may use such names.
    var documents = ContractWriter.documents(of: records)
    for (index, document) in documents.enumerated() where document.path.contains("%") {
      documents[index].path = "layouts/w-" + (document.path.contains("%C3") ? "é" : "e\u{301}") + ".xml"
    }
    documents[0].bytes = ContractWriter.document(
      of: DatabaseManifest(snapshot: "small", documents: documents.dropFirst().map(\.entry)))
    let tar = archive(documents.map { ($0.path, $0.bytes) })
    let place = try PathCaseFolder()
    let file = place.path + "/small.tar"
    try Data(tar).write(to: URL(fileURLWithPath: file))
    let snapshot = try await SnapshotUpdater(source: .named(file), options: Self.patient).run()
    #expect(Set(snapshot.database.layouts.map(\.pathway)).isSuperset(of: ids))
  }
}
