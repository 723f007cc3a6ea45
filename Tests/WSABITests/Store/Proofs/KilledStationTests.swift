import Foundation
import PluginStore
import PluginText
import TestSupport
import Testing

@testable import CaptureWriter
@testable import WSABI
@testable import WSABISimulator

/// A process that captures from many simulated sensors concurrently, killed at random moments over the same store.
///
/// The sensors live on, and their ledger knows their captures. WORKBENCH_CAPTURE_KILLS and WORKBENCH_SEED apply as for
/// the store alone; WORKBENCH_SENSORS sets the number of sensors.
@Suite(.serialized, .timeLimit(.minutes(240)))
struct KilledStationTests {
  private static let kills = CampaignNumber.of("WORKBENCH_CAPTURE_KILLS", else: 6)
  private static let seed = CampaignNumber.of("WORKBENCH_SEED", else: 7)
  private static let sensors = CampaignNumber.of("WORKBENCH_SENSORS", else: 16)

  /// The facts that the processes reported as certainly stored: items by the ids of their data.
  private struct Certain {
    var answered: [String: Int] = [:]
    var kept: [String: Int] = [:]
    var errors: [String] = []
    /// The number of captures that later runs resumed.
    var resumed = 0
    /// The longest time until a store was open, and until all that was left was fetched, in milliseconds.
    var (longestOpening, longestRestart) = (0.0, 0.0)

    mutating func read(_ output: String) {
      for line in output.split(separator: "\n") {
        let words = line.split(separator: " ")
        if words.first == "error" { errors.append(String(line)) }
        if words.first == "open", let time = words.last.flatMap({ Double($0) }) {
          longestOpening = max(longestOpening, time)
        }
        if words.first == "resumed", words.count == 3 {
          resumed += Int(words[1]) ?? 0
          longestRestart = max(longestRestart, Double(words[2]) ?? 0)
        }
        guard words.count == 3, let item = Int(words[1]) else { continue }
        if words[0] == "answered" { answered[String(words[2])] = item }
        if words[0] == "kept" { kept[String(words[2])] = item }
      }
    }
  }

  @Test func `case 50: with sensors, nothing acknowledged is lost or misfiled, and remaining data is downloaded`()
    async throws
  {
    let folder = try StoreFolder()
    let store = try await folder.create(key: CaptureWriter.key)
    for _ in 0..<Self.sensors { _ = try await store.samplePerson() }
    await store.close()
    var configuration = SensorSimulator.Configuration()
    configuration.sensors = Self.sensors
    configuration.modalities = [.finger]
    configuration.captureSizeInBytes = 20_000
    let simulator = try SensorSimulator(configuration)
    var random = SplitMix64(seed: UInt64(Self.seed))
    var certain = Certain()
    for run in 1...Self.kills {
      let lines = run % 4 == 0 ? 1 : Int.random(in: 2...(4 * Self.sensors), using: &random)
      let moment = Int.random(in: 0..<(lines == 1 ? 100_000 : 5_000), using: &random)
      let outcome = try await Self.run([folder.path, "\(run)", "\(lines)", "\(moment)"] + simulator.addresses)
      #expect(outcome.status == 137, "\(outcome.output.suffix(300)) \(outcome.errors.suffix(300))")
      certain.read(outcome.output)
    }
    #expect(certain.errors.isEmpty, "\(certain.errors.prefix(3))")
    #expect(!certain.kept.isEmpty)
    // Few kills may leave no data at the sensors.
    if Self.kills >= 100 { #expect(certain.resumed > 0 && certain.longestOpening <= 1000) }
    try await judge(folder, certain, simulator)
    CampaignLine(
      "stations killed, \(Self.sensors) sensors", seed: Self.seed, runs: Self.kills,
      words: """
        \(simulator.ledger.count) captured, \(certain.kept.count) acknowledged as stored, none lost or misfiled; \
        \(certain.resumed) resumed after a restart; the longest opening \(Int(certain.longestOpening)) ms, the longest \
        restart with all remaining downloads \(Int(certain.longestRestart)) ms
        """
    ).print()
    await simulator.stop()
  }

  /// Runs the program on a separate thread, as the sensors need those of the tests.
  private static func run(_ arguments: [String]) async throws -> BuiltProgram.Outcome {
    try await OwnThread.value { _ in
      try BuiltProgram.run(BuiltProgram.folder.appendingPathComponent("CaptureWriter"), arguments)
    }
  }

  private func judge(_ folder: StoreFolder, _ certain: Certain, _ simulator: SensorSimulator) async throws {
    let store = try await folder.open(key: CaptureWriter.key)
    try await SensorDriver(store) { _ in }.resume()
    let truth = Dictionary(simulator.ledger.map { ($0.id.lowercased(), $0) }) { first, _ in first }
    var kept: [String: Int] = [:]
    var faults: [String] = []
    for item in 1...Self.sensors {
      let journal = try await store.journal(of: item)
      for record in try await store.captures(of: item) {
        let key = record.captureID.key
        kept[key] = item
        guard let entry = truth[key] else {
          faults.append("\(key) was never captured")
          continue
        }
        if entry.sensor != item { faults.append("\(key) of sensor \(entry.sensor) is filed under item \(item)") }
        if Hexadecimal.text(record.sha256) != entry.sha256 { faults.append("\(key) has other data") }
      }
      // Every capture of a sensor is stored, or its request is reported as one with an unknown outcome.
      let missing = truth.values.filter { $0.sensor == item && kept[$0.id.lowercased()] == nil }.count
      let unknown = journal.filter { if case .unknown = $0.outcome { true } else { false } }.count
      if missing > unknown { faults.append("item \(item) misses \(missing), of \(unknown) that are unknown") }
      if journal.count < truth.values.filter({ $0.sensor == item }).count {
        faults.append("sensor \(item) was asked without an entry")
      }
    }
    for (id, item) in certain.answered.merging(certain.kept, uniquingKeysWith: { $1 }) where kept[id] != item {
      faults.append("\(id) of item \(item) is lost")
    }
    #expect(faults.isEmpty, "\(faults.sorted().prefix(5))")
    #expect(try await store.unfinished().isEmpty)
    #expect(try await store.check(readsData: true).isEmpty)
    #expect(try await store.verifyAudit().isWhole)
    // No sensor is left with the lock of a process that has ended.
    var held: [String] = []
    for address in simulator.addresses {
      let probe = SensorProbe(address)
      let status = await probe.ask("POST", "/lock/\(await probe.register())").text("status")
      if status != "success" { held.append("\(address): \(status)") }
    }
    #expect(held == [])
    #expect(try await store.sqlite.read { try $0.value("SELECT count(*) FROM held").integer } == 0)
    await store.close()
  }
}
