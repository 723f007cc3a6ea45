/// The name of the type of a value, its prefix resolved.
struct WireType: Hashable, Sendable {
  /// The types of the protocol that are distinguished.
  enum Compound: String, Sendable, CaseIterable {
    case dictionary = "Dictionary"
    case parameter = "Parameter"
    case range = "Range"
    case resolution = "Resolution"
    case resource = "Resource"
    case array = "Array"
    case stringArray = "StringArray"
    case uuidArray = "UuidArray"
    case resourceArray = "ResourceArray"
  }

  var namespace: String
  var local: String

  /// The protocol type it names, in any of its namespaces; nil for others.
  var compound: Compound? {
    ProtocolNamespace(rawValue: namespace) == nil ? nil : Compound(rawValue: local)
  }

  var isOfSchema: Bool { namespace == ProtocolNamespace.schema }

  /// The type as values store it: types of XML Schema and known types of the protocol by their local name, others as
  /// `{namespace}name`.
  var text: String { isOfSchema || compound != nil || namespace.isEmpty ? local : "{\(namespace)}\(local)" }
}
