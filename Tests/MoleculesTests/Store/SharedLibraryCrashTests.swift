import PluginAPI
import PluginPostgres
import PluginText
import TestSupport
import Testing

@testable import Molecules

/// A library that is shared while the server crashes.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.absence)), .timeLimit(.minutes(20)))
struct SharedLibraryCrashTests {
  @Test func `a server crash during a share leaves the user's library unchanged, and repeating the share completes it`()
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
      let moment: SharedDatabase.CrashMoment =
        round % 2 == 0
        ? .report(Int.random(in: 0...molecules.count, using: &random))
        : .insertion(
          into: "original",
          where: "new.digest = '\(molecules[Int.random(in: molecules.indices, using: &random)].digest)'")
      let store = fixture.reopened()
      let error = await #expect(throws: PostgresError.self) {
        try await database.crash(server, at: moment) { report in
          _ = try await store.share(to: database.address) { _ in report() }
        }
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
}
