/// The label names of the parts of a structure in mmCIF: a polymer, a ligand, the waters of a chain.
///
/// Labels of an mmCIF source are kept if each names one part. Else a polymer has the name of its chain, and every other
/// part the next free name. A part has the same label in all models.
struct CIFLabels {
  /// A part with its own label (_struct_asym).
  struct Part {
    var label = ""
    let kind: Residue.Kind
    /// The author name of its chain.
    let chain: String
    /// The index of its entity.
    var entity = 0
    /// For a polymer, the residues with coordinates in any model; else empty.
    var positions: [CIFPosition] = []
    /// For a polymer, the index of each position in the sequence of its entity, 0-based.
    var indices: [Int] = []
    /// The residues of the first model that has the part, by index.
    var residues: [Int] = []
  }

  private(set) var parts: [Part] = []
  private(set) var entities: CIFEntities
  /// The index of each residue's part.
  private var partIndices: [Int32]
  /// The position index of each residue of a polymer.
  private var positionIndices: [Int32]

  private let isFromPDB: Bool

  init(_ structure: Structure, isFromPDB: Bool = false) {
    self.isFromPDB = isFromPDB
    entities = CIFEntities(structure)
    partIndices = Array(repeating: 0, count: structure.residues.count)
    positionIndices = partIndices
    let source = CIFSourceLabels(structure)
    if source.isEmpty { entities.forgetLabels() }
    collect(structure, source)
    name(Set(structure.chains.map(\.name)))
    for index in parts.indices { findEntity(index, structure) }
  }

  func part(ofResidue residue: Int) -> Part { parts[Int(partIndices[residue])] }

  /// Returns the number of a residue in the sequence of its entity, from 1; nil for residues outside polymers.
  func number(ofResidue residue: Int) -> Int? {
    let part = parts[Int(partIndices[residue])]
    return part.kind == .polymer ? part.indices[Int(positionIndices[residue])] + 1 : nil
  }

  /// Returns the labels of an assembly's chains, those of an author chain for each of its parts.
  func labels(of assembly: AssemblyPart, in structure: Structure) -> [String] {
    let wanted = Set(assembly.chains)
    let labels = structure.labelRuns
    var chosen: Set<Int> = []
    if assembly.usesLabels, !labels.isEmpty {
      for (index, run) in labels.enumerated() where wanted.contains(run.label) {
        let end = index + 1 < labels.count ? Int(labels[index + 1].firstResidue) : structure.residues.count
        for residue in Int(run.firstResidue)..<end { chosen.insert(Int(partIndices[residue])) }
      }
    } else {
      for (index, part) in parts.enumerated() where wanted.contains(part.chain) { chosen.insert(index) }
    }
    return chosen.sorted().map { parts[$0].label }
  }

  // MARK: Making

  private struct Key: Hashable {
    var label: String?
    var kind: Residue.Kind
    var chain: String
    var residue: ResidueAddress?
  }

  private mutating func collect(_ structure: Structure, _ source: CIFSourceLabels) {
    var known: [Key: Int] = [:]
    for model in structure.models {
      let firstNew = parts.count
      for chain in model.chains {
        // The part of the previous residue: most residues share it.
        var last: (key: Key, index: Int)?
        for residue in structure.chains[chain].residueRuns.joined() {
          let key = key(of: residue, structure, source)
          let index = last?.key == key ? last?.index ?? 0 : known[key] ?? parts.count
          if index == parts.count {
            known[key] = index
            parts.append(Part(label: key.label ?? "", kind: key.kind, chain: key.chain))
          }
          last = (key, index)
          partIndices[residue] = Int32(index)
          if index >= firstNew { parts[index].residues.append(residue) }
        }
      }
    }
    // Models may differ in their residues: the positions are final only after a first pass over all of them.
    for _ in 0..<2 { walkPolymers(structure) }
  }

  private func key(of residue: Int, _ structure: Structure, _ source: CIFSourceLabels) -> Key {
    let kind = structure.residues[residue].kind
    // A segment of a PDB file may contain several ligands; in mmCIF ligands with the same label are one entity.
    let label = kind == .ligand && isFromPDB ? nil : source.label(ofResidue: residue)
    let isAlone = label == nil && kind == .ligand
    return Key(
      label: label, kind: kind, chain: structure.chainName(ofResidue: residue),
      residue: isAlone ? structure.address(ofResidue: residue) : nil)
  }

