import Foundation
import Glibc
import PluginAPI
import TestSupport
import Testing

@testable import PathCase

/// Inputs of every kind that something has gnawed at, through every reader, and what is read through what follows.
///
/// WORKBENCH_NETWORKS says how many, three thousand else, and WORKBENCH_SEED which. WORKBENCH_NETWORKS_FIRST is the
/// number of the first. The number of the input that is being read stands in the file `networks-at` of the folder for
/// temporary files, for the case that one ends the process.
@Suite(.timeLimit(.minutes(60)))
struct MutatedNetworkTests {
  private static let count = CampaignNumber.of("WORKBENCH_NETWORKS", else: 3000)
  private static let seed = CampaignNumber.of("WORKBENCH_SEED", else: 20_261_121)
  private static let first = CampaignNumber.of("WORKBENCH_NETWORKS_FIRST", else: 0)

  /// What came of many inputs.
  private struct Sum {
    var accepted: [String: Int] = [:]
    var refused: [String: Int] = [:]
    var slowest = (seconds: 0.0, number: 0)
    var findings: [String] = []
    /// The most memory that was resident so far, in KiB.
    var memory = MutatedNetworkTests.mostResident
  }

  /// The most memory of this process, in KiB.
  private static var mostResident: Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
  }

  /// By how much an input may raise it, in KiB: none has more than a few MiB in it.
  private static let mostGrowth = 64 << 10

  @Test func `every seed of our own is read`() throws {
    for (number, seed) in NetworkSeeds.own.enumerated() {
      let outcome = MutatedNetwork(bytes: seed).outcome()
      // One of the envelopes tells of a failure.
      let isFault = outcome.codes == ["pathcase.net-004"]
      #expect(
        outcome.kind != nil || isFault,
        "\(number): \(outcome.codes) \(String(decoding: seed.prefix(80), as: UTF8.self))")
    }
  }

  @Test func `mutated inputs are read or refused, and what is read holds`() throws {
    let progress = open(FileManager.default.temporaryDirectory.path + "/networks-at", O_RDWR | O_CREAT | O_TRUNC, 0o600)
    defer { close(progress) }
    var sum = Sum()
    for number in Self.first..<Self.first + Self.count {
      let mark = Array("\(Self.seed) \(number)\n".utf8)
      pwrite(progress, mark, mark.count, 0)
      read(number, &sum)
      if sum.findings.count > 20 { break }
    }
    let kinds = sum.accepted.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    CampaignLine(
      "networks", seed: Self.seed, runs: Self.count,
      words: "\(sum.accepted.values.reduce(0, +)) accepted (\(kinds)), \(sum.refused.count) codes of refusals, "
        + "slowest \(Int(sum.slowest.seconds * 1000)) ms (input \(sum.slowest.number)), "
        + "\(Self.mostResident / 1024) MiB at most"
    ).print()
    #expect(sum.findings.isEmpty, "\(sum.findings.joined(separator: "\n"))")
    // Enough of them are not refused at once.
    #expect(sum.accepted.values.reduce(0, +) > Self.count / 20 && sum.refused.count > 10)
  }

  private func read(_ number: Int, _ sum: inout Sum) {
    let bytes = NetworkMutation(seed: Self.seed, number: number).bytes()
    var seconds = 0.0
    // Another process may have had the processor meanwhile: what is slow is slow again.
    for attempt in 0..<2 {
      let start = ContinuousClock.now
      let outcome = MutatedNetwork(bytes: bytes).outcome()
      let time = start.duration(to: .now).components
      let taken = Double(time.seconds) + Double(time.attoseconds) / 1e18
      seconds = attempt == 0 ? taken : min(seconds, taken)
      if attempt == 0 {
        sum.findings += outcome.findings.map { "input \(number): \($0)" }
        if let kind = outcome.kind { sum.accepted[kind, default: 0] += 1 }
        for code in outcome.codes { sum.refused[code, default: 0] += 1 }
      }
      if seconds < 1 { break }
    }
    if seconds > sum.slowest.seconds { sum.slowest = (seconds, number) }
    let memory = Self.mostResident
    if memory > sum.memory + Self.mostGrowth {
      sum.findings.append("input \(number) took \((memory - sum.memory) / 1024) MiB for \(bytes.count) bytes")
    }
    sum.memory = memory
    // In campaigns alone: what runs beside other tests may wait for long.
    if seconds > 1, Self.count > 3000 { sum.findings.append("input \(number) took \(seconds) s") }
  }
}
