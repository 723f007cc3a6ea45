import Foundation
import PluginAPI
import PluginStore
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

@Suite struct ServersStoreTests {
  let folder = CacheFolder()

  private func account(_ id: String, _ user: String = "ada") -> Account {
    Account(id: id, server: ServerAddress(base: "https://lab.example:8443"), user: user)
  }

  @Test func `accounts are listed in order, and the first is the current one`() async throws {
    let store = ServersStore(folder: folder.path)
    var first = account("lab-ada")
    first.backEnd = .tablesV3
    first.dataStore = "DSS1"
    first.dataStores = ["DSS1", "DSS2"]
    first.usesAccessToken = true
    try await store.add(first)
    try await store.add(account("a"))
    #expect(try await store.snapshot() == ServersSnapshot(accounts: [first, account("a")], current: "lab-ada"))
    first.backEnd = .native
    first.dataStore = nil
    try await store.update(first)
    try await store.setCurrent("a")
    try await store.setMapping("/home/ada/mapping.json", of: "a")
    let snapshot = try await store.snapshot()
    #expect(snapshot.accounts.first == first && snapshot.current == "a")
    #expect(snapshot.mappings == ["a": "/home/ada/mapping.json"])
    await store.close()
  }

  @Test func `closing the registry closes what depends on it`() async throws {
    let closed = Mutexed(0)
    let store = ServersStore(folder: folder.path, onClose: { closed.withLock { $0 += 1 } })
    try await store.add(account("a"))
    await store.close()
    #expect(closed.value == 1)
  }

  @Test func `existing, unknown and unsafe names are refused`() async throws {
    let store = ServersStore(folder: folder.path)
    try await store.add(account("a"))
    await #expect(throws: EntityStoreError.accountExists("a")) { try await store.add(account("a")) }
    for id in ["", "..", ".hidden", "a/b", "a b", "ä", String(repeating: "x", count: 300), "a\u{0}"] {
      await #expect(throws: EntityStoreError.unusableAccountName(id)) { try await store.add(account(id)) }
    }
    await #expect(throws: EntityStoreError.unknownAccount("b")) { try await store.setCurrent("b") }
    await #expect(throws: EntityStoreError.unknownAccount("b")) { try await store.removeAccount("b") }
    await #expect(throws: EntityStoreError.unknownAccount("b")) { try await store.update(account("b")) }
    await #expect(throws: EntityStoreError.unknownAccount("b")) { try await store.setMapping(nil, of: "b") }
    await store.close()
  }

  @Test func `case 53: two users of one server have separate caches, each removed with its account`() async throws {
    let store = ServersStore(folder: folder.path)
    for id in ["lab-ada", "lab-bob"] {
      try await store.add(account(id))
      let cache = EntityStore(path: store.cachePath(of: id))
      try await cache.take([EntityRow("of-" + id, id)])
      await cache.close()
    }
    let cache = EntityStore(path: store.cachePath(of: "lab-bob"))
    #expect(try await cache.entity("of-lab-ada") == nil)
    #expect(try await cache.entity("of-lab-bob") != nil)
    await cache.close()
    try await store.removeAccount("lab-ada")
    #expect(!FileManager.default.fileExists(atPath: store.cachePath(of: "lab-ada")))
    #expect(FileManager.default.fileExists(atPath: store.cachePath(of: "lab-bob")))
    #expect(try await store.snapshot().current == "lab-bob")
    await store.close()
  }

  @Test func `keys are trusted per host and port`() async throws {
    let store = ServersStore(folder: folder.path)
    let key = TrustedKey(host: "lab:443", pin: "aa", subject: "CN=lab", firstTrustedAt: Instant(seconds: 5))
    try await store.trust(key)
    var other = key
    other.host = "lab:8443"
    other.pin = "bb"
    try await store.trust(other)
    #expect(try await store.snapshot().trustedKeys == [key, other])
    await store.close()
  }

  @Test func `a check covers the caches too`() async throws {
    let store = ServersStore(folder: folder.path)
    try await store.add(account("good"))
    try await store.add(account("bad"))
    try await store.add(account("none"))
    let cache = EntityStore(path: store.cachePath(of: "good"))
    try await cache.take([EntityRow("A", "a")])
    await cache.close()
    #expect(try await store.check().isEmpty)
    try Data("not a database at all, but a text".utf8).write(to: URL(filePath: store.cachePath(of: "bad")))
    let found = try await store.check()
    #expect(found.map(\.severity) == [.error] && found.first?.message.hasPrefix("cache of account 'bad': ") == true)
    #expect(!FileManager.default.fileExists(atPath: store.cachePath(of: "none")))
    await store.close()
  }

  @Test func `a backup restores the registry`() async throws {
    let store = ServersStore(folder: folder.path)
    try await store.add(account("a"))
    try await store.backup(to: folder.path + "/backup")
    try await store.removeAccount("a")
    try await store.restore(from: folder.path + "/backup")
    #expect(try await store.accounts() == [account("a")])
    #expect(try await store.export()["tables"]["account"] != .null)
    await store.close()
  }
}
