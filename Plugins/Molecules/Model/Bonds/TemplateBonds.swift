/// Adds the bonds within residues by their templates.
struct TemplateBonds {
  /// A template compiled for a structure's name table.
  private struct Compiled {
    /// The index within the template by atom name; 255 for names that the template does not have.
    var indexOfName: [UInt8]
    var nameCount: Int
    var bonds: [(first: UInt8, second: UInt8, order: BondOrder)]
  }

  private enum Entry {
    case none
    case template(Compiled)
  }

  private let structure: Structure
  private var entries: [NameID: Entry] = [:]
  private let fileBonds: [NameID: [ComponentBond]]
  /// Atom indices not covered by a template: those of residues without one, and heavy atoms that a template does not
  /// name.
  private(set) var unexplained: [Int32] = []
  /// The number of pairs bonded by a template that are too far apart in these coordinates.
  private(set) var overlongCount = 0
  /// The longest bond in Å of a hydrogen to a heavy atom of its residue; S-H bonds have 1.34 Å, hydrogens farther away
  /// stay unbonded.
  private static let hydrogenLimit = 1.45
  /// The longest bond of a template, in Å; longer ones are rejected, since their atoms are misnamed, misplaced or
  /// beads.
  ///
  /// Bonds to metals may be longer.
  private static let lengthLimit = 2.6
  private static let metalLengthLimit = 4.0
  /// The number of atoms on each side of an atom that are searched in an implausibly large residue.
  private static let span = 500
  /// The maximum number of unnamed atoms of a residue that are compared directly; more are sorted into cells first.
  private static let mostCompared = 64

  init(_ structure: Structure) {
    self.structure = structure
    fileBonds = Dictionary(grouping: structure.componentBonds, by: \.component)
  }

  /// Adds the bonds within all residues of a model.
  mutating func add(_ model: StructureModel, to collector: inout BondCollector) {
    var found: [Int32] = []
    for residue in model.residues {
      let row = structure.residues[residue]
      switch entry(row.name) {
      case .none:
        for atom in row.atoms { unexplained.append(Int32(atom)) }
      case .template(let template):
        add(row, template, &found, to: &collector)
      }
    }
  }

  private mutating func entry(_ name: NameID) -> Entry {
    if let known = entries[name] { return known }
    let made = compile(name).map { Entry.template($0) } ?? .none
    entries[name] = made
    return made
  }

  private func compile(_ name: NameID) -> Compiled? {
    let indexed: ResidueTemplates.Indexed
    var template = ""
    if let stated = fileBonds[name] {
      indexed = ResidueTemplates.Indexed(
        stated.map { bond in
          ResidueTemplates.TemplateBond(
            first: structure.names[bond.first], second: structure.names[bond.second], order: bond.order)
        })
    } else if let known = templateName(name), let found = ResidueTemplates.indexed(known) {
      (template, indexed) = (known, found)
    } else {
      return nil
    }
    let indexOfName = structure.names.texts.map { text in
      indexed.indices[text] ?? indexed.indices[ResidueTemplates.canonicalName(text, template: template)] ?? 255
    }
    return Compiled(indexOfName: indexOfName, nameCount: indexed.indices.count, bonds: indexed.bonds)
  }

  /// Returns the template of a residue name: its own, else that of the monomer it is an alias of.
  private func templateName(_ name: NameID) -> String? {
    let text = structure.names[name]
    return ResidueTemplates.has(text) ? text : ResidueCatalog.entry(text)?.template
  }

  private mutating func add(
    _ row: Residue, _ template: Compiled, _ found: inout [Int32], to collector: inout BondCollector
  ) {
    found.removeAll(keepingCapacity: true)
    found.append(contentsOf: repeatElement(-1, count: template.nameCount))
    var hasRepeats = false
    var hydrogens = false
    var unnamed: [Int] = []
    for atom in row.atoms {
      let index = template.indexOfName[Int(structure.atoms.name[atom])]
      if index == 255 {
        if structure.atoms.element[atom].isHydrogen { hydrogens = true }
        if isHeavy(atom) { unnamed.append(atom) }
      } else if found[Int(index)] >= 0 {
        hasRepeats = true
      } else {
        found[Int(index)] = Int32(atom)
      }
    }
    addUnnamed(unnamed, row, template, to: &collector)
    let repeated = hasRepeats ? atomsByIndex(row, template) : []
    for bond in template.bonds {
      if hasRepeats {
        let (first, second) = (repeated[Int(bond.first)], repeated[Int(bond.second)])
        overlongCount += addRepeated(first, second, bond.order, to: &collector)
      } else {
        let a = Int(found[Int(bond.first)])
        let b = Int(found[Int(bond.second)])
        if a >= 0, b >= 0, !addPair(a, b, bond.order, to: &collector) { overlongCount += 1 }
      }
    }
    if hydrogens { addHydrogens(row, template, to: &collector) }
  }

