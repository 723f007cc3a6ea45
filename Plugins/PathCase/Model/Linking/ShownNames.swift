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
    let (metabolite, compartment) = (metabolite(ofPool: pool), compartment(ofPool: pool))
    return
      "\(ShownText.name(metabolite.name, or: metabolite.id)) [\(ShownText.name(compartment.name, or: compartment.id))]"
  }
}

/// The equation of a process in one line of text.
enum ProcessEquation {
  /// Returns the equation, such as `glc_c + atp_c => g6p_c + adp_c`.
  static func text(_ process: MetabolicProcess) -> String {
    let arrow = process.isReversible ? " <=> " : " => "
    return side(process.inputs) + arrow + side(process.outputs)
  }

  private static func side(_ participants: some Sequence<Participant>) -> String {
    participants.map { factor($0.stoichiometry) + $0.pool.text }.joined(separator: " + ")
  }

  /// Returns the stoichiometric factor before a name: `2 ` for two moles, "" for one.
  static func factor(_ moles: Double) -> String { moles == 1 ? "" : amount(moles) + " " }

  /// Returns a number of moles in its usual notation: `2`, `0.5`.
  static func amount(_ moles: Double) -> String {
    moles == moles.rounded() && abs(moles) < 1e15 ? String(Int(moles)) : String(moles)
  }
}

/// The one-line description of a graph's node.
enum GraphNodeText {
  /// Returns the other names: the synonyms of a metabolite; the EC number and genes of a process.
  static func aliases(_ node: GraphNode, _ database: MetabolicDatabase?) -> [String] {
    guard let database else { return node.genes.flatMap { [$0.id.text, $0.name] } }
    if let pool = database.index.pools[node.subject] {
      return database.metabolite(ofPool: pool).synonyms
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
        if let formula = database.metabolite(ofPool: pool).formula { parts.append(SanitizedText.line(formula)) }
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
    let participants = participants(ofProcess: process)
    let places = Set(participants.filter { $0.0.isMoved }.map { links.poolCompartments[$0.1] })
    func side(_ passes: (Participant.Role) -> Bool) -> String {
      participants.filter { passes($0.0.role) }.map { participant, pool in
        let (metabolite, compartment) = (metabolite(ofPool: pool), compartment(ofPool: pool))
        let suffix = places.count > 1 ? " [\(ShownText.name(compartment.name, or: compartment.id))]" : ""
        return ProcessEquation.factor(participant.stoichiometry) + ShownText.name(metabolite.name, or: metabolite.id)
          + suffix
      }.joined(separator: " + ")
    }
    return side(\.isInput) + (processes[process].isReversible ? " <=> " : " => ") + side(\.isOutput)
  }
}

/// The names that drawings show in limited space.
enum ShownNames {
  /// Returns the name of a node as drawings show it: carrier molecules by their short names.
  static func name(_ node: GraphNode) -> String { short(node) ?? node.label }

  /// Returns the short name of a carrier molecule; nil for all other nodes.
  static func short(_ node: GraphNode) -> String? {
    node.kind == .pool ? CarrierMolecules.shortName(node) : nil
  }

  /// Returns the texts to draw for names, such that different names look different even if truncated.
  ///
  /// Names that would look equal keep their beginning and end. If that does not help, ids replace them, or they are
  /// numbered.
  /// - Parameters:
  ///   - ids: The id of each.
  ///   - mark: The ellipsis for omitted text.
  ///   - seen: The visible part of a text in place of a name, given the index of the name.
  static func distinct<Seen: Hashable>(
    _ names: [String], ids: [String], mark: String = "…", seen: (Int, String) -> Seen
  ) -> [String] {
    var result = names
    var order: [Seen] = []
    var groups: [Seen: [Int]] = [:]
    for index in names.indices {
      let key = seen(index, names[index])
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(index)
    }
    var taken = Set(order)
    for key in order {
      guard let group = groups[key], group.contains(where: { names[$0] != names[group[0]] }) else { continue }
      for form in forms(group, names, ids, mark) {
        var nameOfSeen: [Seen: String] = [:]
        let isApart = group.allSatisfy { index in
          let new = seen(index, form(index))
          if taken.contains(new) { return false }
          return nameOfSeen.updateValue(names[index], forKey: new).map { $0 == names[index] } ?? true
        }
        guard isApart else { continue }
        taken.formUnion(nameOfSeen.keys)
        for index in group { result[index] = form(index) }
        break
      }
    }
    return result
  }

  /// Returns the forms of a group's names, the best first.
  private static func forms(
    _ group: [Int], _ names: [String], _ ids: [String], _ mark: String
  ) -> [(Int) -> String] {
    var numbers: [String: Int] = [:]
    for index in group where numbers[names[index]] == nil { numbers[names[index]] = numbers.count + 1 }
    let fixed = numbers
    func numbered(_ index: Int) -> String { "\(fixed[names[index], default: 0]) \(names[index])" }
    var forms: [(Int) -> String] = []
    for length in [48, 36, 28, 22, 16, 12] { forms.append { middle(names[$0], length: length, mark) } }
    forms.append { ids[$0] }
    forms.append(numbered)
    return forms
  }

  /// Returns the beginning and end of a name, with a number of characters in total.
  private static func middle(_ name: String, length: Int, _ mark: String) -> String {
    if name.count <= length { return name }
    return String(name.prefix(length - length / 2 - 1)) + mark + String(name.suffix(length / 2))
  }
}

extension GraphNode {
  /// The display name: the label with the states, `AKT (P@T308)`; the caption of a node without a name.
  ///
  /// The identifier is not used, because files number nodes without a name.
  var shownName: String {
    let isBlank = label.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
    let name = isBlank ? caption : label
    let states = decorations.filter { Self.stateCategories.contains($0.category) && !$0.text.isEmpty }.map(\.text)
    return states.isEmpty ? name : "\(name) (\(states.joined(separator: ", ")))"
  }

  /// The caption of a node that has neither a name nor parts with names: its kind.
  var kindCaption: String { isPoint ? "point" : category.lowercased() }

  /// True if nothing but its kind could name it.
  var isUnnamed: Bool { label.isEmpty && !caption.isEmpty && shownName == kindCaption }

  /// The categories of SBGN and GPML for decorations that state a node's state.
  private static let stateCategories: Set = ["state variable", "State"]
}
