import BenchmarkSupport

@testable import PathCase

/// One graph that both sides lay out.
struct LayoutCase {
  var name: String
  var graph: ReactionGraph
  var common = LayoutOptions.CommonMolecules.asOthers
  /// Our crossings shall be at most this part of the peer's.
  var crossingsPart = 1.0
  /// The most crossings of ours, beside that; nil if that is all.
  var crossingsBar: Double?
  /// The most milliseconds of ours; nil for half of the peer's time.
  var timeBar: Double?
  /// The time in milliseconds after which the peer is abandoned.
  var patience = 30_000.0

  /// Measures both sides and prints the lines.
  func run(peer: DotPeer) throws {
    var options = LayoutOptions()
    options.common = common
    options.usesFrozenPlaces = false
    // The peer gets no frames around nodes.
    var graph = graph
    graph.compartments = []
    let net = LayoutNet(graph, options: options)
    let title = "layout of \(name) (\(net.vertices.count) nodes, \(net.lines.count) lines)"
    var layout = GraphLayout()
    let time = Timing.best(of: net.lines.count > 700 ? 1 : 5) {
      layout = LayeredLayout.layout(graph, options: options)
    }
    guard let theirs = try peer.layout(net, patience: patience) else {
      Measurement("\(title): crossings", Double(layout.crossings), unit: "1", bar: crossingsBar).print()
      Measurement("\(title): time", time, unit: "ms", bar: timeBar).print()
      Measurement.skip("\(title): the peer", because: "dot is not there, or did not end in \(patience / 1000) s")
      return
    }
    let crossings = CrossingCount.pairs(theirs.lines, ends: theirs.ends).count
    let bar = min(Double(crossings) * crossingsPart, crossingsBar ?? .infinity)
    let their = ("dot", Double(crossings))
    // No ratio to nothing.
    Measurement(
      "\(title): crossings", Double(layout.crossings), unit: "1", peer: crossings > 0 ? their : nil, bar: bar
    ).print()
    Measurement(
      "\(title): time", time, unit: "ms", peer: ("dot", theirs.milliseconds),
      bar: min(theirs.milliseconds / 2, timeBar ?? .infinity)
    ).print()
    Measurement("\(title): height of a width", layout.height / max(layout.width, 1), unit: "1").print()
  }
}
