import Foundation
import PluginAPI
import PluginPostgres
import PluginText
import Synchronization
import TestSupport
import Testing

@testable import PathCase

/// Data that is shared while the server crashes.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.absence)), .timeLimit(.minutes(20)))
struct SharedUserDataCrashTests {
  private static let names = (10..<30).map { "day \($0)" }

  /// The moment of a crash.
  private enum Moment {
    /// A report of progress: the preparation is the first, one for each kind of items comes next.
    case report(Int)
    /// The insertion of observations.
    case insertion(String)
  }

  @Test func `a share during which the server crashes changes nothing of the own data, and completes when repeated`()
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
      let moment: Moment =
        round % 2 == 0
        ? .report(Int.random(in: 0...2, using: &random))
        : .insertion(Self.names[Int.random(in: Self.names.indices, using: &random)])
      let store = fixture.reopened()
      let error = await #expect(throws: PostgresError.self) {
        try await share(store, database, crashing: server, at: moment)
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

  /// Shares data until the server crashes, and waits until the server accepts connections again.
  private func share(
    _ store: UserDataStore, _ database: SharedDatabase, crashing server: PostgresServer, at moment: Moment
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
    case .insertion(let name):
      try database.crash(onInsertInto: "observations", where: "new.name = '\(name)'")
      let result = await outcome { try await store.share(to: database.address) { _ in } }
      #expect(database.recover("observations"))
      _ = try result.get()
    }
  }

  private func outcome(
    _ body: () async throws -> SharedStoreSummary
  ) async -> Result<SharedStoreSummary, any Error> {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}
