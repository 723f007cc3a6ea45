import PluginText

/// Writes graphs in the DOT language of Graphviz.
///
/// Compartments become nested clusters. Known positions are written in points, with the y axis up, as in Graphviz.
/// - Source: https://graphviz.org/doc/info/lang.html
struct DOTWriter {
  private let graph: ReactionGraph
  private var text = ""

  /// Writes a graph.
  static func write(_ graph: ReactionGraph) -> [UInt8] {
    var writer = DOTWriter(graph)
    writer.write()
    return Array(writer.text.utf8)
  }

  private init(_ graph: ReactionGraph) {
    self.graph = graph
  }

  private mutating func write() {
    let name = graph.name.isEmpty ? graph.id.text : graph.name
    text += "digraph \(Self.quoted(name)) {\n  compound=true;\n"
    writeCompartments()
    for index in graph.nodes.indices where graph.nodes[index].compartment == nil { write(node: index, depth: 1) }
    for edge in graph.edges { write(edge) }
    text += "}\n"
  }

  /// Writes the clusters; the open ones are in a list rather than on the call stack.
  private mutating func writeCompartments() {
    var inner = [[Int]](repeating: [], count: graph.compartments.count)
    var members = inner
    for (index, compartment) in graph.compartments.enumerated() {
      if let parent = compartment.parent { inner[parent].append(index) }
    }
    for (index, node) in graph.nodes.enumerated() {
      if let compartment = node.compartment { members[compartment].append(index) }
    }
    var work = graph.compartments.indices.filter { graph.compartments[$0].parent == nil }.reversed().map {
      (index: $0, depth: 1, ends: false)
    }
    while let step = work.popLast() {
      let indent = Self.indent(step.depth)
      if step.ends {
        text += "\(indent)}\n"
        continue
      }
      text += "\(indent)subgraph \"cluster_\(step.index)\" {\n"
      text += "\(indent)  label=\(Self.quoted(graph.compartments[step.index].name));\n"
      for node in members[step.index] { write(node: node, depth: step.depth + 1) }
      work.append((step.index, step.depth, true))
      for child in inner[step.index].reversed() { work.append((child, step.depth + 1, false)) }
    }
  }

  private mutating func write(node index: Int, depth: Int) {
    let node = graph.nodes[index]
    var attributes = ["label=\(Self.quoted(node.label))", "shape=\(Self.shape(of: node))"]
    if let frame = node.frame { attributes.append("pos=\"\(frame.x),\(0 - frame.y)!\"") }
    text += Self.indent(depth) + Self.quoted(node.id.text) + " ["
    text += attributes.joined(separator: ", ") + "];\n"
  }

  private mutating func write(_ edge: GraphEdge) {
    var attributes: [String] = []
    switch edge.kind {
    case .flow: break
    case .activation: attributes.append("arrowhead=empty")
    case .inhibition: attributes.append("arrowhead=tee")
    case .catalysis: attributes.append("arrowhead=odot")
    case .association: attributes.append("arrowhead=none")
    }
    if edge.isReversible { attributes.append("dir=both") }
    if edge.stoichiometry != 1 { attributes.append("label=\"\(edge.stoichiometry)\"") }
    let ends = "\(Self.quoted(graph.nodes[edge.source].id.text)) -> \(Self.quoted(graph.nodes[edge.target].id.text))"
    text += "  " + ends + (attributes.isEmpty ? "" : " [" + attributes.joined(separator: ", ") + "]") + ";\n"
  }

  /// Returns the indentation of a line, limited because that of deep lines would fill most of the file.
  private static func indent(_ depth: Int) -> String { String(repeating: " ", count: 2 * min(depth, 16)) }

  private static func shape(of node: GraphNode) -> String {
    switch node.kind {
    case .pool: "ellipse"
    case .process: node.label.isEmpty ? "point" : "box"
    case .macromolecule: "component"
    case .pathway: "folder"
    case .other: node.label.isEmpty ? "point" : "plaintext"
    }
  }

  /// Returns a quoted text; characters that could end it, or control or reorder a terminal, become spaces.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        quoted.unicodeScalars.append("\\")
        quoted.unicodeScalars.append(scalar)
      case "\n": quoted += "\\n"
      case _ where !SanitizedText.isSafe(scalar): quoted += " "
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
