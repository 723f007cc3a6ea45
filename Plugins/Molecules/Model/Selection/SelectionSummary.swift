import PluginAPI

/// A summary of the selected atoms of a model.
struct SelectionSummary: Model, Equatable {
  /// The selection as written.
  var selection: String
  var atoms = 0
  /// The labels of the residues with a selected atom, as `A/CYS3`.
  var residues: [String] = []
  var waters = 0
  var ligands = 0
  /// The author names of their chains.
  var chains: [String] = []
  /// The numbers of atoms by element symbol.
  var elements: [String: Int] = [:]
  /// The mean position in Å; nil for an empty selection.
  var center: SIMD3<Double>?

  static let typeName = MoleculeValueType.selection
  static let fields = Fields<SelectionSummary> {
    Field("selection", \.selection, "the selection as written")
    Field("atoms", \.atoms, "atoms")
    Field("residues", \.residues.count, "residues of which an atom is selected")
    Field("waters", \.waters, "waters among these")
    Field("ligands", \.ligands, "residues among these that are neither of a polymer nor water")
    Field("chains", \.chains, "author names of their chains")
    Field("elements", \.elements, "atoms by element symbol")
    Field("center", \.center?.coordinates, "mean place of the atoms in angstrom; null for none")
    Field("residueLabels", \.residues, "the residues, as A/CYS3")
  }

  /// Summarizes a selection.
  ///
  /// - Complexity: linear in atoms and residues.
  init(_ text: String, _ selection: AtomSelection, of structure: Structure, model: Int) {
    self.selection = text
    let part = structure.models[model]
    atoms = selection.count(in: part.atoms)
    var histogram = [Int](repeating: 0, count: 256)
    selection.forEach { histogram[Int(structure.atoms.element[$0].rawValue)] += 1 }
    for (code, count) in histogram.enumerated() where count > 0 {
      elements[Element(rawValue: UInt8(code)).symbol] = count
    }
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
}