  /// Assigns positions to the residues of polymers, model by model.
  private mutating func walkPolymers(_ structure: Structure) {
    for model in structure.models {
      var walks: [Int: PolymerWalk] = [:]
      for residue in model.chains.lazy.flatMap({ structure.chains[$0].residueRuns.joined() })
      where structure.residues[residue].kind == .polymer {
        let (row, part) = (structure.residues[residue], Int(partIndices[residue]))
        positionIndices[residue] = Int32(
          walks[part, default: PolymerWalk()].place(row, structure.names[row.name], in: &parts[part].positions))
      }
    }
  }

  /// Names the parts without a label: polymers after their chain, then the others A, B, …, Z, AA, BA, ….
  private mutating func name(_ chains: Set<String>) {
    var taken = chains.union(parts.map(\.label))
    var named: Set<String> = []
    for index in parts.indices where parts[index].label.isEmpty && parts[index].kind == .polymer {
      let chain = parts[index].chain
      if !chain.isEmpty, named.insert(chain).inserted { parts[index].label = chain }
    }
    var next = 0
    for index in parts.indices where parts[index].label.isEmpty {
      repeat {
        parts[index].label = Self.name(next)
        next += 1
      } while !taken.insert(parts[index].label).inserted
    }
  }

  /// Returns the label of a number from 0 on, in the archive's scheme.
  private static func name(_ number: Int) -> String {
    var (letters, remaining) = ("", number)
    repeat {
      letters.unicodeScalars.append(UnicodeScalar(UInt8(65 + remaining % 26)))
      remaining = remaining / 26 - 1
    } while remaining >= 0
    return letters
  }

  private mutating func findEntity(_ index: Int, _ structure: Structure) {
    let part = parts[index]
    switch part.kind {
    case .polymer:
      let found = entities.polymer(of: part)
      (parts[index].entity, parts[index].indices) = (found.entity, found.indices)
    case .ligand, .water:
      let name = part.residues.first.map { structure.residueName($0) } ?? ""
      parts[index].entity = entities.nonPolymer(of: part, name: name)
    }
  }
}

/// Assigns positions in a polymer to the residues of one model.
///
/// The same number may recur later in a chain: the second is a different residue from the first.
private struct PolymerWalk {
  private var last: Int?

  /// Returns the index of a residue's position after that of the previous residue, inserting a new position if
  /// necessary.
  mutating func place(_ row: Residue, _ name: String, in positions: inout [CIFPosition]) -> Int {
    func isSame(_ position: CIFPosition) -> Bool {
      position.number == row.number && position.insertionCode == row.insertionCode
    }
    if let last, isSame(positions[last]) {
      if !positions[last].names.contains(name) { positions[last].names.append(name) }
      return last
    }
    let next = last.map { $0 + 1 } ?? 0
    let found = positions[next...].firstIndex(where: isSame)
    if let found {
      if !positions[found].names.contains(name) { positions[found].names.append(name) }
    } else {
      positions.insert(
        CIFPosition(number: row.number, insertionCode: row.insertionCode, names: [name]), at: next)
    }
    last = found ?? next
    return found ?? next
  }
}

/// The labels of residues in an mmCIF source; none if one of them names different kinds of parts.
private struct CIFSourceLabels {
  /// The index of each residue's label; empty if the labels cannot be kept.
  private var indices: [Int32] = []
  private var labels: [String] = []

  init(_ structure: Structure) {
    guard !structure.labelRuns.isEmpty, structure.labelRuns[0].firstResidue == 0 else { return }
    var known: [String: (index: Int32, kind: Residue.Kind, chain: String)] = [:]
    for (index, run) in structure.labelRuns.enumerated() {
      let isLast = index + 1 == structure.labelRuns.count
      let end = isLast ? structure.residues.count : Int(structure.labelRuns[index + 1].firstResidue)
      for residue in Int(run.firstResidue)..<end {
        let (kind, chain) = (structure.residues[residue].kind, structure.chainName(ofResidue: residue))
        let entry = known[run.label] ?? (Int32(labels.count), kind, chain)
        if known[run.label] == nil {
          known[run.label] = entry
          labels.append(run.label)
        }
        guard !run.label.isEmpty, entry.kind == kind, entry.chain == chain else {
          indices = []
          return
        }
        indices.append(entry.index)
      }
    }
  }

  /// True if the structure's parts need new names.
  var isEmpty: Bool { indices.isEmpty }

  func label(ofResidue residue: Int) -> String? { indices.isEmpty ? nil : labels[Int(indices[residue])] }
}

