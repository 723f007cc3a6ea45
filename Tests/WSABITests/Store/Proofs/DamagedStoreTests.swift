import Foundation
import PluginAPI
import PluginStore
import PluginText
import TestSupport
import Testing

@testable import WSABI

/// Stores that were tampered with, at random and on purpose.
struct DamagedStoreTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  /// Fills a store with two people of two items each, all with captures.
  private func fill() async throws {
    let store = try await folder.create()
    for person in 0..<2 {
      let first = try await store.samplePerson("P\(person)")
      let second = try await store.addItem(StoreSamples.draft(first.person, "LeftIris"), at: StoreFolder.time)
      for item in [first, second] {
        let record = try await store.sampleCapture(
          item.id, StoreSamples.uuid(item.id), StoreSamples.data(item.index == 0 ? 900 : 300_000))
        try await store.setThumbnail(of: record.id, [UInt8](repeating: 9, count: 50))
      }
    }
    await store.close()
  }

  /// Does everything that reads; every failure must have a code.
  private func useAll(_ folder: StoreFolder) async -> Set<String> {
    var codes: Set<String> = []
    func attempt(_ body: () async throws -> Void) async {
      do { try await body() } catch {
        let report = (error as? any ReportableError)?.report
        codes.insert(report?.code ?? "no code: \(error)")
      }
    }
    do {
      let store = try await folder.open()
      await attempt { _ = try await store.people(0..<10) }
      await attempt { _ = try await store.people(0..<10, matching: "p") }
      await attempt { _ = try await store.unfinished() }
      for id in 1...4 {
        await attempt { _ = try await store.person(id) }
        await attempt { _ = try await store.items(of: id) }
        await attempt { _ = try await store.item(id) }
        await attempt { _ = try await store.thumbnail(of: id) }
        await attempt { _ = try await store.data(of: try await store.capture(id)) }
      }
      await attempt { _ = try await store.verifyAudit() }
      await attempt { _ = try await store.auditEntries(1..<100) }
      await attempt { _ = try await store.recentSensors(for: .finger) }
      await attempt { codes.formUnion(try await store.check(readsData: true).map(\.code)) }
      await attempt { _ = try await store.samplePerson("new") }
      await attempt { _ = try await store.addItem(StoreSamples.draft(1, "LeftIris"), at: StoreFolder.time) }
      await attempt { _ = try await store.edit(person: 2, StoreSamples.biography("Edited"), at: StoreFolder.time) }
      await attempt { try await store.deletePerson(1) }
      await store.close()
    } catch {
      let report = (error as? any ReportableError)?.report
      codes.insert(report?.code ?? "no code: \(error)")
    }
    return codes
  }

  @Test(arguments: [
    // Rows that were swapped, completely or in part.
    "UPDATE person SET (key, body, words) = (SELECT key, body, words FROM person WHERE id = 2) WHERE id = 1",
    "UPDATE person SET key = (SELECT key FROM person WHERE id = 2) WHERE id = 1",
    "UPDATE item SET (key, body) = (SELECT key, body FROM item WHERE id = 3) WHERE id = 1",
    "UPDATE item SET person = 2 WHERE id = 1", "UPDATE item SET place = 1 - place WHERE person = 1",
    "UPDATE item SET version = version + 1 WHERE id = 2", "UPDATE capture SET item = 3 WHERE id = 1",
    "UPDATE capture SET (key, body) = (SELECT key, body FROM capture WHERE id = 3) WHERE id = 1",
    "UPDATE content SET data = (SELECT data FROM content WHERE capture = 3) WHERE capture = 1",
    "UPDATE capture SET file = (SELECT file FROM capture WHERE id = 4) WHERE id = 2",
    "UPDATE capture SET thumbnail = (SELECT thumbnail FROM capture WHERE id = 2) WHERE id = 1",
    "UPDATE capture SET file = '../people.sqlite' WHERE id = 2", "UPDATE capture SET file = NULL WHERE id = 2",
    "UPDATE capture SET entry = 99 WHERE id = 1", "UPDATE capture SET place = 3 WHERE id = 1",
    // Rows that are missing, or duplicated.
    "DELETE FROM content", "DELETE FROM capture WHERE id = 1", "DELETE FROM item WHERE id = 1",
    "DELETE FROM person WHERE id = 1",
    "INSERT INTO person SELECT 9, version, key, body, words FROM person WHERE id = 1",
    // Values that were never written.
    "UPDATE person SET key = x''", "UPDATE person SET body = zeroblob(20)", "UPDATE item SET body = 'text'",
    "UPDATE capture SET key = 5", "UPDATE journal SET body = x'00'", "UPDATE captured SET state = 0",
    "UPDATE sensor SET body = x''", "UPDATE person SET version = 'x'",
    // Numbers without a successor.
    "UPDATE sqlite_sequence SET seq = 9223372036854775807", "UPDATE sqlite_sequence SET seq = -3",
    "UPDATE sensor SET turn = 9223372036854775807", "UPDATE person SET version = 9223372036854775807",
    "UPDATE vault SET epoch = 9223372036854775807", "UPDATE captured SET place = 9223372036854775807",
  ])
  func `a moved, changed or removed row is detected without a crash`(_ sql: String) async throws {
    try await fill()
    try await folder.tamper { connection in
      try connection.execute("PRAGMA defer_foreign_keys = ON")
      try connection.execute(sql)
    }
    let codes = await useAll(folder)
    let damages: Set = ["wsabi.store-damaged", "wsabi.no-person", "wsabi.no-item", "wsabi.no-capture"]
    // The journal and the recent sensors are not part of the sum of records.
    #expect(!codes.isDisjoint(with: damages), "\(codes)")
    #expect(codes.allSatisfy { !$0.hasPrefix("no code") }, "\(codes)")
  }

  @Test func `a row restored to its state before an edit is detected`() async throws {
    try await fill()
    let old = folder.path + ".old"
    defer { unlink(old) }
    try FileManager.default.copyItem(atPath: folder.database, toPath: old)
    let store = try await folder.open()
    _ = try await store.edit(person: 1, StoreSamples.biography("Edited"), at: StoreFolder.time)
    await store.close()
    try await folder.tamper { connection in
      let row = try firstPerson(old)
      try connection.execute("UPDATE person SET version = ?, key = ?, body = ?, words = ? WHERE id = 1", row)
    }
    let again = try await folder.open()
    #expect(try await again.person(1).biography.firstName == "P0")
    #expect(try await again.check().map(\.code) == ["wsabi.store-damaged"])
    await again.close()
  }

  /// Returns the first person of another file.
  private func firstPerson(_ path: String) throws -> [(any SQLConvertible)?] {
    let sqlite = SQLiteStore(name: "old", path: path, migrations: RecordMigrations.all)
    return try sqlite.blockingSession { session in
      defer { session.disconnect() }
      return try session.read { connection in
        try connection.first("SELECT version, key, body, words FROM person WHERE id = 1") { $0.values } ?? []
      }
    }
  }

  @Test func `flipped bytes in the database cause an error code or nothing, never a crash`() async throws {
    try await fill()
    let url = URL(fileURLWithPath: folder.database)
    let whole = try Data(contentsOf: url)
    let seed = CampaignNumber.of("WORKBENCH_SEED", else: 11)
    var random = SplitMix64(seed: UInt64(seed))
    let rounds = CampaignNumber.of("WORKBENCH_STORE_FLIPS", else: 40)
    var found = 0
    for round in 0..<rounds {
      var bytes = whole
      for _ in 0...(round % 8) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      }
      if round % 10 == 9 { bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)) }
      try bytes.write(to: url)
      for suffix in ["-wal", "-shm"] { unlink(folder.database + suffix) }
      let codes = await useAll(folder)
      #expect(codes.allSatisfy { !$0.hasPrefix("no code") }, "\(round): \(codes)")
      if !codes.isEmpty { found += 1 }
    }
    // A flipped byte may be in unused space.
    #expect(found > 10)
    CampaignLine(
      "flipped bytes in the store of people", seed: seed, runs: rounds,
      words: "\(found) noticed with a listed code, the others in unused space; no crash"
    ).print()
  }
}