  @inline(__always)
  private func addPair(_ a: Int, _ b: Int, _ order: BondOrder, to collector: inout BondCollector) -> Bool {
    guard BondPerception.areCompatible(structure.atoms.altloc[a], structure.atoms.altloc[b]) else { return true }
    let square = BondPerception.squaredDistance(structure.atoms, a, b)
    if square >= Self.lengthLimit * Self.lengthLimit {
      let isMetal = structure.atoms.element[a].isMetal || structure.atoms.element[b].isMetal
      guard isMetal, square < Self.metalLengthLimit * Self.metalLengthLimit else { return false }
    }
    collector.add(a, b, order, .template)
    return true
  }

  /// Returns the atoms of a residue for each index of its template, ascending.
  private func atomsByIndex(_ row: Residue, _ template: Compiled) -> [[Int]] {
    var atoms = [[Int]](repeating: [], count: template.nameCount)
    for atom in row.atoms {
      let index = template.indexOfName[Int(structure.atoms.name[atom])]
      if index != 255 { atoms[Int(index)].append(atom) }
    }
    return atoms
  }

  /// Adds a bond of a residue in which an atom name occurs several times, in alternate locations or by mistake.
  ///
  /// - Returns: The number of pairs that are too far apart.
  private func addRepeated(
    _ first: [Int], _ second: [Int], _ order: BondOrder, to collector: inout BondCollector
  ) -> Int {
    var overlong = 0
    var start = 0
    for a in first {
      while start < second.count, second[start] < a - Self.span { start += 1 }
      for b in second[start...] {
        if b > a + Self.span { break }
        if !addPair(a, b, order, to: &collector) { overlong += 1 }
      }
    }
    return overlong
  }

  /// Bonds each hydrogen that the template does not name to the nearest heavy atom of the residue.
  private func addHydrogens(_ row: Residue, _ template: Compiled, to collector: inout BondCollector) {
    for atom in row.atoms
    where structure.atoms.element[atom].isHydrogen && template.indexOfName[Int(structure.atoms.name[atom])] == 255 {
      if let heavy = nearestHeavyAtom(to: atom, in: row.atoms) { collector.add(atom, heavy, .single, .distance) }
    }
  }

  /// Returns true for an atom that is neither a hydrogen nor a virtual site.
  private func isHeavy(_ atom: Int) -> Bool {
    !structure.atoms.element[atom].isHydrogen && !structure.isVirtualSite(atom)
  }

  private func nearestHeavyAtom(to hydrogen: Int, in atoms: Range<Int>) -> Int? {
    var best: Int?
    var bestDistance = Self.hydrogenLimit * Self.hydrogenLimit
    let altloc = structure.atoms.altloc[hydrogen]
    for atom in max(atoms.lowerBound, hydrogen - Self.span)..<min(atoms.upperBound, hydrogen + Self.span) {
      guard isHeavy(atom), BondPerception.areCompatible(altloc, structure.atoms.altloc[atom]) else { continue }
      let distance = BondPerception.squaredDistance(structure.atoms, hydrogen, atom)
      if distance < bestDistance {
        best = atom
        bestDistance = distance
      }
    }
    return best
  }

  /// Bonds heavy atoms that the template does not name to their residue's atoms by distance.
  private func addUnnamed(_ unnamed: [Int], _ row: Residue, _ template: Compiled, to collector: inout BondCollector) {
    guard unnamed.count <= Self.mostCompared else {
      addManyUnnamed(row, template, to: &collector)
      return
    }
    for atom in unnamed {
      let range = max(row.atoms.lowerBound, atom - Self.span)...min(row.atoms.upperBound - 1, atom + Self.span)
      for other in range
      where other != atom && isHeavy(other) && DistanceBonds.isBond(structure.atoms, atom, other) {
        collector.add(atom, other, .unknown, .distance)
      }
    }
  }

  /// Bonds very many unnamed heavy atoms, comparing only atoms of neighboring cells.
  private func addManyUnnamed(_ row: Residue, _ template: Compiled, to collector: inout BondCollector) {
    let atoms = structure.atoms
    let heavy = row.atoms.filter(isHeavy).map { Int32($0) }
    let isNamed = heavy.map { template.indexOfName[Int(atoms.name[Int($0)])] != 255 }
    let reach = DistanceBonds.reach(Set(heavy.map { atoms.element[Int($0)] }))
    // Each grid holds a bounded number of atoms, however many the residue has.
    for start in stride(from: 0, to: heavy.count, by: Self.span) {
      let part = Array(heavy[start..<min(start + 2 * Self.span, heavy.count)])
      let grid = AtomGrid(atoms, part, edge: reach)
      for index in 0..<min(Self.span, part.count) {
        let first = Int(part[index])
        grid.forEachLaterNeighbor(of: index, most: DistanceBonds.mostAtomsInCell) { other in
          let second = Int(part[other])
          guard second - first <= Self.span, !isNamed[start + index] || !isNamed[start + other],
            DistanceBonds.isBond(atoms, first, second)
          else { return }
          collector.add(first, second, .unknown, .distance)
        }
      }
    }
  }
}
