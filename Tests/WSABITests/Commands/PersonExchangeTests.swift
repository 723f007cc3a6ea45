import Foundation
import PluginAPI
import PluginVault
import TestSupport
import Testing

@testable import WSABI

/// Exported data is imported unchanged, or not at all.
@Suite struct PersonExchangeTests {
  private let here: StoreFolder
  private let there: StoreFolder

  init() throws { (here, there) = (try StoreFolder(), try StoreFolder()) }

  private var folder: String { String(here.path.dropLast("/store".count)) }

  /// Returns all data of a person that does not depend on the store: numbers are removed.
  private func all(_ records: RecordStore, _ person: Int) async throws -> [String] {
    let export = PersonExport(records: records, person: person, exported: Instant(seconds: 0))
    let manifest = try await export.manifest(try await records.items(of: person))
    var lines = ["\(manifest.person.biography) \(manifest.person.created) \(manifest.person.modified.nanoseconds)"]
    lines.append("\(manifest.person.modified) \(manifest.person.created.nanoseconds)")
    for entry in manifest.items {
      var item = entry.item
      (item.id, item.person, item.capture) = (0, 0, nil)
      lines.append("\(item)")
      for capture in entry.captures {
        var record = capture.record
        (record.id, record.item) = (0, 0)
        lines.append("\(record) \(try await records.data(of: capture.record).hashValue) \(capture.file)")
      }
    }
    return lines
  }

  private func export(
    _ records: RecordStore, _ person: Int, _ form: ExchangeFiles.Form, _ path: String
  ) async throws -> PersonExport.Outcome {
    try await PersonExport(records: records, person: person, exported: StoreFolder.time).write(form, to: path) { _ in }
  }

  private func load(_ records: RecordStore, _ path: String, known: Bool = false) async throws -> PersonImport.Outcome {
    try await PersonImport(records: records, takesKnownData: known, now: StoreFolder.time).read(path) { _ in }
  }

  @Test func `random people are imported unchanged from folders and archives`() async throws {
    let (source, target) = (try await here.create(), try await there.create())
    var people = RandomPeople(seed: 7)
    let count = RandomPeople.count(usually: 12)
    for number in 0..<count {
      let person = try await people.add(to: source)
      let before = try await all(source, person)
      let form: ExchangeFiles.Form = number % 2 == 0 ? .json : .zip
      let path = folder + "/export\(number)"
      let written = try await export(source, person, form, path)
      let read = try await load(target, path, known: true)
      #expect(try await all(target, read.person) == before)
      #expect(read.captures == written.captures && read.items == before.count { $0.hasPrefix("BiometricItem") })
      // An imported person exports identically again.
      _ = try await export(target, read.person, form, path + "again")
      #expect(try await all(source, person) == before)
    }
    #expect(try await target.check(readsData: true).isEmpty)
    #expect(try await target.verifyAudit().isWhole)
    await source.close()
    await target.close()
    CampaignLine(
      "people in folders and archives", seed: 7, runs: count, words: "all exported and imported without a change"
    ).print()
  }

