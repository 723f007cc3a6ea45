extension AssemblyInstances {
  /// The choices in addition to the assemblies named by a file.
  enum Choice: String, CaseIterable, Sendable {
    /// The model as deposited.
    case deposited
    /// The model with its copies by non-crystallographic symmetry.
    case ncs
    /// The contents of one unit cell.
    case unitCell = "unit-cell"
    /// The model and its copies in the crystal within 5 Å.
    case neighbors
  }

  /// The largest distance of neighboring copies in the crystal, in Å.
  static let neighborDistance = 5.0

  /// Returns the instances denoted by a word: an assembly of that name, else one of the choices; nil if it is neither.
  ///
  /// The unit cell and neighbors are nil too if the file has no crystal.
  static func named(_ name: String, of structure: Structure, model: Int = 0) -> AssemblyInstances? {
    if let instances = AssemblyInstances(assemblyNamed: name, of: structure, model: model) { return instances }
    switch Choice(rawValue: name) {
    case .deposited: return asDeposited(structure, model: model)
    case .ncs: return noncrystallographic(structure, model: model)
    case .unitCell: return Crystal(structure)?.unitCell(structure, model: model)
    case .neighbors:
      guard let crystal = Crystal(structure) else { return nil }
      let near = crystal.neighbors(structure, model: model, within: neighborDistance)
      return copies(of: structure, model: model, by: [.identity] + (near.groups.first?.transforms ?? []))
    case nil: return nil
    }
  }

  /// Returns the available words for a structure, its own assemblies first.
  static func names(for structure: Structure) -> [String] {
    let crystal = Crystal(structure) == nil ? [] : [Choice.unitCell, .neighbors]
    let copies = structure.pendingNCSTransforms.isEmpty ? [] : [Choice.ncs]
    return structure.assemblies.map(\.id) + ([Choice.deposited] + copies + crystal).map(\.rawValue)
  }
}
