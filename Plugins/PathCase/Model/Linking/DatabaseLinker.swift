/// Links records into a database: resolves references and reports impossible records.
///
/// All errors are collected before the records are rejected.
struct DatabaseLinker {
  private let places: RecordPlaces
  /// The records, without duplicates.
  private var records: DatabaseRecords
  private var index = DatabaseIndex()
  private var links = DatabaseLinks()
  /// The original index of each remaining record in its document, from 0; lists that are not in it are unchanged.
  private var origins: [ContractType: [Int]] = [:]
  private var issues: [RecordIssue] = []
  private var issueCount = 0
  private var warnings: [RecordIssue] = []

  /// Links records.
  ///
  /// - Parameter places: The positions of the records, for messages; empty if unknown.
  /// - Complexity: Linear.
  static func link(
    _ records: DatabaseRecords, places: RecordPlaces = RecordPlaces()
  ) throws(LinkingError) -> MetabolicDatabase {
    var linker = Self(records: records, places: places)
    linker.dropRepeats()
    linker.linkCompartments()
    linker.linkPools()
    linker.linkProcesses()
    linker.linkPathways()
    linker.linkRanges()
    linker.linkLayouts()
    return try linker.finish()
  }

  private init(records: DatabaseRecords, places: RecordPlaces) {
    self.records = records
    self.places = places
  }

  private func finish() throws(LinkingError) -> MetabolicDatabase {
    if issueCount > 0 { throw .unusable(issues: issues, total: issueCount) }
    return MetabolicDatabase(
      snapshot: records.snapshot, tissues: records.tissues, compartments: records.compartments,
      metabolites: records.metabolites, pools: records.pools, processes: records.processes,
      pathways: records.pathways, ranges: records.ranges, layouts: records.layouts, warnings: warnings, index: index,
      links: links)
  }

  // MARK: Shared by the steps

  /// Returns the position of a record in its document, by type and index.
  private func location(_ type: ContractType, _ index: Int) -> RecordPlace? {
    guard let list = origins[type] else { return places[type, index] }
    return list.indices.contains(index) ? places[type, list[index]] : nil
  }

  /// Reports an error or warning about a record.
  private mutating func note(_ code: RecordIssue.Code, _ message: String, _ location: RecordPlace?) {
    let issue = RecordIssue(code: code, message: message, location: location)
    guard code.isError else {
      if warnings.count < RecordIssue.kept { warnings.append(issue) }
      return
    }
    issueCount += 1
    if issues.count < RecordIssue.kept { issues.append(issue) }
  }

  /// Returns the index of a referenced record; reports it as missing and returns nil if it does not exist.
  private mutating func find(
    _ wanted: Identifier, _ noun: String, in index: [Identifier: Int], for owner: String, _ location: RecordPlace?
  ) -> Int? {
    if let found = index[wanted] { return found }
    note(.danglingReference, "\(owner) refers to the \(noun) '\(wanted)', which does not exist", location)
    return nil
  }

  // MARK: Ids

  /// Removes repeated ids.
  private mutating func dropRepeats() {
    index.tissues = unique(\.tissues, .tissues, "tissue", \.id)
    index.compartments = unique(\.compartments, .compartments, "compartment", \.id)
    index.metabolites = unique(\.metabolites, .metabolites, "metabolite", \.id)
    index.pools = unique(\.pools, .pools, "pool", \.id)
    index.processes = unique(\.processes, .processes, "process", \.id)
    index.pathways = unique(\.pathways, .pathways, "pathway", \.id)
    _ = unique(\.activations, .smdapathways, "activation of pathway", \.pathway)
    _ = unique(\.ranges, .ranges, "range of pool", \.pool)
    _ = unique(\.layouts, .layout, "layout of pathway", \.pathway)
  }

