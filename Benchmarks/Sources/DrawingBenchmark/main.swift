import BenchmarkSupport
import Glibc
import PluginText

@testable import PathCase

// Text drawings: the largest bundled pathways, compared with Graph::Easy (Debian package libgraph-easy-perl), which
// draws the same boxes with the same labels and lines in the same run, as a process; and panning over 10 000 nodes, in
// a window of 200 by 60 cells. Frames of compartments are omitted, because Graph::Easy has none.
//
// Usage: DrawingBenchmark [FOLDER-OF-RESOURCES]    (else Plugins/PathCase/Resources)
//        WORKBENCH_BENCH_GRAPH_EASY names graph-easy if it is not in the path

let arguments = CommandLine.arguments
let resources = arguments.count > 1 ? arguments[1] : "Plugins/PathCase/Resources"
let scratch = ScratchFolder()
defer { scratch.remove() }
let peer = GraphEasyPeer(
  program: getenv("WORKBENCH_BENCH_GRAPH_EASY").map { String(cString: $0) } ?? "graph-easy", scratch: scratch,
  patience: 120_000)

/// Measures the drawing of a graph on both sides.
///
/// - Parameter bar: The most milliseconds of ours, and with it half of the peer's cells; nil for none.
func measure(_ graph: ReactionGraph, bar: Double?, peer: GraphEasyPeer) throws {
  var graph = graph
  graph.compartments = []
  for node in graph.nodes.indices { graph.nodes[node].compartment = nil }
  var options = LayoutOptions()
  options.common = .hidden
  options.usesFrozenPlaces = false
  var layout = GraphLayout()
  let layoutTime = Timing.best(of: 5) { layout = LayeredLayout.layout(graph, options: options) }
  var drawing = TextDrawing(options: .init())
  var text = ""
  let time = Timing.best(of: 5) {
    drawing = TextDrawing(graph, layout, options: .init(joinsHeads: true))
    text = drawing.text
  }
  let title = "drawing of \(graph.name) (\(layout.places.count) boxes, \(layout.routes.count) lines)"
  Measurement("\(title): layout", layoutTime, unit: "ms").print()
  Measurement("\(title): time, \(text.utf8.count) bytes", time, unit: "ms", bar: bar).print()
  let ours = Double(drawing.cellCount)
  guard let theirs = try peer.draw(drawing, layout) else {
    Measurement("\(title): cells", ours, unit: "1").print()
    Measurement.skip("\(title): the peer", because: "graph-easy is not there, or did not end in time")
    return
  }
  Measurement(
    "\(title): cells (\(drawing.width)x\(drawing.height); peer \(theirs.columns)x\(theirs.rows))", ours, unit: "1",
    peer: ("Graph::Easy", Double(theirs.cells)), bar: bar.map { _ in Double(theirs.cells) / 2 }
  ).print()
  Measurement(
    "\(title): layout and drawing", layoutTime + time, unit: "ms", peer: ("Graph::Easy", theirs.milliseconds)
  ).print()
}

/// Measures the frames of a walk over a large drawing.
func measurePanning() {
  var random = SplitMix64(seed: 7)
  var graph = ReactionGraph(name: "large")
  graph.nodes = (0..<10_000).map {
    GraphNode(
      id: Identifier("n\($0)"), label: "node number \($0)", kind: $0.isMultiple(of: 2) ? .pool : .process)
  }
  for node in 1..<10_000 {
    graph.edges.append(GraphEdge(source: max(0, node - 1 - random.next(below: 40)), target: node))
    if node.isMultiple(of: 3) { graph.edges.append(GraphEdge(source: node, target: random.next(below: node))) }
  }
  var layout = GraphLayout()
  let layoutTime = Timing.best(of: 1) { layout = LayeredLayout.layout(graph) }
  Measurement("10 000 nodes (\(layout.routes.count) lines): layout", layoutTime, unit: "ms").print()
  for zoom in TextDrawing.Zoom.allCases {
    var drawing = TextDrawing(options: .init())
    let time = Timing.best(of: 1) { drawing = TextDrawing(graph, layout, options: .init(zoom: zoom)) }
    Measurement("10 000 nodes, \(zoom): drawing of all", time, unit: "ms").print()
    var window = TextDrawing.Window(width: 200, height: 60)
    var cells = 0
    let times = Timing.all(600) {
      window.column = random.next(below: max(1, drawing.width - window.width))
      window.row = random.next(below: max(1, drawing.height - window.height))
      cells += drawing.canvas(window).cells.count
    }
    Measurement(
      "10 000 nodes, \(zoom) (\(drawing.width)x\(drawing.height)): p99 of \(cells / 12_000) windows of 200x60",
      Timing.quantile(times, 0.99), unit: "ms", bar: 16
    ).print()
  }
}

do {
  let database = try BundledDatabase.open(resources)
  let graphs = database.pathways.indices.map { database.graph(ofPathway: $0) }
  let largest = graphs.indices.sorted { left, right in
    let counts = (graphs[left].nodes.count, graphs[right].nodes.count)
    return counts.0 != counts.1 ? counts.0 > counts.1 : left < right
  }
  for (place, index) in largest.prefix(3).enumerated() {
    try measure(graphs[index], bar: place == 0 ? 50 : nil, peer: peer)
  }
  if let glycolysis = graphs.first(where: { $0.id == "w-glycolysis" }) { try measure(glycolysis, bar: nil, peer: peer) }
} catch {
  Measurement.skip("drawings of bundled pathways", because: "\(error)")
}
measurePanning()
