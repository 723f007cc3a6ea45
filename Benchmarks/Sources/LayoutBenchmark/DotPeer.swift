import BenchmarkSupport

@testable import PathCase

/// Graphviz dot, run as a process.
struct DotPeer {
  /// The program.
  var program: String
  let scratch: ScratchFolder

  /// A drawing of dot: its splines as corners, and the vertices each joins.
  struct Drawing {
    var lines: [[FrozenPath.Point]] = []
    var ends: [(Int, Int)] = []
    /// From the start of the process to its end.
    var milliseconds = 0.0
  }

  /// Into how many straight pieces each Bezier piece is cut.
  private static let pieces = 8

  /// Lays out a net with dot; nil if it cannot be run, or takes too long.
  func layout(_ net: LayoutNet, patience: Double) throws -> Drawing? {
    let path = try scratch.write(Array(text(of: net).utf8), name: "graph.dot")
    let start = Timing.milliseconds()
    let (status, text) = Program.output([program, "-Tplain", path], killAfter: patience)
    let time = Timing.milliseconds() - start
    guard status == 0 else { return nil }
    var drawing = Drawing(milliseconds: time)
    for line in text.split(separator: "\n") where line.hasPrefix("edge ") {
      let words = line.split(separator: " ")
      guard words.count > 4, let tail = Int(words[1]), let head = Int(words[2]), let count = Int(words[3]) else {
        continue
      }
      let numbers = words[4..<min(4 + 2 * count, words.count)].compactMap { Double($0) }
      drawing.lines.append(Self.corners(numbers))
      drawing.ends.append((tail, head))
    }
    return drawing
  }

  /// Returns the net with the sizes of its vertices, a unit of ours being a point.
  private func text(of net: LayoutNet) -> String {
    var text = "digraph g {\n"
    for (number, vertex) in net.vertices.enumerated() {
      text += "\(number) [label=\"\", shape=box, fixedsize=true, width=\(vertex.size.width / 72)"
      text += ", height=\(vertex.size.height / 72)];\n"
    }
    for line in net.lines { text += "\(line.source) -> \(line.target);\n" }
    return text + "}\n"
  }

  /// Returns the corners of a spline of cubic Bezier pieces that follow each other.
  ///
  /// - Parameter numbers: The control points, x and y in turn.
  private static func corners(_ numbers: [Double]) -> [FrozenPath.Point] {
    let points = stride(from: 0, to: numbers.count - 1, by: 2).map { place in
      FrozenPath.Point(x: numbers[place], y: numbers[place + 1])
    }
    var result = Array(points.prefix(1))
    for first in stride(from: 0, to: points.count - 3, by: 3) {
      for step in 1...pieces {
        let share = Double(step) / Double(pieces)
        let rest = 1 - share
        let weights = [rest * rest * rest, 3 * rest * rest * share, 3 * rest * share * share, share * share * share]
        var point = FrozenPath.Point(x: 0, y: 0)
        for (weight, control) in zip(weights, points[first...]) {
          point.x += weight * control.x
          point.y += weight * control.y
        }
        result.append(point)
      }
    }
    return result
  }
}
