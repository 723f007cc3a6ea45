import PluginAPI
import PluginStore
import Testing

@testable import WSABI

struct PeopleTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func names(_ page: PeoplePage) -> [String] { page.rows.map { $0.person.biography.firstName } }

  @Test func `a person is stored with the complete biography`() async throws {
    let store = try await folder.create()
    let biography = StoreSamples.full("é")
    let person = try await store.addPerson(biography, at: StoreFolder.time)
    #expect(person == Person(id: 1, biography: biography, created: StoreFolder.time, modified: StoreFolder.time))
    await store.close()
    let again = try await folder.open()
    #expect(try await again.person(1) == person)
    #expect(folder.takeChanges().contains(.person(1)))
    await again.close()
  }

  @Test func `an edit changes the biography and its time, but not the number or creation time`() async throws {
    let store = try await folder.create()
    _ = try await store.addPerson(StoreSamples.full("a"), at: StoreFolder.time)
    let later = Instant(seconds: 1_780_000_100, nanoseconds: 5)
    let edited = try await store.edit(person: 1, StoreSamples.biography("Zoë"), at: later)
    #expect(edited.created == StoreFolder.time)
    #expect(edited.modified == later)
    #expect(try await store.person(1) == edited)
    #expect(try await store.people(0..<9, matching: "afirst").total == 0)
    #expect(try await store.people(0..<9, matching: "zoe").total == 1)
    await store.close()
  }

  @Test func `people are listed in the order they were added, a page at a time`() async throws {
    let store = try await folder.create()
    for name in ["Cid", "Ann", "Bea", "Dan"] {
      _ = try await store.addPerson(StoreSamples.biography(name), at: StoreFolder.time)
    }
    #expect(names(try await store.people(0..<2)) == ["Cid", "Ann"])
    let end = try await store.people(3..<10)
    #expect(names(end) == ["Dan"])
    #expect(end.total == 4)
    #expect(names(try await store.people(7..<9)) == [])
    #expect(names(try await store.people(0..<0)) == [])
    await store.close()
  }

  @Test(arguments: [
    ("MÜLLER", ["Jürgen", "Mia"]), ("muller jurgen", ["Jürgen"]), ("  mia  ", ["Mia"]), ("müller lyon", ["Mia"]),
    ("lyo", ["Mia"]), ("1981-05", ["Jürgen"]), ("nobody", []), ("mia jürgen", []), ("", ["Jürgen", "Mia", "Li"]),
    ("jürgen müller", ["Jürgen"]), ("_", []), ("%", []), ("scar", ["Li"]),
  ])
  func `a search finds words anywhere in the biography, ignoring case and accents`(
    _ text: String, _ expected: [String]
  ) async throws {
    let store = try await folder.create()
    var first = StoreSamples.biography("Jürgen", "Müller")
    first.datesOfBirth = ["1981-05-04"]
    var second = StoreSamples.biography("Mia", "Mu\u{308}ller")
    second.placesOfBirth = ["Lyon"]
    var third = StoreSamples.biography("Li")
    third.notes = "a SCAR on the left thumb"
    for biography in [first, second, third] { _ = try await store.addPerson(biography, at: StoreFolder.time) }
    let page = try await store.people(0..<10, matching: text)
    #expect(names(page) == expected)
    #expect(page.total == expected.count)
    await store.close()
  }

  @Test func `a search reflects changes by this process and by others`() async throws {
    let store = try await folder.create()
    _ = try await store.addPerson(StoreSamples.biography("Ann"), at: StoreFolder.time)
    #expect(try await store.people(0..<9, matching: "ann").total == 1)
    _ = try await store.addPerson(StoreSamples.biography("Annika"), at: StoreFolder.time)
    #expect(try await store.people(0..<9, matching: "ann").total == 2)
    let other = try await folder.open()
    _ = try await other.edit(person: 1, StoreSamples.biography("Bob"), at: StoreFolder.time)
    #expect(names(try await store.people(0..<9, matching: "ann")) == ["Annika"])
    #expect(try await store.index(of: 2, matching: "ann") == 0)
    #expect(try await store.index(of: 2) == 1)
    #expect(try await store.index(of: 1, matching: "ann") == nil)
    try await store.deletePerson(2)
    #expect(try await other.people(0..<9, matching: "ann").total == 0)
    #expect(try await other.people(0..<9, matching: "bob").total == 1)
    await other.close()
    await store.close()
  }

  @Test func `a duplicate has the items and sensors, but no biography, notes or captures`() async throws {
    let store = try await folder.create()
    let person = try await store.addPerson(StoreSamples.full("x"), at: StoreFolder.time)
    let words = ["RightThumbRolled", "LeftSlap", "noSuchWord"]
    for (index, word) in words.enumerated() {
      let item = try await store.addItem(
        StoreSamples.draft(person.id, word, device: StoreSamples.device("s\(index)", port: 8000 + index)),
        at: StoreFolder.time)
      try await store.sampleCapture(item.id, StoreSamples.uuid(index), StoreSamples.data(1000))
      let conditions = item.annotation.conditions.map { _ in PartCondition.bandaged }
      _ = try await store.annotate(
        item.id, Annotation(conditions: conditions, notes: "note"), at: StoreFolder.time)
    }
    let later = Instant(seconds: 1_785_000_000)
    let copy = try await store.duplicatePerson(person.id, at: later)
    #expect(copy.biography == Biography())
    #expect(copy.created == later)
    #expect(copy.modified == later)
    let (old, new) = (try await store.items(of: person.id), try await store.items(of: copy.id))
    #expect(new.map(\.submodality) == old.map(\.submodality))
    #expect(new.map(\.device) == old.map(\.device))
    #expect(new.map(\.index) == [0, 1, 2])
    #expect(new.allSatisfy { $0.capture == nil && $0.annotation.isEmpty && $0.created == later })
    #expect(new.map { $0.annotation.conditions.count } == [1, 4, 1])
    #expect(old.allSatisfy { $0.capture != nil && $0.annotation.notes == "note" })
    await #expect(throws: VaultError.noPerson(9)) { try await store.duplicatePerson(9, at: later) }
    #expect(try await store.check(readsData: true).isEmpty)
    await store.close()
  }

  @Test func `a deleted person's items, captures and journal are gone, and the number is not reused`()
    async throws
  {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let small = try await store.sampleCapture(item.id, StoreSamples.uuid(1), StoreSamples.data(100))
    try await store.sampleCapture(item.id, StoreSamples.uuid(2), StoreSamples.data(700_000))
    #expect(try folder.files().contains { $0.name.isCapture })
    try await store.deletePerson(item.person)
    await #expect(throws: VaultError.noPerson(1)) { try await store.person(1) }
    await #expect(throws: VaultError.noItem(1)) { try await store.item(1) }
    await #expect(throws: VaultError.noCapture(1)) { try await store.data(of: small) }
    await #expect(throws: VaultError.noPerson(1)) { try await store.deletePerson(1) }
    #expect(try !folder.files().contains { $0.name.isCapture })
    #expect(try await store.unfinished().isEmpty)
    #expect(try await store.samplePerson().person == 2)
    #expect(try await store.check().isEmpty)
    await store.close()
  }

  @Test func `a person with an unfinished capture can be deleted only after it is given up`()
    async throws
  {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let number = try await store.begin(StoreSamples.intent(item.id))
    await #expect(throws: VaultError.captureUnderWay(item: item.id)) { try await store.deletePerson(1) }
    try await store.captured(number, ids: [StoreSamples.uuid(1)])
    try await store.end(number, .captured)
    await #expect(throws: VaultError.captureUnderWay(item: item.id)) { try await store.deletePerson(1) }
    try await store.lost(number, StoreSamples.uuid(1), because: "given up by a user")
    try await store.deletePerson(1)
    #expect(try await store.people(0..<9).total == 0)
    await #expect(throws: VaultError.noJournalEntry(1)) { try await store.end(number, .captured) }
    await store.close()
  }

  @Test func `a change that the database refuses does not affect concurrent changes`() async throws {
    let store = try await folder.create()
    let failures = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<40 {
        group.addTask {
          _ = try await store.addPerson(StoreSamples.biography("P\(number)"), at: StoreFolder.time)
          return ""
        }
        if number % 10 == 0 {
          group.addTask {
            do {
              try await store.change(nil) { scope in
                try scope.audit(AuditEvent(.purged))
                try scope.connection.execute("INSERT INTO item VALUES (9, 100000, 0, 1, x'', x'', x'')")
              }
              return "kept"
            } catch let error as StoreError {
              return error.report.code
            }
          }
        }
      }
      return try await group.reduce(into: [String]()) { if !$1.isEmpty { $0.append($1) } }
    }
    #expect(failures == Array(repeating: "store.constraint", count: 4))
    #expect(try await store.people(0..<100, matching: "p").total == 40)
    #expect(try await store.auditEntries(1..<999).allSatisfy { $0.event.action != .purged })
    #expect(try await store.check().isEmpty)
    #expect(try await store.verifyAudit().isWhole)
    await store.close()
  }

  @Test func `hundreds of concurrent changes are each made once`() async throws {
    let store = try await folder.create()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<300 {
        group.addTask {
          let person = try await store.addPerson(StoreSamples.biography("P\(number)"), at: StoreFolder.time)
          _ = try await store.addItem(StoreSamples.draft(person.id), at: StoreFolder.time)
        }
        // Some fail, without affecting others.
        if number % 7 == 0 {
          group.addTask { _ = try? await store.addItem(StoreSamples.draft(100_000), at: StoreFolder.time) }
        }
      }
      try await group.waitForAll()
    }
    let page = try await store.people(0..<1000)
    #expect(Set(page.rows.map { $0.person.biography.firstName }).count == 300)
    #expect(page.rows.allSatisfy { $0.items.count == 1 })
    #expect(try await store.check().isEmpty)
    #expect(try await store.verifyAudit().isWhole)
    await store.close()
  }
}
