import Foundation
import PluginStore
import TestSupport
import Testing

@testable import PathCase

/// What is computed of pathways is the same in every process, on however many threads.
///
/// Each process has other random orders of its tables. WORKBENCH_REPEATS says how many processes, a few else; a
/// hundred and more compute all pathways.
struct RepeatedRunTests {
  private static let runs = CampaignNumber.of("WORKBENCH_REPEATS", else: 4)

  @Test(.timeLimit(.minutes(60)))
  func `linking, layouts, drawings and scenarios are the same in every process and on 1 to 16 threads`() async throws {
    let pathways = Self.runs < 100 ? 4 : 46
    var digests: [String: [Int]] = [:]
    for run in 0..<Self.runs {
      // Of few runs some have many threads.
      let threads = Self.runs < 100 ? [1, 16, 3, 8][run % 4] : run % 16 + 1
      let words = ["digest", PathwayShelfTests.resources, String(threads), String(pathways)]
      // Waited for on a thread of its own: servers of other tests need those that tests share.
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
