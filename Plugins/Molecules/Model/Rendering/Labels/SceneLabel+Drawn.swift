extension SceneLabel {
  /// Returns the labels of the parts of a model that a mode draws.
  ///
  /// Ribbons and surfaces show no atoms of the polymers, so these have no labels there; residues and the ends of chains
  /// have labels in every mode.
  ///
  /// - Parameters:
  ///   - kind: The kind of labels.
  ///   - mode: The mode of the model.
  ///   - structure: The structure.
  ///   - model: Model index, 0-based; one that does not exist has no labels.
  ///   - selection: The atoms that are drawn; nil for all.
  /// - Complexity: O(atoms).
  static func labels(
    _ kind: LabelKind, in mode: RenderMode, of structure: Structure, model: Int, selection: AtomSelection? = nil
  ) -> [SceneLabel] {
    guard kind == .atoms, mode.showsPolymers, structure.models.indices.contains(model) else {
      return labels(kind, of: structure, model: model, selection: selection)
    }
    let part = structure.models[model]
    let isTraced = BackboneTracer.trace(structure, model: model, selection: selection, shapes: []).isTraced
    var drawn = AtomSelection(atomCount: structure.atoms.count)
    for residue in part.residues {
      let row = structure.residues[residue]
      let isAmongAtoms =
        row.kind == .ligand
        || row.kind == .polymer && mode != .surface && !isTraced[residue - part.residues.lowerBound]
      if isAmongAtoms { drawn.insert(row.atoms) }
    }
    if let selection { drawn.formIntersection(selection) }
    return labels(kind, of: structure, model: model, selection: drawn)
  }
}