  @Test func `an export is private to its user, and its hashes can be checked with standard tools`() async throws {
    let source = try await here.create()
    var people = RandomPeople(seed: 8)
    let person = try await people.add(to: source)
    let item = try await source.addItem(StoreSamples.draft(person), at: StoreFolder.time)
    try await source.sampleCapture(item.id, StoreSamples.uuid(1), StoreSamples.data(20_000))
    let path = folder + "/export"
    _ = try await export(source, person, .json, path)
    _ = try await export(source, person, .zip, path + ".zip")
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(path) == 0o700 && mode(path + "/captures") == 0o700 && mode(path + "/manifest.json") == 0o600)
    #expect(try mode(path + ".zip") == 0o600)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names == ["export", "export.zip", "store"])
    let check = Process()
    check.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
    check.arguments = ["--check", "--strict", "--quiet", "SHA256SUMS"]
    check.currentDirectoryURL = URL(fileURLWithPath: path)
    try check.run()
    check.waitUntilExit()
    #expect(check.terminationStatus == 0)
    await source.close()
  }

  @Test func `the same export is not imported twice`() async throws {
    let source = try await here.create()
    let item = try await source.samplePerson()
    try await source.sampleCapture(item.id, StoreSamples.uuid(1), StoreSamples.data(1000))
    let path = folder + "/export"
    _ = try await export(source, item.person, .json, path)
    let expected = ExchangeError.alreadyThere(person: item.person, item: item.id)
    // By hash, and by id.
    await #expect(throws: expected) { try await load(source, path) }
    await #expect(throws: expected) { try await load(source, path, known: true) }
    #expect(try await source.people(0..<10).total == 1)
    let target = try await there.create()
    let person = try await load(target, path).person
    await #expect(throws: ErrorReport.self) { try await load(target, path) }
    #expect(try await target.people(0..<10).total == 1)
    // Another capture with the same data, under another id, is known by its hash alone.
    let other = try await target.addItem(StoreSamples.draft(person), at: StoreFolder.time)
    try await target.sampleCapture(other.id, StoreSamples.uuid(2), StoreSamples.data(1000))
    _ = try await export(target, person, .zip, path + ".zip")
    await #expect(throws: ErrorReport.self) { try await load(source, path + ".zip") }
    #expect(try await source.people(0..<10).total == 1)
    #expect(try await source.check(readsData: true).isEmpty)
    await source.close()
    await target.close()
  }

  @Test func `any changed byte, missing or added file is detected, and nothing is stored`() async throws {
    let (source, target) = (try await here.create(), try await there.create())
    let item = try await source.samplePerson()
    try await source.sampleCapture(item.id, StoreSamples.uuid(1), StoreSamples.data(300))
    try await source.sampleCapture(item.id, StoreSamples.uuid(2), StoreSamples.data(400, seed: 2))
    let expected = try await all(source, item.person)
    for form in [ExchangeFiles.Form.json, .zip] {
      let path = folder + "/" + form.rawValue
      _ = try await export(source, item.person, form, path)
      let names = form == .zip ? [""] : try FileManager.default.subpathsOfDirectory(atPath: path).map { "/" + $0 }
      for name in names.sorted() where !name.hasSuffix("captures") {
        let url = URL(fileURLWithPath: path + name)
        let bytes = try Data(contentsOf: url)
        for place in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 60)) {
          var changed = bytes
          changed[place] ^= 0x10
          try changed.write(to: url)
          if let person = try? await load(target, path).person {
            // Bytes of an archive that do not affect its files, such as their times.
            #expect(form == .zip)
            #expect(try await all(target, person) == expected)
            try await target.deletePerson(person)
          }
        }
        try bytes.prefix(bytes.count - 1).write(to: url)
        await #expect(throws: (any Error).self) { try await load(target, path) }
        try bytes.write(to: url)
      }
      #expect(try await target.people(0..<10).total == 0)
    }
    let path = folder + "/json"
    try Data([1]).write(to: URL(fileURLWithPath: path + "/captures/more.bin"))
    await #expect(throws: ExchangeError.strangeFile("captures/more.bin")) { try await load(target, path) }
    try FileManager.default.removeItem(atPath: path + "/captures/more.bin")
    try FileManager.default.removeItem(atPath: path + "/captures/000-RightThumbFlat-1.png")
    await #expect(throws: ExchangeError.missingFile("captures/000-RightThumbFlat-1.png")) {
      try await load(target, path)
    }
    #expect(try await target.people(0..<10).total == 0)
    #expect(try await target.check(readsData: true).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: there.path + "/captures/incoming").isEmpty)
    await source.close()
    await target.close()
  }

  @Test func `archives are compatible with other programs in both directions`() async throws {
    let (source, target) = (try await here.create(), try await there.create())
    let item = try await source.samplePerson()
    let data = [UInt8](repeating: 7, count: 50_000) + StoreSamples.data(900)
    try await source.sampleCapture(item.id, StoreSamples.uuid(1), data)
    let path = folder + "/export.zip"
    let outcome = try await export(source, item.person, .zip, path)
    #expect(outcome.files == 3 && outcome.sizeInBytes > 50_900)
    // Deflate made it smaller.
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count < 8000)
    func run(_ program: String, _ arguments: [String], in folder: String) throws -> Int32 {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
      process.currentDirectoryURL = URL(fileURLWithPath: folder)
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }
    guard FileManager.default.fileExists(atPath: "/usr/bin/python3") else { return }
    let script =
      "import zipfile,sys; z=zipfile.ZipFile('export.zip'); assert z.testzip() is None; z.extractall('unpacked')"
    #expect(try run("/usr/bin/python3", ["-c", script], in: folder) == 0)
    let unpacked = try Data(contentsOf: URL(fileURLWithPath: folder + "/unpacked/captures/000-RightThumbFlat-1.png"))
    #expect(Array(unpacked) == data)
    let pack = "import shutil; shutil.make_archive('packed','zip','.','unpacked')"
    #expect(try run("/usr/bin/python3", ["-c", pack], in: folder) == 0)
    let person = try await load(target, folder + "/packed.zip").person
    let before = try await all(source, item.person)
    #expect(try await all(target, person) == before)
    await source.close()
    await target.close()
  }

  @Test func `an export replaces nothing, and a failed one leaves nothing`() async throws {
    let source = try await here.create()
    let item = try await source.samplePerson()
    let taken = folder + "/taken"
    try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: false)
    for form in [ExchangeFiles.Form.json, .zip] {
      await #expect(throws: ExchangeError.targetExists(path: taken)) {
        try await export(source, item.person, form, taken)
      }
      await #expect(throws: ErrorReport.self) { try await export(source, item.person, form, folder + "/no/where") }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["store", "taken"])
    await source.close()
  }

  @Test func `only reviewers and administrators may export, and each export is logged`() async throws {
    let source = try await here.create()
    let item = try await source.samplePerson()
    _ = try await source.addUser("otto", .operator, key: .passphrase(Array("otto's".utf8)))
    await source.close()
    let otto = try await here.open(key: .passphrase(Array("otto's".utf8)))
    await #expect(throws: VaultRefusal.permission(.operator, .exportRecords)) {
      try await export(otto, item.person, .json, folder + "/export")
    }
    await otto.close()
    let anna = try await here.open()
    _ = try await export(anna, item.person, .zip, folder + "/export.zip")
    let last = try await anna.auditEntries(1..<1000).filter { $0.event.action == .exported }
    #expect(last.map(\.event.person) == [item.person] && last.map(\.event.outcome) == ["zip"])
    await anna.close()
  }
}