  /// Removes identical duplicates from a list and reports the others.
  ///
  /// - Returns: The index of each id in the resulting list.
  private mutating func unique<Element: Hashable>(
    _ list: WritableKeyPath<DatabaseRecords, [Element]>, _ type: ContractType, _ noun: String,
    _ key: (Element) -> Identifier
  ) -> [Identifier: Int] {
    let all = records[keyPath: list]
    var index: [Identifier: Int] = [:]
    index.reserveCapacity(all.count)
    var kept: [Int] = []
    for (number, element) in all.enumerated() {
      let id = key(element)
      guard let first = index[id] else {
        index[id] = kept.count
        kept.append(number)
        continue
      }
      let before = places[type, kept[first]].map { " in line \($0.line) of '\($0.document)'" } ?? ""
      if all[kept[first]] == element {
        note(.identicalDuplicate, "the \(noun) '\(id)' is listed twice with the same content", places[type, number])
      } else {
        note(.differingDuplicate, "the \(noun) '\(id)' differs from an earlier one\(before)", places[type, number])
      }
    }
    if kept.count < all.count {
      records[keyPath: list] = kept.map { all[$0] }
      origins[type] = kept
    }
    return index
  }
}

// MARK: - Compartments and pools

extension DatabaseLinker {
  /// Links compartments with their tissues and their enclosing compartments.
  private mutating func linkCompartments() {
    for (number, compartment) in records.compartments.enumerated() {
      let owner = "compartment '\(compartment.id)'"
      let location = location(.compartments, number)
      links.compartmentTissues.append(
        compartment.tissue.flatMap { find($0, "tissue", in: index.tissues, for: owner, location) })
      links.outerCompartments.append(
        compartment.outside.flatMap { find($0, "compartment", in: index.compartments, for: owner, location) })
    }
    findCycles()
  }

  /// Reports each cycle of compartments once.
  private mutating func findCycles() {
    // The walk in which each compartment was first visited, from 1; 0 for none.
    var walks = [Int](repeating: 0, count: records.compartments.count)
    for start in walks.indices where walks[start] == 0 {
      var current: Int? = start
      while let compartment = current, walks[compartment] == 0 {
        walks[compartment] = start + 1
        current = links.outerCompartments[compartment]
      }
      if let compartment = current, walks[compartment] == start + 1 { note(cycleThrough: compartment) }
    }
  }

  private mutating func note(cycleThrough start: Int) {
    var names = [records.compartments[start].id.text]
    var current = links.outerCompartments[start]
    while let compartment = current, compartment != start {
      names.append(records.compartments[compartment].id.text)
      current = links.outerCompartments[compartment]
    }
    let count = names.count
    if count > 12 { names.replaceSubrange(6..<(count - 5), with: ["…"]) }
    names.append(records.compartments[start].id.text)
    note(
      .compartmentCycle,
      "\(count == 1 ? "a compartment contains itself" : "\(count) compartments contain each other in a cycle"): "
        + names.joined(separator: " in "), location(.compartments, start))
  }

  /// Links pools with metabolites and compartments.
  private mutating func linkPools() {
    for (number, pool) in records.pools.enumerated() {
      let owner = "pool '\(pool.id)'"
      let location = location(.pools, number)
      links.poolMetabolites.append(
        find(pool.metabolite, "metabolite", in: index.metabolites, for: owner, location) ?? -1)
      links.poolCompartments.append(
        find(pool.compartment, "compartment", in: index.compartments, for: owner, location) ?? -1)
    }
    links.poolsOfMetabolites = grouped(links.poolMetabolites, count: records.metabolites.count)
    links.poolsOfCompartments = grouped(links.poolCompartments, count: records.compartments.count)
  }

  /// Returns the pools grouped by their owners; pools without an owner are left out.
  private func grouped(_ owners: [Int], count: Int) -> IndexLists {
    IndexLists(inverseOf: IndexLists(owners.lazy.map { $0 < 0 ? [] : [$0] }), count: count)
  }

  /// Checks that thresholds belong to pools and are ascending.
  private mutating func linkRanges() {
    for (number, range) in records.ranges.enumerated() {
      let location = location(.ranges, number)
      let owner = "the range of pool '\(range.pool)'"
      if let pool = find(range.pool, "pool", in: index.pools, for: owner, location) {
        links.rangesOfPools[pool] = number
      }
      let given = [range.unavailableBelow, range.accumulatedAbove, range.severeAbove].compactMap { $0 }
      if zip(given, given.dropFirst()).contains(where: { $0 > $1 }) {
        note(
          .thresholdOrder,
          "\(owner) has thresholds that do not increase: " + given.map(\.description).joined(separator: ", "),
          location)
      }
    }
  }
}

