import Foundation
import Glibc
import PluginAPI
import TestSupport
import Testing

@testable import PathCase

/// Mutated inputs of every kind, passed through every reader, and results passed through further processing.
///
/// WORKBENCH_NETWORKS sets the number of inputs, three thousand by default, and WORKBENCH_SEED their seed.
/// WORKBENCH_NETWORKS_FIRST is the number of the first. The number of the present input is in the file `networks-at` of
/// the temporary folder, in case one crashes the process.
@Suite(.timeLimit(.minutes(60)))
struct MutatedNetworkTests {
  private static let count = CampaignNumber.of("WORKBENCH_NETWORKS", else: 3000)
  private static let seed = CampaignNumber.of("WORKBENCH_SEED", else: 20_261_121)
  private static let first = CampaignNumber.of("WORKBENCH_NETWORKS_FIRST", else: 0)

  /// The outcomes of many inputs.
  private struct Sum {
    var accepted: [String: Int] = [:]
    var refused: [String: Int] = [:]
    var slowest = (seconds: 0.0, number: 0)
    var findings: [String] = []
    /// The maximum resident memory so far, in KiB.
    var memory = MutatedNetworkTests.mostResident
  }

  /// The maximum resident memory of this process, in KiB.
  private static var mostResident: Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
  }

  /// The permitted growth of memory by one input, in KiB: none holds more than a few MiB.
  private static let mostGrowth = 64 << 10

  @Test func `every synthetic seed document is read`() throws {
    for (number, seed) in NetworkSeeds.own.enumerated() {
      let outcome = MutatedNetwork(bytes: seed).outcome()
      // One of the envelopes contains a fault.
      let isFault = outcome.codes == ["pathcase.net-004"]
      #expect(
        outcome.kind != nil || isFault,
        "\(number): \(outcome.codes) \(String(decoding: seed.prefix(80), as: UTF8.self))")
    }
  }

  @Test func `mutated inputs are read or refused, and accepted ones are consistent`() throws {
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
    // Enough inputs are not rejected immediately.
    #expect(sum.accepted.values.reduce(0, +) > Self.count / 20 && sum.refused.count > 10)
  }

  private func read(_ number: Int, _ sum: inout Sum) {
    let bytes = NetworkMutation(seed: Self.seed, number: number).bytes()
    var seconds = 0.0
    // Another process may have used the processor in the meantime: a slow input must be slow again.
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
    // Only in campaigns: other tests of the process take memory and time as well.
    guard Self.count > 3000 else { return }
    let memory = Self.mostResident
    if memory > sum.memory + Self.mostGrowth {
      sum.findings.append("input \(number) took \((memory - sum.memory) / 1024) MiB for \(bytes.count) bytes")
    }
    sum.memory = memory
    if seconds > 1 { sum.findings.append("input \(number) took \(seconds) s") }
  }
}
