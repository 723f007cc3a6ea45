import Foundation
import PluginAPI
import PluginTesting
import PluginText
import TestSupport
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

/// Refreshes by a process that is killed at a random time, and their completion by the next process.
///
/// WORKBENCH_LAB_KILLS sets the number of kills, by default a few dozen, and WORKBENCH_SEED their times.
@Suite(.serialized, .timeLimit(.minutes(240)))
struct KilledSyncTests {
  private static let resources = Checkout.root.path + "/Plugins/OpenBIS/Resources"
  /// The number of kills for each interface of a server.
  private static let kills =
    CampaignNumber.of("WORKBENCH_LAB_KILLS", else: 20) / 2
  private static let seed = CampaignNumber.of("WORKBENCH_SEED", else: 7)

  /// A process that refreshes a cache.
  ///
  /// Its output is awaited on a thread of its own, because the server needs the threads of the tests.
  private final class Syncer: @unchecked Sendable {
    private let process = Process()
    private let output = Pipe()

    init(_ home: String, _ line: String = "sync --no-index") throws {
      process.executableURL = BuiltProgram.folder.appendingPathComponent("LabSyncer")
      process.arguments = [home, KilledSyncTests.resources, line]
      process.standardOutput = output
      try process.run()
    }

    /// Returns the next letter of its output; nil when it has ended.
    func letter() async -> Character? { await apart { $0.next() } }

    var isRunning: Bool { process.isRunning }

    func kill() { Glibc.kill(process.processIdentifier, SIGKILL) }

    /// Waits for its end; returns the remaining output, and true if it was killed.
    func end() async -> (words: String, wasKilled: Bool) {
      await apart { syncer in
        var words = ""
        while let letter = syncer.next() { words.append(letter) }
        syncer.process.waitUntilExit()
        return (words, syncer.process.terminationReason == .uncaughtSignal)
      }
    }

    private func next() -> Character? {
      let data = try? output.fileHandleForReading.read(upToCount: 1)
      return data?.first.map { Character(Unicode.Scalar($0)) }
    }

    private func apart<Result: Sendable>(_ body: @escaping @Sendable (Syncer) -> Result) async -> Result {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body(self)) }
      }
    }
  }

  /// Returns the number of requests for rows, without those that begin every refresh.
  private static func batches(_ server: SimulatorServer) -> Int {
    server.calls.filter { call in
      if let key = call.requestKey { return key == "NAVIGATION" || key == "ROOT" }
      return call.method.hasPrefix("search") && call.parameters.contains { $0["count"].integer ?? 0 > 1 }
    }.count
  }

  @Test(arguments: ["", "--native"])
  func `case 52: a killed sync leaves an intact cache, and the next one resumes`(
    _ options: String
  )
    async throws
  {
    var configuration = SimulatorConfiguration(shape: .plain)
    (configuration.entities, configuration.categories) = (options.isEmpty ? 4000 : 6000, 40)
    let server = try SimulatorServer(configuration)
    func home() async throws -> (CacheFolder, LabUser) {
      let folder = CacheFolder()
      let user = try await LabUser(server: server, home: folder.path)
      try await user.logIn(options)
      server.forgetCalls()
      return (folder, user)
    }
    let (first, undisturbed) = try await home()
    // The first start of the program is slow; the second is the measure.
    let warm = try Syncer(first.path)
    let warmed = await warm.end().words
    try #require(warmed == "be")
    let content = try await undisturbed.content()
    let (usual, calls) = (Self.batches(server), server.callCount)
    func time(_ line: String) async throws -> Duration {
      var shortest = Duration.seconds(60)
      for _ in 0..<3 {
        let (folder, _) = try await home()
        let measured = try Syncer(folder.path, line)
        let begun = await measured.letter()
        try #require(begun == "b")
        let start = ContinuousClock.now
        let ended = await measured.end().words
        try #require(ended == "e")
        shortest = min(shortest, .now - start)
      }
      return shortest
    }
    let whole = try await time("sync --no-index")
    let index = max(try await time("sync") - whole, .milliseconds(1))
    var random = SplitMix64(seed: UInt64(Self.seed))
    // Objects: while a page is written the next one is on its way, and two pages are one batch.
    let mostAgain = options.isEmpty ? 1 : 2
    var (interrupted, indexing, again) = (0, 0, 0)
    for number in 0..<Self.kills {
      let (folder, user) = try await home()
      // Some are killed while they build the substring index.
      let isLate = number % 5 == 4
      let syncer = try Syncer(folder.path, isLate ? "sync" : "sync --no-index")
      _ = await syncer.letter()
      // The time is measured by the server's calls, which do not depend on the machine's load, plus a short delay.
      let call = isLate ? calls : Int.random(in: 1...calls, using: &random)
      let more = (isLate ? index : whole / calls) * Double.random(in: 0..<0.9, using: &random)
      await until { server.callCount >= call || !syncer.isRunning }
      // The random delay is the subject: kills at events would miss the moments between two of them. Nothing depends
      // on the clock, as every moment must be safe.
      try await Task.sleep(for: more)
      syncer.kill()
      interrupted += await syncer.end().wasKilled ? 1 : 0
      let cache = EntityStore(path: try await user.cachePath())
      #expect(try await cache.check() == [], "kill \(number)")
      #expect(try cache.check(path: cache.path) == [], "kill \(number)")
      await cache.close()
      let isUnfinished = try await user.state().completedAt == nil
      try await user.run("sync")
      let found = try await user.content()
      #expect(found == content, "kill \(number): \(found.differences(from: content))")
      #expect(found.digest == content.digest)
      #expect(try await user.state().unfinished == nil)
      if !isUnfinished {
        // Everything was there except the substring index; the requests belong to a separate refresh.
        indexing += 1
        continue
      }
      let repeated = Self.batches(server) - usual
      again = max(again, repeated)
      #expect(repeated <= mostAgain, "kill \(number): \(repeated) answers were asked for again")
    }
    CampaignLine(
      "lab kills, \(options.isEmpty ? "tables" : "objects")", seed: Self.seed, runs: Self.kills,
      words: "\(interrupted) killed before their end, \(indexing) of all with only the index missing; "
        + "at most \(again) responses requested again"
    ).print()
    #expect(interrupted * 10 >= Self.kills * 7)
    await server.stop()
  }
}
