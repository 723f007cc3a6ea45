import Foundation
import PluginAPI
import PluginStore
import Synchronization
import Testing

@testable import PathCase

struct SnapshotStoreTests {
  private struct Stop: Error {}

  private func origin(_ digit: Character) -> SnapshotOrigin {
    SnapshotOrigin(sha256: String(repeating: digit, count: 64), source: "test", fetchedAt: 1_800_000_000)
  }

  private func database(_ name: String) throws -> MetabolicDatabase {
    var records = MawSamples.small
    records.snapshot = name
    return try DatabaseLinker.link(records)
  }

  private func snapshot(in folder: PathCaseFolder) throws -> String {
    let handle = try SnapshotStore(folder: folder.path).open()
    let records = try handle.records()
    // The snapshot is complete, whichever it is.
    var expected = try database(records.snapshot).records
    expected.snapshot = records.snapshot
    #expect(records == expected)
    handle.close()
    return records.snapshot
  }

  /// Returns the code of the error that a function throws; nil if it throws none.
  private func code(_ body: () throws -> Void) -> String? {
    #expect(throws: ErrorReport.self, performing: body)?.code
  }

  @Test func `an installed snapshot is read back unchanged`() async throws {
    let folder = try PathCaseFolder()
    let store = SnapshotStore(folder: folder.path + "/deep/er")
    #expect(try store.isEmpty())
    #expect(code { _ = try store.open() } == SnapshotStoreError.empty.code)
    let documents = ContractWriter.documents(of: MawSamples.small).map {
      FetchedDocument(entry: $0.entry, bytes: $0.bytes)
    }
    try store.install(database("small"), origin: origin("a"), documents: documents)
    let handle = try store.open()
    #expect(try handle.records() == database("small").records)
    #expect(try handle.origin() == origin("a"))
    #expect(try handle.content().documents == documents.sorted { $0.entry.path < $1.entry.path })
    #expect(try DatabaseLinker.link(handle.records()).warnings.isEmpty)
  }

  @Test func `a snapshot from before genes and synonyms were stored is read without them`() async throws {
    let folder = try PathCaseFolder()
    var records = MawSamples.small
    records.processes[0].genes = []
    records.pathways[0].synonyms = []
    let content = SnapshotContent(database: try DatabaseLinker.link(records), origin: origin("a"), documents: [])
    let path = folder.path + "/old.sqlite"
    let old = SQLiteStore(name: "old", path: path, migrations: Array(SnapshotSchema.migrations.prefix(1)))
    try await old.write { try SnapshotRows(connection: $0).write(content) }
    await old.close()
    let handle = try SnapshotHandle(path: path)
    #expect(try handle.records() == content.database.records)
    handle.close()
  }

  @Test func `the previous snapshot is kept and restored by a rollback`() async throws {
    let folder = try PathCaseFolder()
    let store = SnapshotStore(folder: folder.path)
    try store.install(database("one"), origin: origin("1"))
    let reader = try store.open()
    try store.install(database("two"), origin: origin("2"))
    try store.install(database("three"), origin: origin("1"))
    // A reader can continue with the file that it opened after the file was removed.
    #expect(try reader.records().snapshot == "one")
    #expect(try snapshot(in: folder) == "three")
    try store.rollback()
    #expect(try snapshot(in: folder) == "two")
    try store.rollback()
    #expect(try snapshot(in: folder) == "three")
    #expect(folder.names.filter { $0.hasSuffix(".sqlite") }.count == 2)
  }

  @Test func `a rollback of the first snapshot restores the bundled database`() async throws {
    let folder = try PathCaseFolder()
    let store = SnapshotStore(folder: folder.path)
    #expect(code { try store.rollback() } == SnapshotStoreError.noEarlier.code)
    try store.install(database("one"), origin: origin("1"))
    try store.rollback()
    #expect(try store.isEmpty())
    #expect(code { _ = try store.open() } == SnapshotStoreError.empty.code)
    try store.rollback()
    #expect(try snapshot(in: folder) == "one")
    let lock = try store.lock()
    try store.useBundled(holding: lock)
    lock.release()
    #expect(try store.isEmpty())
    try store.install(database("two"), origin: origin("2"))
    try store.rollback()
    #expect(try store.isEmpty())
  }

  @Test func `a damaged snapshot is reported, not restored, and replaced by the next`() async throws {
    let folder = try PathCaseFolder()
    let store = SnapshotStore(folder: folder.path)
    try store.install(database("one"), origin: origin("1"))
    let old = try #require(try store.folder.pointer()).current
    try store.install(database("two"), origin: origin("2"))
    for content in [Data(), Data("no database".utf8), Data(repeating: 0x53, count: 9000)] {
      try content.write(to: folder.url.appendingPathComponent(old))
      #expect(throws: ErrorReport.self) { try store.rollback() }
      #expect(try snapshot(in: folder) == "two")
    }
    try store.install(database("three"), origin: origin("3"))
    for pointer in ["no pointer\n", "", String(repeating: "snap-1.sqlite\n", count: 100)] {
      try Data(pointer.utf8).write(to: folder.url.appendingPathComponent("current"))
      #expect(throws: ErrorReport.self) { try store.open() }
    }
    try store.install(database("four"), origin: origin("4"))
    #expect(try snapshot(in: folder) == "four")
  }

