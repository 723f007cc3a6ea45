import Foundation
import PluginAPI
import PluginTesting
import PluginVault
import TestSupport
import Testing

@testable import WSABI

/// The commands as the host runs them: arguments are checked, and every value is compared with its declaration.
@Suite struct ExchangeCommandsTests {
  private let folder: TemporaryFolder
  private let test: TestPlugin

  init() async throws {
    folder = try TemporaryFolder()
    test = try await TestPlugin(WSABIPlugin())
  }

  private var key: String { folder.path.path + "/key" }

  /// Prepares a store with a person who has a finger and a face.
  private func prepare() async throws {
    _ = try await test.run(line: "store init --new-key-file \(key)")
    let records = try await RecordStore.open(at: test.context.folders.data + "/people", key: .keyFile(path: key))
    let person = try await records.addPerson(StoreSamples.full("canary"), at: StoreFolder.time)
    var image = GrayImage(width: 400, height: 500, pixelsPerInch: 500)
    for place in image.pixels.indices { image.pixels[place] = UInt8(place / 9 % 2 * 255) }
    for (number, word) in ["RightThumbFlat", "Face2d"].enumerated() {
      let item = try await records.addItem(StoreSamples.draft(person.id, word), at: StoreFolder.time)
      image.pixels[0] = UInt8(number)
      try await records.sampleCapture(item.id, StoreSamples.uuid(number + 1), image.bitmap)
    }
    await records.close()
  }

  @Test(arguments: ["json", "zip", "an2k"])
  func `a person is exported and imported into another store`(_ form: String) async throws {
    try await prepare()
    let path = folder.path.path + "/out"
    let written = try await test.run(line: "export 1 --format \(form) --to \(path) --key-file \(key)")
    #expect(written.value["captures"] == 2 && written.value["path"] == .text(path))
    #expect(written.diagnostics.isEmpty)
    let other = try await TestPlugin(WSABIPlugin())
    _ = try await other.run(line: "store init --new-key-file \(key)2")
    let read = try await other.run(line: "import \(path) --key-file \(key)2")
    #expect(read.value["items"] == 2 && read.value["captures"] == 2 && read.value["person"] == 1)
    let again = await #expect(throws: ErrorReport.self) {
      _ = try await other.run(line: "import \(path) --key-file \(key)2")
    }
    #expect(again?.report.code == "wsabi.already-there")
    // No personal data is in the commands' output.
    let told = "\(written.values) \(read.values) \(again?.report.description ?? "")"
    #expect(!told.contains("canary"))
  }

  @Test(arguments: [("out", "json"), ("out.ZIP", "zip"), ("out.an2", "an2k"), ("out.eft", "ebts"), ("zip", "json")])
  func `the name of the file determines the format if no option does`(_ name: String, _ form: String) async throws {
    try await prepare()
    let path = folder.path.path + "/" + name
    let written = try await test.run(line: "export 1 --to \(path) --key-file \(key)")
    #expect(written.value["format"] == .text(form) && written.value["path"] == .text(path))
    // By its content it is a transaction, whatever its codes.
    #expect(try ExchangeFiles.form(of: path).rawValue == (form == "ebts" ? "an2k" : form))
  }

  @Test func `the format option overrides the name of the file`() async throws {
    try await prepare()
    let path = folder.path.path + "/out.zip"
    let written = try await test.run(line: "export 1 --format json --to \(path) --key-file \(key)")
    #expect(written.value["format"] == "json")
    #expect(try ExchangeFiles.form(of: path) == .json)
  }

  @Test func `a path that is not an export is refused by name`() async throws {
    try await prepare()
    let path = folder.path.path + "/none"
    let missing = await #expect(throws: ErrorReport.self) {
      _ = try await test.run(line: "import \(path) --key-file \(key)")
    }
    #expect(missing?.report.kind == .notFound)
    try Data("hello".utf8).write(to: URL(fileURLWithPath: path))
    await #expect(throws: ExchangeError.unknownExport(path: path)) {
      _ = try await test.run(line: "import \(path) --key-file \(key)")
    }
    try FileManager.default.createDirectory(atPath: path + "2", withIntermediateDirectories: false)
    await #expect(throws: ExchangeError.unknownExport(path: path + "2")) {
      _ = try await test.run(line: "import \(path)2 --key-file \(key)")
    }
  }

  @Test func `a check scores captures and names open fingers`() async throws {
    try await prepare()
    let result = try await test.run(line: "person check 1 --score --key-file \(key)")
    #expect(result.value["open"].list?.count == 9)
    #expect(result.value["fingers"].list?.first?["state"] == "captured")
    #expect(result.value["qualities"].list?.map { $0["scorer"].text } == ["ridges-1", "face-1"])
    #expect(result.value["findings"].list?.isEmpty == true)
  }
}
