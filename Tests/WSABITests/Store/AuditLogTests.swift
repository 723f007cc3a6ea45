import Foundation
import PluginAPI
import PluginStore
import Testing

@testable import WSABI

struct AuditLogTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  /// Fills a store with some entries.
  private func filled() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    try await store.sampleCapture(item.id, StoreSamples.uuid(1), [1, 2, 3])
    try await store.append(AuditEvent(.exported, person: item.person, outcome: "done"))
    await store.close()
  }

  private func verdict() async throws -> AuditVerdict {
    let store = try await folder.open()
    let verdict = try await store.verifyAudit()
    await store.close()
    return verdict
  }

  @Test func `the audit log lists actions in order with user, time and subject`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    folder.wait(seconds: 7)
    let record = try await store.sampleCapture(item.id, StoreSamples.uuid(1), [1, 2, 3])
    let entries = try await store.auditEntries(1..<100)
    #expect(
      entries.map(\.event.action) == [
        .storeCreated, .personAdded, .itemAdded, .captureAsked, .captureAnswered, .captureEnded, .captureKept,
      ])
    #expect(entries.map(\.number) == Array(1...7))
    #expect(entries.allSatisfy { $0.user == "anna" && $0.role == .admin })
    #expect(entries[6].at == Instant(seconds: 1_790_000_007))
    let kept = entries[6].event
    #expect(kept.person == item.person)
    #expect(kept.item == item.id)
    #expect(kept.capture == record.id)
    #expect(kept.captureID == StoreSamples.uuid(1))
    #expect(kept.sha256 == record.sha256)
    #expect(kept.address == StoreSamples.address.text)
    #expect(entries[3].event.session == StoreSamples.uuid(0xFFFF))
    #expect(try await store.auditEntries(3..<5).map(\.number) == [3, 4])
    #expect(try await store.auditEntries(50..<60).isEmpty)
    #expect(try await store.auditCount() == 8)
    await store.close()
  }

  @Test func `reading a record is logged once a minute`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let record = try await store.sampleCapture(item.id, StoreSamples.uuid(1), [1])
    let before = try await store.auditCount()
    for _ in 0..<3 {
      _ = try await store.person(item.person)
      _ = try await store.item(item.id)
      _ = try await store.data(of: record)
      _ = try await store.people(0..<10)
    }
    #expect(try await store.auditCount() == before + 4)
    folder.wait(seconds: 61)
    _ = try await store.person(item.person)
    let last = try #require(try await store.auditEntries(1..<99).last)
    #expect(last.event == AuditEvent(.personRead, person: item.person))
    await store.close()
  }

  @Test func `an unchanged log is intact, also after the store is reopened`() async throws {
    try await filled()
    let first = try await verdict()
    #expect(first.isWhole)
    #expect(first.count > 8)
    #expect(try await verdict().count == first.count + 1)
  }

  @Test(arguments: [
    ("UPDATE audit SET body = zeroblob(length(body)) WHERE number = 4", 4, AuditVerdict.Fault.changed),
    ("UPDATE audit SET code = zeroblob(32) WHERE number = 5", 5, .changed),
    ("UPDATE audit SET code = x'' WHERE number = 1", 1, .changed),
    ("UPDATE audit SET body = (SELECT body FROM audit WHERE number = 3) WHERE number = 2", 2, .changed),
    ("DELETE FROM audit WHERE number = 1", 1, .missing), ("DELETE FROM audit WHERE number = 6", 6, .missing),
    ("DELETE FROM audit WHERE number >= 5", 5, .missing), ("DELETE FROM audit", 1, .missing),
    ("INSERT INTO audit VALUES (0, x'00', x'00')", 0, .added),
    ("INSERT INTO audit VALUES (-3, x'00', x'00')", -3, .added),
    ("INSERT INTO audit SELECT 77, body, code FROM audit WHERE number = 3", 77, .added),
    // Two entries are swapped.
    (
      """
      UPDATE audit SET number = 900 WHERE number = 3; UPDATE audit SET number = 3 WHERE number = 4;
      UPDATE audit SET number = 4 WHERE number = 900
      """, 3, .changed
    ),
    // One entry is removed and the later ones move up.
    ("DELETE FROM audit WHERE number = 5; UPDATE audit SET number = number - 1 WHERE number = 6", 5, .changed),
  ])
  func `a changed, removed, added or moved entry is detected and identified`(
    _ sql: String, _ number: Int, _ fault: AuditVerdict.Fault
  ) async throws {
    try await filled()
    try await folder.tamper { try $0.execute(script: sql) }
    // Opening adds an entry, which must not hide earlier changes.
    let found = try await verdict()
    #expect(found.firstBad == AuditVerdict.BadEntry(number: number, fault: fault))
  }

  @Test func `every entry that is changed, removed, moved or cut off is detected and identified`() async throws {
    try await filled()
    let store = try await folder.open()
    // Entries that change no record: only the log knows of them.
    for _ in 0..<3 { try await store.append(AuditEvent(.exported, outcome: "json")) }
    let count = try await store.auditCount()
    await store.close()
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    func expect(_ sql: String, _ number: Int, _ fault: AuditVerdict.Fault) async throws {
      try await folder.tamper { try $0.execute(script: sql) }
      #expect(try await verdict().firstBad == AuditVerdict.BadEntry(number: number, fault: fault), "\(sql)")
      try whole.write(to: URL(fileURLWithPath: folder.database))
    }
    // Another last byte, whatever it was.
    let byte = "CASE WHEN substr(body, -1) = x'5A' THEN x'A5' ELSE x'5A' END"
    let flip = "UPDATE audit SET body = substr(body, 1, length(body) - 1) || \(byte) WHERE number = "
    for number in 1...count {
      try await expect("\(flip)\(number)", number, .changed)
      try await expect("DELETE FROM audit WHERE number = \(number)", number, .missing)
      // The entry and all after it.
      try await expect("DELETE FROM audit WHERE number >= \(number)", number, .missing)
      guard number < count else { continue }
      try await expect(
        """
        UPDATE audit SET number = 900 WHERE number = \(number); UPDATE audit SET number = \(number) WHERE number = \(number + 1);
        UPDATE audit SET number = \(number + 1) WHERE number = 900
        """, number, .changed)
    }
    #expect(try await verdict().isWhole)
  }

  @Test func `a log restored together with its header under newer records is detected`() async throws {
    try await filled()
    let saved = try await rows()
    var store = try await folder.open()
    _ = try await store.edit(person: 1, StoreSamples.biography("Eve"), at: StoreFolder.time)
    await store.close()
    try await folder.tamper { connection in
      try connection.execute("DELETE FROM audit")
      for row in saved.entries { try connection.execute("INSERT INTO audit VALUES (?, ?, ?)", [row.0, row.1, row.2]) }
      try connection.execute("UPDATE vault SET anchor = ?", [saved.anchor])
    }
    // Opening it adds an entry after the restored ones.
    #expect(try await verdict().firstBad == .init(number: saved.entries.count + 2, fault: .missing))
    store = try await folder.open()
    await store.close()
    #expect(try await verdict().firstBad == .init(number: saved.entries.count + 4, fault: .missing))
  }

  private func rows() async throws -> (entries: [(Int, [UInt8], [UInt8])], anchor: [UInt8]) {
    let sqlite = SQLiteStore(name: "read", path: folder.database, migrations: RecordMigrations.all)
    let found = try await sqlite.read { connection in
      let entries = try connection.list("SELECT number, body, code FROM audit ORDER BY number") {
        ($0.integer(0), $0.bytes(1), $0.bytes(2))
      }
      return (entries, try connection.value("SELECT anchor FROM vault").bytes ?? [])
    }
    await sqlite.close()
    return found
  }

  @Test func `each act is logged once, even if reported again`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let number = try await store.begin(StoreSamples.intent(item.id))
    for _ in 0..<2 { try await store.captured(number, ids: [StoreSamples.uuid(1)]) }
    for _ in 0..<2 { try await store.end(number, .captured) }
    let sink = try await store.sink(number, StoreSamples.uuid(1))
    try [UInt8(1)].withUnsafeBytes { try sink.write($0) }
    let record = try await store.keep(number, sink, StoreSamples.download(StoreSamples.uuid(1)))
    for _ in 0..<2 {
      // An item is read, in one way and another.
      _ = try await store.item(item.id)
      _ = try await store.captures(of: item.id)
      _ = try await store.person(item.person)
      _ = try await store.items(of: item.person)
      _ = try await store.data(of: record)
    }
    // Two concurrent locks.
    async let first: Void = store.lock()
    async let second: Void = store.lock()
    _ = await (first, second)
    try await store.unlock(StoreFolder.passphrase)
    let events = try await store.auditEntries(1..<100).map(\.event)
    #expect(
      events.map(\.action) == [
        .storeCreated, .personAdded, .itemAdded, .captureAsked, .captureAnswered, .captureEnded, .captureKept,
        .itemRead,
        .personRead, .captureRead, .locked, .unlocked,
      ])
    #expect(events.filter { $0.item != nil && $0.action == .captureRead }.map(\.person) == [item.person])
    await store.close()
  }

  @Test func `every flipped bit of an entry is detected`() async throws {
    let store = try await folder.create()
    _ = try await store.samplePerson()
    for (number, column) in [(2, "body"), (2, "code")] {
      let whole = try await store.sqlite.read {
        try $0.value("SELECT \(column) FROM audit WHERE number = ?", [number]).bytes ?? []
      }
      #expect(whole.count >= 32)
      for bit in 0..<8 * whole.count {
        var bytes = whole
        bytes[bit / 8] ^= 1 << (bit % 8)
        let found = try await verdict(store, number, column, bytes)
        if found != AuditVerdict.BadEntry(number: number, fault: .changed) { Issue.record("\(column) \(bit)") }
      }
      _ = try await verdict(store, number, column, whole)
    }
    #expect(try await store.verifyAudit().isWhole)
    await store.close()
  }

  @Test func `a flipped bit in any byte of any entry is detected`() async throws {
    try await filled()
    let store = try await folder.open()
    let count = try await store.auditCount()
    for number in 1...count {
      for column in ["body", "code"] {
        let whole = try await store.sqlite.read {
          try $0.value("SELECT \(column) FROM audit WHERE number = ?", [number]).bytes ?? []
        }
        for place in whole.indices {
          var bytes = whole
          bytes[place] ^= 1 << ((place + number) % 8)
          let found = try await verdict(store, number, column, bytes)
          if found != AuditVerdict.BadEntry(number: number, fault: .changed) {
            Issue.record("\(number) \(column) \(place)")
          }
        }
        _ = try await verdict(store, number, column, whole)
      }
    }
    #expect(try await store.verifyAudit().isWhole)
    await store.close()
  }

  /// Returns the verdict after an entry's bytes are replaced beside an open store.
  private func verdict(
    _ store: RecordStore, _ number: Int, _ column: String, _ bytes: [UInt8]
  ) async throws -> AuditVerdict.BadEntry? {
    try await store.sqlite.write {
      try $0.execute("UPDATE audit SET \(column) = ? WHERE number = ?", [bytes, number])
    }
    return try await store.verifyAudit().firstBad
  }

  @Test func `removing the last entries together with their count is detected`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    await store.close()
    // The header as it was before.
    let old = SQLValueBox()
    try await folder.tamper { old.set(try $0.value("SELECT anchor FROM vault").bytes ?? []) }
    let again = try await folder.open()
    _ = try await again.clear(item.id, at: StoreFolder.time)
    await again.close()
    // If the store is restored with the entries removed, the records show it: the item is newer than the header.
    try await folder.tamper {
      try $0.execute("UPDATE vault SET anchor = ?", [old.get()])
      try $0.execute("DELETE FROM audit WHERE number > 3")
    }
    let last = try await folder.open()
    #expect(try await last.check().contains { $0.code == "wsabi.store-damaged" })
    await last.close()
  }

  @Test func `log entries hold no personal data and no captured data`() async throws {
    let store = try await folder.create()
    let person = try await store.addPerson(StoreSamples.full("canary"), at: StoreFolder.time)
    let item = try await store.addItem(StoreSamples.draft(person.id), at: StoreFolder.time)
    try await store.sampleCapture(item.id, StoreSamples.uuid(1), Array("canary".utf8))
    _ = try await store.annotate(item.id, Annotation(conditions: [.present], notes: "canary"), at: StoreFolder.time)
    _ = try await store.people(0..<9, matching: "canary")
    let number = try await store.begin(StoreSamples.intent(item.id))
    try await store.end(number, .refused(.failure, message: "canary"))
    let other = try await store.begin(StoreSamples.intent(item.id))
    try await store.end(other, .refused(.unknown("canary"), message: ""))
    for entry in try await store.auditEntries(1..<99) {
      #expect(!"\(entry)".contains("canary"), "\(entry.event.action)")
    }
    await store.close()
  }
}

/// A box that carries bytes out of a database access.
private final class SQLValueBox: @unchecked Sendable {
  private var bytes: [UInt8] = []

  func set(_ new: [UInt8]) { bytes = new }

  func get() -> [UInt8] { bytes }
}