  @Test func `with a damaged pointer no backup is made, and the bundled database can be restored`() async throws {
    let folder = try PathCaseFolder()
    let store = DatabaseStore(folder: folder.path)
    let empty = folder.path + "/empty.sqlite"
    try await store.backup(to: empty)
    try store.snapshots.install(database("one"), origin: origin("1"))
    try Data("no pointer\n".utf8).write(to: URL(fileURLWithPath: store.snapshots.folder.path(of: "current")))
    // An empty backup would be taken for one of the bundled database.
    await #expect(throws: ErrorReport.self) { try await store.backup(to: folder.path + "/backup.sqlite") }
    await #expect(throws: ErrorReport.self) { _ = try await store.export() }
    #expect(!folder.names.contains("backup.sqlite"))
    try await store.restore(from: empty)
    #expect(try store.snapshots.isEmpty())
  }

  @Test func `reading a snapshot makes no file beside it`() async throws {
    let folder = try PathCaseFolder()
    let store = SnapshotStore(folder: folder.path)
    try store.install(database("one"), origin: origin("1"))
    let before = folder.names
    let handle = try store.open()
    #expect(try handle.records().snapshot == "one")
    try await handle.backup(to: folder.path + "-backup.sqlite")
    #expect(folder.names == before)
    handle.close()
    try FileManager.default.removeItem(atPath: folder.path + "-backup.sqlite")
  }

  @Test func `a snapshot with an equal digest does not replace a file`() async throws {
    let folder = try PathCaseFolder()
    let store = SnapshotStore(folder: folder.path)
    try store.install(database("one"), origin: origin("1"))
    try store.install(database("two"), origin: origin("1"))
    #expect(try snapshot(in: folder) == "two")
    try store.rollback()
    #expect(try snapshot(in: folder) == "one")
  }

  @Test(arguments: SnapshotStore.Step.allCases)
  func `an interruption at any step leaves a complete snapshot in use`(_ step: SnapshotStore.Step) async throws {
    let folder = try PathCaseFolder()
    try SnapshotStore(folder: folder.path).install(database("old"), origin: origin("1"))
    // The files that a process leaves if it is killed at the step, and if it fails there.
    let killed = Mutex<PathCaseFolder?>(nil)
    let store = SnapshotStore(folder: folder.path) { reached in
      guard reached == step else { return }
      let copy = try folder.copy()
      killed.withLock { $0 = copy }
      throw Stop()
    }
    #expect(throws: Stop.self) { try store.install(database("new"), origin: origin("2")) }
    let expected = step == .pointed || step == .done ? "new" : "old"
    let copy = try #require(killed.withLock { $0 })
    for place in [folder, copy] {
      SnapshotStore(folder: place.path).removeLeftovers()
      #expect(try snapshot(in: place) == expected)
      #expect(!place.names.contains { $0.contains(".tmp") || $0.contains(".part") })
      try SnapshotStore(folder: place.path).install(database("next"), origin: origin("3"))
      #expect(try snapshot(in: place) == "next")
    }
  }

  @Test func `only one process at a time changes the folder`() throws {
    let folder = try PathCaseFolder()
    let first = SnapshotStore(folder: folder.path) { step in
      if step == .written {
        #expect(throws: SnapshotStoreError.busy(folder: folder.path)) {
          try SnapshotStore(folder: folder.path).rollback()
        }
        SnapshotStore(folder: folder.path).removeLeftovers()
      }
    }
    try first.install(database("one"), origin: origin("1"))
    #expect(try !first.isEmpty())
  }

  @Test func `an unwritable folder and a damaged pointer are refused`() throws {
    let folder = try PathCaseFolder()
    try Data("x".utf8).write(to: folder.url.appendingPathComponent("file"))
    #expect(
      throws: SnapshotStoreError.unusable(path: folder.path + "/file/lock", reason: SnapshotFolder.reason(ENOTDIR))
    ) {
      try SnapshotStore(folder: folder.path + "/file").install(database("one"), origin: origin("1"))
    }
    try Data("../../etc/passwd\n".utf8).write(to: folder.url.appendingPathComponent("current"))
    #expect(throws: SnapshotStoreError.damaged(path: folder.path + "/current", reason: "it does not name a snapshot")) {
      try SnapshotStore(folder: folder.path).open()
    }
    try Data("snap-0.sqlite\n".utf8).write(to: folder.url.appendingPathComponent("current"))
    #expect(
      throws: SnapshotStoreError.damaged(path: folder.path + "/snap-0.sqlite", reason: "it cannot be read")
    ) { try SnapshotStore(folder: folder.path).open() }
  }
}
