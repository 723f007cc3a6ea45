import PluginSimulation
import Synchronization
import Testing

struct SimulatorLedgerTests {
  private typealias Ledger = SimulatorLedger<String, SampleFault>

  private func ledger(_ rules: FaultRule<SampleFault>..., limit: Int = .max) -> Ledger {
    Ledger(rules, limit: limit) { $0 % 100 }
  }

  @Test func `calls are recorded up to the limit and counted beyond it`() {
    var ledger = ledger(limit: 2)
    let places = ["a", "b", "c"].map { ledger.record($0) }
    #expect(places == [0, 1, nil] && ledger.callCount == 3)
    for place in places { ledger.update(place) { $0 += "!" } }
    #expect(ledger.calls == ["a!", "b!"])
    ledger.reset()
    ledger.update(places[0]) { $0 = "gone" }
    #expect(ledger.calls == [] && ledger.callCount == 0)
  }

  @Test func `a rule counts the calls of its operation for each instance`() {
    var ledger = ledger(FaultRule(.hang, on: "capture", calls: 2...2))
    func meets(_ operation: String, _ instance: Int) -> Bool {
      ledger.meet([operation], instance: instance) { _ in .instance }.contains(.hang)
    }
    #expect(![meets("capture", 1), meets("register", 1), meets("capture", 2)].contains(true))
    #expect(meets("capture", 1) && meets("capture", 2) && !meets("capture", 1))
  }

  @Test func `the simulator sets the scope in which a rule without operation counts calls`() {
    for (scope, expected) in [
      (Ledger.Scope.instance, [false, true, false, false]), (.operation, [false, false, true, false]),
      (.none, [false, false, false, false]),
    ] {
      var ledger = ledger(FaultRule(.hang, calls: 2...2))
      #expect(["a", "b", "a", "a"].map { !ledger.meet([$0]) { _ in scope }.isEmpty } == expected)
    }
  }

  @Test func `a call with several names matches rules of each, up to the limit`() {
    var ledger = ledger(FaultRule(.hang, on: "ROOT"), FaultRule(.dropAfter, on: "search", times: 1))
    let first = ledger.meet(["search", "ROOT"]) { _ in .instance }
    #expect(first.map(\.fault) == [.hang, .dropAfter] && first[.dropAfter]?.times == 1)
    #expect(ledger.meet(["search", "ROOT"], limit: 1) { _ in .instance }.count == 1)
    #expect(ledger.faults.map(\.met) == [2, 1])
    #expect(ledger.has(.hang) && !ledger.has(.dropAfter))
  }

  @Test func `replaced faults count from zero, and ended faults match nothing`() {
    var ledger = ledger(FaultRule(.hang, calls: 1...1))
    #expect(ledger.meet(["a"]) { _ in .operation }.count == 1)
    ledger.replaceFaults([FaultRule(.hang, calls: 1...1)])
    #expect(ledger.meet(["a"]) { _ in .operation }.count == 1)
    ledger.endFaults()
    ledger.add([FaultRule(.hang, percent: 0)])
    #expect(ledger.meet(["a"]) { _ in .operation }.isEmpty)
  }

  @Test func `a run prints its lines, applies changes and stops when it is canceled`() async throws {
    let state = Mutex((lines: [String](), changes: 0, isStopped: false))
    let run = Task {
      try await SimulatorShell.run(
        ["first", "second"], changeEverySeconds: 0.001, print: { line in state.withLock { $0.lines.append(line) } },
        change: {
          let changes = state.withLock { state in
            state.changes += 1
            return state.changes
          }
          if changes == 3 { withUnsafeCurrentTask { $0?.cancel() } }
        },
        stop: { state.withLock { $0.isStopped = true } })
    }
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(state.withLock { $0.lines == ["first", "second"] && $0.changes == 3 && $0.isStopped })
  }
}
