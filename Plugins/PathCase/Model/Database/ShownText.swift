import PluginText

/// Names and counts as screens and reports show them.
enum ShownText {
  /// Returns a name, or the identifier if the name is blank.
  static func name(_ name: String, or id: Identifier) -> String {
    let line = SanitizedText.line(name)
    return line.unicodeScalars.allSatisfy { $0.properties.isWhitespace } ? SanitizedText.line(id.text) : line
  }

  /// Returns the name of a graph's node, or its identifier if it has no name.
  static func name(of node: GraphNode) -> String { name(node.shownName, or: node.id) }

  /// Returns a count with its noun: `3 processes`, `1 process`.
  static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count) \(count == 1 ? one : many ?? one + "s")"
  }

  /// Returns the last component of a path.
  static func fileName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}

extension MetabolicDatabase {
  /// Returns the display name of a pathway.
  func pathwayName(_ pathway: Int) -> String { ShownText.name(pathways[pathway].name, or: pathways[pathway].id) }

  /// Returns the display name of a pool, process or metabolite; nil for an unknown id.
  func shownName(of id: Identifier) -> String? {
    if let pool = index.pools[id] { return poolName(pool) }
    if let process = index.processes[id] { return ShownText.name(processes[process].name, or: id) }
    return index.metabolites[id].map { ShownText.name(metabolites[$0].name, or: id) }
  }

  /// Returns the display name of a pool: `Pyruvate [Cytosol]`.
  func poolName(_ pool: Int) -> String {
    let metabolite = metabolites[links.poolMetabolites[pool]]
    let compartment = compartments[links.poolCompartments[pool]]
    return
      "\(ShownText.name(metabolite.name, or: metabolite.id)) [\(ShownText.name(compartment.name, or: compartment.id))]"
  }
}
