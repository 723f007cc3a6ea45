/// Finds the bonds of a structure from the best available evidence.
///
/// In order of trust: the file's own residue dictionary or the built-in templates; links between neighbors of a
/// polymer; stated links and disulfides, including disulfides that the file omits; CONECT; distances, for residues of
/// which nothing else is known. Atoms of different alternate locations are never bonded.
enum BondPerception {
  /// Returns the bonds of one model, each pair of atoms once, sorted by first and second atom.
  ///
  /// Models are numbered from 0. CONECT applies to a model only if it has the same atoms as the first.
  /// - Complexity: linear in the atoms.
  static func bonds(of structure: Structure, model: Int = 0) -> [Bond] {
    precondition(structure.models.indices.contains(model), "there is no model of this index")
    let part = structure.models[model]
    var collector = BondCollector(expected: part.atoms.count + part.atoms.count / 4)
    var templates = TemplateBonds(structure)
    templates.add(part, to: &collector)
    PolymerBonds(structure).add(part, to: &collector)
    LinkBonds(structure, part).add(to: &collector)
    DisulfideBonds(structure, part).add(to: &collector)
    addStatedBonds(structure, model, to: &collector)
    if !structure.statesAllBonds {
      DistanceBonds(structure, part, unexplained: templates.unexplained).add(to: &collector)
    }
    return collector.finished(part.atoms)
  }

  /// Returns true if atoms of these alternate locations can be in one molecule: both the same, or one of them none.
  @inline(__always)
  static func areCompatible(_ first: UInt8, _ second: UInt8) -> Bool { first == second || first == 0 || second == 0 }

  /// Returns the squared distance of two atoms in Å².
  @inline(__always)
  static func squaredDistance(_ atoms: AtomTable, _ first: Int, _ second: Int) -> Double {
    let x = atoms.x[first] - atoms.x[second]
    let y = atoms.y[first] - atoms.y[second]
    let z = atoms.z[first] - atoms.z[second]
    return x * x + y * y + z * z
  }

  /// Returns true if two atoms that a file bonds are within 2.6 Å or the sum of large radii; metals and beads always
  /// are.
  private static func isPlausible(_ atoms: AtomTable, _ first: Int, _ second: Int) -> Bool {
    let (a, b) = (atoms.element[first], atoms.element[second])
    guard !a.isMetal, !b.isMetal, a != .unknown, b != .unknown else { return true }
    let limit = max(2.6, a.covalentRadius + b.covalentRadius + 0.45)
    return squaredDistance(atoms, first, second) < limit * limit
  }

  private static func addStatedBonds(_ structure: Structure, _ model: Int, to collector: inout BondCollector) {
    let first = structure.models[0].atoms
    let part = structure.models[model].atoms
    var bonds = statedBonds(structure, part)
    var shift = 0
    if bonds.isEmpty, model > 0 {
      shift = part.lowerBound - first.lowerBound
      guard part.count == first.count, first.allSatisfy({ sameAtom(structure, $0, $0 + shift) }) else { return }
      bonds = statedBonds(structure, first)
    }
    for bond in bonds {
      let a = Int(bond.first) + shift
      let b = Int(bond.second) + shift
      guard part.contains(b), areCompatible(structure.atoms.altloc[a], structure.atoms.altloc[b]),
        structure.statesAllBonds || isPlausible(structure.atoms, a, b)
      else { continue }
      collector.add(a, b, BondOrder(rawValue: bond.order) ?? .unknown, .conect)
    }
  }

  /// Returns the stated bonds whose atoms are in a range.
  private static func statedBonds(_ structure: Structure, _ atoms: Range<Int>) -> ArraySlice<StatedBond> {
    let bonds = structure.statedBonds
    let start = bonds.partitioningIndex { Int($0.first) >= atoms.lowerBound }
    return bonds[start...].prefix { Int($0.first) < atoms.upperBound }
  }

  private static func sameAtom(_ structure: Structure, _ first: Int, _ second: Int) -> Bool {
    structure.atoms.name[first] == structure.atoms.name[second]
      && structure.atoms.altloc[first] == structure.atoms.altloc[second]
  }
}

