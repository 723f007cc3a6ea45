import PluginText

/// The details of a network's node, in sections of labels and values.
struct NodeDetails: Sendable, Hashable {
  /// A label, a value and a link.
  struct Field: Sendable, Hashable {
    var label: String
    var value: String
    var link: Link?
  }

  /// The target of a field's link.
  enum Link: Sendable, Hashable {
    /// A node of the same network, identified by the thing it represents.
    case node(Identifier)
    /// Another pathway, with a node of it.
    case pathway(Identifier, focus: Identifier)
  }

  struct Section: Sendable, Hashable {
    var heading: String
    var fields: [Field]
  }

  var title: String
  var sections: [Section] = []

  /// Adds a section if it has fields.
  mutating func add(_ heading: String, _ fields: [Field]) {
    if !fields.isEmpty { sections.append(Section(heading: heading, fields: fields)) }
  }
}

extension NodeDetails {
  /// Creates the details of a database's pool or process; nil if there is none with that id.
  ///
  /// - Parameter pathway: The index of the pathway that the user came from; it is left out of the links.
  init?(_ subject: Identifier, in database: MetabolicDatabase, pathway: Int?) {
    if let pool = database.index.pools[subject] {
      self.init(pool: pool, database, pathway)
    } else if let process = database.index.processes[subject] {
      self.init(process: process, database, pathway)
    } else {
      return nil
    }
  }

  private init(pool: Int, _ database: MetabolicDatabase, _ pathway: Int?) {
    let metabolite = database.metabolite(ofPool: pool)
    title = ShownText.name(metabolite.name, or: metabolite.id)
    var fields = [Field(label: "Name", value: title)]
    if let formula = metabolite.formula { fields.append(Field(label: "Formula", value: SanitizedText.line(formula))) }
    if let charge = metabolite.charge {
      fields.append(Field(label: "Charge", value: charge > 0 ? "+\(charge)" : "\(charge)"))
    }
    fields += metabolite.synonyms.map { Field(label: "Synonym", value: SanitizedText.line($0)) }
    if metabolite.isCommon { fields.append(Field(label: "Common", value: "yes; pictures may leave it out")) }
    add("Metabolite", fields)
    addPlaces(pool, database)
    addProcesses(ofPool: pool, database)
    addPathways(of: pool, database, pathway)
    let references = metabolite.references.sorted { Identifier($0.key) < Identifier($1.key) }
    add(
      "Identifiers",
      references.map { Field(label: SanitizedText.line($0.key), value: SanitizedText.line($0.value)) } + [
        Field(label: "metabolite", value: SanitizedText.line(metabolite.id.text)),
        Field(label: "pool", value: SanitizedText.line(database.pools[pool].id.text)),
      ])
  }

  private mutating func addPlaces(_ pool: Int, _ database: MetabolicDatabase) {
    var fields = [Field(label: "Compartment", value: Self.location(pool, database))]
    if database.pools[pool].isBoundary {
      fields.append(Field(label: "Boundary", value: "the network ends here; the environment may supply or remove it"))
    }
    let others = database.links.poolsOfMetabolites[database.links.poolMetabolites[pool]].filter { $0 != pool }
    fields += others.map {
      Field(label: "Also in", value: Self.location($0, database), link: .node(database.pools[$0].id))
    }
    if let number = database.links.rangesOfPools[pool] { fields += Self.limits(database.ranges[number]) }
    add("Location", fields)
  }

  private static func limits(_ range: BiofluidRange) -> [Field] {
    let unit = range.unit.isEmpty ? "" : " \(SanitizedText.line(range.unit))"
    let all = [
      ("Unavailable", "below", range.unavailableBelow), ("Accumulated", "above", range.accumulatedAbove),
      ("Severely so", "above", range.severeAbove),
    ]
    return all.compactMap { label, side, limit in
      limit.map { Field(label: label, value: "\(side) \($0)\(unit)") }
    }
  }

  /// Returns the compartment, those that enclose it, and the tissue.
  private static func location(_ pool: Int, _ database: MetabolicDatabase) -> String {
    let compartment = database.links.poolCompartments[pool]
    var names: [String] = []
    for outer in sequence(first: compartment, next: { database.links.outerCompartments[$0] }).prefix(8) {
      names.append(ShownText.name(database.compartments[outer].name, or: database.compartments[outer].id))
    }
    let tissue = database.links.compartmentTissues[compartment].map { database.tissues[$0] }
    let text = names.joined(separator: " in ")
    return tissue.map { "\(text), \(ShownText.name($0.name, or: $0.id))" } ?? text
  }

