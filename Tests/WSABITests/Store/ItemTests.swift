import PluginAPI
import Testing

@testable import WSABI

struct ItemTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  @Test func `a new item is stored as drafted, after the others`() async throws {
    let store = try await folder.create()
    let first = try await store.samplePerson()
    let device = StoreSamples.device("Ünter", port: 9)
    let second = try await store.addItem(
      StoreSamples.draft(first.person, "LeftSlap", device: device), at: StoreFolder.time)
    #expect(second.index == 1)
    #expect(second.device == device)
    #expect(second.submodality.wireName == "LeftSlap")
    #expect(second.annotation == Annotation(conditions: [.present, .present, .present, .present], notes: ""))
    await store.close()
    let again = try await folder.open()
    #expect(try await again.items(of: first.person) == [first, second])
    #expect(try await again.item(second.id) == second)
    #expect(folder.takeChanges().contains(.item(second.id, person: first.person)))
    await again.close()
  }

  @Test func `an unknown submodality is stored unchanged`() async throws {
    let store = try await folder.create()
    let person = try await store.addPerson(Biography(), at: StoreFolder.time)
    let submodality = Submodality(wire: "leftTentacle")
    let draft = DraftItem(
      person: person.id, modality: .finger, submodality: submodality, device: StoreSamples.device())
    let item = try await store.addItem(draft, at: StoreFolder.time)
    let read = try await store.item(item.id)
    #expect(read.submodality.wireName == "leftTentacle")
    #expect(read.modality == .finger)
    #expect(read.annotation.conditions == [.present])
    await store.close()
  }

  @Test func `conditions survive edits that leave the parts unchanged`() async throws {
    let store = try await folder.create()
    let person = try await store.addPerson(Biography(), at: StoreFolder.time)
    let item = try await store.addItem(StoreSamples.draft(person.id, "LeftSlap"), at: StoreFolder.time)
    let annotation = Annotation(conditions: [.amputated, .present, .unprintable, .bandaged], notes: "n")
    #expect(try await store.annotate(item.id, annotation, at: StoreFolder.time).annotation == annotation)
    let device = StoreSamples.device("other")
    let moved = try await store.edit(
      item: item.id, StoreSamples.draft(person.id, "LeftSlap", device: device), at: Instant(seconds: 5))
    #expect(moved.annotation == annotation)
    #expect(moved.device == device)
    #expect(moved.modified == Instant(seconds: 5))
    let other = try await store.edit(item: item.id, StoreSamples.draft(person.id, "RightIris"), at: StoreFolder.time)
    #expect(other.annotation == Annotation(conditions: [.present], notes: "n"))
    #expect(other.modality == .iris)
    #expect(try await store.item(item.id) == other)
    await #expect(throws: VaultError.noItem(item.id)) {
      try await store.edit(item: item.id, StoreSamples.draft(99), at: StoreFolder.time)
    }
    await store.close()
  }

  @Test func `an item keeps its submodality and sensor settings until its capture ends`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let number = try await store.begin(StoreSamples.intent(item.id))
    await #expect(throws: VaultError.captureUnderWay(item: item.id)) {
      try await store.edit(item: item.id, StoreSamples.draft(item.person, "LeftIndexFlat"), at: StoreFolder.time)
    }
    var other = DraftItem(item)
    other.device.address = "http://127.0.0.1:9000"
    var set = DraftItem(item)
    set.device.configuration["impression"] = .string("rolled")
    for draft in [other, set] {
      await #expect(throws: VaultError.captureUnderWay(item: item.id)) {
        try await store.edit(item: item.id, draft, at: StoreFolder.time)
      }
    }
    // Notes about the finger and the name of the sensor are not filed with a capture.
    let notes = Annotation(conditions: [.bandaged], notes: "n")
    #expect(try await store.annotate(item.id, notes, at: StoreFolder.time).annotation == notes)
    var draft = DraftItem(item)
    draft.device.name = "window"
    #expect(try await store.edit(item: item.id, draft, at: StoreFolder.time).device.name == "window")
    try await store.end(number, .notAsked(reason: "no session"))
    let edited = try await store.edit(
      item: item.id, StoreSamples.draft(item.person, "LeftIndexFlat"), at: StoreFolder.time)
    #expect(edited.submodality.wireName == "LeftIndexFlat")
    await store.close()
  }

  @Test func `an item edited after its capture was requested is not captured`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    var intent = StoreSamples.intent(item.id)
    intent.definition = item.definition
    try await store.end(try await store.begin(intent), .notAsked(reason: "no session"))
    var draft = DraftItem(item)
    (draft.device.name, draft.device.edited) = ("window", Instant(seconds: 99))
    _ = try await store.edit(item: item.id, draft, at: StoreFolder.time)
    try await store.end(try await store.begin(intent), .notAsked(reason: "no session"))
    draft.device.address = "http://127.0.0.1:9000"
    _ = try await store.edit(item: item.id, draft, at: StoreFolder.time)
    await #expect(throws: VaultError.itemEdited(item.id)) { try await store.begin(intent) }
    #expect(try await store.unfinished().isEmpty)
    await store.close()
  }

  @Test(arguments: [0, 1, 3]) func `items after a deleted one move up`(_ index: Int) async throws {
    let store = try await folder.create()
    let person = try await store.addPerson(Biography(), at: StoreFolder.time)
    var ids: [Int] = []
    for _ in 0..<4 { ids.append(try await store.addItem(StoreSamples.draft(person.id), at: StoreFolder.time).id) }
    try await store.deleteItem(ids[index])
    ids.remove(at: index)
    let items = try await store.items(of: person.id)
    #expect(items.map(\.id) == ids)
    #expect(items.map(\.index) == [0, 1, 2])
    let next = try await store.addItem(StoreSamples.draft(person.id), at: StoreFolder.time)
    #expect(next.id == 5)
    #expect(next.index == 3)
    #expect(try await store.check().isEmpty)
    await store.close()
  }

  @Test func `clearing removes captures and thumbnails but keeps the item and its notes`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    for (number, size) in [100, 400_000].enumerated() {
      let record = try await store.sampleCapture(item.id, StoreSamples.uuid(number), StoreSamples.data(size))
      try await store.setThumbnail(of: record.id, StoreSamples.data(500))
    }
    _ = try await store.annotate(item.id, Annotation(conditions: [.bandaged], notes: "n"), at: StoreFolder.time)
    let cleared = try await store.clear(item.id, at: Instant(seconds: 9))
    #expect(cleared.capture == nil)
    #expect(cleared.annotation.notes == "n")
    #expect(cleared.modified == Instant(seconds: 9))
    #expect(try await store.captures(of: item.id).isEmpty)
    await #expect(throws: VaultError.noCapture(1)) { try await store.thumbnail(of: 1) }
    #expect(try !folder.files().contains { $0.name.isCapture })
    #expect(try await store.check().isEmpty)
    // The same item is captured again, with an id of before too.
    try await store.sampleCapture(item.id, StoreSamples.uuid(0), StoreSamples.data(10))
    #expect(try await store.item(item.id).capture?.sizeInBytes == 10)
    await store.close()
  }

  @Test func `recent sensors are listed by modality, each once, newest first, five at most`() async throws {
    let store = try await folder.create()
    let person = try await store.addPerson(Biography(), at: StoreFolder.time)
    func add(_ name: String, _ port: Int, _ edited: Int64, _ word: String = "RightThumbFlat") async throws {
      let device = StoreSamples.device(name, port: port, edited: edited)
      _ = try await store.addItem(StoreSamples.draft(person.id, word, device: device), at: StoreFolder.time)
    }
    try await add("a", 1, 10)
    try await add("b", 1, 30)
    try await add("a", 1, 20)
    try await add("iris", 2, 99, "LeftIris")
    try await add("a", 3, 5)
    #expect(
      try await store.recentSensors(for: .finger).map { "\($0.name)\($0.edited.seconds)" } == ["b30", "a20", "a5"])
    #expect(try await store.recentSensors(for: .iris).map(\.name) == ["iris"])
    #expect(try await store.recentSensors(for: .face).isEmpty)
    for number in 0..<6 { try await add("n\(number)", 50 + number, 40) }
    #expect(try await store.recentSensors(for: .finger).map(\.name) == ["n5", "n4", "n3", "n2", "n1"])
    try await store.forgetSensor(StoreSamples.device("n4", port: 54), for: .finger)
    #expect(try await store.recentSensors(for: .finger, limit: 2).map(\.name) == ["n5", "n3"])
    await store.close()
  }

  @Test func `missing people, items and captures are reported by number`() async throws {
    let store = try await folder.create()
    await #expect(throws: VaultError.noPerson(4)) { try await store.items(of: 4) }
    await #expect(throws: VaultError.noPerson(4)) {
      try await store.addItem(StoreSamples.draft(4), at: StoreFolder.time)
    }
    await #expect(throws: VaultError.noItem(4)) { try await store.deleteItem(4) }
    await #expect(throws: VaultError.noItem(4)) { try await store.clear(4, at: StoreFolder.time) }
    await #expect(throws: VaultError.noItem(4)) { try await store.begin(StoreSamples.intent(4)) }
    await #expect(throws: VaultError.noCapture(4)) { try await store.capture(4) }
    #expect(try await store.captures(of: 4).isEmpty)
    await store.close()
  }
}
