import BenchmarkSupport
import PluginCompression
import PluginText

@testable import PathCase

/// The graphs that are laid out: files of the shared data, and random ones.
struct SharedNetworks {
  /// The folder of the files.
  var folder: String

  /// An error for content that a file lacks.
  enum Failure: Error {
    case noGraph(String)
  }

  /// Returns the graph of a model, a map or a scenario network.
  func graph(_ file: String) throws -> ReactionGraph {
    var bytes = try FileBytes.read(folder + file)
    if file.hasSuffix(".gz") { bytes = try Gzip.uncompress(bytes) }
    switch try FormatDetector.detect(plain: bytes).format {
    case .sbml: return try SBMLReader.model(bytes).model.graph
    case .scenario: return Self.graph(try ScenarioNetworkReader.read(bytes))
    default: return try MapReader.read(bytes).graph
    }
  }

  private static func graph(_ network: ScenarioNetwork) -> ReactionGraph {
    var graph = ReactionGraph(name: network.name)
    graph.nodes = network.pools.map { GraphNode(id: $0.id, label: $0.id.text, kind: .pool) }
    for process in network.processes {
      let node = graph.nodes.count
      graph.nodes.append(GraphNode(id: process.id, label: process.id.text, kind: .process))
      let isReversible = process.isReversible
      for input in process.inputs {
        graph.edges.append(GraphEdge(source: input.pool, target: node, isReversible: isReversible))
      }
      for output in process.outputs {
        graph.edges.append(GraphEdge(source: node, target: output, isReversible: isReversible))
      }
    }
    return graph
  }

  /// Returns a random graph with a number of nodes and edges, without loops or multiple edges; always the same.
  static func random(_ count: Int, edges: Int) -> ReactionGraph {
    var random = SplitMix64(seed: 1)
    var graph = ReactionGraph(name: "random")
    graph.nodes = (0..<count).map {
      GraphNode(id: Identifier("n\($0)"), label: "n\($0)", kind: $0.isMultiple(of: 2) ? .pool : .process)
    }
    var known: Set<[Int]> = []
    while graph.edges.count < edges {
      let pair = [random.next(below: count), random.next(below: count)]
      if pair[0] == pair[1] || !known.insert(pair).inserted { continue }
      graph.edges.append(GraphEdge(source: pair[0], target: pair[1]))
    }
    return graph
  }
}
