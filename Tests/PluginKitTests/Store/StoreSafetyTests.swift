import Foundation
import PluginAPI
import PluginStore
import PluginText
import TestSupport
import Testing

struct StoreSafetyTests {
  let folder = StoreFolder()

  @Test func `a store is consistent after its process is killed at any of twenty points`() async throws {
    var random = SplitMix64(seed: 20_261_120)
    let path = folder.file("ledger.sqlite")
    var committed = 0
    for _ in 0..<20 {
      let (_, output) = try StoreFolder.helper(["write", path, "1000"], killAfter: Int(random.next() % 150) + 1)
      committed += output.filter { $0 == "C" }.count
      let store = SQLiteStore(name: "ledger", path: path, migrations: StoreSafetyTests.ledger)
      #expect(try await store.check().isEmpty)
      let (batches, torn, wrong) = try await store.read { connection in
        (
          try connection.value("SELECT count(DISTINCT batch) FROM entry").integer ?? -1,
          try connection.value("SELECT count(*) FROM (SELECT batch FROM entry GROUP BY batch HAVING count(*) != 10)"),
          try connection.value(
            "SELECT count(*) FROM account WHERE balance != (SELECT sum(amount) FROM entry WHERE account = account.id)")
        )
      }
      #expect(torn == .integer(0))
      #expect(wrong == .integer(0))
      // Everything reported as done is there; one more batch may have been done but not reported.
      #expect((committed...committed + 1).contains(batches))
      committed = batches
      await store.close()
    }
    #expect(committed > 20)
  }

