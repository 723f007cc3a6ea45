extension DatabaseLinker {
  /// Links compartments with their tissues and their enclosing compartments.
  mutating func linkCompartments() {
    for (number, compartment) in records.compartments.enumerated() {
      let owner = "compartment '\(compartment.id)'"
      let place = place(.compartments, number)
      links.compartmentTissues.append(
        compartment.tissue.flatMap { find($0, "tissue", in: index.tissues, for: owner, place) })
      links.outerCompartments.append(
        compartment.outside.flatMap { find($0, "compartment", in: index.compartments, for: owner, place) })
    }
    findCircles()
  }

  /// Reports each cycle of compartments once.
  private mutating func findCircles() {
    // The walk in which each compartment was first visited, from 1; 0 for none.
    var walks = [Int](repeating: 0, count: records.compartments.count)
    for start in walks.indices where walks[start] == 0 {
      var current: Int? = start
      while let place = current, walks[place] == 0 {
        walks[place] = start + 1
        current = links.outerCompartments[place]
      }
      if let place = current, walks[place] == start + 1 { note(circleThrough: place) }
    }
  }

  private mutating func note(circleThrough start: Int) {
    var names = [records.compartments[start].id.text]
    var current = links.outerCompartments[start]
    while let place = current, place != start {
      names.append(records.compartments[place].id.text)
      current = links.outerCompartments[place]
    }
    let count = names.count
    if count > 12 { names.replaceSubrange(6..<(count - 5), with: ["…"]) }
    names.append(records.compartments[start].id.text)
    note(
      .compartmentCycle,
      "\(count == 1 ? "a compartment lies inside itself" : "\(count) compartments lie inside each other in a circle"): "
        + names.joined(separator: " in "), place(.compartments, start))
  }

  /// Links pools with metabolites and compartments.
  mutating func linkPools() {
    for (number, pool) in records.pools.enumerated() {
      let owner = "pool '\(pool.id)'"
      let place = place(.pools, number)
      links.poolMetabolites.append(
        find(pool.metabolite, "metabolite", in: index.metabolites, for: owner, place) ?? -1)
      links.poolCompartments.append(
        find(pool.compartment, "compartment", in: index.compartments, for: owner, place) ?? -1)
    }
    links.poolsOfMetabolites = grouped(links.poolMetabolites, count: records.metabolites.count)
    links.poolsOfCompartments = grouped(links.poolCompartments, count: records.compartments.count)
  }

  /// Returns the pools grouped by their owners; pools without an owner are left out.
  private func grouped(_ owners: [Int], count: Int) -> IndexLists {
    IndexLists(inverseOf: IndexLists(owners.lazy.map { $0 < 0 ? [] : [$0] }), count: count)
  }

  /// Checks that thresholds belong to pools and are ascending.
  mutating func linkRanges() {
    for (number, range) in records.ranges.enumerated() {
      let place = place(.ranges, number)
      let owner = "the range of pool '\(range.pool)'"
      if let pool = find(range.pool, "pool", in: index.pools, for: owner, place) { links.rangesOfPools[pool] = number }
      let given = [range.unavailableBelow, range.accumulatedAbove, range.severeAbove].compactMap { $0 }
      if zip(given, given.dropFirst()).contains(where: { $0 > $1 }) {
        note(
          .thresholdOrder,
          "\(owner) has thresholds that do not rise: " + given.map(\.description).joined(separator: ", "),
          place)
      }
    }
  }
}
