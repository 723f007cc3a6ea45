/// The part of a network that Escher has a form for: its reactions, and in words what acts on them.
struct EscherNetwork {
  /// Processes, what they use and make, and metabolites that nothing is known of.
  private(set) var graph: ReactionGraph
  /// Texts of what acts on each process without being used up, by the id of the process: `⊖` before inhibitors, `⊕` before
  /// activators, `○` before catalysts.
  private(set) var regulators: [Identifier: [String]] = [:]
  /// The number of other nodes and edges.
  private(set) var leftOut = 0

  init(_ network: ReactionGraph) {
    let all = network.splittingDirectFlows()
    graph = all
    var isKept = all.nodes.map { $0.kind == .process }
    var isAlone = all.nodes.map { $0.kind == .pool }
    for edge in all.edges {
      for node in [edge.source, edge.target] {
        isKept[node] = isKept[node] || edge.kind == .flow
        isAlone[node] = false
      }
    }
    for index in isKept.indices where isAlone[index] { isKept[index] = true }
    let places = keepNodes(of: all, isKept)
    var told: Set<Int> = []
    graph.edges = []
    for var edge in all.edges {
      if edge.kind == .flow {
        (edge.source, edge.target) = (places[edge.source], places[edge.target])
        graph.edges.append(edge)
      } else if let text = Self.text(of: edge, all) {
        regulators[all.nodes[edge.target].id, default: []].append(text)
        told.insert(edge.source)
      } else {
        leftOut += 1
      }
    }
    leftOut += all.nodes.indices.count { !isKept[$0] && !told.contains($0) }
  }

  /// Gives things the ids that Escher shows by what they are called, for maps whose ids only number their parts.
  mutating func nameByLabels() {
    var processes = 0
    for (index, node) in graph.nodes.enumerated() {
      if node.kind == .process { processes += 1 }
      let isNumbered = node.kind == .process && node.label.isEmpty
      graph.nodes[index].entity = Identifier(isNumbered ? "process \(processes)" : node.shownName)
    }
  }

  /// Keeps some nodes, outside of all compartments and wholes; gives the new index of each.
  private mutating func keepNodes(of all: ReactionGraph, _ isKept: [Bool]) -> [Int] {
    var places: [Int] = []
    graph.nodes = []
    graph.compartments = []
    for (index, var node) in all.nodes.enumerated() {
      places.append(graph.nodes.count)
      (node.compartment, node.parent) = (nil, nil)
      if isKept[index] { graph.nodes.append(node) }
    }
    return places
  }

  /// A text for what acts on a process; nil if nothing does.
  private static func text(of edge: GraphEdge, _ graph: ReactionGraph) -> String? {
    guard graph.nodes[edge.target].kind == .process else { return nil }
    let name = PictureLabel.shown(graph.nodes[edge.source].shownName)
    switch edge.kind {
    case .inhibition: return "⊖ " + name
    case .activation: return "⊕ " + name
    case .catalysis: return "○ " + name
    case .flow, .association: return nil
    }
  }
}
