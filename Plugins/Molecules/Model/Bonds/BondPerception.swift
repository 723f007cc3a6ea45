/// Finds the bonds of a structure from the best available evidence.
///
/// In order of trust: the file's own residue dictionary or the built-in templates; links between neighbors of a
/// polymer; stated links and disulfides, including disulfides that the file omits; CONECT; distances, for residues of
/// which nothing else is known. Atoms of different alternate locations are never bonded.
enum BondPerception {
  /// Returns the bonds of one model, each pair of atoms once, sorted by first and second atom.
  ///
  /// Models are numbered from 0. CONECT counts for a model only if it has the same atoms as the first.
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
    func place(_ atom: Int) -> Int {
      var (low, high) = (0, bonds.count)
      while low < high {
        let middle = (low + high) / 2
        if Int(bonds[middle].first) < atom { low = middle + 1 } else { high = middle }
      }
      return low
    }
    return bonds[place(atoms.lowerBound)..<place(atoms.upperBound)]
  }

  private static func sameAtom(_ structure: Structure, _ first: Int, _ second: Int) -> Bool {
    structure.atoms.name[first] == structure.atoms.name[second]
      && structure.atoms.altloc[first] == structure.atoms.altloc[second]
  }
}
