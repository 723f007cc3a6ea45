/// An element of a request, with its namespaces resolved.
struct SimulatedNode: Sendable {
  var local: String
  var namespace: String
  /// The attributes by namespace and local name, as `{namespace}local`.
  var attributes: [String: String] = [:]
  /// The prefixes in scope, the inner ones last.
  var scope: [(prefix: String, namespace: String)] = []
  var text = ""
  var children: [SimulatedNode] = []

  /// The first child of that local name in the element's own namespace.
  subscript(name: String) -> SimulatedNode? {
    children.first { $0.local == name && $0.namespace == namespace }
  }

  /// Returns a text such as `xs:int` as namespace and local name; nil for a prefix that is not declared.
  func name(of text: String) -> (namespace: String, local: String)? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let (prefix, local) = parts.count == 2 ? (parts[0], parts[1]) : ("", text)
    let space = scope.last { $0.prefix == prefix }?.namespace
    return space.map { ($0, local) } ?? (prefix.isEmpty ? ("", local) : nil)
  }
}

/// The reason a document is not a request.
enum SimulatedNodeError: Error, Equatable {
  case notWellFormed(at: Int, String)
}
