import Foundation
import PluginAPI
import PluginStore
import PluginVault
import Testing

@testable import WSABI

/// Words in place of personal data, in every field, and a search for them in every byte on the disk.
struct CanaryTests {
  private static let canary = "kanarienvogel"
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  /// The trust of a sensor, with the word in all of its parts.
  private static let trust = SensorTrust(
    pins: [canary + "pin", canary + "other pin"], authorities: "/\(canary)/authorities.pem",
    clientCertificate: "/\(canary)/client.pem", clientKey: "/\(canary)/client-key.pem")

  /// Puts the word into everything that can be stored.
  private func fill(_ store: RecordStore) async throws -> BiometricItem {
    let word = Self.canary
    let person = try await store.addPerson(StoreSamples.full(word), at: StoreFolder.time)
    let configuration = WireDictionary([
      .init(word + "key", .string(word + "value")), .init("list", .array([.uri(word)], type: "StringArray")),
    ])
    let device = DeviceDefinition(
      name: word + "device", address: "https://\(word).example.org:8000", configuration: configuration,
      edited: StoreFolder.time, trust: Self.trust)
    let draft = DraftItem(
      person: person.id, modality: .finger, submodality: Submodality(wire: word + "submodality"), device: device)
    let item = try await store.addItem(draft, at: StoreFolder.time)
    // Values that are not stored are not found either.
    #expect(try await store.items(of: person.id).map(\.device.trust) == [Self.trust])
    _ = try await store.annotate(
      item.id, Annotation(conditions: [.amputated], notes: word + "note"), at: StoreFolder.time)
    let address = SensorAddress(
      text: device.address, host: "\(word).example.org", port: 8000, isSecure: true, trust: Self.trust)
    for (index, size) in [500, 700_000].enumerated() {
      let id = StoreSamples.uuid(0xCA0 + index)
      let number = try await store.begin(
        CaptureIntent(item: item.id, address: address, session: StoreSamples.uuid(0xCAFE), configuration: configuration)
      )
      try await store.captured(number, ids: [id, StoreSamples.uuid(0xCB0 + index)])
      let sink = try await store.sink(number, id)
      let data = Array(String(repeating: word + "data ", count: size / 18 + 1).utf8)
      try data.withUnsafeBytes { try sink.write($0) }
      let record = try await store.keep(
        number, sink, StoreSamples.download(id, configuration, contentType: word + "/type"))
      try await store.setThumbnail(of: record.id, Array((word + "thumbnail").utf8))
      _ = try await store.setQuality(of: record.id, .init(score: 1, scorer: word + "scorer"))
      try await store.lost(number, StoreSamples.uuid(0xCB0 + index), because: word + "reason")
      try await store.end(number, .refused(.unknown(word + "status"), message: word + "message"))
    }
    try await store.willLock(HeldLock(address: address, session: StoreSamples.uuid(0xCAFE)))
    _ = try await store.addUser(word + "user", .reviewer, key: .passphrase(Array((word + "passphrase").utf8)))
    try await store.append(AuditEvent(.exported, person: person.id, address: word, outcome: word))
    _ = try await store.people(0..<9, matching: word)
    return item
  }

  private func expectSilence(_ when: String) throws {
    for text in [Self.canary, StoreSamples.uuid(0xCA0).text, StoreSamples.uuid(0xCA0).key, "0000cafe", "RightThumb"] {
      let found = try folder.files(with: text)
      #expect(found.isEmpty, "'\(text)' \(when) in \(found)")
    }
  }

  @Test func `no file contains personal data, whether the store is unlocked, locked, closed or emptied`() async throws {
    let store = try await folder.create()
    let item = try await fill(store)
    #expect(try folder.files().contains { $0.name == "people.sqlite-wal" })
    try expectSilence("while it is open")
    // A download in progress.
    let number = try await store.begin(StoreSamples.intent(item.id))
    try await store.captured(number, ids: [StoreSamples.uuid(77)])
    let sink = try await store.sink(number, StoreSamples.uuid(77))
    let data = Array(String(repeating: Self.canary, count: 50_000).utf8)
    try data.withUnsafeBytes { try sink.write($0) }
    try expectSilence("during a download")
    await store.lock()
    try expectSilence("while it is locked")
    sink.abandon()
    try await store.unlock(StoreFolder.passphrase)
    try await store.lost(number, StoreSamples.uuid(77), because: "given up by a user")
    try await store.end(number, .unknown(reason: "given up by a user"))
    try await store.deletePerson(item.person)
    try expectSilence("after the person was deleted")
    try await store.purge()
    try expectSilence("after it was purged")
    await store.close()
    try expectSilence("after it was closed")
  }

  @Test func `deleted records leave no sealed bytes behind`() async throws {
    let store = try await folder.create()
    let item = try await fill(store)
    var sealed: [[UInt8]] = []
    for sql in [
      "SELECT body FROM person", "SELECT key FROM person", "SELECT words FROM person", "SELECT key FROM item",
      "SELECT body FROM item", "SELECT key FROM capture", "SELECT thumbnail FROM capture", "SELECT data FROM content",
      "SELECT key FROM journal", "SELECT body FROM captured", "SELECT key FROM captured", "SELECT outcome FROM journal",
    ] {
      let found = try await store.sqlite.read { try $0.list(sql) { $0.bytes(0) } }
      #expect(!found.isEmpty, "\(sql)")
      sealed += found
    }
    let captures = try folder.files().filter { $0.name.isCapture }
    #expect(captures.count == 1)
    try await store.deletePerson(item.person)
    let left = try folder.files()
    #expect(!left.contains { $0.name.isCapture })
    for bytes in sealed {
      let part = Data(bytes.prefix(24))
      #expect(!left.contains { $0.content.range(of: part) != nil })
    }
    await store.close()
  }

  @Test func `records replaced by an edit leave no sealed bytes behind`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let old = try await store.sqlite.read { try $0.value("SELECT key FROM person").bytes ?? [] }
    _ = try await store.edit(person: item.person, StoreSamples.full("new"), at: StoreFolder.time)
    try await store.sqlite.checkpoint()
    #expect(try !folder.files().contains { $0.content.range(of: Data(old.prefix(24))) != nil })
    await store.close()
  }
}
