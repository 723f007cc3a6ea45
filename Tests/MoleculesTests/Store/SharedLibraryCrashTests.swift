import PluginAPI
import PluginPostgres
import PluginText
import Synchronization
import TestSupport
import Testing

@testable import Molecules

/// A library that is shared while the server crashes.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.absence)), .timeLimit(.minutes(20)))
struct SharedLibraryCrashTests {
  /// The moment of a crash.
  private enum Moment {
    /// A report of progress: the preparation is the first, the molecules come next, the check is the last.
    case report(Int)
    /// The insertion of a molecule's original.
    case insertion(NewMolecule)
  }

  @Test func `a share during which the server crashes changes nothing of the own library, and completes when repeated`()
    async throws
  {
    let server = try PostgresServer()
    defer { server.stop() }
    let database = try SharedDatabase(on: server)
    let fixture = LibraryFixture(database)
    // In several batches, so that some molecules may be committed before the crash.
    let molecules = try (0..<9).map { try LibraryFixture.new("MOLECULE \($0)", size: 3 << 20) }
    for molecule in molecules { _ = try await fixture.store.add(molecule) }
    await fixture.store.close()
    let own = try fixture.contents()
    var random = SplitMix64(seed: 24)
    for round in 0..<6 {
      let moment: Moment =
        round % 2 == 0
        ? .report(Int.random(in: 0...molecules.count, using: &random))
        : .insertion(molecules[Int.random(in: molecules.indices, using: &random)])
      let store = fixture.reopened()
      let error = await #expect(throws: PostgresError.self) {
        try await share(store, database, crashing: server, at: moment)
      }
      #expect(error?.report.code == "store.unreachable")
      #expect(store.sharedAddress == nil && fixture.reopened().sharedAddress == nil)
      await store.close()
      let again = fixture.reopened()
      let summary = try await again.share(to: database.address) { _ in }
      #expect(summary.copied + summary.known == molecules.count && summary.notCopied == 0)
      #expect(try await again.snapshot().molecules.map(\.title).sorted() == molecules.indices.map { "MOLECULE \($0)" })
      #expect(try await again.check().isEmpty)
      try await again.unshare()
      await again.close()
      #expect(try fixture.contents() == own)
      try database.run("DELETE FROM molecule")
    }
  }

  /// Shares a library until the server crashes, and waits until the server accepts connections again.
  private func share(
    _ store: LibraryStore, _ database: SharedDatabase, crashing server: PostgresServer, at moment: Moment
  ) async throws {
    switch moment {
    case .report(let number):
      let reports = Mutex(0)
      let result = await outcome {
        try await store.share(to: database.address) { _ in
          let isMoment = reports.withLock { count in
            defer { count += 1 }
            return count == number
          }
          if isMoment { #expect(throws: Never.self) { try server.crash() } }
        }
      }
      try server.start()
      _ = try result.get()
    case .insertion(let molecule):
      try database.crash(onInsertInto: "original", where: "new.digest = '\(molecule.digest)'")
      let result = await outcome { try await store.share(to: database.address) { _ in } }
      #expect(database.recover("original"))
      _ = try result.get()
    }
  }

  private func outcome(
    _ body: () async throws -> SharedStoreSummary
  ) async -> Result<SharedStoreSummary, any Error> {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}
