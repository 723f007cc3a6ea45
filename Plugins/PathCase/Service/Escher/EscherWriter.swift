import PluginAPI
import PluginJSON

/// Writes maps in Escher's format.
///
/// Metabolites, reactions, their curves, genes and texts are written; modifiers can only be written as texts. A map
/// read from an Escher file is written unchanged, except that markers and segments are renumbered.
/// - Source: https://escher.github.io/escher/jsonschema/1-0-0
struct EscherWriter {
  let document: MapDocument
  var graph: ReactionGraph { document.graph }
  var json = JSONWriter()
  /// The id of each graph node in the file.
  var ids: [String] = []
  private var lastID = 0
  var reactions: [EscherReaction] = []
  /// The markers between midmarkers and metabolites, with their new ids.
  var markers: [(id: String, place: FrozenPath.Point)] = []
  var leftOut = 0

  /// Writes a map.
  ///
  /// - Parameter leftOut: The number of nodes and edges of the network that are already missing from the document.
  /// - Throws: ``MapError/notPlaced(node:format:)`` if a process or one of its participants has no position.
  static func write(_ document: MapDocument, leftOut: Int = 0) throws(MapError) -> WrittenMap {
    var writer = EscherWriter(document)
    writer.leftOut = leftOut
    try writer.collect()
    writer.writeDocument()
    var warnings: [Diagnostic] = []
    if writer.leftOut > 0 {
      warnings.append(
        Diagnostic(
          .warning, code: "pathcase.map-simplified",
          "\(writer.leftOut) nodes and edges have no form in an Escher map; they are left out"))
    }
    return WrittenMap(bytes: writer.json.take(), warnings: warnings)
  }

  private init(_ document: MapDocument) {
    var document = document
    document.graph = document.graph.splittingDirectFlows()
    self.document = document
    // Larger integers are not exact in Escher, which uses JavaScript numbers.
    let numbers = document.graph.nodes.map { Int($0.id.text).flatMap { $0 < 1 << 53 ? $0 : nil } }
    // Escher continues counting at the largest number, so ids are numbers.
    let areNumbers = numbers.allSatisfy { $0 ?? -1 >= 0 }
    if areNumbers, Set(document.graph.nodes.map(\.id)).count == numbers.count {
      ids = document.graph.nodes.map(\.id.text)
      lastID = numbers.compactMap { $0 }.max() ?? 0
    } else {
      // In a map read from Escher only nodes without a position have other ids.
      lastID = numbers.compactMap { $0 }.max() ?? 0
      for (index, number) in numbers.enumerated() {
        if let number, number >= 0 { ids.append(document.graph.nodes[index].id.text) } else { ids.append(freshID()) }
      }
    }
  }

  private mutating func freshID() -> String {
    lastID += 1
    return String(lastID)
  }

  /// Converts processes to reactions.
  private mutating func collect() throws(MapError) {
    var places: [Int: Int] = [:]
    for (index, node) in graph.nodes.enumerated() where node.kind == .process {
      places[index] = reactions.count
      reactions.append(EscherReaction(key: ids[index], midmarker: ids[index], node: node))
    }
    for edge in graph.edges {
      let ends = (graph.nodes[edge.source].kind == .process, graph.nodes[edge.target].kind == .process)
      if ends == (false, true), let place = places[edge.target], isWritten(edge) {
        try add(edge.reversed, to: place, sign: -1)
      } else if ends == (true, false), let place = places[edge.source], isWritten(edge) {
        try add(edge, to: place, sign: edge.kind == .flow ? 1 : 0)
      } else {
        leftOut += 1
      }
    }
  }

  private func isWritten(_ edge: GraphEdge) -> Bool { edge.kind == .flow || edge.category == EscherReader.marker }

  /// Adds a path of a reaction, starting at its midmarker.
  ///
  /// - Parameter sign: The sign of the coefficient; 0 for an end without a metabolite.
  private mutating func add(_ edge: GraphEdge, to place: Int, sign: Double) throws(MapError) {
    let node = graph.nodes[edge.target]
    if sign != 0 { reactions[place].add(node.subject, edge.stoichiometry * sign) }
    reactions[place].isReversible = reactions[place].isReversible || edge.isReversible
    if node.frame == nil, node.category == EscherReader.undrawn { return }
    guard node.frame != nil else { throw .notPlaced(node: node.id.text, format: .escher) }
    let process = reactions[place].node
    guard process.frame != nil else { throw .notPlaced(node: process.id.text, format: .escher) }
    var last = reactions[place].midmarker
    for (index, bend) in edge.bends.enumerated() {
      let marker = reactions[place].marker(at: bend) ?? freshID()
      if reactions[place].note(marker, at: bend) { markers.append((marker, bend)) }
      addSegment(from: last, to: marker, index < edge.curves.count ? edge.curves[index] : GraphCurve(), to: place)
      last = marker
    }
    addSegment(from: last, to: ids[edge.target], edge.curves.last ?? GraphCurve(), to: place)
  }

  private mutating func addSegment(from: String, to: String, _ curve: GraphCurve, to place: Int) {
    if reactions[place].has(from, to) { return }
    reactions[place].segments.append(
      EscherReaction.Segment(id: freshID(), from: from, to: to, curve: curve))
  }
}
