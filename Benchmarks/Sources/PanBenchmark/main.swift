import BenchmarkSupport
import PluginAPI
import PluginText

@testable import PathCase

// Frames of the graph screen while a network of 10 000 nodes is panned, at every zoom and in two sizes of the terminal:
// the 99th percentile of the time from the state to the cells of a frame. The network is generated, a ladder of
// reactions with branches, always the same; the times of its layout and drawing are reported too, once per zoom.
//
// Usage: PanBenchmark [NODES]

let count = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 10_000 : 10_000

/// Pools and processes in turn, each process with two pools before and two behind it.
func ladder(_ count: Int) -> ReactionGraph {
  var random = SplitMix64(seed: 3)
  var graph = ReactionGraph(id: "ladder", name: "ladder")
  graph.nodes = (0..<count).map { index in
    GraphNode(
      id: Identifier("n\(index)"), label: index.isMultiple(of: 2) ? "Metabolite \(index)" : "Reaction \(index)",
      kind: index.isMultiple(of: 2) ? .pool : .process)
  }
  for process in stride(from: 1, to: count - 1, by: 2) {
    graph.edges.append(GraphEdge(source: process - 1, target: process))
    graph.edges.append(GraphEdge(source: process, target: process + 1))
    let other = max(0, process - 1 - 2 * random.next(below: 20))
    if random.next(below: 4) == 0, other < process - 1 { graph.edges.append(GraphEdge(source: other, target: process)) }
  }
  return graph
}

let graph = ladder(count)
var options = LayoutOptions()
options.common = .hidden
var start = Timing.milliseconds()
let layout = LayeredLayout.layout(graph, options: options)
Measurement("layout of \(count) nodes", Timing.milliseconds() - start, unit: "ms").print()
let words = GraphWords(graph)

for zoom in GraphZoom.allCases {
  start = Timing.milliseconds()
  let picture = GraphPicture(graph, layout, zoom: zoom, isASCII: false, words: words)
  Measurement("drawing of \(count) nodes, \(zoom.title)", Timing.milliseconds() - start, unit: "ms").print()
  for size in [Size(width: 80, height: 24), Size(width: 200, height: 60)] {
    var state = GraphState(GraphPlace(zoom: zoom))
    state.size = size
    state.show(picture)
    var (frames, steps) = ([Double](), [Double]())
    for step in 0..<1000 {
      start = Timing.milliseconds()
      // Down through the network, then to the sides, as with a key held down.
      state.pan(x: step % 10 == 9 ? 40 : 0, y: step % 10 == 9 ? 0 : max(1, picture.drawing.height / 1000))
      steps.append(Timing.milliseconds() - start)
      start = Timing.milliseconds()
      var frame = TextFrame(size: size)
      GraphView(title: "Graph", state: state, about: "").draw(into: &frame)
      frames.append(Timing.milliseconds() - start)
    }
    let name = "frame of \(count) nodes, \(zoom.title), \(size.width)x\(size.height)"
    Measurement(name + ", median", Timing.median(frames), unit: "ms").print()
    Measurement(name + ", p99", Timing.quantile(frames, 0.99), unit: "ms", bar: 16).print()
    Measurement(name + ", step p99", Timing.quantile(steps, 0.99), unit: "ms").print()
  }
}

/// The actions of keys that examine all nodes.
let picture = GraphPicture(graph, layout, zoom: .full, isASCII: false, words: words)
var state = GraphState(GraphPlace())
state.size = Size(width: 200, height: 60)
state.show(picture)
state.select(0)
let selecting = Timing.all(200) { state.selectNext(.down) }
Measurement("next node of \(count), p99", Timing.quantile(selecting, 0.99), unit: "ms", bar: 16).print()
state.find.line = InputLine("metabolite 7")
let finding = Timing.all(50) { state.find.update(picture) }
Measurement("search of \(count) nodes, p99", Timing.quantile(finding, 0.99), unit: "ms", bar: 16).print()
let stepping = Timing.all(50) { state.step(1) }
Measurement("next of \(state.find.nodes.count) found, p99", Timing.quantile(stepping, 0.99), unit: "ms", bar: 16)
  .print()
