/// Finds bonds by distance among atoms for which there is no other evidence.
struct DistanceBonds {
  private let structure: Structure
  private let model: StructureModel
  private let unexplained: [Int32]
  /// The tolerance added to the sum of covalent radii, in Å.
  ///
  /// - Source: tolerance of Open Babel's and Jmol's bond perception.
  private static let tolerance = 0.45
  /// Atoms closer than this, in Å, are copies of one another.
  private static let closest = 0.4
  /// The edge of a grid cell in Å; pairs farther apart than this are not considered.
  private static let cellEdge = 3.0
  /// The largest number of atoms in a plausible cell; the atoms of fuller cells overlap and are left unbonded.
  static let mostAtomsInCell = 400

  init(_ structure: Structure, _ model: StructureModel, unexplained: [Int32]) {
    self.structure = structure
    self.model = model
    self.unexplained = unexplained
  }

  /// Returns true if two atoms are bonded by their distance: 0.4 Å < d < sum of covalent radii + 0.45 Å, not two
  /// hydrogens nor two metals.
  static func isBond(_ atoms: AtomTable, _ first: Int, _ second: Int) -> Bool {
    let a = atoms.element[first]
    let b = atoms.element[second]
    guard !(a.isHydrogen && b.isHydrogen), !(a.isMetal && b.isMetal),
      BondPerception.areCompatible(atoms.altloc[first], atoms.altloc[second])
    else { return false }
    let limit = radii[Int(a.rawValue)] + radii[Int(b.rawValue)] + tolerance
    let distance = BondPerception.squaredDistance(atoms, first, second)
    return distance > closest * closest && distance < limit * limit
  }

  /// Returns a distance in Å that exceeds every bond between an atom of one of these elements and another of them.
  static func reach(_ elements: Set<Element>) -> Double {
    2 * (elements.map { radii[Int($0.rawValue)] }.max() ?? 0) + tolerance
  }

  private static let radii: [Double] = (0...255).map { Element(rawValue: UInt8($0)).covalentRadius }

  /// Adds bonds among the atoms of residues that CONECT does not account for.
  ///
  /// A metal is bonded to other residues only if it has no bonds yet, but always within its residue (heme, clusters).
  func add(to collector: inout BondCollector) {
    guard !unexplained.isEmpty else { return }
    let degrees = collector.degrees(model.atoms)
    let atoms = candidates(degrees)
    guard atoms.count > 1 else { return }
    let grid = AtomGrid(structure.atoms, atoms, edge: Self.cellEdge)
    var found: [(first: Int, second: Int)] = []
    for (index, atom) in atoms.enumerated() {
      let isTaken = isBondedMetal(Int(atom), degrees)
      grid.forEachLaterNeighbor(of: index, most: Self.mostAtomsInCell) { other in
        let second = Int(atoms[other])
        let isWithinResidue = structure.atoms.residue[Int(atom)] == structure.atoms.residue[second]
        if !isWithinResidue, isTaken || isBondedMetal(second, degrees) { return }
        guard Self.isBond(structure.atoms, Int(atom), second) else { return }
        found.append((Int(atom), second))
      }
    }
    var valences = Valences(structure.atoms, model.atoms, degrees)
    for pair in valences.allowed(found) { collector.add(pair.first, pair.second, .unknown, .distance) }
  }

  private func isBondedMetal(_ atom: Int, _ degrees: [UInt8]) -> Bool {
    structure.atoms.element[atom].isMetal && degrees[atom - model.atoms.lowerBound] > 0
  }

  /// Returns the unexplained atoms of residues that have an atom without a bond.
  private func candidates(_ degrees: [UInt8]) -> [Int32] {
    var result: [Int32] = []
    var start = 0
    while start < unexplained.count {
      let residue = structure.atoms.residue[Int(unexplained[start])]
      var end = start
      var isOpen = false
      while end < unexplained.count, structure.atoms.residue[Int(unexplained[end])] == residue {
        if degrees[Int(unexplained[end]) - model.atoms.lowerBound] == 0 { isOpen = true }
        end += 1
      }
      if isOpen { result.append(contentsOf: unexplained[start..<end]) }
      start = end
    }
    return result
  }
}

/// Limits bonds found by distance to the valences of the elements.
private struct Valences {
  private let atoms: AtomTable
  private let start: Int
  /// The number of bonds of each atom of the model so far, not counting metals.
  private var degrees: [UInt8]

  /// Creates the limits, starting with the bonds known from better evidence.
  ///
  /// - Parameters:
  ///   - range: The atoms of the model.
  ///   - degrees: The bonds that each atom of the model has from better evidence.
  init(_ atoms: AtomTable, _ range: Range<Int>, _ degrees: [UInt8]) {
    self.atoms = atoms
    start = range.lowerBound
    self.degrees = degrees
  }

