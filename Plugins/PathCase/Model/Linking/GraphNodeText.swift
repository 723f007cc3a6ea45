import PluginText

/// The one-line description of a graph's node.
enum GraphNodeText {
  /// Returns the other names: the synonyms of a metabolite; the EC number and genes of a process.
  static func aliases(_ node: GraphNode, _ database: MetabolicDatabase?) -> [String] {
    guard let database else { return node.genes.flatMap { [$0.id.text, $0.name] } }
    if let pool = database.index.pools[node.subject] {
      return database.metabolites[database.links.poolMetabolites[pool]].synonyms
    }
    if let process = database.index.processes[node.subject] {
      let record = database.processes[process]
      return (record.enzyme.map { [$0] } ?? []) + record.genes
    }
    return []
  }

  /// Returns the name, the kind and the most important details.
  static func line(_ node: GraphNode, _ graph: ReactionGraph, _ database: MetabolicDatabase?) -> String {
    var parts = [ShownText.name(of: node)]
    if let database, let process = database.index.processes[node.subject] {
      let record = database.processes[process]
      parts.append(record.enzyme.map { "\(record.kind.rawValue) EC \(SanitizedText.line($0))" } ?? record.kind.rawValue)
      parts.append(database.equation(of: process))
    } else if node.kind == .pathway {
      parts.append("enter opens this pathway")
    } else {
      parts.append(node.category.isEmpty ? node.kind.rawValue : SanitizedText.line(node.category))
      if let database, let pool = database.index.pools[node.subject] {
        let metabolite = database.metabolites[database.links.poolMetabolites[pool]]
        if let formula = metabolite.formula { parts.append(SanitizedText.line(formula)) }
      }
      if let frame = node.compartment, graph.compartments.indices.contains(frame) {
        parts.append(ShownText.name(graph.compartments[frame].name, or: graph.compartments[frame].id))
      }
    }
    return parts.joined(separator: " · ")
  }
}

extension MetabolicDatabase {
  /// Returns the equation of a process with the names of metabolites; compartments are named if there are several.
  func equation(of process: Int) -> String {
    let record = processes[process]
    let pools = Array(links.participantPools[process])
    let places = Set(
      zip(record.participants, pools).filter { $0.0.role.isInput || $0.0.role.isOutput }.map {
        links.poolCompartments[$0.1]
      })
    func side(_ passes: (Participant.Role) -> Bool) -> String {
      zip(record.participants, pools).filter { passes($0.0.role) }.map { participant, pool in
        let metabolite = metabolites[links.poolMetabolites[pool]]
        let compartment = compartments[links.poolCompartments[pool]]
        let place = places.count > 1 ? " [\(ShownText.name(compartment.name, or: compartment.id))]" : ""
        return ProcessEquation.factor(participant.stoichiometry) + ShownText.name(metabolite.name, or: metabolite.id)
          + place
      }.joined(separator: " + ")
    }
    return side(\.isInput) + (record.isReversible ? " <=> " : " => ") + side(\.isOutput)
  }
}
