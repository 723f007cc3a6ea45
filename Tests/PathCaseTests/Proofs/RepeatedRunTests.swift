import Foundation
import PluginStore
import TestSupport
import Testing

@testable import PathCase

/// Equality of results for pathways in every process, with any number of threads.
///
/// Each process has other hash seeds. WORKBENCH_REPEATS sets the number of processes, a few by default; with a hundred
/// or more, all pathways are computed.
struct RepeatedRunTests {
  private static let runs = CampaignNumber.of("WORKBENCH_REPEATS", else: 4)

  @Test(.timeLimit(.minutes(60)))
  func `linking, layouts, drawings and scenarios are the same in every process and on 1 to 16 threads`() async throws {
    let pathways = Self.runs < 100 ? 4 : 46
    var digests: [String: [Int]] = [:]
    for run in 0..<Self.runs {
      // In short campaigns, some runs have many threads.
      let threads = Self.runs < 100 ? [1, 16, 3, 8][run % 4] : run % 16 + 1
      let words = ["digest", PathwayShelfTests.resources, String(threads), String(pathways)]
      // The test waits on a dedicated thread: servers of other tests need the shared threads.
      let outcome = try await OwnThread.value { _ in
        try BuiltProgram.run(
          BuiltProgram.folder.appendingPathComponent("DatabaseUpdater"), words, deadlineInSeconds: 600)
      }
      try #require(outcome.status == 0, "\(outcome.output)")
      digests[outcome.output, default: []].append(threads)
    }
    #expect(digests.count == 1, "\(digests)")
    CampaignLine(
      "repeats", seed: 0, runs: Self.runs, words: "\(pathways) pathways on 1 to 16 threads, \(digests.count) outcome"
    ).print()
  }
}
