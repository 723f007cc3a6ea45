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
    Field("name", \.name, "Name in the file")
    Field("rules", \.rules.count, "Number of rules")
    Field("kinds", \.kinds, "Kinds of objects that are fetched")
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
  struct Edge: Sendable, Hashable {
    var kind: NativeKind
    var relation: MappingRule.Relation
  }

  /// Returns the relations through which objects take properties from those of a kind.
  func takers(of kind: NativeKind) -> [Edge] { edges(to: kind) { $0.takes } }

  /// Returns the relations to objects of a kind from those whose identifiers begin with theirs.
  func placed(in kind: NativeKind) -> [Edge] {
    let edges: [Edge] =
      switch kind {
      case .space, .dataSet: []
      case .project: [Edge(kind: .experiment, relation: .project), Edge(kind: .sample, relation: .project)]
      case .experiment: [Edge(kind: .sample, relation: .experiment), Edge(kind: .dataSet, relation: .experiment)]
      case .sample: [Edge(kind: .sample, relation: .container), Edge(kind: .dataSet, relation: .sample)]
      }
    return edges.filter { shownKinds.contains($0.kind) }
  }

  /// Returns the relations by which objects are listed below those of a kind.
  func listed(below kind: NativeKind) -> [Edge] { edges(to: kind) { $0.under.flatMap { $0 } } }

  private func edges(to kind: NativeKind, _ relations: (MappingRule) -> [MappingRule.Relation]) -> [Edge] {
    var edges: [Edge] = []
    for rule in rules where rule.isShown {
      for relation in relations(rule) where relation.target(of: rule.kind) == kind {
        let edge = Edge(kind: rule.kind, relation: relation)
        if !edges.contains(edge) { edges.append(edge) }
      }
    }
    return edges
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

/// A rule for the openBIS objects of a kind and type.
struct MappingRule: Sendable, Hashable {
  /// A relation to the objects that an object belongs to.
  enum Relation: String, Sendable, Hashable, CaseIterable {
    case space, project, experiment, sample, container
    /// The parents, of the object's own kind.
    case parents

    /// Returns the kind of the objects to which objects of a kind have this relation.
    func target(of kind: NativeKind) -> NativeKind {
      switch self {
      case .space: .space
      case .project: .project
      case .experiment: .experiment
      case .sample: .sample
      case .container, .parents: kind
      }
    }
  }

  /// An image of the entity.
  struct Image: Sendable, Hashable {
    /// The origin of the image.
    enum Source: Sendable, Hashable {
      /// A property that holds an address.
      case property(String)
      /// Files of the data set whose path matches; listed when details are requested.
      case files(FilePattern)
    }

    var role: EntityImage.Role
    var source: Source
  }

  var kind: NativeKind
  /// The type's code; `*` at its end matches any ending, nil any type.
  var type: String?
  /// A Boolean value indicating whether the objects become entities; hidden objects may still be taken into others.
  var isShown = true
  var category: MappingTemplate
  var header: MappingTemplate
  var summary: MappingTemplate
  /// The entities below which it is listed: from each list the first relation that the object has.
  var under: [[Relation]] = []
  /// A Boolean value indicating whether it is listed on the first screen.
  var isRoot = false
  /// The group of the first screen that lists it; groups are created as needed.
  var group: MappingTemplate?
  /// The codes of the properties that are shown, in order; nil for all in the order of the type.
  var properties: [String]?
  var images: [Image] = []
  /// The pattern of files that become entities below this one, one for each file.
  var pages: FilePattern?
  /// The relations to objects whose properties are shown with its own.
  var takes: [Relation] = []

  /// Returns true if the rule applies to an object.
  func matches(_ object: NativeObject) -> Bool {
    guard object.kind == kind else { return false }
    guard let type else { return true }
    if type.hasSuffix("*") { return object.type.utf8.starts(with: type.utf8.dropLast()) }
    return object.type.utf8.elementsEqual(type.utf8)
  }
}
