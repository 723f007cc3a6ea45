/// The counts and sums of a structure, over its first model unless stated otherwise.
struct StructureCounts: Equatable, Sendable {
  var models = 0
  /// The number of chains by author name.
  var chains = 0
  var residues = 0
  var atoms = 0
  /// The number of atoms of all models.
  var atomsInAllModels = 0
  /// The numbers of atoms by element symbol (`X` unknown, `D` deuterium).
  var elements: [String: Int] = [:]
  /// The number of atoms with an alternate location mark.
  var atomsWithAltloc = 0
  var residuesWithInsertionCode = 0
  var waters = 0
  var heteroAtoms = 0
  /// The number of atoms with a nonzero displacement tensor.
  var anisotropicAtoms = 0
  /// The sums of coordinates in Å.
  var coordinateSum = SIMD3<Double>()
  var occupancySum = 0.0
  /// The sum of B factors in Å².
  var bFactorSum = 0.0
  var helices = 0
  var sheets = 0
  var strands = 0

  /// Counts a structure.
  ///
  /// - Complexity: linear in atoms and residues.
  init(_ structure: Structure) {
    models = structure.models.count
    atomsInAllModels = structure.atoms.count
    helices = structure.helices.count
    sheets = structure.sheets.count
    strands = structure.sheets.reduce(0) { $0 + $1.strands.count }
    guard let model = structure.models.first else { return }
    chains = model.chains.count
    residues = model.residues.count
    for residue in structure.residues[model.residues] {
      if residue.insertionCode != 0 { residuesWithInsertionCode += 1 }
      if residue.kind == .water { waters += 1 }
    }
    countAtoms(structure.atoms, model.atoms)
  }

  private mutating func countAtoms(_ table: AtomTable, _ range: Range<Int>) {
    atoms = range.count
    var histogram = [Int](repeating: 0, count: 256)
    for atom in range {
      histogram[Int(table.element[atom].rawValue)] += 1
      if table.altloc[atom] != 0 { atomsWithAltloc += 1 }
      if table.isHetero[atom] { heteroAtoms += 1 }
      coordinateSum += table.position(atom)
      occupancySum += Double(table.occupancy[atom])
      bFactorSum += Double(table.bFactor[atom])
    }
    anisotropicAtoms = table.anisotropy.count { range.contains(Int($0.atom)) && $0.isNonzero }
    for (code, count) in histogram.enumerated() where count > 0 {
      elements[Element(rawValue: UInt8(code)).symbol] = count
    }
  }
}
