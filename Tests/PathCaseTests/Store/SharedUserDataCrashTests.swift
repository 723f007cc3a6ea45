import Foundation
import PluginAPI
import PluginPostgres
import PluginText
import TestSupport
import Testing

@testable import PathCase

/// Data that is shared while the server crashes.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.absence)), .timeLimit(.minutes(20)))
struct SharedUserDataCrashTests {
  private static let names = (10..<30).map { "day \($0)" }

  @Test func `a server crash during a share leaves the user's data unchanged, and repeating the share completes it`()
    async throws
  {
    let server = try PostgresServer()
    defer { server.stop() }
    let database = try UserDataFixture.database(on: server)
    let fixture = try UserDataFixture(database)
    try await fixture.store.save(try #require(MawSamples.small.layouts.first))
    for name in Self.names { try await fixture.store.save(SavedObservations.sample(name)) }
    let layouts = try await fixture.store.layouts()
    await fixture.store.close()
    let file = URL(fileURLWithPath: fixture.store.path)
    let own = try Data(contentsOf: file)
    var random = SplitMix64(seed: 24)
    for round in 0..<6 {
      let moment: SharedDatabase.CrashMoment =
        round % 2 == 0
        ? .report(Int.random(in: 0...2, using: &random))
        : .insertion(
          into: "observations", where: "new.name = '\(Self.names[Int.random(in: Self.names.indices, using: &random)])'")
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
      #expect(summary.copied + summary.known == 1 + Self.names.count && summary.notCopied == 0)
      #expect(try await again.observationNames() == Self.names)
      let shared = try await again.layouts()
      #expect(shared.count == 1 && shared.first?.hasContent(of: layouts[0]) == true)
      try await again.unshare()
      await again.close()
      #expect(try Data(contentsOf: file) == own)
      try database.run("DELETE FROM layout")
      try database.run("DELETE FROM observations")
    }
  }
}
