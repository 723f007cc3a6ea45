extension BioPAXReader {
  /// Adds a process.
  mutating func addProcess(_ object: BioPAXObjects.Object) throws(MapError) {
    var node = GraphNode(id: object.key, label: object.label, kind: .process, category: object.type)
    node.references = references(of: object)
    _ = try builder.add(node, what: "the process")
  }

  /// Adds the participants of a process.
  mutating func addParticipants(of object: BioPAXObjects.Object) throws(MapError) {
    let process = try entity(object.key)
    let amounts = amounts(of: object)
    let direction = directions[object.key]
    // In the backward direction, the right side is consumed.
    let isBackwards = direction == .rightToLeft
    let isReversible = direction == .reversible || reversibles.contains(object.key)
    let sides = [(name: "left", isInput: !isBackwards), (name: "right", isInput: isBackwards)]
    for side in sides + [(name: "template", isInput: true), (name: "product", isInput: false)] {
      for key in object.references(side.name) {
        let entity = try entity(key)
        var edge = GraphEdge(source: side.isInput ? entity : process, target: side.isInput ? process : entity)
        edge.isReversible = isReversible
        edge.stoichiometry = amounts[key] ?? 1
        edge.category = side.name
        builder.graph.edges.append(edge)
      }
    }
    for key in object.references("participant") {
      let edge = GraphEdge(source: try entity(key), target: process, kind: .association, category: "participant")
      builder.graph.edges.append(edge)
    }
  }

  /// Returns the stoichiometric coefficient of each participant.
  private func amounts(of object: BioPAXObjects.Object) -> [Identifier: Double] {
    var amounts: [Identifier: Double] = [:]
    for key in object.references("participantStoichiometry") {
      guard let stoichiometry = objects[key], let entity = stoichiometry.references("physicalEntity").first,
        let amount = stoichiometry.text("stoichiometricCoefficient").flatMap(MapNumber.double), amount > 0
      else { continue }
      amounts[entity] = amount
    }
    return amounts
  }

  /// Returns the node of a participant, adding it on first use.
  private mutating func entity(_ key: Identifier) throws(MapError) -> Int {
    if let node = builder.indices[key] { return node }
    guard let object = objects[key] else {
      missing.append(key)
      let node = GraphNode(id: key, label: BioPAXObjects.Object.tail(of: key), kind: .other)
      return try builder.add(node, what: "the entity")
    }
    var node = GraphNode(id: key, label: object.label, kind: BioPAXClass.kind(of: object.type), category: object.type)
    // The same molecule in another place or state is a different entity: it becomes a reference, not the entity
    // represented.
    node.references = references(of: object) + object.references("entityReference").map(\.text)
    node.compartment = object.references("cellularLocation").first.map { compartment($0) }
    return try object.placing { () throws(MapError) in try builder.add(node, what: "the entity") }
  }

  private mutating func compartment(_ key: Identifier) -> Int {
    if let place = compartments[key] { return place }
    let name = objects[key].map { $0.text("term") ?? $0.label } ?? BioPAXObjects.Object.tail(of: key)
    compartments[key] = builder.graph.compartments.count
    builder.graph.compartments.append(GraphCompartment(id: key, name: name, parent: nil))
    return builder.graph.compartments.count - 1
  }

  /// Returns the database entries of an object, as `database:id`.
  private func references(of object: BioPAXObjects.Object) -> [String] {
    object.references("xref").compactMap { key in
      guard let xref = objects[key], let id = xref.text("id") else { return nil }
      return xref.text("db").map { "\($0):\(id)" } ?? id
    }
  }

  /// Adds the effect of a controller on a process.
  mutating func addControl(_ object: BioPAXObjects.Object) throws(MapError) {
    for controlled in object.references("controlled") {
      guard let target = try target(of: controlled) else {
        builder.warn("map-simplified", "'\(object.label)' controls nothing that is drawn; it is left out")
        continue
      }
      for controller in object.references("controller") {
        let source = try entity(controller)
        builder.graph.edges.append(
          GraphEdge(source: source, target: target, kind: Self.kind(of: object), id: object.key, category: object.type))
      }
    }
  }

  private static func kind(of control: BioPAXObjects.Object) -> GraphEdge.Kind {
    let type = control.text("controlType") ?? ""
    if type.hasPrefix("INHIBITION") { return .inhibition }
    if control.type == "Catalysis" { return .catalysis }
    return type.hasPrefix("ACTIVATION") ? .activation : .association
  }

  /// The maximum length of a chain of controls; in real files it is two.
  private static let longestChain = 16

  /// Returns the node that a control acts on; for a control of another control, the target of that one.
  private mutating func target(of key: Identifier) throws(MapError) -> Int? {
    var next = key
    var seen: Set<Identifier> = []
    while seen.insert(next).inserted, seen.count <= Self.longestChain {
      if let node = builder.indices[next] { return node }
      guard let object = objects[next] else { return try entity(next) }
      if !BioPAXClass.isControl(object.type) { return try entity(next) }
      guard let further = object.references("controlled").first else { return nil }
      next = further
    }
    return nil
  }
}
