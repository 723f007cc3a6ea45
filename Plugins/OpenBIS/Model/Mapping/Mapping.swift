/// How objects of openBIS become entities that are browsed, where no service of the server does it.
///
/// One object may become several entities (one for each image of a data set), several may become one (the sample whose
/// properties are shown with its data set), and groups of the first screen may be made of anything.
struct Mapping: Sendable, Hashable {
  /// What people call it.
  var name: String
  /// The first rule that matches an object holds; what no rule matches is not shown.
  var rules: [MappingRule]

  /// The rule for an object; nil if it is not shown and nothing takes it.
  func rule(for object: NativeObject) -> MappingRule? { rules.first { $0.matches(object) } }

  /// The kinds of objects that any rule shows or takes into others, in the order in which they are asked for.
  var kinds: [NativeKind] {
    NativeKind.allCases.filter { kind in shownKinds.contains(kind) || !takers(of: kind).isEmpty }
  }

  /// The kinds of objects that become entities of their own.
  var shownKinds: [NativeKind] {
    NativeKind.allCases.filter { kind in rules.contains { $0.kind == kind && $0.isShown } }
  }

  /// True if every object of a kind becomes an entity of its own, so that server and cache count the same.
  func showsAll(_ kind: NativeKind) -> Bool {
    let own = rules.filter { $0.kind == kind }
    return own.allSatisfy(\.isShown) && own.contains { $0.type == nil }
  }

  /// A way from objects of a kind to those they belong to.
  struct Way: Sendable, Hashable {
    var kind: NativeKind
    var relation: MappingRule.Relation
  }

  /// The ways by which objects take properties of those of a kind.
  func takers(of kind: NativeKind) -> [Way] { ways(to: kind) { $0.takes } }

  /// The ways to objects of a kind from those whose identifiers begin with theirs.
  func placed(in kind: NativeKind) -> [Way] {
    let ways: [Way] =
      switch kind {
      case .space, .dataSet: []
      case .project: [Way(kind: .experiment, relation: .project), Way(kind: .sample, relation: .project)]
      case .experiment: [Way(kind: .sample, relation: .experiment), Way(kind: .dataSet, relation: .experiment)]
      case .sample: [Way(kind: .sample, relation: .container), Way(kind: .dataSet, relation: .sample)]
      }
    return ways.filter { shownKinds.contains($0.kind) }
  }

  /// The ways by which objects are listed below those of a kind.
  func listed(below kind: NativeKind) -> [Way] { ways(to: kind) { $0.under.flatMap { $0 } } }

  private func ways(to kind: NativeKind, _ relations: (MappingRule) -> [MappingRule.Relation]) -> [Way] {
    var ways: [Way] = []
    for rule in rules where rule.isShown {
      for relation in relations(rule) where relation.target(of: rule.kind) == kind {
        let way = Way(kind: rule.kind, relation: relation)
        if !ways.contains(way) { ways.append(way) }
      }
    }
    return ways
  }
}

/// What a mapping needs to know beside the objects.
struct MappingSurroundings: Sendable {
  /// The property types of each kind by the code of the entity type.
  var propertyTypes: [NativeKind: [String: [NativePropertyType]]] = [:]
  /// Objects that others may take properties of, by their entity id.
  var related: [String: NativeObject] = [:]
  /// The files of data sets, by the data set's code; without an entry nothing is known of its files.
  var files: [String: [DataSetFile]] = [:]
}

extension NativeObject {
  /// The id of the entity an object becomes.
  var entityID: String { Self.entityID(kind, permID) }

  /// The id of the entity an object of a kind becomes.
  static func entityID(_ kind: NativeKind, _ permID: String) -> String { kind.rawValue + "." + permID }
}