/// The entities of a structure for mmCIF: its compounds, the polymers, and one for each kind of ligand.
struct CIFEntities {
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
  mutating func polymer(of part: CIFLabels.Part) -> (entity: Int, indices: [Int]) {
    let found = list.firstIndex { $0.labels.contains(part.label) } ?? polymer(ofChain: part.chain)
    let stated = found.map { list[$0].sequence } ?? []
    let sequence = CIFSequence(stated: stated, positions: part.positions)
    if let found, stated.isEmpty || stated == sequence.names || !isShared(found) {
      list[found].sequence = sequence.names
      if list[found].chains.isEmpty { list[found].chains = [part.chain] }
      return (found, sequence.indices)
    }
    if found == nil, let twin = list.firstIndex(where: { $0.name.isEmpty && $0.sequence == sequence.names }) {
      list[twin].chains.append(part.chain)
      return (twin, sequence.indices)
    }
    var entity = found.map { list[$0] } ?? Entity(id: "")
    if let found { list[found].chains.removeAll { $0 == part.chain } }
    (entity.id, entity.chains, entity.labels) = (nextID(), [part.chain], [])
    (entity.type, entity.sequence) = ("polymer", sequence.names)
    list.append(entity)
    return (list.count - 1, sequence.indices)
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

/// One position of a polymer in the coordinates, over all models; with several residues if the file has more than one
/// kind.
struct CIFPosition: Equatable {
  var number: Int32
  var insertionCode: UInt8
  /// The residue names at the position, in order of appearance.
  var names: [String]
}

/// The sequence of a polymer and the indices of its residues with coordinates.
struct CIFSequence: Equatable {
  /// The residue names, including residues without coordinates.
  private(set) var names: [String]
  /// The index in `names` of each position, 0-based, ascending.
  private(set) var indices: [Int]

  /// Finds the indices of positions in a stated sequence.
  ///
  /// Runs of consecutive residue numbers are searched literally; if one is missing the sequences are aligned. A residue
  /// missing in the stated sequence is inserted, so that every position has its own index.
  init(stated: [String], positions: [CIFPosition]) {
    names = stated
    indices = []
    if stated.isEmpty {
      names = positions.map { $0.names[0] }
      indices = Array(names.indices)
    } else if !findRuns(positions) {
      align(positions)
    }
  }

  /// Locates positions run by run; returns false if one is not in the sequence after the previous run.
  private mutating func findRuns(_ positions: [CIFPosition]) -> Bool {
    var start = 0
    while start < positions.count {
      var end = start + 1
      while end < positions.count, Self.isNext(positions[end], after: positions[end - 1]) { end += 1 }
      let first = indices.last.map { $0 + 1 } ?? 0
      let gap = start > 0 ? Int(positions[start].number) - Int(positions[start - 1].number) : Int(positions[0].number)
      guard let index = index(of: positions[start..<end], from: first, likely: first + max(gap, 1) - 1) else {
        indices = []
        return false
      }
      indices += index..<index + (end - start)
      start = end
    }
    return true
  }

  private static func isNext(_ position: CIFPosition, after before: CIFPosition) -> Bool {
    position.number == before.number || position.number == before.number &+ 1
  }

  private func index(of run: ArraySlice<CIFPosition>, from first: Int, likely: Int) -> Int? {
    func matches(_ index: Int) -> Bool {
      index + run.count <= names.count && zip(run, names[index...]).allSatisfy { $0.names.contains($1) }
    }
    if matches(likely) { return likely }
    guard first + run.count <= names.count else { return nil }
    return (first...names.count - run.count).first(where: matches)
  }

  /// Aligns positions with the sequence; unmatched ones are inserted or replace a name.
  private mutating func align(_ positions: [CIFPosition]) {
    let stated = names
    guard SequenceAlignment.isPossible(positions.count, stated.count) else {
      names = positions.map { $0.names[0] }
      indices = Array(names.indices)
      return
    }
    let alignment = SequenceAlignment(
      positions.map { SubstitutionScores.code(ofResidue: $0.names[0]) }, stated.map(SubstitutionScores.code))
    names = []
    var next = 0
    var pairs = alignment.pairs[...]
    for (index, position) in positions.enumerated() {
      var name = position.names[0]
      if let pair = pairs.first, Int(pair.x) == index {
        pairs.removeFirst()
        names += stated[next..<Int(pair.y)]
        next = Int(pair.y) + 1
        if position.names.contains(stated[Int(pair.y)]) { name = stated[Int(pair.y)] }
      }
      indices.append(names.count)
      names.append(name)
    }
    names += stated[next...]
  }
}
