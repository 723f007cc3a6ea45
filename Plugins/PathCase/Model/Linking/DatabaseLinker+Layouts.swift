extension DatabaseLinker {
  /// Links layouts with pathways, and drops entries that are not in their pathways.
  mutating func linkLayouts() {
    var kept: [FrozenLayout] = []
    for (number, layout) in records.layouts.enumerated() {
      let place = place(.layout, number)
      let owner = "the layout of pathway '\(layout.pathway)'"
      guard let pathway = find(layout.pathway, "pathway", in: index.pathways, for: owner, place) else { continue }
      guard let layout = fitted(layout, to: pathway, owner, place) else { continue }
      links.layoutsOfPathways[pathway] = kept.count
      kept.append(layout)
    }
    records.layouts = kept
  }

  /// Returns a layout with only the entries of its pathway; nil if it is unusable.
  private mutating func fitted(
    _ layout: FrozenLayout, to pathway: Int, _ owner: String, _ place: RecordPlace?
  ) -> FrozenLayout? {
    let nodes = nodes(ofPathway: pathway)
    // Links to other pathways may have positions too, but need none.
    let known = Set(nodes).union(records.pathways[pathway].links.map(\.pathway))
    let unknown = layout.nodes.filter { !known.contains($0.ref) }.map(\.ref)
    if !unknown.isEmpty {
      note(.layoutOfUnknown, "\(owner) has places for nodes it has not, which are dropped: \(listed(unknown))", place)
    }
    var layout = layout
    layout.nodes.removeAll { !known.contains($0.ref) }
    let lostPaths = layout.paths.filter { !known.contains($0.process) || !known.contains($0.pool) }
    if !lostPaths.isEmpty {
      note(
        .layoutOfUnknown,
        "\(owner) has paths it has not, which are dropped: \(listed(lostPaths.map(\.process)))", place)
      layout.paths.removeAll { !known.contains($0.process) || !known.contains($0.pool) }
    }
    if isOfOnePoint(layout) {
      note(.layoutOfOnePoint, "\(owner) has all nodes at one point and is not used", place)
      return nil
    }
    let placed = Set(layout.nodes.map(\.ref))
    let missing = nodes.filter { !placed.contains($0) }
    if !missing.isEmpty {
      note(.layoutLacksNodes, "\(owner) has no place for nodes, which are placed anew: \(listed(missing))", place)
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

  private func isOfOnePoint(_ layout: FrozenLayout) -> Bool {
    guard let first = layout.nodes.first, layout.nodes.count > 1 else { return false }
    return layout.nodes.allSatisfy { $0.x == first.x && $0.y == first.y }
  }

  private func listed(_ ids: [Identifier]) -> String {
    ids.prefix(5).map { "'\($0)'" }.joined(separator: ", ") + (ids.count > 5 ? " and \(ids.count - 5) others" : "")
  }
}
