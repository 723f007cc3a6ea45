import Foundation
import Glibc
import PluginText
import TestSupport
import Testing

/// Kills of batch runs, of their children, and of both, again and again until all items are done.
///
/// WORKBENCH_BATCH_KILLS sets the number of kills, WORKBENCH_SEED their moments. Only kills of a live run count. As many
/// tests run at once as there are cores: they mostly wait for processes.
@Suite(.timeLimit(.minutes(120)))
struct BatchStormTests {
  private static let kills = CampaignNumber.of("WORKBENCH_BATCH_KILLS", else: 12)
  private static let seed = CampaignNumber.of("WORKBENCH_SEED", else: 24)

  /// The items of a run: many that are done at once, or few that take a while each.
  enum Pace: String, CaseIterable {
    case quick, slow

    var itemCount: Int {
      switch self {
      case .quick: 3000
      case .slow: 100
      }
    }

    /// The variables with which items take their time.
    var variables: [String: String] {
      switch self {
      case .quick: [:]
      case .slow: ["WORKBENCH_FIXTURE": "slow"]
      }
    }
  }

  /// Checks that a run has each item's one result, none of them an error, and that nothing else is left of it.
  ///
  /// - Returns: The number of lost workers.
  @discardableResult private func checkResults(_ home: BatchHome, itemCount: Int) throws -> Int {
    let outcome = try home.batch("run", ["--workers", "2"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect((outcome.record["errors"] as? [String: Int])?.isEmpty == true)
    let gathered = try home.workbench(["batch", "gather", home.run.path])
    let isEqual = gathered.output == BatchHome.nested(itemCount)
    #expect(isEqual, "\(gathered.errors)")
    #expect(polls { home.temporaryFolders.isEmpty })
    return outcome.record["lost"] as? Int ?? 0
  }

  @Test(arguments: Pace.allCases)
  func `killed children and workers neither lose, duplicate nor change results`(pace: Pace) throws {
    var random = SplitMix64(seed: UInt64(Self.seed))
    var moment = KillMoment()
    let wanted = max(1, Self.kills / Pace.allCases.count)
    var (killed, children, rounds, torn) = (0, 0, 0, 0)
    while killed < wanted, rounds < 10 * wanted {
      rounds += 1
      let home = try BatchHome(pace.variables)
      try home.planNested(pace.itemCount, shards: 8)
      var isComplete = false
      while !isComplete, killed < wanted {
        let run = try home.process("batch", "run", home.run.path, "--workers", "2")
        moment.wait(for: run, &random)
        let alive = BatchHome.children(of: run.processIdentifier).filter(BatchHome.isAlive)
        if Bool.random(using: &random), let victim = alive.randomElement(using: &random) {
          // The run continues without the child; it is killed later, as a node that is lost.
          if kill(victim, SIGKILL) == 0 { children += 1 }
          moment.wait(for: run, &random)
        }
        if moment.kill(run) {
          killed += 1
        } else {
          isComplete = true
          #expect(run.terminationStatus == 0)
        }
        // A power failure leaves a torn line, which a kill does not.
        if let log = home.logs.randomElement(using: &random), Int.random(in: 0..<3, using: &random) == 0 {
          let bytes = try Data(contentsOf: log)
          try bytes.dropLast(Int.random(in: 0...min(bytes.count, 40), using: &random)).write(to: log)
          torn += 1
        }
      }
      try checkResults(home, itemCount: pace.itemCount)
    }
    #expect(killed == wanted)
    CampaignLine(
      "batch runs killed, \(pace.rawValue) items", seed: Self.seed, runs: killed,
      words: "\(rounds) plans of \(pace.itemCount) items, \(children) children killed before, \(torn) logs torn: "
        + "no result lost, doubled or different"
    ).print()
  }

  @Test func `repeated kills do not mark any item as failed`() throws {
    var random = SplitMix64(seed: UInt64(Self.seed))
    var moment = KillMoment(within: 50)
    let count = 200
    var (killed, rounds) = (0, 0)
    while killed < Self.kills, rounds < 10 * Self.kills {
      rounds += 1
      let home = try BatchHome(["WORKBENCH_FIXTURE": "slow"])
      try home.planNested(count, shards: 8)
      let before = killed
      var isComplete = false
      while !isComplete, killed < Self.kills {
        let records = home.recordCount
        let run = try home.process("batch", "run", home.run.path, "--workers", "2")
        #expect(polls { home.recordCount > records || !run.isRunning })
        moment.wait(for: run, &random)
        // Items run again and again, as on nodes that others take.
        let children = BatchHome.children(of: run.processIdentifier)
        for child in children { kill(child, SIGKILL) }
        if moment.kill(run) {
          killed += 1
        } else {
          isComplete = true
          #expect(run.terminationStatus == 0)
        }
        #expect(polls { !children.contains(where: BatchHome.isAlive) })
      }
      let lost = try checkResults(home, itemCount: count)
      #expect(lost >= min(killed - before, 1))
    }
    #expect(killed == Self.kills)
    CampaignLine(
      "batch storms killed", seed: Self.seed, runs: killed,
      words: "\(rounds) plans of \(count) items, killed with their children after each few items: no item in error, "
        + "no result lost, doubled or different"
    ).print()
  }
}
