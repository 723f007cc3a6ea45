extension AssemblyInstances {
  /// What can be asked for besides the assemblies that a file names.
  enum Choice: String, CaseIterable, Sendable {
    /// The model as it is in the file.
    case deposited
    /// The model with its copies by non-crystallographic symmetry.
    case ncs
    /// What fills one unit cell.
    case unitCell = "unit-cell"
    /// The model and the copies of it in the crystal that come within 5 Å.
    case neighbors
  }

  /// How near copies in the crystal must come to be neighbours, in Å.
  static let neighborDistance = 5.0

  /// The instances that a word means: an assembly of that name, else one of the choices; nil if it is neither.
  ///
  /// The unit cell and neighbours are nil too when the file tells no crystal.
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

  /// The words that mean something for a structure, its own assemblies first.
  static func names(for structure: Structure) -> [String] {
    let crystal = Crystal(structure) == nil ? [] : [Choice.unitCell, .neighbors]
    let copies = structure.pendingNCSTransforms.isEmpty ? [] : [Choice.ncs]
    return structure.assemblies.map(\.id) + ([Choice.deposited] + copies + crystal).map(\.rawValue)
  }
}
