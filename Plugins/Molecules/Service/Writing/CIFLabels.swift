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
    var places: [Int] = []
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

  /// Returns the part of a residue.
  func part(ofResidue residue: Int) -> Part { parts[Int(partIndices[residue])] }

  /// Returns the number of a residue in the sequence of its entity, from 1; nil for residues outside polymers.
  func number(ofResidue residue: Int) -> Int? {
    let part = parts[Int(partIndices[residue])]
    return part.kind == .polymer ? part.places[Int(positionIndices[residue])] + 1 : nil
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
    var (letters, rest) = ("", number)
    repeat {
      letters.unicodeScalars.append(UnicodeScalar(UInt8(65 + rest % 26)))
      rest = rest / 26 - 1
    } while rest >= 0
    return letters
  }

  private mutating func findEntity(_ index: Int, _ structure: Structure) {
    let part = parts[index]
    switch part.kind {
    case .polymer:
      let found = entities.polymer(of: part)
      (parts[index].entity, parts[index].places) = (found.entity, found.places)
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
    for (place, run) in structure.labelRuns.enumerated() {
      let isLast = place + 1 == structure.labelRuns.count
      let end = isLast ? structure.residues.count : Int(structure.labelRuns[place + 1].firstResidue)
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