  /// Returns the largest number of bonds to non-metals that an atom of an element has in any molecule.
  ///
  /// Limits are those of stable molecules and ions; elements that are not listed have none.
  static func limit(_ element: Element) -> UInt8 {
    switch element.atomicNumber {
    case 1, 9, 17, 35, 53: 1
    case 8: 3
    case 5, 6, 7, 14: 4
    case 15: 5
    case 16, 34: 6
    default: .max
    }
  }

  /// Returns the pairs that can all be bonds, the shortest first; where an atom exceeds its limit, its longest pairs
  /// are dropped.
  ///
  /// - Complexity: O(n log n).
  mutating func allowed(_ pairs: [(first: Int, second: Int)]) -> [(first: Int, second: Int)] {
    let ordered =
      pairs.map { (pair: $0, square: BondPerception.squaredDistance(atoms, $0.first, $0.second)) }
      .sorted { ($0.square, $0.pair.first, $0.pair.second) < ($1.square, $1.pair.first, $1.pair.second) }
    return ordered.map(\.pair).filter { pair in
      let ends = [pair.first, pair.second]
      // Bonds to metals are coordination, which no valence limits; alternatives would use up the valences of one atom
      // twice.
      if ends.contains(where: { atoms.element[$0].isMetal || atoms.altloc[$0] != 0 }) { return true }
      guard hasRoom(pair.first), hasRoom(pair.second) else { return false }
      for atom in ends where degrees[atom - start] < .max { degrees[atom - start] += 1 }
      return true
    }
  }

  private func hasRoom(_ atom: Int) -> Bool {
    degrees[atom - start] < Self.limit(atoms.element[atom])
  }
}

/// Atoms sorted into cubic cells for neighbor searches.
///
/// There are never more cells than atoms, however far apart the atoms are.
struct AtomGrid {
  /// The members of each occupied cell; the cells are looked up by key with open addressing, at most half full.
  private var cells: [(key: UInt64, members: Range<Int32>)] = []
  private var slots: [Int32] = []
  private let members: [Int32]
  private let keys: [SIMD3<Int32>]

  /// Sorts atoms into cells of an edge in Å.
  init(_ table: AtomTable, _ atoms: [Int32], edge: Double) {
    let keys = atoms.map { atom in
      let position = (table.position(Int(atom)) / edge).rounded(.down)
      return SIMD3(Self.cell(position.x), Self.cell(position.y), Self.cell(position.z))
    }
    self.keys = keys
    let sorted = keys.indices.map { (key: Self.key(keys[$0]), index: Int32($0)) }
      .sorted { ($0.key, $0.index) < ($1.key, $1.index) }
    members = sorted.map(\.index)
    var start = 0
    while start < sorted.count {
      var end = start
      while end < sorted.count, sorted[end].key == sorted[start].key { end += 1 }
      cells.append((sorted[start].key, Int32(start)..<Int32(end)))
      start = end
    }
    var size = 16
    while size < 2 * cells.count { size *= 2 }
    slots = [Int32](repeating: -1, count: size)
    for cell in cells.indices { slots[slot(of: cells[cell].key)] = Int32(cell) }
  }

  /// Calls `body` for each later atom in the same cell and in the surrounding cells, so that each pair is visited once.
  ///
  /// - Parameters:
  ///   - index: The index of an atom among those given.
  ///   - most: Cells with more atoms than this are skipped.
  ///   - body: Receives the index of the other atom.
  func forEachLaterNeighbor(of index: Int, most: Int, _ body: (Int) -> Void) {
    let own = keys[index]
    for x in Int32(-1)...1 {
      for y in Int32(-1)...1 {
        for z in Int32(-1)...1 {
          let cell = slots[slot(of: Self.key(own &+ SIMD3(x, y, z)))]
          guard cell >= 0, cells[Int(cell)].members.count <= most else { continue }
          for member in cells[Int(cell)].members where members[Int(member)] > Int32(index) {
            body(Int(members[Int(member)]))
          }
        }
      }
    }
  }

  /// Returns the slot in which the cell of a key is stored or belongs.
  private func slot(of key: UInt64) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    while slots[slot] >= 0, cells[Int(slots[slot])].key != key { slot = (slot + 1) & mask }
    return slot
  }

  /// Returns a coordinate as an integer in cells; values that are too large or NaN go to the outermost cell.
  private static func cell(_ value: Double) -> Int32 {
    guard value > -1e9 else { return -1_000_000_000 }
    return value < 1e9 ? Int32(value) : 1_000_000_000
  }

  /// Packs the coordinates of a cell; cells more than a million cells apart may share a key, which only costs time.
  private static func key(_ cell: SIMD3<Int32>) -> UInt64 {
    let mask: UInt64 = (1 << 21) - 1
    let x = UInt64(bitPattern: Int64(cell.x)) & mask
    let y = UInt64(bitPattern: Int64(cell.y)) & mask
    let z = UInt64(bitPattern: Int64(cell.z)) & mask
    return x << 42 | y << 21 | z
  }
}
