import PluginAPI
import PluginStore
import Testing

@testable import WSABI

/// The name a capture was made under stays with it, and pictures of one response stay together.
struct CaptureNameTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func rename(
    _ store: RecordStore, _ item: BiometricItem, _ word: String, renaming: Bool = true
  ) async throws -> BiometricItem {
    let draft = StoreSamples.draft(item.person, word)
    return try await store.edit(item: item.id, draft, at: StoreFolder.time, renaming: renaming)
  }

  @Test func `a capture keeps its original name after its item is renamed`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let kept = try await store.sampleCapture(item.id, StoreSamples.uuid(1), StoreSamples.data(300))
    #expect(kept.subject == CaptureSubject(modality: .finger, submodality: Submodality(wire: "RightThumbFlat")))
    await #expect(throws: VaultRefusal.renaming(item: item.id, item.submodality)) {
      try await rename(store, item, "LeftIndexFlat", renaming: false)
    }
    #expect(try await store.item(item.id).submodality == item.submodality)
    // Another sensor for the same is another matter.
    var draft = DraftItem(item)
    draft.device.name = "window"
    #expect(try await store.edit(item: item.id, draft, at: StoreFolder.time).device.name == "window")
    let renamed = try await rename(store, item, "LeftIndexFlat")
    #expect(renamed.submodality.wireName == "LeftIndexFlat" && renamed.capture == kept)
    #expect(renamed.isRenamed(kept) && renamed.shown(kept).wireName == "RightThumbFlat")
    try await store.sampleCapture(item.id, StoreSamples.uuid(2), StoreSamples.data(300, seed: 2))
    await store.close()
    let again = try await folder.open()
    let names = try await again.captures(of: item.id).map { $0.subject?.submodality.wireName }
    #expect(names == ["LeftIndexFlat", "RightThumbFlat"])
    #expect(try await again.check(readsData: true).isEmpty)
    await again.close()
  }

  @Test func `an item's modality cannot change while it has captures`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    try await store.sampleCapture(item.id, StoreSamples.uuid(1), StoreSamples.data(300))
    await #expect(throws: VaultError.capturedModality(item: item.id, .finger)) {
      try await rename(store, item, "LeftIris")
    }
    // Nor by a submodality that contradicts the given modality.
    var draft = DraftItem(item)
    draft.submodality = Submodality(wire: "Face2d")
    await #expect(throws: VaultError.capturedModality(item: item.id, .finger)) {
      try await store.edit(item: item.id, draft, at: StoreFolder.time, renaming: true)
    }
    _ = try await store.clear(item.id, at: StoreFolder.time)
    #expect(try await rename(store, item, "LeftIris", renaming: false).modality == .iris)
    await store.close()
  }

  @Test func `captures of older versions are named by the sensor's configuration, else by their item`()
    async throws
  {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    var record = try await store.sampleCapture(item.id, StoreSamples.uuid(1), StoreSamples.data(300))
    record.subject = nil
    // The form of before ends with the quality.
    var bytes = record.bytes
    bytes[0] = 1
    bytes.removeLast()
    var reader = try ByteReader(bytes, forms: 1...2)
    var read = try CaptureRecord(CaptureRow.place(record.id, item: item.id, entry: 1, order: 0, version: 1), &reader)
    try reader.checkEnd()
    (read.act, read.place) = (record.act, record.place)
    #expect(read == record)
    let made = try await store.sampleCapture(item.id, StoreSamples.uuid(2), StoreSamples.data(300, seed: 2))
    // An import does not write a sensor's configuration.
    let sink = try await store.importSink()
    let data = StoreSamples.data(300, seed: 3)
    try data.withUnsafeBytes { try sink.write($0) }
    var described = made
    (described.captureID, described.sha256) = (StoreSamples.uuid(3), SHA256Digest.of(data))
    let imported = try await store.keepImported(sink, for: item.id, described)
    for id in [made.id, imported.id] {
      try await store.change(.editItems) { scope in
        let row = try CaptureRow.capture(id, scope.connection, scope.keys)
        var nameless = row.record
        nameless.subject = nil
        try row.update(to: nameless, scope)
      }
    }
    #expect(try await store.capture(made.id).subject?.submodality.wireName == "RightThumbFlat")
    #expect(try await store.capture(imported.id).subject == nil)
    let renamed = try await rename(store, item, "RightThumbRolled")
    let names = try await store.captures(of: item.id).map { renamed.made($0).wireName }
    #expect(names == ["RightThumbFlat", "RightThumbFlat", "RightThumbFlat"])
    #expect(try await store.check().isEmpty)
    await store.close()
  }

  @Test func `pictures of one response are in the order of its ids, in any order of arrival`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    try await store.sampleCapture(item.id, StoreSamples.uuid(9), StoreSamples.data(10))
    let kept = try await store.sampleAct(
      item.id, (1...3).map { ($0, StoreSamples.data(300, seed: UInt64($0)), "") })
    #expect(kept.map(\.id) == [4, 3, 2] && kept.map(\.place) == [0, 1, 2])
    let read = try await store.item(item.id)
    #expect(read.pictures == kept && read.losses.isEmpty)
    #expect(try await store.captures(of: item.id).map(\.captureID) == [1, 2, 3, 9].map(StoreSamples.uuid))
    await store.close()
  }

  @Test func `a missing picture is reported with its response until the item is cleared`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let kept = try await store.sampleAct(
      item.id, [(1, nil, ""), (2, StoreSamples.data(300), ""), (3, StoreSamples.data(300, seed: 3), "")])
    let read = try await store.item(item.id)
    #expect(read.pictures == kept && read.losses.map(\.captureID) == [StoreSamples.uuid(1)])
    #expect(
      read.lossWords
        == "1 of 3 pictures of the capture were not received (the service no longer has the data (invalidId))")
    #expect(try await store.answers(of: item.id, waitingAs: "").losses == read.losses)
    #expect(ItemSign.all(read, nil) == [.incomplete])
    // With the last received picture deleted, none counts as missing.
    try await store.deleteCapture(kept[0].id)
    #expect(try await store.item(item.id).losses.count == 1)
    try await store.deleteCapture(kept[1].id)
    #expect(try await CaptureQuestion(store.journal(of: item.id)) == nil)
    try await store.sampleAct(item.id, [(4, nil, ""), (5, StoreSamples.data(300, seed: 5), "")])
    let cleared = try await store.clear(item.id, at: StoreFolder.time)
    #expect(cleared.capture == nil && cleared.losses.isEmpty)
    #expect(try await CaptureQuestion(store.journal(of: item.id)) == nil)
    #expect(try await store.item(item.id).losses.isEmpty)
    #expect(try await store.answers(of: item.id, waitingAs: "").losses.isEmpty)
    #expect(try await store.check(readsData: true).isEmpty)
    await store.close()
  }

  @Test func `a damaged row of a missing picture hides nothing else, and a check names it`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let kept = try await store.sampleAct(item.id, [(1, nil, ""), (2, StoreSamples.data(300), "")])
    await store.close()
    try await folder.tamper { try $0.execute("UPDATE captured SET body = zeroblob(length(body)) WHERE state = 2") }
    let again = try await folder.open()
    let read = try #require(try await again.items(of: item.person).first)
    #expect(read.pictures == kept && read.losses.isEmpty)
    #expect(try await again.check().contains { $0.message.hasPrefix("a captured id of entry") })
    await again.close()
  }

  @Test func `a response without any picture is lost until the item is cleared`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    try await store.sampleAct(item.id, [(1, nil, ""), (2, nil, "")])
    let question = CaptureQuestion(try await store.journal(of: item.id))
    #expect(question == .lost(reason: "the service no longer has the data (invalidId)"))
    _ = try await store.clear(item.id, at: StoreFolder.time)
    #expect(try await CaptureQuestion(store.journal(of: item.id)) == nil)
    // A sensor that finds it again after all delivers it for the same item.
    let number = try await store.begin(StoreSamples.intent(item.id))
    #expect(try await store.captured(number, ids: [StoreSamples.uuid(1)]) == [StoreSamples.uuid(1)])
    await store.close()
  }
}
