import PluginAPI
import PluginVault
import TestSupport
import Testing

@testable import WSABI

/// The key that is requested again on screens.
struct ScreenKeyTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func confirms(_ store: RecordStore, _ text: String) async throws -> Bool {
    let station = ScreenStation(records: { store }, sensors: RememberingSensors().screen, now: { StoreFolder.time })
    do {
      try await station.confirm(.typed(text))
      return true
    } catch let error as ErrorReport where error == StationError.otherKey {
      return false
    }
  }

  @Test func `a passphrase may begin with a slash, and is not read as a path`() async throws {
    let store = try await folder.create(key: .passphrase(Array("/dev/null and more".utf8)))
    #expect(try await confirms(store, "/dev/null and more"))
    // Typed text is neither searched for among files nor reported.
    #expect(try await !confirms(store, "/dev/null"))
    #expect(try await !confirms(store, "/no/such/file"))
    await store.close()
  }

  @Test func `a user with a key file confirms by its path`() async throws {
    let path = folder.path + ".key"
    try Vault.makeKeyFile(at: path)
    let store = try await folder.create(key: .keyFile(path: path))
    #expect(try await confirms(store, path))
    #expect(try await !confirms(store, "words"))
    await #expect(throws: ErrorReport.self) { try await confirms(store, path + ".none") }
    await store.close()
  }
}