  private mutating func addProcesses(ofPool pool: Int, _ database: MetabolicDatabase) {
    var fields: [Field] = []
    for process in database.links.processesOfPools[pool] {
      let record = database.processes[process]
      for (participant, other) in database.participants(ofProcess: process) where other == pool {
        fields.append(
          Field(
            label: Self.role(participant.role),
            value: "\(ShownText.name(record.name, or: record.id)): \(database.equation(of: process))",
            link: .node(record.id)))
      }
    }
    add("Takes part in", fields)
  }

  /// Returns a role in everyday words.
  private static func role(_ role: Participant.Role) -> String {
    switch role {
    case .cofactorIn: "cofactor, used"
    case .cofactorOut: "cofactor, made"
    case .substrate, .product, .activator, .inhibitor, .catalyst: role.rawValue
    }
  }

  /// Adds the other pathways that contain a pool, declared links first.
  private mutating func addPathways(of pool: Int, _ database: MetabolicDatabase, _ pathway: Int?) {
    let id = database.pools[pool].id
    var found = database.pathways(ofPools: [pool])
    let declared = pathway.map { database.pathways[$0].links.filter { $0.via == id }.map(\.pathway) } ?? []
    for link in declared { if let index = database.index.pathways[link] { found.insert(index) } }
    if let pathway { found.remove(pathway) }
    let linked = Set(declared)
    add(
      "Leads to",
      found.sorted().map { index in
        let record = database.pathways[index]
        return Field(
          label: linked.contains(record.id) ? "linked pathway" : "pathway",
          value: ShownText.name(record.name, or: record.id), link: .pathway(record.id, focus: id))
      })
  }

  private init(process: Int, _ database: MetabolicDatabase, _ pathway: Int?) {
    let record = database.processes[process]
    title = ShownText.name(record.name, or: record.id)
    var fields = [
      Field(label: "Name", value: title), Field(label: "Kind", value: record.kind.rawValue),
      Field(label: "Equation", value: database.equation(of: process)),
      Field(label: "Direction", value: record.isReversible ? "both ways" : "one way"),
    ]
    if let enzyme = record.enzyme { fields.append(Field(label: "EC", value: SanitizedText.line(enzyme))) }
    if !record.genes.isEmpty {
      fields.append(
        Field(
          label: record.genes.count == 1 ? "Gene" : "Genes",
          value: record.genes.map { SanitizedText.line($0) }.joined(separator: ", ")))
    }
    fields.append(Field(label: "Id", value: SanitizedText.line(record.id.text)))
    add("Process", fields)
    add(
      "Participants",
      database.participants(ofProcess: process).map { participant, pool in
        let amount = participant.stoichiometry == 1 ? "" : " × \(ProcessEquation.amount(participant.stoichiometry))"
        let trigger = participant.trigger.map { ", from \($0.word) on" } ?? ""
        return Field(
          label: Self.role(participant.role), value: database.poolName(pool) + amount + trigger,
          link: .node(database.pools[pool].id))
      })
    let others = database.links.pathwaysOfProcesses[process].filter { $0 != pathway }
    add(
      "Also in",
      others.map {
        Field(
          label: "pathway", value: database.pathwayName($0),
          link: .pathway(database.pathways[$0].id, focus: record.id))
      })
  }
}

extension NodeDetails {
  /// Creates the details of a file's node; nil if no node represents the thing.
  init?(_ subject: Identifier, in graph: ReactionGraph) {
    guard let index = graph.nodes.firstIndex(where: { $0.subject == subject }) else { return nil }
    let node = graph.nodes[index]
    title = ShownText.name(of: node)
    var fields = [
      Field(label: "Name", value: title), Field(label: "Id", value: SanitizedText.line(node.id.text)),
      Field(label: "Kind", value: node.category.isEmpty ? node.kind.rawValue : SanitizedText.line(node.category)),
    ]
    if let frame = node.compartment, graph.compartments.indices.contains(frame) {
      let compartment = graph.compartments[frame]
      fields.append(Field(label: "Compartment", value: ShownText.name(compartment.name, or: compartment.id)))
    }
    if !node.geneRule.isEmpty { fields.append(Field(label: "Genes", value: SanitizedText.line(node.geneRule))) }
    add("Node", fields)
    var neighbors: [Field] = []
    for edge in graph.edges where edge.source == index || edge.target == index {
      let other = graph.nodes[edge.source == index ? edge.target : edge.source]
      let direction = edge.isReversible ? "both ways" : edge.source == index ? "to" : "from"
      neighbors.append(
        Field(
          label: edge.kind == .flow ? direction : edge.kind.rawValue, value: ShownText.name(of: other),
          link: .node(other.subject)))
    }
    add("Connected to", neighbors)
    add("Identifiers", node.references.map { Field(label: "reference", value: SanitizedText.line($0)) })
  }
}
