/// A summary of the selected atoms of a model.
struct SelectionSummary: Equatable, Sendable {
  var atoms = 0
  /// The labels of the residues with a selected atom, as `A/CYS3`.
  var residues: [String] = []
  var waters = 0
  var ligands = 0
  /// The author names of their chains.
  var chains: [String] = []
  /// The numbers of atoms by element symbol, by ascending symbol.
  var elements: [(symbol: String, count: Int)] = []
  /// The mean position in Å; nil for an empty selection.
  var center: SIMD3<Double>?

  /// Summarizes a selection.
  ///
  /// - Complexity: linear in atoms and residues.
  init(_ selection: AtomSelection, of structure: Structure, model: Int) {
    let part = structure.models[model]
    atoms = selection.count(in: part.atoms)
    var histogram = [Int](repeating: 0, count: 256)
    selection.forEach { histogram[Int(structure.atoms.element[$0].rawValue)] += 1 }
    for (code, count) in histogram.enumerated() where count > 0 {
      elements.append((Element(rawValue: UInt8(code)).symbol, count))
    }
    elements.sort { $0.symbol < $1.symbol }
    center = selection.centroid(of: structure)
    var isTouched = [Bool](repeating: false, count: part.chains.count)
    for index in part.residues where selection.intersects(structure.residues[index].atoms) {
      let row = structure.residues[index]
      residues.append("\(structure.chainName(ofResidue: index))/\(structure.label(ofResidue: index))")
      if row.kind == .water { waters += 1 }
      if row.kind == .ligand { ligands += 1 }
      isTouched[Int(row.chain) - part.chains.lowerBound] = true
    }
    chains = part.chains.filter { isTouched[$0 - part.chains.lowerBound] }.map { structure.chains[$0].name }
  }

  static func == (left: Self, right: Self) -> Bool {
    left.atoms == right.atoms && left.residues == right.residues && left.waters == right.waters
      && left.ligands == right.ligands && left.chains == right.chains && left.center == right.center
      && left.elements.elementsEqual(right.elements) { $0 == $1 }
  }
}
