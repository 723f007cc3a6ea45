/// Which copies of a model are drawn.
enum SceneCopies: Hashable, Sendable {
  /// The model as it is in the file.
  case deposited
  /// The biological assembly of a name.
  case assembly(String)
  /// What fills the unit cell of the crystal.
  case unitCell
  /// The model and its neighbours in the crystal.
  case neighbors

  /// Mates in the crystal are neighbours if they come within this distance, in ångström.
  private static let neighborDistance = 5.0

  /// The names that are no assemblies'.
  static let words = ["none", "unit-cell", "neighbors"]

  /// What a word means for a structure; nil if it has no such copies.
  init?(_ word: String, of structure: Structure) {
    switch word {
    case "none": self = .deposited
    case _ where structure.assemblies.contains(where: { $0.id == word }): self = .assembly(word)
    case "unit-cell" where Crystal(structure) != nil: self = .unitCell
    case "neighbors" where Crystal(structure) != nil: self = .neighbors
    default: return nil
    }
  }

  /// The word for it.
  var word: String {
    switch self {
    case .deposited: "none"
    case .assembly(let name): name
    case .unitCell: "unit-cell"
    case .neighbors: "neighbors"
    }
  }

  /// What people read.
  var title: String {
    switch self {
    case .deposited: "as deposited"
    case .assembly(let name): "assembly \(name)"
    case .unitCell: "unit cell"
    case .neighbors: "crystal neighbours"
    }
  }

  /// All there are of a structure, as deposited first.
  static func all(of structure: Structure) -> [SceneCopies] {
    let crystal = Crystal(structure) == nil ? [] : [SceneCopies.unitCell, .neighbors]
    return [.deposited] + structure.assemblies.map { .assembly($0.id) } + crystal
  }

  /// Where the copies lie; nil for the model as it is, or if there are no such copies.
  func instances(of structure: Structure, model: Int) -> AssemblyInstances? {
    guard structure.models.indices.contains(model) else { return nil }
    switch self {
    case .deposited: return nil
    case .assembly(let name): return AssemblyInstances(assemblyNamed: name, of: structure, model: model)
    case .unitCell: return Crystal(structure)?.unitCell(structure, model: model)
    case .neighbors:
      let mates = Crystal(structure)?.neighbors(structure, model: model, within: Self.neighborDistance)
      let transforms = mates?.groups.flatMap(\.transforms) ?? []
      return .copies(of: structure, model: model, by: [.identity] + transforms)
    }
  }
}