/// Adds the bonds between neighboring residues of a chain.
private struct PolymerBonds {
  private let structure: Structure
  private let carbon: NameID?
  private let nitrogen: NameID?
  private let phosphorus: NameID?
  private let oxygens: [NameID]
  /// The longest C-N and O3'-P bond in Å.
  private static let peptideLimit = 2.0
  private static let phosphateLimit = 2.2
  /// The largest distance to a preceding neighbor in residues: alternatives of one position follow each other.
  private static let reach = 4

  init(_ structure: Structure) {
    self.structure = structure
    carbon = structure.names.id(of: "C")
    nitrogen = structure.names.id(of: "N")
    phosphorus = structure.names.id(of: "P")
    oxygens = ["O3'", "O3*"].compactMap { structure.names.id(of: $0) }
  }

  /// Adds the bonds from C to N and from O3' to P of residues that follow each other in a chain.
  func add(_ model: StructureModel, to collector: inout BondCollector) {
    for chain in structure.chains[model.chains] {
      for run in chain.residueRuns {
        for residue in run.dropFirst() where structure.residues[residue].kind != .water {
          addLinks(to: residue, in: run, &collector)
        }
      }
    }
  }

  /// Adds links to a residue from its predecessor, or from all alternatives of the preceding position.
  private func addLinks(to residue: Int, in run: Range<Int>, _ collector: inout BondCollector) {
    let row = structure.residues[residue]
    var linked: Residue?
    for before in stride(from: residue - 1, through: max(run.lowerBound, residue - Self.reach), by: -1) {
      let candidate = structure.residues[before]
      if let linked, !linked.sharesPosition(with: candidate) { return }
      guard candidate.kind != .water else { return }
      if addLink(candidate, row, &collector) { linked = candidate }
      if linked == nil, !candidate.sharesPosition(with: row) {
        // Not a neighbor: the next candidate back can only be an alternative of this one.
        linked = candidate
      }
    }
  }

  private func addLink(_ first: Residue, _ second: Residue, _ collector: inout BondCollector) -> Bool {
    var found = false
    if let carbon, let nitrogen {
      found = addPairs(first, carbon, second, nitrogen, Self.peptideLimit, &collector)
    }
    guard !found, let phosphorus else { return found }
    for oxygen in oxygens where addPairs(first, oxygen, second, phosphorus, Self.phosphateLimit, &collector) {
      found = true
    }
    return found
  }

  private func addPairs(
    _ first: Residue, _ firstName: NameID, _ second: Residue, _ secondName: NameID, _ limit: Double,
    _ collector: inout BondCollector
  ) -> Bool {
    var found = false
    for a in first.atoms.prefix(200) where structure.atoms.name[a] == firstName {
      for b in second.atoms.prefix(200) where structure.atoms.name[b] == secondName {
        guard BondPerception.areCompatible(structure.atoms.altloc[a], structure.atoms.altloc[b]),
          BondPerception.squaredDistance(structure.atoms, a, b) < limit * limit
        else { continue }
        collector.add(a, b, .single, .polymer)
        found = true
      }
    }
    return found
  }
}

/// Adds the bonds that the file states between residues: disulfides and links within one copy of the molecule.
private struct LinkBonds {
  private let structure: Structure
  /// The residues at each position, by addresses without a residue name.
  private let residues: [ResidueAddress: [Int]]
  /// The longest covalent bond and the longest metal contact, in Å; longer ones join other copies or are wrong.
  private static let covalentLimit = 2.6
  private static let metalLimit = 4.0

  init(_ structure: Structure, _ model: StructureModel) {
    self.structure = structure
    guard !structure.connections.isEmpty else {
      residues = [:]
      return
    }
    var table: [ResidueAddress: [Int]] = [:]
    for residue in model.residues {
      let row = structure.residues[residue]
      let chain = structure.chains[Int(row.chain)].name
      let position = ResidueAddress(chain: chain, number: row.number, insertionCode: row.insertionCode)
      table[position, default: []].append(residue)
    }
    residues = table
  }

