import BenchmarkSupport
import PluginSimulation

@testable import PathCase
@testable import PathCaseSimulator

/// An update beside the ideal schedule and two others.
struct ScheduleCase {
  private static let connections = 6
  private static let rounds = 5
  private static let manifestLatency = 100
  private let name: String
  private let records: DatabaseRecords
  private let script: ServedDatabase.Script
  private let entries: [ManifestDocument]

  init(_ name: String, _ records: DatabaseRecords, _ script: ServedDatabase.Script) {
    (self.name, self.records, self.script) = (name, records, script)
    entries = ContractWriter.documents(of: records).dropFirst().map(\.entry)
  }

  /// Measures and prints the lines.
  func run() async throws {
    var setup = DatabaseSimulatorSetup()
    setup.latencyInMilliseconds = Self.manifestLatency
    for (number, entry) in entries.enumerated() { setup.latencies[entry.path] = script.latency(number) }
    let simulator = try DatabaseSimulator(SimulatedDatabase(records), setup)
    let (ours, ordered, sequential) = (
      try await median(simulator, update), try await median(simulator, afterParents),
      try await median(simulator, oneByOne)
    )
    await simulator.stop()
    let ideal = ideal
    Measurement("update: \(name)", ours, unit: "ms", peer: ("ideal schedule", ideal), bar: ideal * 1.1).print()
    Measurement("update: \(name)", ours, unit: "ms", peer: ("each type after its parents", ordered)).print()
    Measurement("update: \(name)", ours, unit: "ms", peer: ("one after the other", sequential)).print()
  }

  private var faults: [DatabaseFaultRule] {
    entries.enumerated().compactMap { number, entry in
      script.fault(number).map { DatabaseFaultRule($0, on: entry.path, calls: 1...1) }
    }
  }

  private static var options: UpdateOptions {
    var options = UpdateOptions()
    options.connections = connections
    options.firstDelayInSeconds = 0.1
    return options
  }

  /// The lower bound of any schedule: connections are never idle, and no document takes less than its attempts.
  private var ideal: Double {
    var (work, longest) = (0.0, 0.0)
    for number in entries.indices {
      let latency = Double(script.latency(number))
      let hasFault = script.fault(number) != nil
      work += hasFault ? 2 * latency : latency
      longest = max(longest, hasFault ? 2 * latency + Self.options.firstDelayInSeconds * 500 : latency)
    }
    var ideal = max(work / Double(Self.connections), longest)
    let latencies = Set(entries.indices.map(script.latency))
    if let only = latencies.first, latencies.count == 1 {
      // Responses of equal length arrive in complete rounds.
      let answers = work / Double(only)
      ideal = max(longest, (answers / Double(Self.connections)).rounded(.up) * Double(only))
    }
    return Double(Self.manifestLatency) + ideal
  }

  private func median(
    _ simulator: DatabaseSimulator, _ work: (DatabaseSimulator) async throws -> Void
  ) async throws -> Double {
    var times: [Double] = []
    for _ in 0..<Self.rounds {
      simulator.setFaults(faults)
      let start = Timing.milliseconds()
      try await work(simulator)
      times.append(Timing.milliseconds() - start)
    }
    return Timing.median(times)
  }

  private func update(_ simulator: DatabaseSimulator) async throws {
    let updater = SnapshotUpdater(source: .service(simulator.address), options: Self.options)
    _ = try await updater.run()
  }

  // MARK: Peers

  private func afterParents(_ simulator: DatabaseSimulator) async throws {
    // Documents without references first, then those that refer to them, and so on.
    let steps: [Set<ContractType>] = [
      [.tissues, .metabolites], [.compartments], [.pools], [.processes, .ranges], [.pathways],
      [.smdapathways, .layout],
    ]
    let sheets = steps.map { step in entries.filter { $0.type.map(step.contains) ?? false } }
    try await fetch(simulator, sheets, Self.options)
  }

  private func oneByOne(_ simulator: DatabaseSimulator) async throws {
    var options = Self.options
    options.connections = 1
    try await fetch(simulator, [entries], options)
  }

  /// Fetches and reads the manifest, then documents step by step, and links them.
  private func fetch(
    _ simulator: DatabaseSimulator, _ steps: [[ManifestDocument]], _ options: UpdateOptions
  ) async throws {
    let fetch = DocumentFetch(source: .service(simulator.address), options: options, end: .now + .seconds(120))
    let manifest = FetchJob(request: DocumentRequest(path: "manifest.xml", limitInBytes: 1 << 20))
    _ = try await fetch.run([manifest]) { _, _ in }
    var records = DatabaseRecords(snapshot: self.records.snapshot)
    for step in steps {
      let jobs = step.map { FetchJob(request: DocumentRequest(path: $0.path, limitInBytes: $0.bytes + 1), entry: $0) }
      for document in try await fetch.run(jobs, onDocument: { _, _ in }) {
        if let document { records.add(document.document.records) }
      }
    }
    _ = try DatabaseLinker.link(records)
  }
}
