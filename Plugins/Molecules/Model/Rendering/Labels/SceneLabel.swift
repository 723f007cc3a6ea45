import PluginAPI

/// A text at a position in a molecule.
struct SceneLabel: Equatable, Sendable {
  var text: String
  /// The position in ångström.
  var place: SIMD3<Float>
}

/// The labeled parts of a molecule.
enum LabelKind: String, CaseIterable, ParameterValue {
  /// No labels.
  case none
  /// Both ends of every polymer chain.
  case chains
  /// Every residue except waters.
  case residues
  /// Every atom except waters.
  case atoms
}

extension SceneLabel {
  /// The largest number of atoms with labels of single residues or atoms; more would be unreadable.
  static let mostAtoms = 100_000

  /// Returns the labels of a model.
  ///
  /// - Parameters:
  ///   - kind: the kind of labels.
  ///   - structure: the structure.
  ///   - model: the model, 0-based; one that does not exist has none.
  ///   - selection: the atoms that are drawn; nil for all.
  /// - Complexity: O(atoms).
  static func labels(
    _ kind: LabelKind, of structure: Structure, model: Int, selection: AtomSelection? = nil
  ) -> [SceneLabel] {
    guard structure.models.indices.contains(model), kind != .none else { return [] }
    let part = structure.models[model]
    let conformers = Conformers(structure, model: model, within: selection)
    func isShown(_ residue: Int) -> Bool {
      guard let selection else { return true }
      return structure.residues[residue].atoms.contains { selection[$0] }
    }
    if kind == .chains { return part.chains.flatMap { ends(ofChain: $0, structure, conformers, isShown) } }
    guard part.atoms.count <= mostAtoms else { return [] }
    let residues = part.residues.filter { structure.residues[$0].kind != .water && isShown($0) }
    if kind == .residues { return residues.compactMap { label(ofResidue: $0, structure, conformers) } }
    return residues.flatMap { residue in
      let atoms = structure.residues[residue].atoms
      return atoms.filter { conformers.contains($0) && selection?[$0] ?? true }.map { atom in
        SceneLabel(text: structure.atomName(atom), place: SIMD3<Float>(structure.atoms.position(atom)))
      }
    }
  }

  /// Returns the labels of the first and the last residue of a chain's polymer, with the chain's name.
  private static func ends(
    ofChain chain: Int, _ structure: Structure, _ conformers: Conformers, _ isShown: (Int) -> Bool
  ) -> [SceneLabel] {
    let residues = structure.chains[chain].residueRuns.joined().filter {
      structure.residues[$0].kind == .polymer && isShown($0)
    }
    guard let first = residues.first, let last = residues.last else { return [] }
    return (first == last ? [first] : [first, last]).compactMap { residue in
      guard var label = label(ofResidue: residue, structure, conformers) else { return nil }
      let name = structure.chains[chain].name
      if !name.isEmpty { label.text = name + " " + label.text }
      return label
    }
  }

  /// Returns the label of a residue with name and number, at its representative atom.
  private static func label(ofResidue residue: Int, _ structure: Structure, _ conformers: Conformers) -> SceneLabel? {
    let atoms = structure.residues[residue].atoms
    let guide = atoms.first {
      conformers.contains($0) && ["CA", "P", "C4'", "C4*"].contains(structure.atomName($0))
    }
    guard let atom = guide ?? atoms.first(where: conformers.contains) ?? atoms.first else { return nil }
    return SceneLabel(text: text(ofResidue: residue, structure), place: SIMD3<Float>(structure.atoms.position(atom)))
  }

  /// Returns the name and number of a residue, as `ALA 5`.
  static func text(ofResidue residue: Int, _ structure: Structure) -> String {
    structure.residueName(residue) + " " + structure.address(ofResidue: residue).numberText
  }
}

/// The description of one atom, in one line.
enum AtomDescription {
  /// Returns chain, residue, atom, element, position, occupancy and displacement of an atom by its index; nil if there
  /// is none.
  static func text(_ atom: Int, of structure: Structure) -> String? {
    guard (0..<structure.atoms.count).contains(atom) else { return nil }
    let residue = Int(structure.atoms.residue[atom])
    let address = structure.address(ofResidue: residue)
    var words = address.chain.isEmpty ? [] : ["chain \(address.chain)"]
    words.append("\(address.name) \(address.numberText)")
    let location = structure.atoms.altloc[atom]
    let name = structure.atomName(atom)
    words.append(location == 0 ? name : "\(name) location \(Character(UnicodeScalar(location)))")
    words.append(structure.atoms.element[atom].name)
    let place = structure.atoms.position(atom)
    words.append([place.x, place.y, place.z].map { FixedText.text($0, decimals: 2) }.joined(separator: " ") + " Å")
    words.append("B \(FixedText.text(Double(structure.atoms.bFactor[atom]), decimals: 1))")
    if structure.atoms.occupancy[atom] != 1 {
      words.append("occupancy \(FixedText.text(Double(structure.atoms.occupancy[atom]), decimals: 2))")
    }
    return words.joined(separator: "  ")
  }
}
