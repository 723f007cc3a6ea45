extension NativeObject {
  /// Creates an object from a response; nil if it has neither permId nor code.
  init?(_ kind: NativeKind, _ node: ObjectGraph.Node, in graph: ObjectGraph) {
    self.init(kind: kind, permID: "", code: "")
    graph.forEach(of: node) { member, value in
      switch value {
      case .text(let text): take(member, graph.string(text))
      case .integer(let number): take(member, number)
      case .node(let other): take(member, other, in: graph)
      }
    }
    if permID.isEmpty || kind == .space { permID = code }
    if permID.isEmpty { return nil }
    if code.isEmpty { code = permID }
    properties = graph.pairs(of: node).map {
      NativeProperty(code: $0.code, value: PropertyText.readable($0.value))
    }
    if space == nil {
      space = graph.node(.project, of: node).flatMap { graph.node(.space, of: $0) }.flatMap(graph.code)
    }
  }

  private mutating func take(_ member: GraphMember, _ text: String) {
    switch member {
    case .permId: permID = text
    case .code: code = text
    case .identifier: identifier = text
    case .description: description = text
    default: break
    }
  }

  private mutating func take(_ member: GraphMember, _ number: Int) {
    switch member {
    case .registrationDate: registeredAt = number
    case .modificationDate: modifiedAt = number
    default: break
    }
  }

  private mutating func take(_ member: GraphMember, _ node: ObjectGraph.Node, in graph: ObjectGraph) {
    switch member {
    case .permId: permID = graph.key(node) ?? ""
    case .identifier: identifier = graph.key(node) ?? ""
    case .type: type = graph.code(node) ?? ""
    case .space: space = graph.code(node)
    case .project: project = graph.permID(node)
    case .experiment: experiment = graph.permID(node)
    case .sample: sample = graph.permID(node)
    case .container: container = graph.permID(node)
    case .containers: container = container ?? graph.permID(node)
    case .parents: if let parent = graph.permID(node) { parents.append(parent) }
    case .registrator: registrator = graph.text(.userId, of: node) ?? ""
    case .dataStore: dataStore = graph.code(node)
    default: break
    }
  }
}

extension ObjectGraph {
  /// Returns the text of an id object.
  func key(_ id: Node) -> String? { text(.permId, of: id) ?? text(.identifier, of: id) ?? text(.code, of: id) }

  /// Returns the code of an object.
  func code(_ node: Node) -> String? { text(.code, of: node) ?? permID(node) }

  /// Returns the permId of an object, given as an id object or as text.
  func permID(_ node: Node) -> String? { self.node(.permId, of: node).flatMap(key) ?? text(.permId, of: node) }
}
