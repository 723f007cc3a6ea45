extension DatabaseLinker {
  /// Links processes with pools, and checks them for problems.
  mutating func linkProcesses() {
    for (number, process) in records.processes.enumerated() {
      let place = place(.processes, number)
      let owner = "process '\(process.id)'"
      var pools: [Int] = []
      for participant in process.participants {
        guard let pool = find(participant.pool, "pool", in: index.pools, for: owner, place) else { continue }
        pools.append(pool)
      }
      links.participantPools.append(pools)
      if pools.count == process.participants.count { look(at: process, pools: pools, place) }
    }
    links.processesOfPools = IndexLists(inverseOf: links.participantPools, count: records.pools.count)
  }

  /// Reports the problems of a process.
  ///
  /// - Parameter pools: The pool of each participant.
  private mutating func look(at process: MetabolicProcess, pools: [Int], _ place: RecordPlace?) {
    let owner = "process '\(process.id)'"
    let sides = zip(process.participants, pools)
    let inputs = sides.filter { $0.0.role.isInput }.map(\.1)
    let outputs = sides.filter { $0.0.role.isOutput }.map(\.1)
    if inputs.isEmpty, outputs.isEmpty {
      note(.noMovedMatter, "\(owner) moves no matter: it is drawn by itself and left out of the analysis", place)
      return
    }
    if let pool = firstShared(inputs, outputs) {
      note(.selfLoop, "\(owner) takes from the pool '\(records.pools[pool].id)' and gives to it", place)
    }
    if let pool = firstRepeated(inputs) ?? firstRepeated(outputs) {
      note(
        .repeatedInput,
        "\(owner) has the pool '\(records.pools[pool].id)' more than once on a side: its amounts are added", place)
    }
    if process.kind == .transport { look(atTransport: process, pools: pools, place) }
  }

  private func firstShared(_ inputs: [Int], _ outputs: [Int]) -> Int? {
    let given = Set(outputs)
    return inputs.first { given.contains($0) }
  }

  private func firstRepeated(_ pools: [Int]) -> Int? {
    var seen: Set<Int> = []
    return pools.first { !seen.insert($0).inserted }
  }

  /// Reports a transport that goes nowhere or changes its molecule; cofactors may do both.
  private mutating func look(atTransport process: MetabolicProcess, pools: [Int], _ place: RecordPlace?) {
    let sides = zip(process.participants, pools)
    let taken = sides.filter { $0.0.role == .substrate }.map(\.1)
    let given = sides.filter { $0.0.role == .product }.map(\.1)
    if taken.isEmpty || given.isEmpty || (taken + given).contains(where: isUnlinked) { return }
    var faults: [String] = []
    if Set(taken.map { links.poolMetabolites[$0] }) != Set(given.map { links.poolMetabolites[$0] }) {
      faults.append("changes the metabolite")
    }
    if Set((taken + given).map { links.poolCompartments[$0] }).count == 1 { faults.append("stays in its compartment") }
    if faults.isEmpty { return }
    note(.oddTransport, "the transport '\(process.id)' \(faults.joined(separator: " and "))", place)
  }

  private func isUnlinked(_ pool: Int) -> Bool { links.poolMetabolites[pool] < 0 || links.poolCompartments[pool] < 0 }
}
