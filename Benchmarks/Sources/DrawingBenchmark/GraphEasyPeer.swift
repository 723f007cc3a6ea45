import BenchmarkSupport

@testable import PathCase

/// Graph::Easy, run as a process.
struct GraphEasyPeer {
  /// The program.
  var program: String
  let scratch: ScratchFolder
  /// The time in milliseconds after which it is abandoned.
  var patience: Double

  /// A drawing of Graph::Easy.
  struct Drawing {
    var columns = 0
    var rows = 0
    /// From the start of the process to its end.
    var milliseconds = 0.0
    var cells: Int { columns * rows }
  }

  /// Draws the same graph as ours: the same boxes with the same labels, and the same lines between them.
  ///
  /// - Returns: nil if it cannot be run, takes too long, or draws nothing.
  func draw(_ drawing: TextDrawing, _ layout: GraphLayout) throws -> Drawing? {
    var text = "graph { flow: down; }\n"
    for box in drawing.boxes { text += node(box) + "\n" }
    for route in layout.routes { text += "[ n\(route.source) ] --> [ n\(route.target) ]\n" }
    let path = try scratch.write(Array(text.utf8), name: "graph.txt")
    let start = Timing.milliseconds()
    let (status, output) = Program.output(
      [program, "--as=boxart", "--timeout=\(Int(patience / 1000))", "--input=\(path)"], killAfter: patience)
    var result = Drawing(milliseconds: Timing.milliseconds() - start)
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false).drop { $0.isEmpty }
    result.rows = lines.count - (lines.last?.isEmpty == true ? 1 : 0)
    result.columns = lines.map(\.count).max() ?? 0
    return status == 0 && result.columns > 0 ? result : nil
  }

  /// Returns a node with a unique name; control characters of Graph::Easy are removed from its label.
  private func node(_ box: TextDrawing.Box) -> String {
    let lines = box.lines.map { line in line.filter { $0.isLetter || $0.isNumber || " -,.()".contains($0) } }
    return "[ n\(box.place) ] { label: \"\(lines.joined(separator: "\\n"))\"; }"
  }
}
