/// The entities of a structure for mmCIF: its compounds, the polymers, and one for each kind of ligand.
struct CIFEntities {
  /// One entity.
  struct Entity {
    var id: String
    var name = ""
    var type = ""
    var chains: [String] = []
    /// The label names of its parts, if the source states them.
    var labels: [String] = []
    /// The residue name if it is not a polymer; empty if not known.
    var component = ""
    var organism = ""
    var sequence: [String] = []
    var details: [Compound.Detail] = []
  }

  private(set) var list: [Entity] = []

  /// Joins compounds and sequences: by shared identifier (mmCIF), else by chain (PDB).
  init(_ structure: Structure) {
    var used: Set<String> = []
    for (index, compound) in structure.metadata.compounds.enumerated() {
      var id = compound.id.isEmpty ? "\(index + 1)" : compound.id
      while !used.insert(id).inserted { id += "'" }
      list.append(
        Entity(
          id: id, name: compound.name, type: compound.details.first { $0.token == "TYPE" }?.value ?? "",
          chains: compound.chains, labels: compound.labels, organism: compound.organism, details: compound.details))
    }
    for sequence in structure.sequences { add(sequence) }
    for index in list.indices where list[index].type.isEmpty {
      list[index].type = list[index].sequence.isEmpty && list[index].chains.isEmpty ? "non-polymer" : "polymer"
    }
  }

  private mutating func add(_ sequence: PolymerSequence) {
    let found =
      list.firstIndex { $0.id == sequence.id && ($0.chains == sequence.chains || $0.chains.isEmpty) }
      ?? list.firstIndex { entity in !sequence.chains.isEmpty && sequence.chains.allSatisfy(entity.chains.contains) }
    if let found {
      if list[found].sequence.isEmpty {
        list[found].sequence = sequence.residueNames
        if list[found].chains.isEmpty { list[found].chains = sequence.chains }
        return
      }
      if list[found].sequence == sequence.residueNames { return }
      // The same compound with another sequence is a separate entity.
      list[found].chains.removeAll { sequence.chains.contains($0) }
    }
    let twin = found.map { list[$0] }
    list.append(
      Entity(
        id: nextID(), name: twin?.name ?? "", chains: sequence.chains, organism: twin?.organism ?? "",
        sequence: sequence.residueNames, details: twin?.details ?? []))
  }

  // MARK: Entities of parts

  /// Removes the source's label names, which parts no longer have.
  mutating func forgetLabels() {
    for index in list.indices { list[index].labels = [] }
  }

  /// Returns the entity of a polymer, and the index of each of its positions in the entity's sequence, 0-based.
  ///
  /// A chain whose residues do not fit its stated sequence becomes a separate entity.
  mutating func polymer(of part: CIFLabels.Part) -> (entity: Int, places: [Int]) {
    let found = list.firstIndex { $0.labels.contains(part.label) } ?? polymer(ofChain: part.chain)
    let stated = found.map { list[$0].sequence } ?? []
    let sequence = CIFSequence(stated: stated, positions: part.positions)
    if let found, stated.isEmpty || stated == sequence.names || !isShared(found) {
      list[found].sequence = sequence.names
      if list[found].chains.isEmpty { list[found].chains = [part.chain] }
      return (found, sequence.places)
    }
    if found == nil, let twin = list.firstIndex(where: { $0.name.isEmpty && $0.sequence == sequence.names }) {
      list[twin].chains.append(part.chain)
      return (twin, sequence.places)
    }
    var entity = found.map { list[$0] } ?? Entity(id: "")
    if let found { list[found].chains.removeAll { $0 == part.chain } }
    (entity.id, entity.chains, entity.labels) = (nextID(), [part.chain], [])
    (entity.type, entity.sequence) = ("polymer", sequence.names)
    list.append(entity)
    return (list.count - 1, sequence.places)
  }

  private func polymer(ofChain chain: String) -> Int? {
    list.firstIndex { $0.chains.contains(chain) && !$0.sequence.isEmpty }
      ?? list.firstIndex { $0.chains.contains(chain) }
  }

  private func isShared(_ entity: Int) -> Bool { max(list[entity].chains.count, list[entity].labels.count) > 1 }

  /// Returns the entity of a ligand or of waters: the source's, else one for each residue name.
  mutating func nonPolymer(of part: CIFLabels.Part, name: String) -> Int {
    let type = part.kind == .water ? "water" : "non-polymer"
    func isOfKind(_ entity: Entity) -> Bool {
      part.kind == .water ? entity.type == "water" : entity.component == name && entity.type != "polymer"
    }
    if let found = list.firstIndex(where: { $0.labels.contains(part.label) }) ?? list.firstIndex(where: isOfKind) {
      if list[found].component.isEmpty, list[found].type == type { list[found].component = name }
      return found
    }
    if list.count == 1, list[0].type == type, list[0].component.isEmpty, list[0].labels.isEmpty {
      list[0].component = name
      return 0
    }
    list.append(
      Entity(id: nextID(), name: part.kind == .water ? "water" : name, type: type, component: name))
    return list.count - 1
  }

  /// Returns an unused identifier: the next number.
  private func nextID() -> String {
    var number = list.count + 1
    while list.contains(where: { $0.id == "\(number)" }) { number += 1 }
    return "\(number)"
  }
}
