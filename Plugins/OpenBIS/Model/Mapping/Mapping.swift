import PluginAPI

/// The rules by which openBIS objects become entities, where no service of the server maps them.
///
/// One object may become several entities (one for each image of a data set), several may become one (the sample whose
/// properties are shown with its data set), and groups of the first screen may be made of anything.
struct Mapping: Model, Hashable {
  /// The name of the mapping for people.
  var name: String
  /// The rules; the first one that matches an object applies, and objects without a matching rule are not shown.
  var rules: [MappingRule]

  static let typeName = "openbis.mapping-summary"
  static let fields = Fields<Mapping> {
    Field("name", \.name, "what the file calls itself")
    Field("rules", \.rules.count, "the number of rules")
    Field("kinds", \.kinds, "the kinds of objects that are fetched")
  }

  /// Returns the rule for an object; nil if it is not shown and nothing takes it.
  func rule(for object: NativeObject) -> MappingRule? { rules.first { $0.matches(object) } }

  /// The kinds of objects that any rule shows or takes into others, in the order of requests.
  var kinds: [NativeKind] {
    NativeKind.allCases.filter { kind in shownKinds.contains(kind) || !takers(of: kind).isEmpty }
  }

  /// The kinds of objects that become entities of their own.
  var shownKinds: [NativeKind] {
    NativeKind.allCases.filter { kind in rules.contains { $0.kind == kind && $0.isShown } }
  }

  /// Returns true if every object of a kind becomes an entity of its own, so that server and cache count the same.
  func showsAll(_ kind: NativeKind) -> Bool {
    let own = rules.filter { $0.kind == kind }
    return own.allSatisfy(\.isShown) && own.contains { $0.type == nil }
  }

  /// A relation from objects of a kind to those they belong to.
  struct Way: Sendable, Hashable {
    var kind: NativeKind
    var relation: MappingRule.Relation
  }

  /// Returns the relations through which objects take properties from those of a kind.
  func takers(of kind: NativeKind) -> [Way] { ways(to: kind) { $0.takes } }

  /// Returns the relations to objects of a kind from those whose identifiers begin with theirs.
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

  /// Returns the relations by which objects are listed below those of a kind.
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

/// The data that a mapping needs in addition to the objects.
struct MappingSurroundings: Sendable {
  /// The property types of each kind by the code of the entity type.
  var propertyTypes: [NativeKind: [String: [NativePropertyType]]] = [:]
  /// The objects that others may take properties from, by their entity id.
  var related: [String: NativeObject] = [:]
  /// The files of data sets, by the data set's code; without an entry the files are unknown.
  var files: [String: [DataSetFile]] = [:]
}

extension NativeObject {
  /// The id of the entity an object becomes.
  var entityID: String { Self.entityID(kind, permID) }

  /// Returns the id of the entity an object of a kind becomes.
  static func entityID(_ kind: NativeKind, _ permID: String) -> String { kind.rawValue + "." + permID }
}