  /// Adds the stated bonds.
  func add(to collector: inout BondCollector) {
    for connection in structure.connections where connection.isWithinUnit {
      let limit: Double
      let origin: BondOrigin
      switch connection.kind {
      case .hydrogenBond, .unknown: continue
      case .disulfide: (limit, origin) = (Self.covalentLimit, .disulfide)
      case .covalent: (limit, origin) = (Self.covalentLimit, .link)
      case .metal: (limit, origin) = (Self.metalLimit, .link)
      }
      let order = BondOrder(rawValue: connection.order) ?? .unknown
      for a in atoms(connection.first) {
        for b in atoms(connection.second) where a != b && isClose(a, b, limit) {
          collector.add(a, b, order == .unknown && connection.kind != .metal ? .single : order, origin)
        }
      }
    }
  }

  private func isClose(_ a: Int, _ b: Int, _ limit: Double) -> Bool {
    BondPerception.areCompatible(structure.atoms.altloc[a], structure.atoms.altloc[b])
      && BondPerception.squaredDistance(structure.atoms, a, b) < limit * limit
  }

  /// Returns the atoms that an end names, in all alternate locations unless it names one.
  private func atoms(_ end: ConnectionEnd) -> [Int] {
    guard let name = structure.names.id(of: end.atomName) else { return [] }
    return residues[end.residue.withoutName, default: []].flatMap { residue -> [Int] in
      let row = structure.residues[residue]
      guard end.residue.name.isEmpty || structure.names[row.name] == end.residue.name else { return [] }
      return row.atoms.filter {
        structure.atoms.name[$0] == name && (end.altloc == 0 || structure.atoms.altloc[$0] == end.altloc)
      }
    }
  }
}

/// Adds the bonds between the sulfurs of cysteines, whether the file states them or not.
private struct DisulfideBonds {
  private let structure: Structure
  private let sulfurs: [Int32]
  /// The shortest and longest sulfur-sulfur bond in Å.
  private static let shortest: Float = 1.8
  private static let longest: Float = 2.5
  /// The largest plausible number of sulfurs in the cells around one; more must overlap, and are left unbonded.
  private static let mostNeighbors = 100

  /// Collects the SG atoms of a model's cysteines.
  init(_ structure: Structure, _ model: StructureModel) {
    self.structure = structure
    guard let name = structure.names.id(of: "SG") else {
      sulfurs = []
      return
    }
    let cysteines = Set(["CYS", "CYX", "DCY"].compactMap { structure.names.id(of: $0) })
    // A cysteine that the file bonds to another copy of the molecule has no partner here.
    let stated = structure.connections.filter { $0.kind == .disulfide && !$0.isWithinUnit }
    let leaving = Set(stated.flatMap { [$0.first.residue.withoutName, $0.second.residue.withoutName] })
    sulfurs = model.residues.flatMap { residue -> [Int32] in
      let row = structure.residues[residue]
      guard cysteines.contains(row.name), !leaving.contains(structure.address(ofResidue: residue).withoutName) else {
        return []
      }
      return row.atoms.filter { structure.atoms.name[$0] == name }.map(Int32.init)
    }
  }

  /// Adds a bond for each pair of sulfurs of different residues that are close enough.
  func add(to collector: inout BondCollector) {
    guard sulfurs.count > 1 else { return }
    let points = sulfurs.map { SIMD3<Float>(structure.atoms.position(Int($0))) }
    let grid = PointGrid(points, edge: Self.longest)
    let (atoms, (low, high)) = (structure.atoms, (Self.shortest * Self.shortest, Self.longest * Self.longest))
    for (index, atom) in sulfurs.enumerated()
    where grid.pointCount(near: points[index], within: Self.longest) <= Self.mostNeighbors {
      grid.forEachPoint(near: points[index], within: Self.longest) { other in
        guard other > index else { return }
        let step = points[other] - points[index]
        let square = (step * step).sum()
        let second = sulfurs[other]
        guard square > low, square < high, atoms.residue[Int(atom)] != atoms.residue[Int(second)],
          BondPerception.areCompatible(atoms.altloc[Int(atom)], atoms.altloc[Int(second)])
        else { return }
        collector.add(Int(atom), Int(second), .single, .disulfide)
      }
    }
  }
}
