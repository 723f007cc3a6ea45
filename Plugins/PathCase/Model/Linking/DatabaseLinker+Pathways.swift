extension DatabaseLinker {
  /// Links pathways with processes and with each other, and attaches their activation conditions.
  mutating func linkPathways() {
    for number in records.pathways.indices { linkProcesses(ofPathway: number) }
    links.pathwaysOfProcesses = IndexLists(inverseOf: links.processesOfPathways, count: records.processes.count)
    for number in records.pathways.indices { linkNeighbours(ofPathway: number) }
    links.linkingPathways = IndexLists(inverseOf: links.linkedPathways, count: records.pathways.count)
    for (number, pathway) in records.pathways.enumerated() {
      look(at: pathway.activations, of: pathway.id, place(.pathways, number))
    }
    for (number, activation) in records.activations.enumerated() {
      let place = place(.smdapathways, number)
      look(at: activation.conditions, of: activation.pathway, place)
      let owner = "the activation of pathway '\(activation.pathway)'"
      if let pathway = find(activation.pathway, "pathway", in: index.pathways, for: owner, place) {
        records.pathways[pathway].activations += activation.conditions
      }
    }
    records.activations = []
  }

  private mutating func linkProcesses(ofPathway number: Int) {
    let pathway = records.pathways[number]
    let place = place(.pathways, number)
    var found: [Int] = []
    var seen: Set<Int> = []
    for id in pathway.processes {
      guard let process = find(id, "process", in: index.processes, for: "pathway '\(pathway.id)'", place) else {
        continue
      }
      if seen.insert(process).inserted {
        found.append(process)
      } else {
        note(.identicalDuplicate, "pathway '\(pathway.id)' lists the process '\(id)' twice", place)
      }
    }
    if found.count < pathway.processes.count {
      records.pathways[number].processes = found.map { records.processes[$0].id }
    }
    links.processesOfPathways.append(found)
  }

  private mutating func linkNeighbours(ofPathway number: Int) {
    let pathway = records.pathways[number]
    let place = place(.pathways, number)
    let owner = "pathway '\(pathway.id)'"
    var found: [Int] = []
    for link in pathway.links {
      if let other = find(link.pathway, "pathway", in: index.pathways, for: owner, place) { found.append(other) }
      if let pool = link.via { _ = find(pool, "pool", in: index.pools, for: owner, place) }
    }
    links.linkedPathways.append(found)
  }

  /// Checks whether the references of conditions exist.
  private mutating func look(at conditions: [ActivationCondition], of pathway: Identifier, _ place: RecordPlace?) {
    let owner = "an activation condition of pathway '\(pathway)'"
    for condition in conditions {
      _ = find(condition.process, "process", in: index.processes, for: owner, place)
      _ = find(condition.pool, "pool", in: index.pools, for: owner, place)
    }
  }
}
