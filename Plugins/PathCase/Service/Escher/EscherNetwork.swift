/// The part of a network that Escher can represent: its reactions, with their modifiers as texts.
struct EscherNetwork {
  /// The processes with their reactants and products, and metabolites without any reaction.
  private(set) var graph: ReactionGraph
  /// The texts of each process's modifiers, by the id of the process: `⊖` before inhibitors, `⊕` before activators, `○`
  /// before catalysts.
  private(set) var regulators: [Identifier: [String]] = [:]
  /// The number of omitted nodes and edges.
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

  /// Gives things ids based on their labels, which Escher shows, for maps whose ids are mere numbers.
  mutating func nameByLabels() {
    var processes = 0
    for (index, node) in graph.nodes.enumerated() {
      if node.kind == .process { processes += 1 }
      let isNumbered = node.kind == .process && node.label.isEmpty
      graph.nodes[index].entity = Identifier(isNumbered ? "process \(processes)" : node.shownName)
    }
  }

  /// Keeps some nodes, without compartments and parents; returns the new index of each.
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

  /// Returns the text of a modifier; nil for other edges.
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