// MARK: - Processes

extension DatabaseLinker {
  /// Links processes with pools, and checks them for problems.
  private mutating func linkProcesses() {
    for (number, process) in records.processes.enumerated() {
      let location = location(.processes, number)
      let owner = "process '\(process.id)'"
      var pools: [Int] = []
      for participant in process.participants {
        if let pool = find(participant.pool, "pool", in: index.pools, for: owner, location) { pools.append(pool) }
      }
      links.participantPools.append(pools)
      if pools.count == process.participants.count { check(process, pools: pools, location) }
    }
    links.processesOfPools = IndexLists(inverseOf: links.participantPools, count: records.pools.count)
  }

  /// Reports the problems of a process.
  ///
  /// - Parameter pools: The pool of each participant.
  private mutating func check(_ process: MetabolicProcess, pools: [Int], _ location: RecordPlace?) {
    let owner = "process '\(process.id)'"
    let sides = zip(process.participants, pools)
    let inputs = sides.filter { $0.0.role.isInput }.map(\.1)
    let outputs = sides.filter { $0.0.role.isOutput }.map(\.1)
    if inputs.isEmpty, outputs.isEmpty {
      note(.noMovedMatter, "\(owner) converts nothing; it is drawn but left out of the analysis", location)
      return
    }
    if let pool = firstShared(inputs, outputs) {
      note(.selfLoop, "\(owner) both consumes and produces the pool '\(records.pools[pool].id)'", location)
    }
    if let pool = firstRepeated(inputs) ?? firstRepeated(outputs) {
      note(
        .repeatedInput,
        "\(owner) has the pool '\(records.pools[pool].id)' more than once on one side; its amounts are added", location)
    }
    if process.kind == .transport { check(transport: process, pools: pools, location) }
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
  private mutating func check(transport process: MetabolicProcess, pools: [Int], _ location: RecordPlace?) {
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
    note(.oddTransport, "the transport '\(process.id)' \(faults.joined(separator: " and "))", location)
  }

  private func isUnlinked(_ pool: Int) -> Bool { links.poolMetabolites[pool] < 0 || links.poolCompartments[pool] < 0 }
}

// MARK: - Pathways

extension DatabaseLinker {
  /// Links pathways with processes and with each other, and attaches their activation conditions.
  private mutating func linkPathways() {
    for number in records.pathways.indices { linkProcesses(ofPathway: number) }
    links.pathwaysOfProcesses = IndexLists(inverseOf: links.processesOfPathways, count: records.processes.count)
    for number in records.pathways.indices { linkNeighbors(ofPathway: number) }
    for (number, pathway) in records.pathways.enumerated() {
      check(pathway.activations, of: pathway.id, location(.pathways, number))
    }
    for (number, activation) in records.activations.enumerated() {
      let location = location(.smdapathways, number)
      check(activation.conditions, of: activation.pathway, location)
      let owner = "the activation of pathway '\(activation.pathway)'"
      if let pathway = find(activation.pathway, "pathway", in: index.pathways, for: owner, location) {
        records.pathways[pathway].activations += activation.conditions
      }
    }
    records.activations = []
  }

  private mutating func linkProcesses(ofPathway number: Int) {
    let pathway = records.pathways[number]
    let location = location(.pathways, number)
    var found: [Int] = []
    var seen: Set<Int> = []
    for id in pathway.processes {
      guard let process = find(id, "process", in: index.processes, for: "pathway '\(pathway.id)'", location) else {
        continue
      }
      if seen.insert(process).inserted {
        found.append(process)
      } else {
        note(.identicalDuplicate, "pathway '\(pathway.id)' lists the process '\(id)' twice", location)
      }
    }
    if found.count < pathway.processes.count {
      records.pathways[number].processes = found.map { records.processes[$0].id }
    }
    links.processesOfPathways.append(found)
  }

