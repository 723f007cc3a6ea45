import PluginSimulation
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Faults occur when they should, and do what they promise.
struct SimulatorFaultTests {
  @Test(arguments: SimulatorFaultChecks.all, SimulatorConfiguration.Style.allCases)
  func `a fault does what its summary says`(
    _ check: SimulatorFaultCheck, _ style: SimulatorConfiguration.Style
  ) async throws {
    #expect(try await check.run(style) == "")
  }

  @Test func `every fault has a check and a summary`() throws {
    let checked = try Set(SimulatorFaultChecks.all.flatMap { try SimulatorFaultRule.script($0.rule).map(\.fault) })
    #expect(SimulatorFault.allCases.filter { !checked.contains($0) } == [])
    #expect(SimulatorFault.allCases.filter { $0.summary == $0.rawValue } == [])
  }

  @Test func `a rule is read with all its parts`() throws {
    let rule = try SimulatorFaultRule(parsing: "delay@getServiceInfo#2-4:3~50+6=1=2")
    #expect(
      rule
        == SimulatorFaultRule(
          .delay, on: .getServiceInfo, calls: 2...4, sensor: 3, percent: 50, times: 6, value: "1=2"))
    #expect(try SimulatorFaultRule(parsing: "hang@CAPTURE#3") == SimulatorFaultRule(.hang, on: .capture, call: 3))
    #expect(try SimulatorFaultRule(parsing: "hang#5-").calls == 5...Int.max)
  }

  @Test func `a script has one rule per line, or rules separated by semicolons`() throws {
    let script = "// two faults\nhang @ capture # 2; drop-after@register\n\n  status = sensorFailure\n"
    #expect(
      try SimulatorFaultRule.script(script) == [
        SimulatorFaultRule(.hang, on: .capture, call: 2), SimulatorFaultRule(.dropAfter, on: .register),
        SimulatorFaultRule(.status, value: "sensorFailure"),
      ])
  }

  @Test(arguments: ["hang@capturing", "hang#0", "hang#x", "hang#5-2", "hang~101", "hang+many", "hang:-1", "hung"])
  func `a malformed rule is refused`(_ text: String) {
    #expect(throws: FaultScriptError.self) { try SimulatorFaultRule(parsing: text) }
  }

  @Test func `an unknown fault suggests the nearest`() {
    #expect(throws: FaultScriptError.unknownFault("drop-afer", nearest: "drop-after")) {
      try SimulatorFaultRule(parsing: "drop-afer")
    }
  }

  @Test func `a rule counts the calls of its operation at each sensor`() {
    var ledger = SensorLedger([SimulatorFaultRule(.hang, on: .capture, call: 2)], seed: 1)
    func meets(_ operation: SimulatedOperation, _ sensor: Int) -> Bool {
      ledger.meet(operation, sensor: sensor).contains(.hang)
    }
    #expect(![meets(.capture, 1), meets(.register, 1), meets(.capture, 2)].contains(true))
    #expect(meets(.capture, 1) && meets(.capture, 2) && !meets(.capture, 1))
  }

  @Test func `random faults depend only on the seed`() {
    func pattern(_ seed: UInt64) -> [Bool] {
      var ledger = SensorLedger([SimulatorFaultRule(.hang, percent: 25)], seed: seed)
      return (0..<400).map { _ in ledger.meet(.register, sensor: 1).contains(.hang) }
    }
    #expect(pattern(1) == pattern(1) && pattern(1) != pattern(2))
    #expect((70...130).contains(pattern(1).count { $0 }))
  }

  @Test func `a rule applies as often as it states`() {
    var ledger = SensorLedger([SimulatorFaultRule(.hang, times: 2)], seed: 1)
    #expect((0..<5).map { _ in ledger.meet(.register, sensor: 1).count } == [1, 1, 0, 0, 0])
  }
}
