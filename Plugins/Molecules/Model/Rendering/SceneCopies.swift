/// Which copies of a model are drawn.
enum SceneCopies: Hashable, Sendable {
  /// The biological assembly of a name.
  case assembly(String)
  /// Something else than an assembly.
  case choice(AssemblyInstances.Choice)

  /// The model as it is in the file.
  static let deposited = SceneCopies.choice(.deposited)

  /// What a word means for a structure; nil if it has no such copies.
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

  /// What may be written for the model as it is.
  private static let none = "none"

  /// The word for it.
  var word: String {
    switch self {
    case .choice(.deposited): Self.none
    case .choice(let choice): choice.rawValue
    case .assembly(let name): name
    }
  }

  /// What people read.
  var title: String {
    switch self {
    case .choice(.deposited): "as deposited"
    case .choice(.ncs): "with NCS copies"
    case .choice(.unitCell): "unit cell"
    case .choice(.neighbors): "crystal neighbours"
    case .assembly(let name): "assembly \(name)"
    }
  }

  /// All there are of a structure, as deposited first.
  static func all(of structure: Structure) -> [SceneCopies] {
    [.deposited]
      + AssemblyInstances.names(for: structure).compactMap { SceneCopies($0, of: structure) }
      .filter { $0 != .deposited }
  }

  /// Where the copies lie; nil for the model as it is, or if there are no such copies.
  func instances(of structure: Structure, model: Int) -> AssemblyInstances? {
    guard self != .deposited, structure.models.indices.contains(model) else { return nil }
    return AssemblyInstances.named(word, of: structure, model: model)
  }
}
