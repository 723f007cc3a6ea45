/// Adds the bonds between neighboring residues of a chain.
struct PolymerBonds {
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
      if let linked, !isSamePosition(linked, candidate) { return }
      guard candidate.kind != .water else { return }
      if addLink(candidate, row, &collector) { linked = candidate }
      if linked == nil, !isSamePosition(candidate, row) {
        // Not a neighbor: the next candidate back can only be an alternative of this one.
        linked = candidate
      }
    }
  }

  private func isSamePosition(_ first: Residue, _ second: Residue) -> Bool {
    first.number == second.number && first.insertionCode == second.insertionCode
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
