import Foundation
import PluginAPI
import PluginStore
import PluginText
import TestSupport
import Testing

@testable import CaptureWriter
@testable import WSABI

/// Captures by processes killed at random moments, repeatedly over the same store.
///
/// WORKBENCH_CAPTURE_KILLS sets the number of kills, by default a dozen, and WORKBENCH_SEED their moments.
@Suite(.serialized, .timeLimit(.minutes(240)))
struct KilledCaptureTests {
  private static let kills = CampaignNumber.of("WORKBENCH_CAPTURE_KILLS", else: 12)
  private static let seed = CampaignNumber.of("WORKBENCH_SEED", else: 7)

  /// The facts that the processes reported as certainly stored.
  private struct Certain {
    /// The items of ids in responses, and of those whose data is stored.
    var answered: [Int: Int] = [:]
    var kept: [Int: Int] = [:]
    var begun: Set<Int> = []
    /// Ids whose data may be gone, and whose data must be gone.
    var clearing: Set<Int> = []
    var cleared: Set<Int> = []
    var errors: [String] = []
    var resumes = 0

    /// Returns the reported ids of an item, from its responses or only from its data.
    private func known(of item: Int) -> [Int] {
      answered.merging(kept) { $1 }.filter { $0.value == item }.map(\.key)
    }

    mutating func read(_ output: String) {
      for line in output.split(separator: "\n") {
        let words = line.split(separator: " ")
        let numbers = words.dropFirst().compactMap { Int($0) }
        switch (words.first, numbers.count) {
        case ("answered", 2): answered[numbers[1]] = numbers[0]
        case ("kept", 2): kept[numbers[1]] = numbers[0]
        // Including data of the item left by an earlier run.
        case ("clearing", 1): clearing.formUnion(known(of: numbers[0]))
        case ("cleared", 1): cleared.formUnion(known(of: numbers[0]))
        case ("begun", 2): begun.insert(numbers[1])
        case ("resumed", _): resumes += 1
        case ("error", _): errors.append(String(line))
        default: break
        }
      }
    }
  }

  @Test func `case 50: no acknowledged response or data is lost, and no record is incomplete`() async throws {
    let folder = try StoreFolder()
    let store = try await folder.create(key: CaptureWriter.key)
    for _ in 1...64 { _ = try await store.samplePerson() }
    await store.close()
    var random = SplitMix64(seed: UInt64(Self.seed))
    var certain = Certain()
    for run in 1...Self.kills {
      // Some are killed while they still finish the work of the one before.
      let isEarly = run % 3 == 0
      let lines = isEarly ? 1 : Int.random(in: 2...400, using: &random)
      let moment = Int.random(in: 0..<(isEarly ? 20_000 : 4_000), using: &random)
      let arguments = [folder.path, "\(run)", "\(lines)", "\(moment)"]
      // On a separate thread, as other tests need those of the pool.
      let outcome = try await OwnThread.value { _ in
        try BuiltProgram.run(BuiltProgram.folder.appendingPathComponent("CaptureWriter"), arguments)
      }
      #expect(outcome.status == 137, "\(outcome.output.suffix(300)) \(outcome.errors.suffix(300))")
      certain.read(outcome.output)
    }
    #expect(certain.errors.isEmpty, "\(certain.errors.prefix(3))")
    #expect(certain.resumes > 0)
    #expect(!certain.kept.isEmpty)
    try await look(at: folder, certain)
    CampaignLine(
      "captures killed", seed: Self.seed, runs: Self.kills,
      words: "\(certain.answered.count) responses and \(certain.kept.count) captures acknowledged, none lost; "
        + "\(certain.cleared.count) cleared, none left"
    ).print()
  }

  private func look(at folder: StoreFolder, _ told: Certain) async throws {
    var certain = told
    let store = try await folder.open(key: CaptureWriter.key)
    #expect(try await store.check(readsData: true).isEmpty)
    #expect(try await store.verifyAudit().isWhole)
    var (kept, waiting): ([Int: Int], [Int: Int]) = ([:], [:])
    for item in 1...64 {
      for record in try await store.captures(of: item) {
        let number = try #require(CaptureWriter.number(record.captureID))
        kept[number] = record.item
        let isRight = try await store.data(of: record) == CaptureWriter.data(number)
        #expect(isRight, "the data of \(number)")
      }
    }
    for open in try await store.unfinished() {
      for id in open.waiting { waiting[try #require(CaptureWriter.number(id))] = open.intent.item }
    }
    #expect(certain.cleared.isDisjoint(with: kept.keys))
    for number in certain.clearing where kept[number] == nil {
      certain.kept[number] = nil
      certain.answered[number] = nil
    }
    let lost = certain.kept.filter { kept[$0.key] != $0.value }
    #expect(lost.isEmpty, "\(lost)")
    let forgotten = certain.answered.filter { kept[$0.key] != $0.value && waiting[$0.key] != $0.value }
    #expect(forgotten.isEmpty, "\(forgotten)")
    #expect(Set(kept.keys).isDisjoint(with: waiting.keys))
    let entries = try await store.auditEntries(1..<Int.max).filter { $0.event.action == .captureAsked }.count
    #expect(entries >= certain.begun.count)
    // Opening has removed files without a writer.
    #expect(try !folder.files().contains { $0.name.hasPrefix("captures/incoming/") })
    let files = try folder.files().filter { $0.name.isCapture }.count
    #expect(files == kept.keys.filter { CaptureWriter.data($0).count >= 262_144 }.count)
    await store.close()
  }
}
