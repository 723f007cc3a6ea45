import Foundation
import PluginAPI
import PluginStore
import Synchronization
import TestSupport
import Testing

@Suite struct StoreSharingTests {
  /// The content of a shared store, which records its use.
  private final class Rocks: SharedContent {
    let address: String
    private let state = Mutex((listens: 0, isClosed: false))

    init(_ address: String) { self.address = address }

    var listens: Int { state.withLock { $0.listens } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func listen() { state.withLock { $0.listens += 1 } }
    func close() async { state.withLock { $0.isClosed = true } }
  }

  private final class Tally: Sendable {
    let changes = Atomic(0)
  }

  private struct Refusal: Error, Equatable {}

  private let folder: TemporaryFolder
  private let tally = Tally()

  init() throws { folder = try TemporaryFolder() }

  private func sharing() -> StoreSharing<Rocks> {
    StoreSharing(
      SharedStoreErrors(of: "rocks", plugin: "cellar"), folder: folder.path.path,
      onChange: { [tally] in tally.changes.add(1, ordering: .relaxed) }
    ) { address in
      if address == "broken" { throw Refusal() }
      return Rocks(address)
    }
  }

  private var changes: Int { tally.changes.load(ordering: .relaxed) }

  @Test func `a shared database is used, also by later processes, until the store is unshared`() async throws {
    let sharing = sharing()
    #expect(try sharing.address == nil && sharing.content() == nil)
    #expect(try await sharing.share(to: "one") { $0.address } == "one")
    let first = try #require(try sharing.content())
    #expect(try sharing.address == "one" && self.sharing().content()?.address == "one" && changes == 1)
    _ = try await sharing.share(to: "two") { $0.address }
    #expect(first.isClosed && self.sharing().address == "two" && changes == 2)
    let second = try #require(try sharing.content())
    try await sharing.unshare()
    #expect(try second.isClosed && sharing.content() == nil && changes == 3)
    #expect(self.sharing().address == nil)
  }

  @Test func `a failed copy leaves the store as it is`() async throws {
    let sharing = sharing()
    _ = try await sharing.share(to: "one") { $0.address }
    let opened = Mutex<Rocks?>(nil)
    await #expect(throws: Refusal.self) {
      try await sharing.share(to: "two") { rocks in
        opened.withLock { $0 = rocks }
        throw Refusal()
      }
    }
    await #expect(throws: Refusal.self) { try await sharing.share(to: "broken") { _ in } }
    #expect(opened.withLock { $0?.isClosed } == true)
    #expect(try sharing.content()?.isClosed == false)
    #expect(sharing.address == "one" && self.sharing().address == "one" && changes == 1)
  }

  @Test func `an address that cannot be read or used makes each access an error`() async throws {
    try folder.write(Array("broken\n".utf8), "rocks.shared")
    let broken = sharing()
    #expect(broken.address == "broken")
    for _ in 0..<2 { #expect(throws: Refusal.self) { _ = try broken.content() } }
    broken.listen()
    await broken.close()
    try FileManager.default.removeItem(at: folder.url("rocks.shared"))
    try FileManager.default.createDirectory(at: folder.url("rocks.shared"), withIntermediateDirectories: true)
    let unknown = sharing()
    #expect(unknown.address == "unknown address")
    let error = #expect(throws: ErrorReport.self) { _ = try unknown.content() }
    #expect(error?.code == "cellar.shared-address-unreadable")
    #expect(error?.advice?.contains("'workbench store unshare cellar:rocks'") == true)
    let refusal = await #expect(throws: ErrorReport.self) { try await unknown.unshare() }
    #expect(refusal?.code == "cellar.shared-address-not-kept")
  }

  @Test func `a store that a screen shows observes its database, also after a change of database`() async throws {
    let sharing = sharing()
    sharing.listen()
    _ = try await sharing.share(to: "one") { $0.address }
    sharing.listen()
    #expect(try sharing.content()?.listens == 1)
    let later = self.sharing()
    #expect(try later.content()?.listens == 0)
    later.listen()
    #expect(try later.content()?.listens == 1)
    await later.close()
    #expect(try later.content()?.isClosed == true)
  }

  @Test func `errors have the plugin's codes and advice`() {
    let errors = SharedStoreErrors(of: "rocks", plugin: "cellar")
    let reports = [
      errors.shared(at: "postgresql://db/lab", "backed up to a file", use: "'pg_dump'"),
      errors.addedByOther("rock 'slate'", user: "ada"), errors.copyDiffers(["rock 'slate'", "rock 'basalt'"]),
    ]
    let codes = ["cellar.rocks-shared", "cellar.added-by-other", "cellar.copy-differs"]
    #expect(reports.map(\.code) == codes && Set(errors.errorCodes.map(\.code)).isSuperset(of: codes))
    #expect(
      reports[0].description == "the store is in 'postgresql://db/lab' and cannot be backed up to a file; "
        + "use 'pg_dump', or run 'workbench store unshare cellar:rocks' first")
    #expect(reports[1].message == "rock 'slate' was added by 'ada'")
    #expect(reports[2].message.hasSuffix("the same content: rock 'slate', rock 'basalt'"))
  }
}
