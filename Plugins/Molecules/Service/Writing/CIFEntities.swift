/// The entities of a structure that is written as mmCIF: its compounds, and the polymers whose sequence is stated.
struct CIFEntities {
  /// One entity.
  struct Entity {
    var id: String
    var name = ""
    var type = ""
    var chains: [String] = []
    var organism = ""
    var sequence: [String] = []
    var details: [Compound.Detail] = []
  }

  private(set) var list: [Entity] = []

  /// Joins compounds and sequences: by identifier where they share it (mmCIF), else by chain (PDB).
  init(_ structure: Structure) {
    var used: Set<String> = []
    for (index, compound) in structure.metadata.compounds.enumerated() {
      var id = compound.id.isEmpty ? "\(index + 1)" : compound.id
      while !used.insert(id).inserted { id += "'" }
      list.append(
        Entity(
          id: id, name: compound.name, type: compound.details.first { $0.token == "TYPE" }?.value ?? "",
          chains: compound.chains, organism: compound.organism, details: compound.details))
    }
    for sequence in structure.sequences { add(sequence, &used) }
    for index in list.indices where list[index].type.isEmpty {
      list[index].type = list[index].sequence.isEmpty && list[index].chains.isEmpty ? "non-polymer" : "polymer"
    }
  }

  private mutating func add(_ sequence: PolymerSequence, _ used: inout Set<String>) {
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
      // The same compound with another sequence: an entity of its own.
      list[found].chains.removeAll { sequence.chains.contains($0) }
    }
    var id = "\(list.count + 1)"
    while !used.insert(id).inserted { id += "'" }
    let twin = found.map { list[$0] }
    list.append(
      Entity(
        id: id, name: twin?.name ?? "", chains: sequence.chains, organism: twin?.organism ?? "",
        sequence: sequence.residueNames, details: twin?.details ?? []))
  }

  /// The entity of a chain's polymer, or nil.
  func polymer(ofChain chain: String) -> Entity? {
    list.first { $0.chains.contains(chain) && !$0.sequence.isEmpty } ?? list.first { $0.chains.contains(chain) }
  }
}

/// Label names and sequence numbers of the residues of one model.
struct CIFLabels {
  private let first: Int
  private var texts: [String] = []

  /// Gives each part of a chain its label: the labels the source had where they are as many, else names made of the chain's.
  init(_ structure: Structure, model: Int, entities: CIFEntities) {
    let range = structure.models[model].residues
    first = range.lowerBound
    texts = Array(repeating: ". . .", count: range.count)
    for chain in structure.models[model].chains { label(structure, structure.chains[chain], entities) }
  }

  /// label_asym_id, label_entity_id and label_seq_id of a residue.
  func text(_ residue: Int) -> String { texts[residue - first] }

  private mutating func label(_ structure: Structure, _ chain: Chain, _ entities: CIFEntities) {
    let polymer = entities.polymer(ofChain: chain.name)
    let entity = CIFTextWriter.quoted(polymer?.id)
    var parts = 0
    var water: Int?
    var hasPolymer = false
    var place = SequencePlace(polymer?.sequence ?? [])
    for run in chain.residueRuns {
      for residue in run {
        let row = structure.residues[residue]
        switch row.kind {
        case .polymer:
          if !hasPolymer { parts += 1 }
          hasPolymer = true
          let number = place.next(structure.names[row.name], Int(row.number))
          texts[residue - first] = name(chain, 0) + " " + entity + " \(number)"
        case .ligand:
          texts[residue - first] = name(chain, max(parts, 0)) + " ? ."
          parts += 1
        case .water:
          if water == nil {
            water = parts
            parts += 1
          }
          texts[residue - first] = name(chain, water ?? 0) + " ? ."
        }
      }
    }
  }

  /// The label of a chain's part: as the source had it, the last for more parts than it had; else the chain's name.
  private func name(_ chain: Chain, _ part: Int) -> String {
    guard !chain.labels.isEmpty else { return chain.name.isEmpty ? "." : CIFTextWriter.quoted(chain.name) }
    return CIFTextWriter.quoted(chain.labels[min(part, chain.labels.count - 1)])
  }
}

/// Finds the places of residues in the sequence of their polymer.
private struct SequencePlace {
  private let sequence: [String]
  private var place = 0
  private var number: Int?
  /// A gap longer than this is not looked over for a name.
  private static let farthest = 500

  init(_ sequence: [String]) { self.sequence = sequence }

  /// The place of the next residue, from 1: as far on as its number is, if the sequence has its name there, else where the
  /// name comes next.
  mutating func next(_ name: String, _ number: Int) -> Int {
    let step = self.number.map { max(1, min(number - $0, 100_000)) } ?? 1
    self.number = number
    let expected = place + step - 1
    if sequence.indices.contains(expected), sequence[expected] == name {
      place = expected + 1
    } else if place < sequence.count,
      let found = sequence[place..<min(place + Self.farthest, sequence.count)].firstIndex(of: name)
    {
      place = found + 1
    } else {
      place += 1
    }
    return place
  }
}