  @Test func `several processes write to one file`() async throws {
    let path = folder.file("ledger.sqlite")
    let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
      for _ in 0..<3 {
        group.addTask {
          try await withCheckedThrowingContinuation { done in
            Thread.detachNewThread {
              done.resume(with: Result { try StoreFolder.helper(["write", path, "20"]).status })
            }
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == [0, 0, 0])
    let store = SQLiteStore(name: "ledger", path: path, migrations: StoreSafetyTests.ledger)
    #expect(try await store.read { try $0.value("SELECT count(*) FROM entry") } == .integer(600))
    #expect(try await store.check().isEmpty)
  }

  private static let ledger = [
    Migration(1, "ledger", sql: "CREATE TABLE account (id INTEGER); CREATE TABLE entry (batch INTEGER)")
  ]

  @Test func `a file with other content is not a database`() async throws {
    try make(
      "stations.sqlite",
      [UInt8]("not a database at all, but long enough to be looked at. ".utf8) + [UInt8](repeating: 65, count: 4096))
    let store = folder.stations()
    await #expect(throws: StoreError.notADatabase(path: store.path)) { try await store.read { _ in } }
    #expect(try await store.check().map(\.code) == ["store.not-a-database"])
  }

  @Test func `truncated and changed files give an error or a usable store`() async throws {
    let whole = try await filledFile()
    var random = SplitMix64(seed: 7)
    var outcomes: [String: Int] = [:]
    for trial in 0..<120 {
      var bytes = whole
      if trial < 40 {
        bytes = Array(whole.prefix(whole.count * trial / 40))
      } else {
        for _ in 0..<8 { bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next()) }
      }
      try make("trial.sqlite", bytes)
      let store = folder.stations("trial.sqlite")
      do {
        let rows = try await store.read {
          try $0.list("SELECT * FROM station JOIN height ON station = id") { $0.values }
        }
        _ = try await store.check()
        outcomes[rows.count == 300 ? "whole" : "less", default: 0] += 1
      } catch let error as StoreError {
        outcomes[error.report.code, default: 0] += 1
      }
      await store.close()
    }
    #expect(outcomes["store.damaged", default: 0] > 10)
    #expect(outcomes.values.reduce(0, +) == 120)
  }

  @Test func `a store in use can be backed up, and the backup restored`() async throws {
    let store = folder.stations()
    try await store.write { try $0.execute("INSERT INTO station VALUES (1, 'Brest', 'B')") }
    let target = folder.file("backup.sqlite")
    let folder = folder
    // The write transaction is open while the backup runs; the backup holds the state before it.
    try await store.write { connection in
      try connection.execute("DELETE FROM station")
      let done = DispatchSemaphore(value: 0)
      let other = folder.stations()
      Task {
        try await other.backup(to: target)
        done.signal()
      }
      #expect(done.wait(timeout: .now() + 120) == .success)
    }
    #expect(try await store.read { try $0.value("SELECT count(*) FROM station") } == .integer(0))
    await #expect(throws: StoreError.fileExists(path: target)) { try await store.backup(to: target) }
    try await store.restore(from: target)
    #expect(try await store.read { try $0.value("SELECT name FROM station") } == .text("Brest"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "backup.sqlite", "stations.sqlite", "stations.sqlite-shm", "stations.sqlite-wal",
      ])
  }

  private struct Refusal: Error {}

  @Test func `a rejected restore changes nothing, and no other client writes during its check`()
    async throws
  {
    let store = folder.stations()
    let target = folder.file("backup.sqlite")
    try await store.write { try $0.execute("INSERT INTO station VALUES (1, 'Brest', 'B')") }
    try await store.backup(to: target)
    try await store.write { try $0.execute("DELETE FROM station") }
    let other = folder.stations(lockTimeout: 0)
    await #expect(throws: Refusal.self) {
      try await store.restore(
        from: target,
        verifying: { connection in
          #expect(try connection.value("SELECT count(*) FROM station") == .integer(0))
          #expect(throws: StoreError.self) {
            try other.blockingSession {
              try $0.write { try $0.execute("INSERT INTO station VALUES (2, 'Kiel', 'K')") }
            }
          }
          throw Refusal()
        })
    }
    #expect(try await store.read { try $0.value("SELECT count(*) FROM station") } == .integer(0))
    try await store.restore(from: target, verifying: { _ in })
    #expect(try await store.read { try $0.value("SELECT name FROM station") } == .text("Brest"))
  }

  @Test func `a backup is restored without creating files beside it, even if it was opened as a store`() async throws {
    let source = folder.stations("backup.sqlite")
    try await source.write { try $0.execute("INSERT INTO station VALUES (1, 'Brest', 'B')") }
    await source.close()
    let store = folder.stations()
    try await store.restore(from: source.path)
    #expect(try await store.read { try $0.value("SELECT name FROM station") } == .text("Brest"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.filter { $0.hasPrefix("backup") } == ["backup.sqlite"])
  }

  @Test func `a backup behind a symbolic link is restored with its log`() async throws {
    let source = folder.stations("x.sqlite")
    try await source.write { try $0.execute("INSERT INTO station VALUES (1, 'Brest', 'B')") }
    let copies = folder.file("copies")
    try FileManager.default.createDirectory(atPath: copies, withIntermediateDirectories: true)
    // The open store keeps its newest rows in the log.
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: source.path + suffix, toPath: copies + "/x.sqlite" + suffix)
    }
    let link = folder.file("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: copies + "/x.sqlite")
    let store = folder.stations()
    try await store.restore(from: link)
    #expect(try await store.read { try $0.value("SELECT name FROM station") } == .text("Brest"))
    await source.close()
  }

  @Test func `a store without its log is one file until it is written again`() async throws {
    let store = folder.stations()
    try await store.write { try $0.execute("INSERT INTO station VALUES (1, 'Brest', 'B')") }
    try await store.removeLog()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["stations.sqlite"])
    await store.close()
    let again = folder.stations()
    #expect(try await again.read { try $0.value("SELECT name FROM station") } == .text("Brest"))
    try await again.write { try $0.execute("DELETE FROM station") }
    #expect(FileManager.default.fileExists(atPath: again.path + "-wal"))
  }

  @Test func `a backup of an older version is migrated`() async throws {
    let old = folder.stations("old.sqlite", versions: 1)
    try await old.write { try $0.execute("INSERT INTO station VALUES (1, 'Brest')") }
    try await old.backup(to: folder.file("backup.sqlite"))
    let store = folder.stations()
    try await store.restore(from: folder.file("backup.sqlite"))
    #expect(try await store.read { try $0.value("SELECT code FROM station") } == .text("BREST"))
  }

  @Test func `a failed restore leaves the content unchanged`() async throws {
    let store = folder.stations()
    try await store.write { try $0.execute("INSERT INTO station VALUES (1, 'Brest', 'B')") }
    let whole = try await filledFile()
    try make("garbage", [UInt8](repeating: 7, count: 5000))
    try make("empty", [])
    try make("cut", Array(whole.prefix(whole.count / 2)))
    let foreign = SQLiteStore(
      name: "foreign", path: folder.file("foreign"), migrations: [Migration(1, "x", sql: "CREATE TABLE other (a)")])
    try await foreign.write { _ in }
    let newer = SQLiteStore(
      name: "newer", path: folder.file("newer"),
      migrations: StoreFolder.migrations + [Migration(4, "x", sql: "CREATE TABLE other (a)")])
    try await newer.write { _ in }
    var codes: [String: String] = [:]
    for name in ["garbage", "empty", "cut", "foreign", "newer", "missing"] {
      do { try await store.restore(from: folder.file(name)) } catch let error as StoreError {
        codes[name] = error.report.code
      }
    }
    #expect(
      codes == [
        "garbage": "store.not-a-database", "empty": "store.foreign-backup", "cut": "store.damaged",
        "foreign": "store.foreign-backup", "newer": "store.newer-schema", "missing": "store.cannot-open",
      ])
    let missing = folder.file("missing")
    let error = await #expect(throws: StoreError.noBackup(path: missing)) { try await store.restore(from: missing) }
    #expect(error?.report.kind == .notFound && error?.report.message == "backup '\(missing)' not found")
    // The existence of a file is unknown if its path cannot be resolved.
    let loop = folder.file("loop")
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    let failure = await #expect(throws: StoreError.self) { try await store.restore(from: loop) }
    #expect(failure?.report.kind == .failure)
    #expect(try await store.read { try $0.value("SELECT name FROM station") } == .text("Brest"))
    #expect(try await store.check().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.file("missing")))
  }

  @Test func `a damaged store is moved aside and replaced`() async throws {
    let good = folder.stations("good.sqlite")
    try await good.write { try $0.execute("INSERT INTO station VALUES (1, 'Brest', 'B')") }
    try await good.backup(to: folder.file("backup.sqlite"))
    let garbage = [UInt8](repeating: 9, count: 9000)
    try make("stations.sqlite", garbage)
    let store = folder.stations()
    try await store.restore(from: folder.file("backup.sqlite"))
    #expect(try await store.read { try $0.value("SELECT name FROM station") } == .text("Brest"))
    #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: store.path + ".damaged-1"))) == garbage)
  }

  @Test func `an export holds every table`() async throws {
    let store = folder.stations()
    try await store.write { connection in
      try connection.execute("INSERT INTO station VALUES (1, 'Brest', 'B'), (2, NULL, 'D')")
      try connection.execute("INSERT INTO height VALUES (1, 5, 1.25), (2, 6, -0.5)")
    }
    let value = try Value(decoding: await store.export().encoded())
    #expect(value["schemaVersion"] == 3)
    let tables = value["tables"]
    #expect(tables.record?.names == ["height", "station"])
    #expect(tables["height"].table?["metres"]?.values == .numbers([1.25, -0.5], decimals: nil))
    #expect(tables["height"].table?["at"]?.values == .integers([5, 6]))
    #expect(tables["station"].table?["name"]?.values == .values(["Brest", nil]))
    #expect(tables["station"].table?["code"]?.values == .texts(["B", "D"]))
  }

  private func make(_ name: String, _ bytes: [UInt8]) throws {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.file(name + suffix)) }
    try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name)))
  }

  /// Returns the bytes of a closed store with 300 stations.
  private func filledFile() async throws -> [UInt8] {
    let store = folder.stations("filled.sqlite")
    try await store.write { connection in
      for number in 1...300 {
        try connection.execute("INSERT INTO station VALUES (?, ?, 'C')", [number, "station \(number)"])
        try connection.execute("INSERT INTO height VALUES (?, 0, 2.5)", [number])
      }
    }
    await store.close()
    return try [UInt8](Data(contentsOf: URL(fileURLWithPath: store.path)))
  }
}
