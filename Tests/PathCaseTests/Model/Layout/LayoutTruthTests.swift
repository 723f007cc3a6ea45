import Foundation
import TestSupport
import Testing

@testable import PathCase

/// Layouts of the shared networks, compared with those of Graphviz 2.43 for the same graphs.
struct LayoutTruthTests {
  private static let folder = SharedData.folder?.appendingPathComponent("pathcase/smda")

  private struct Network: Decodable {
    struct Pool: Decodable {
      var id: String
    }

    struct Process: Decodable {
      var id: String
      var `in`: [String]?
      var out: [String]?
      var reversible: Bool?
    }

    var pools: [Pool]
    var processes: [Process]
  }

  private static func graph(_ name: String, in folder: URL) throws -> ReactionGraph {
    let data = try Data(contentsOf: folder.appendingPathComponent(name + ".json"))
    let network = try JSONDecoder().decode(Network.self, from: data)
    var graph = ReactionGraph()
    for pool in network.pools { graph.nodes.append(GraphNode(id: Identifier(pool.id), label: pool.id, kind: .pool)) }
    for process in network.processes {
      graph.nodes.append(GraphNode(id: Identifier(process.id), label: process.id, kind: .process))
    }
    let known = Dictionary(uniqueKeysWithValues: graph.nodes.enumerated().map { ($1.id, $0) })
    for process in network.processes {
      guard let own = known[Identifier(process.id)] else { continue }
      let isReversible = process.reversible ?? false
      for pool in process.in ?? [] {
        if let other = known[Identifier(pool)] {
          graph.edges.append(GraphEdge(source: other, target: own, isReversible: isReversible))
        }
      }
      for pool in process.out ?? [] {
        if let other = known[Identifier(pool)] {
          graph.edges.append(GraphEdge(source: own, target: other, isReversible: isReversible))
        }
      }
    }
    return graph
  }

  /// The numbers of crossings in dot's layouts.
  static let dot = [
    ("e1_e_coli_core_free", 14), ("e3_RECON1_gly_tca_ppp", 5), ("e6_iMM904_central", 16), ("e7_iJO1366_central", 330),
    ("t05_glycolysis_free", 0), ("t09_tca", 0),
  ]

  @Test(.enabled(if: folder != nil, "the shared data is absent"), arguments: dot)
  func `edges cross at most half as often as in dot's drawings`(name: String, dot: Int) throws {
    let folder = try #require(Self.folder)
    let graph = try Self.graph(name, in: folder)
    let layout = LayeredLayout.layout(graph)
    #expect(layout.crossings * 2 <= dot && !layout.isCoarse)
    #expect(layout.routes.count == graph.edges.count && SampleGraphs.overlaps(layout).isEmpty)
    for zoom in TextDrawing.Zoom.allCases {
      let drawing = TextDrawing(graph, layout, options: .init(zoom: zoom))
      #expect(DrawingProbe(drawing, layout).problems.isEmpty)
    }
  }
}
