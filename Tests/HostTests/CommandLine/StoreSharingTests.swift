import PluginAPI
import PluginPostgres
import Synchronization
import Testing

@testable import Host

private let hasLibrary = (try? PostgresAddress("postgresql://localhost/lab")) != nil

/// `store share` and `store unshare` with stores in memory.
@MainActor @Suite(.enabled(if: hasLibrary, "libpq is not installed"))
struct StoreSharingTests {
  private static let address = "postgresql://ada@localhost/lab"
  private let rocks = RockStore()
  private let run: CommandLineRun

  init() throws {
    run = try CommandLineRun()
    try run.interpreter.session.plugins.adopt(CellarPlugin([rocks, OwnerStore()]))
  }

  private func share(_ options: String..., to address: String = address, _ store: String = "cellar:rocks") async throws
    -> Value
  {
    try JSONReader.read(Array(try await run.output(["store", "share", store, address, "--json"] + options).utf8))
  }

  private func unshare(_ options: String...) async throws -> Value {
    try JSONReader.read(Array(try await run.output(["store", "unshare", "cellar:rocks", "--json"] + options).utf8))
  }

  /// Returns the exit status and code of the error of a line.
  private func refusal(_ words: String...) async throws -> String {
    let error = try #require(await run.error(words))
    return "\(error.exitStatus) \(error.code)"
  }

  /// Returns the back ends that 'store list' names.
  private func backends() async throws -> [String: String] {
    let rows = try JSONReader.read(Array(try await run.output("store", "list", "--json").utf8)).list ?? []
    return Dictionary(uniqueKeysWithValues: rows.map { ($0["name"].text ?? "", $0["backend"].text ?? "") })
  }

  @Test func `a shared store uses the database, and sharing it again copies only new data`() async throws {
    #expect(try await backends() == ["cellar:rocks": "sqlite", "cellar:owners": "sqlite"])
    #expect(
      try await share("--yes") == [
        "store": "cellar:rocks", "backend": .text(Self.address), "copied": 2, "known": 0, "notCopied": 0,
      ])
    #expect(try await backends() == ["cellar:rocks": Self.address, "cellar:owners": "sqlite"])
    #expect(try await run.output("store", "export", "cellar:rocks", "--json").contains(Self.address))
    rocks.add("basalt")
    let again = try await share("--yes")
    #expect(again["copied"] == 1 && again["known"] == 2)
  }

  @Test func `an unshared store uses its file again`() async throws {
    _ = try await share("--yes")
    #expect(try await refusal("store", "unshare", "cellar:rocks") == "7 host.not-confirmed")
    #expect(try await backends()["cellar:rocks"] == Self.address)
    #expect(try await unshare("--yes") == ["store": "cellar:rocks", "backend": "sqlite"])
    #expect(try await backends()["cellar:rocks"] == "sqlite")
    #expect(try await refusal("store", "unshare", "cellar:rocks", "--yes") == "7 host.store-not-shared")
    #expect(try await share("--yes")["known"] == 2)
  }

  @Test func `a failure leaves the store on this machine, and sharing can be retried`() async throws {
    rocks.failNext(.unreachable(.init(message: "no route to host", server: Self.address)))
    #expect(try await refusal("store", "share", "cellar:rocks", Self.address, "--yes") == "6 store.unreachable")
    #expect(try await backends()["cellar:rocks"] == "sqlite")
    #expect(try await share("--yes")["copied"] == 2)
  }

  @Test func `sharing requires confirmation and network access`() async throws {
    #expect(try await refusal("store", "share", "cellar:rocks", Self.address) == "7 host.not-confirmed")
    run.interpreter.session.options.isOffline = true
    #expect(try await refusal("store", "share", "cellar:rocks", Self.address, "--yes") == "6 store.unreachable")
    #expect(rocks.sharedAddress == nil)
  }

  @Test func `an address with a password is refused before any other check`() async throws {
    for store in ["cellar:rocks", "cellar:owners", "cellar:nothing"] {
      let error = await run.error("store", "share", store, "postgresql://ada:secret@localhost/lab", "--yes")
      #expect(error?.code == "store.password-in-address" && error?.exitStatus == 7)
      #expect(error?.description.contains("secret") == false)
    }
    #expect(rocks.sharedAddress == nil)
    #expect(try await refusal("store", "share", "cellar:rocks", "mysql://localhost/lab") == "2 store.bad-address")
    #expect(try await refusal("store", "share", "cellar:nothing", Self.address) == "3 host.unknown-store")
  }

  @Test func `the error for a store that cannot be shared lists shareable stores`() async throws {
    for words in [["share", "cellar:owners", Self.address, "--yes"], ["unshare", "cellar:owners", "--yes"]] {
      let error = await run.error(["store"] + words)
      #expect(error?.code == "host.not-shareable" && error?.exitStatus == 7)
      #expect(
        error?.description == "'cellar:owners' cannot be shared; cellar:rocks can be shared; personal data and caches "
          + "stay on this machine")
    }
    let other = try CommandLineRun()
    try other.interpreter.session.plugins.adopt(CellarPlugin([OwnerStore()]))
    #expect(await other.error("store", "unshare", "cellar:owners")?.advice?.hasPrefix("no store can be shared") == true)
  }

  @Test func `the command reports the progress of the store`() async throws {
    let command = try #require(
      HostCommands.all(run.interpreter).first { $0.declaration.name == "store share" })
    run.interpreter.options.assumeYes = true
    let output = ProgressOutput()
    try await command.run(
      CommandCall(
        arguments: ["store": "cellar:rocks", "address": .text(Self.address)],
        context: run.interpreter.session.plugins.hostContext(), output: output))
    #expect(output.progress == [Progress("copying rocks", fraction: 0.5)])
  }
}

