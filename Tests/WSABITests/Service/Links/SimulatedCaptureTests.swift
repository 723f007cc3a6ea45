import PluginAPI
import Testing

@testable import WSABI
@testable import WSABISimulator

@Suite struct SimulatedCaptureTests {
  @Test(arguments: [SimulatorConfiguration.Style.wcf, .jaxb], SimulatedNamespace.allCases)
  func `sixteen sensors capture at once, each into the right item`(
    _ style: SimulatorConfiguration.Style, _ namespace: SimulatedNamespace
  ) async throws {
    var configuration = SensorSimulator.Configuration()
    configuration.sensors = 16
    configuration.style = style
    configuration.namespace = namespace
    configuration.modalities = [.finger]
    configuration.captureSizeInBytes = 5000
    let simulator = try SensorSimulator(configuration)
    let journal = MemoryJournal()
    let manager = FaultRun.manager(journal, LinkTimes())
    let addresses = try simulator.addresses.map { try SensorAddress(parsing: $0) }
    let reports = await withTaskGroup(of: (Int, CaptureReport).self) { group in
      for (item, address) in addresses.enumerated() {
        group.addTask {
          let order = CaptureOrder(
            item: item, address: address,
            configuration: WireDictionary([.init("submodality", .string("RightIndexFlat"))]))
          return (item, await manager.capture(order))
        }
      }
      return await group.reduce(into: [Int: CaptureReport]()) { $0[$1.0] = $1.1 }
    }
    await manager.close()
    let ledger = simulator.ledger
    #expect(ledger.count == 16)
    var wrong: [String] = []
    for (item, report) in reports {
      guard let record = report.records.first, report.records.count == 1,
        let entry = ledger.first(where: { $0.id.lowercased() == record.captureID.key })
      else {
        wrong.append("item \(item): \(report.outcome.ending)")
        continue
      }
      if record.item != item || entry.sensor != item + 1 || entry.submodality.lowercased() != "rightindexflat" {
        wrong.append("item \(item) has what sensor \(entry.sensor) captured")
      }
    }
    #expect(wrong == [])
    #expect(simulator.calls.count { $0.operation == .unregister } == 16)
    await simulator.stop()
  }

  /// Every kind of fault at every operation of a capture.
  @Test func `for any fault, captures are requested once, and are stored, waiting, reported as lost, or unknown`()
    async throws
  {
    let operations: [SensorOperation] = [
      .capture, .download, .setConfiguration, .getServiceInfo, .register, .tryLock, .initialize, .unlock,
    ]
    var runs: [FaultRun] = []
    for kind in SimulatorFault.allCases {
      for operation in operations { runs.append(FaultRun(kind: kind, operation: operation)) }
    }
    var faults: [String] = []
    try await withThrowingTaskGroup(of: [String].self) { group in
      var rest = runs[...]
      for _ in 0..<8 { if let run = rest.popFirst() { group.addTask { try await run.faults() } } }
      for try await found in group {
        faults += found
        if let run = rest.popFirst() { group.addTask { try await run.faults() } }
      }
    }
    #expect(faults.sorted() == [])
  }
}