  private mutating func linkNeighbors(ofPathway number: Int) {
    let pathway = records.pathways[number]
    let location = location(.pathways, number)
    let owner = "pathway '\(pathway.id)'"
    var found: [Int] = []
    for link in pathway.links {
      if let other = find(link.pathway, "pathway", in: index.pathways, for: owner, location) { found.append(other) }
      if let pool = link.via { _ = find(pool, "pool", in: index.pools, for: owner, location) }
    }
    links.linkedPathways.append(found)
  }

  /// Reports the missing references of conditions.
  private mutating func check(_ conditions: [ActivationCondition], of pathway: Identifier, _ location: RecordPlace?) {
    let owner = "an activation condition of pathway '\(pathway)'"
    for condition in conditions {
      _ = find(condition.process, "process", in: index.processes, for: owner, location)
      _ = find(condition.pool, "pool", in: index.pools, for: owner, location)
    }
  }
}

// MARK: - Layouts

extension DatabaseLinker {
  /// Links layouts with pathways, and drops entries that are not in their pathways.
  private mutating func linkLayouts() {
    var kept: [FrozenLayout] = []
    for (number, layout) in records.layouts.enumerated() {
      let location = location(.layout, number)
      let owner = "the layout of pathway '\(layout.pathway)'"
      guard let pathway = find(layout.pathway, "pathway", in: index.pathways, for: owner, location) else { continue }
      guard let layout = fitted(layout, to: pathway, owner, location) else { continue }
      links.layoutsOfPathways[pathway] = kept.count
      kept.append(layout)
    }
    records.layouts = kept
  }

  /// Returns a layout with only the entries of its pathway; nil if it is unusable.
  private mutating func fitted(
    _ layout: FrozenLayout, to pathway: Int, _ owner: String, _ location: RecordPlace?
  ) -> FrozenLayout? {
    let nodes = nodes(ofPathway: pathway)
    // Links to other pathways may have positions too, but need none.
    let known = Set(nodes).union(records.pathways[pathway].links.map(\.pathway))
    let unknown = layout.nodes.filter { !known.contains($0.ref) }.map(\.ref)
    if !unknown.isEmpty {
      note(
        .layoutOfUnknown,
        "\(owner) has positions of nodes that are not in the pathway; they are ignored: \(listed(unknown))", location)
    }
    var layout = layout
    layout.nodes.removeAll { !known.contains($0.ref) }
    func isLost(_ path: FrozenPath) -> Bool { !known.contains(path.process) || !known.contains(path.pool) }
    let lostPaths = layout.paths.filter(isLost)
    if !lostPaths.isEmpty {
      note(
        .layoutOfUnknown,
        "\(owner) has paths that are not in the pathway; they are ignored: \(listed(lostPaths.map(\.process)))",
        location)
      layout.paths.removeAll(where: isLost)
    }
    if hasOnePoint(layout) {
      note(.layoutOfOnePoint, "\(owner) has all nodes at one point and is not used", location)
      return nil
    }
    let placed = Set(layout.nodes.map(\.ref))
    let missing = nodes.filter { !placed.contains($0) }
    if !missing.isEmpty {
      note(
        .layoutLacksNodes, "\(owner) has no position for some nodes, which are laid out: \(listed(missing))", location)
    }
    return layout
  }

  /// Returns the processes and pools of a pathway, each once, in the order of the pathway.
  private func nodes(ofPathway pathway: Int) -> [Identifier] {
    var seen: Set<Identifier> = []
    var nodes: [Identifier] = []
    for process in links.processesOfPathways[pathway] {
      let ids = [records.processes[process].id] + links.participantPools[process].map { records.pools[$0].id }
      for id in ids where seen.insert(id).inserted { nodes.append(id) }
    }
    return nodes
  }

  private func hasOnePoint(_ layout: FrozenLayout) -> Bool {
    guard let first = layout.nodes.first, layout.nodes.count > 1 else { return false }
    return layout.nodes.allSatisfy { $0.x == first.x && $0.y == first.y }
  }

  private func listed(_ ids: [Identifier]) -> String {
    ids.prefix(5).map { "'\($0)'" }.joined(separator: ", ") + (ids.count > 5 ? " and \(ids.count - 5) others" : "")
  }
}
