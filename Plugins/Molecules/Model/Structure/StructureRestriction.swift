/// A structure with some of its atoms only, and the new indices of these.
///
/// Residues, chains and models that lose all their atoms are removed, together with their helices, strands, links,
/// sequences and chains of assemblies. Everything else is unchanged.
struct StructureRestriction {
  private(set) var structure: Structure
  /// The new index of each atom of the old structure, -1 if it was removed.
  private var newIndices: [Int32]
  private let old: Structure
  private let kept: AtomSelection

  /// Restricts a structure.
  ///
  /// - Complexity: linear in atoms and residues.
  init(_ structure: Structure, to kept: AtomSelection) {
    precondition(kept.atomCount == structure.atoms.count, "a selection is of the structure it restricts")
    old = structure
    self.kept = kept
    self.structure = structure
    let order = kept.atoms.map { Int32(truncatingIfNeeded: $0) }
    newIndices = Array(repeating: -1, count: structure.atoms.count)
    for (new, atom) in order.enumerated() { newIndices[Int(atom)] = Int32(new) }
    self.structure.atoms = structure.atoms.picked(order)
    restrictHierarchy()
    self.structure.statedBonds = structure.statedBonds.compactMap { bond in
      pair(bond.first, bond.second).map { StatedBond(first: $0.first, second: $0.second, order: bond.order) }
    }
    restrictAnnotations()
  }

  /// Returns the bonds of the old structure between remaining atoms.
  func bonds(_ bonds: [Bond]) -> [Bond] {
    bonds.compactMap { bond in
      pair(bond.first, bond.second).map {
        Bond(first: $0.first, second: $0.second, order: bond.order, origin: bond.origin)
      }
    }
  }

  private func pair(_ first: Int32, _ second: Int32) -> (first: Int32, second: Int32)? {
    let (one, other) = (newIndices[Int(first)], newIndices[Int(second)])
    return one >= 0 && other >= 0 ? (min(one, other), max(one, other)) : nil
  }

  private mutating func restrictHierarchy() {
    structure.residues = []
    structure.chains = []
    structure.models = []
    structure.labelRuns = []
    for model in old.models { add(model) }
  }

  private mutating func add(_ model: StructureModel) {
    let (chains, residues) = (structure.chains.count, structure.residues.count)
    let atoms = structure.residues.last.map { Int($0.endAtom) } ?? 0
    var newChains: [Int32: Int32] = [:]
    for index in model.residues where kept.intersects(old.residues[index].atoms) {
      var residue = old.residues[index]
      let chain = newChains[residue.chain] ?? Int32(structure.chains.count)
      if newChains[residue.chain] == nil {
        newChains[residue.chain] = chain
        structure.chains.append(Chain(name: old.chains[Int(residue.chain)].name))
      }
      residue.firstAtom = structure.residues.last?.endAtom ?? 0
      residue.endAtom = residue.firstAtom + Int32(kept.count(in: old.residues[index].atoms))
      residue.chain = chain
      add(residue, label: old.segment(ofResidue: index))
    }
    guard structure.residues.count > residues, let end = structure.residues.last?.endAtom else { return }
    structure.models.append(
      StructureModel(
        number: model.number, chains: chains..<structure.chains.count,
        residues: residues..<structure.residues.count, atoms: atoms..<Int(end)))
  }

  private mutating func add(_ residue: Residue, label: String?) {
    let index = structure.residues.count
    structure.residues.append(residue)
    for atom in residue.atoms { structure.atoms.residue[atom] = Int32(index) }
    let chain = Int(residue.chain)
    if let last = structure.chains[chain].residueRuns.last, last.upperBound == index {
      structure.chains[chain].residueRuns[structure.chains[chain].residueRuns.count - 1] = last.lowerBound..<index + 1
    } else {
      structure.chains[chain].residueRuns.append(index..<index + 1)
    }
    guard let label else { return }
    let isSameChain = index > 0 && structure.residues[index - 1].chain == residue.chain
    if structure.labelRuns.last?.label != label || !isSameChain {
      structure.labelRuns.append(LabelRun(firstResidue: Int32(index), label: label))
    }
    if !label.isEmpty, !structure.chains[chain].labels.contains(label) { structure.chains[chain].labels.append(label) }
  }

  // MARK: Annotations

  private mutating func restrictAnnotations() {
    var residues: Set<ResidueAddress> = []
    for index in structure.residues.indices { residues.insert(structure.address(ofResidue: index)) }
    func isThere(_ address: ResidueAddress) -> Bool {
      if !address.name.isEmpty { return residues.contains(address) }
      return structure.residue(at: address) != nil
    }
    let (names, labels) = (Set(structure.chains.map(\.name)), Set(structure.chains.flatMap(\.labels)))
    structure.helices = old.helices.filter { isThere($0.first) && isThere($0.last) }
    structure.sheets = old.sheets.compactMap { sheet in
      let strands = sheet.strands.filter { isThere($0.first) && isThere($0.last) }
      return strands.isEmpty ? nil : Sheet(id: sheet.id, strands: strands)
    }
    structure.connections = old.connections.filter { isThere($0.first.residue) && isThere($0.second.residue) }
    structure.cisPeptides = old.cisPeptides.filter { isThere($0.first) && isThere($0.second) }
    structure.modifiedResidues = old.modifiedResidues.filter { isThere($0.residue) }
    structure.sequences = old.sequences.compactMap { sequence in
      var sequence = sequence
      sequence.chains = sequence.chains.filter(names.contains)
      return sequence.chains.isEmpty ? nil : sequence
    }
    structure.assemblies = old.assemblies.compactMap { assembly in
      var assembly = assembly
      assembly.parts = assembly.parts.compactMap { part in
        var part = part
        part.chains = part.chains.filter { (part.usesLabels ? labels : names).contains($0) }
        return part.chains.isEmpty ? nil : part
      }
      return assembly.parts.isEmpty ? nil : assembly
    }
  }
}
