import Foundation
import PluginAPI
import PluginStore
import PluginVault
import TestSupport
import Testing

@testable import WSABI

struct StoreOpeningTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  @Test func `a new store opens with its passphrase and identifies its user`() async throws {
    let store = try await folder.create()
    #expect(store.user == StoreUser(id: 1, name: "anna", role: .admin))
    await store.close()
    let again = try await folder.open()
    #expect(again.user?.name == "anna")
    #expect(!again.isLocked)
    await again.close()
  }

  @Test(arguments: ["Correct horse battery staple", "correct horse battery stapl", "x"])
  func `a wrong passphrase does not open the store`(_ words: String) async throws {
    await (try folder.create()).close()
    await #expect(throws: VaultError.wrongKey) { try await folder.open(key: .passphrase(Array(words.utf8))) }
  }

  @Test func `an empty or overlong passphrase is refused`() async throws {
    await #expect(throws: VaultError.unusablePassphrase) { try await folder.create(key: .passphrase([])) }
    let long = [UInt8](repeating: 0x61, count: 1025)
    await #expect(throws: VaultError.unusablePassphrase) { try await folder.create(key: .passphrase(long)) }
  }

  @Test func `a key file opens the store, and so do its bytes`() async throws {
    let file = folder.path + ".key"
    defer { unlink(file) }
    try Vault.makeKeyFile(at: file)
    await (try folder.create(key: .keyFile(path: file))).close()
    await (try folder.open(key: .keyFile(path: file))).close()
    let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: file)))
    #expect(bytes.count == 32)
    await (try folder.open(key: .key(bytes))).close()
    await #expect(throws: VaultError.wrongKey) { try await folder.open() }
    await #expect(throws: VaultError.wrongKey) { try await folder.open(key: .key(Array(bytes.reversed()))) }
    await #expect(throws: VaultError.wrongKey) { try await folder.open(key: .key([])) }
    #expect(throws: ErrorReport.self) { try Vault.makeKeyFile(at: file) }
  }

  @Test(arguments: [(0o640, 32), (0o604, 32), (0o600, 31), (0o600, 33), (0o600, 0)])
  func `a key file that others can read, or of the wrong size, is refused`(_ mode: Int, _ size: Int) async throws {
    await (try folder.create()).close()
    let file = folder.path + ".key"
    defer { unlink(file) }
    _ = FileManager.default.createFile(
      atPath: file, contents: Data(count: size), attributes: [.posixPermissions: mode])
    let error = await #expect(throws: ErrorReport.self) { try await folder.open(key: .keyFile(path: file)) }
    #expect(error?.report.code == "wsabi.key-file")
  }

  @Test func `a key file path that is missing or a folder is refused`() async throws {
    await (try folder.create()).close()
    for path in [folder.path + "/none", folder.path, "/dev/zero"] {
      let error = await #expect(throws: ErrorReport.self) { try await folder.open(key: .keyFile(path: path)) }
      #expect(error?.report.code == "wsabi.key-file")
    }
  }

  @Test func `a missing store is not opened, and an existing one is not overwritten`() async throws {
    await #expect(throws: VaultError.noStore(path: folder.path)) { try await folder.open() }
    #expect(try folder.files().isEmpty)
    await (try folder.create()).close()
    await #expect(throws: VaultError.storeExists(path: folder.path)) { try await folder.create() }
    await (try folder.open()).close()
  }

  @Test func `checking, exporting and backing up a missing store does not create it`() async throws {
    let store = RecordStore(folder: folder.path, folder.options)
    #expect(try await store.check().isEmpty)
    #expect(try await store.export()["tables"].record?.isEmpty == true)
    try await store.backup(to: folder.path + ".backup")
    #expect(!store.exists)
    #expect(try folder.files().isEmpty)
    await store.close()
    await (try folder.create()).close()
  }

  @Test func `a store whose creation was interrupted can be created again`() async throws {
    let store = RecordStore(folder: folder.path, folder.options)
    try await store.sqlite.write { _ in }
    let isCreated = await store.isCreated()
    #expect(store.exists && !isCreated)
    await store.close()
    await (try folder.create()).close()
    await (try folder.open()).close()
  }

  @Test func `store files are accessible to the user only`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    try await store.sampleCapture(item.id, StoreSamples.uuid(1), StoreSamples.data(600_000))
    #expect(try folder.mode("") == 0o700)
    #expect(try folder.mode("captures") == 0o700)
    for file in try folder.files() { #expect(try folder.mode(file.name) == 0o600, "\(file.name)") }
    await store.close()
  }

  @Test func `a locked store refuses all access until it is unlocked`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    await store.lock()
    #expect(store.isLocked)
    #expect(store.user == nil)
    await #expect(throws: VaultError.locked) { try await store.person(item.person) }
    await #expect(throws: VaultError.locked) { try await store.people(0..<10) }
    await #expect(throws: VaultError.locked) { try await store.addPerson(Biography(), at: StoreFolder.time) }
    await #expect(throws: VaultError.locked) { try await store.begin(StoreSamples.intent(item.id)) }
    await #expect(throws: VaultError.locked) { try await store.verifyAudit() }
    await #expect(throws: VaultError.wrongKey) { try await store.unlock(.passphrase([1])) }
    #expect(store.isLocked)
    try await store.unlock(StoreFolder.passphrase)
    #expect(try await store.person(item.person).biography.firstName == "Ada")
    await store.close()
  }

  @Test func `changes during locking are complete or refused`() async throws {
    let store = try await folder.create()
    let made = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<60 {
        if number == 20 {
          group.addTask {
            await store.lock(); return false
          }
        }
        group.addTask {
          do {
            _ = try await store.addPerson(StoreSamples.biography("P\(number)"), at: StoreFolder.time)
            return true
          } catch VaultError.storeLocked {
            return false
          }
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(store.isLocked)
    try await store.unlock(StoreFolder.passphrase)
    #expect(try await store.people(0..<100).total == made)
    #expect(try await store.check().isEmpty)
    #expect(try await store.verifyAudit().isWhole)
    await store.close()
  }

  @Test func `data received while the store is locked is stored after unlocking`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let number = try await store.begin(StoreSamples.intent(item.id))
    try await store.captured(number, ids: [StoreSamples.uuid(1)])
    let sink = try await store.sink(number, StoreSamples.uuid(1))
    let data = StoreSamples.data(300_000)
    await store.lock()
    try data.withUnsafeBytes { try sink.write($0) }
    let download = StoreSamples.download(StoreSamples.uuid(1))
    await #expect(throws: VaultError.locked) { try await store.keep(number, sink, download) }
    try await store.unlock(StoreFolder.passphrase)
    let record = try await store.keep(number, sink, download)
    #expect(try await store.data(of: record) == data)
    await store.close()
  }

  @Test func `a store with a damaged header does not open`() async throws {
    await (try folder.create()).close()
    let changes = [
      "UPDATE vault SET salt = x'00'", "UPDATE vault SET store = x''", "UPDATE vault SET passes = 0",
      "UPDATE vault SET memory = 9000000000000", "UPDATE vault SET passes = 9223372036854775807",
      "UPDATE slot SET body = x''", "UPDATE slot SET kind = 2", "UPDATE slot SET body = zeroblob(80)",
      "UPDATE vault SET anchor = x'01'", "DELETE FROM slot", "DELETE FROM vault", "UPDATE user SET body = x'00'",
      "UPDATE user SET version = 2", "UPDATE slot SET master = x''", "UPDATE slot SET master = zeroblob(80)",
      "UPDATE vault SET tags = x'00'", "UPDATE vault SET passes = 2", "UPDATE slot SET id = 7",
    ]
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    for sql in changes {
      try whole.write(to: URL(fileURLWithPath: folder.database))
      try await folder.tamper { try $0.execute(sql) }
      let error = await #expect(throws: ErrorReport.self, "\(sql)") { try await folder.open() }
      let codes: Set = ["wsabi.wrong-key", "wsabi.store-damaged", "wsabi.no-store", "wsabi.no-user"]
      #expect(codes.contains(error?.report.code ?? ""), "\(sql)")
    }
  }

  @Test func `a file that is not a database is reported as such`() async throws {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    try Data("no database at all, but long enough to look like one of them".utf8)
      .write(to: URL(fileURLWithPath: folder.database))
    let error = await #expect(throws: StoreError.self) { try await folder.open() }
    #expect(error?.report.code == "store.not-a-database")
  }
}