/// A plugin with the stores of a test.
private final class CellarPlugin: Plugin {
  let identity = PluginIdentity(id: "cellar", name: "Cellar", version: "1.0.0", summary: "Stores of rocks")
  private let stores: [any Store]

  init(_ stores: [any Store]) { self.stores = stores }

  var parts: PluginParts {
    PluginParts(stores: stores.map { store in StorePart(store.name, "Rocks") { _ in store } })
  }
}

/// A store without a file.
private protocol MemoryStore: Store {}

extension MemoryStore {
  var path: String { "/cellar/" + name }
  var schemaVersion: Int { 1 }
  func check() async throws -> [Diagnostic] { [] }
  func backup(to path: String) async throws {}
  func restore(from path: String) async throws {}
  func close() async {}
}

/// A store that stays on this machine.
private final class OwnerStore: MemoryStore {
  let name = "owners"

  func export() async throws -> Value { .list([]) }
}

/// A store that can be shared; its database holds the names of the rocks.
private final class RockStore: MemoryStore, ShareableStore {
  let name = "rocks"
  private let state = Mutex(State())

  private struct State {
    var local: Set<String> = ["granite", "slate"]
    var database: Set<String> = []
    var address: String?
    var failure: PostgresError?
  }

  /// Adds a rock to the file.
  func add(_ rock: String) { state.withLock { _ = $0.local.insert(rock) } }

  /// Makes the next sharing fail.
  func failNext(_ error: PostgresError) { state.withLock { $0.failure = error } }

  var sharedAddress: String? { state.withLock { $0.address } }

  func share(to address: String, progress: @escaping @Sendable (Progress) -> Void) async throws -> SharedStoreSummary {
    progress(Progress("copying rocks", fraction: 0.5))
    return try state.withLock { state in
      if let failure = state.failure {
        state.failure = nil
        throw failure
      }
      let known = state.local.intersection(state.database).count
      state.database.formUnion(state.local)
      state.address = address
      return SharedStoreSummary(copied: state.local.count - known, known: known)
    }
  }

  func unshare() async throws { state.withLock { $0.address = nil } }

  func export() async throws -> Value { ["source": .text(sharedAddress ?? path)] }
}

/// A receiver that records the progress.
private final class ProgressOutput: CommandOutput {
  private let state = Mutex<[Progress]>([])

  var progress: [Progress] { state.withLock { $0 } }

  func emit(_ value: Value) async throws {}
  func report(_ progress: Progress) { state.withLock { $0.append(progress) } }
  func warn(_ diagnostic: Diagnostic) {}
}
