/// The copies of a model to draw.
enum SceneCopies: Hashable, Sendable {
  /// The biological assembly with a name.
  case assembly(String)
  /// A choice other than an assembly.
  case choice(AssemblyInstances.Choice)

  /// The model as deposited.
  static let deposited = SceneCopies.choice(.deposited)

  /// Creates the copies that a word denotes for a structure; nil if it has no such copies.
  init?(_ word: String, of structure: Structure) {
    if word == Self.none {
      self = .deposited
    } else if structure.assemblies.contains(where: { $0.id == word }) {
      self = .assembly(word)
    } else if let choice = AssemblyInstances.Choice(rawValue: word),
      AssemblyInstances.names(for: structure).contains(word)
    {
      self = .choice(choice)
    } else {
      return nil
    }
  }

  /// An alternative word for the model as deposited.
  private static let none = "none"

  /// The word that denotes it.
  var word: String {
    switch self {
    case .choice(.deposited): Self.none
    case .choice(let choice): choice.rawValue
    case .assembly(let name): name
    }
  }

  /// The display name.
  var title: String {
    switch self {
    case .choice(.deposited): "as deposited"
    case .choice(.ncs): "with NCS copies"
    case .choice(.unitCell): "unit cell"
    case .choice(.neighbors): "crystal neighbours"
    case .assembly(let name): "assembly \(name)"
    }
  }

  /// Returns all copies of a structure, the deposited model first.
  static func all(of structure: Structure) -> [SceneCopies] {
    [.deposited]
      + AssemblyInstances.names(for: structure).compactMap { SceneCopies($0, of: structure) }
      .filter { $0 != .deposited }
  }

  /// Returns the placements of the copies; nil for the model as deposited, or if there are no such copies.
  func instances(of structure: Structure, model: Int) -> AssemblyInstances? {
    guard self != .deposited, structure.models.indices.contains(model) else { return nil }
    return AssemblyInstances.named(word, of: structure, model: model)
  }
}
