import PluginAPI

/// The text of a drawing, or why there is none.
enum DrawingText {
  /// The most cells that are written: what is larger is no text that anyone reads.
  static let limit = 16_000_000
  /// The most independent cycles of a network that is laid out to be shown.
  ///
  /// Drawings of genome-scale models have at least 0.75 cells per cycle squared, even at the smallest zoom: above 4,600
  /// cycles they pass ``limit``. Laying out and measuring such a network takes up to minutes, so that it is refused before.
  static let mostCycles = 8_000
  static let partAdvice =
    "'pathcase draw FILE --output X.svg' makes a picture; 'pathcase neighbors' and 'path' list parts of the network"
  /// Columns that are worth showing alone.
  private static let usefulWidth = 200
  /// So many rows are drawn at once, which bounds the memory.
  private static let band = 100

  /// Refuses a network that has no drawing within the limit, without laying it out.
  ///
  /// - Throws: ``PathwayError/tooTangledToShow(cycles:limit:)``.
  static func check(_ graph: ReactionGraph, _ options: LayoutOptions) throws(PathwayError) {
    if options.usesFrozenPlaces, graph.nodes.contains(where: { $0.frame != nil }) { return }
    let cycles = LayoutNet(graph, options: options).cycleCount
    if cycles > mostCycles { throw .tooTangledToShow(cycles: cycles, limit: mostCycles) }
  }

  /// The lines of a drawing, the first so many columns of each.
  ///
  /// - Throws: ``PathwayError`` for a drawing with too many cells.
  static func text(_ drawing: TextDrawing, columns: Int) throws(PathwayError) -> String {
    guard fits(columns: columns, rows: drawing.height) else {
      throw .tooLargeToShow(columns: drawing.width, rows: drawing.height, advice: advice(drawing))
    }
    var lines: [String] = []
    for row in stride(from: 0, to: drawing.height, by: band) {
      let height = min(band, drawing.height - row)
      lines += drawing.canvas(.init(row: row, width: columns, height: height)).lines
    }
    return lines.joined(separator: "\n")
  }

  /// Returns a note that only some columns of a drawing are shown, with the zoom that needs less room; nil if all are.
  static func note(ofCut drawing: TextDrawing, columns: Int) -> Diagnostic? {
    if columns >= drawing.width { return nil }
    let zoom: String? =
      switch drawing.options.zoom {
      case .full: "names"
      case .names: "overview"
      case .overview: nil
      }
    return Diagnostic(
      .note, code: "pathcase.cut", "the drawing is \(drawing.width) columns wide; \(columns) are shown",
      advice: zoom.map { "'--zoom \($0)' needs less room" })
  }

  private static func fits(columns: Int, rows: Int) -> Bool {
    let cells = columns.multipliedReportingOverflow(by: rows)
    return !cells.overflow && cells.partialValue <= limit && columns <= limit && rows <= limit
  }

  /// The options that lead to a text; nothing that was given already.
  private static func advice(_ drawing: TextDrawing) -> String {
    var options: [String] = []
    // A dot for each node takes about a third of a box's columns.
    if drawing.options.zoom != .overview, fits(columns: drawing.width / 3, rows: drawing.height) {
      options.append("'--zoom overview' needs less room")
    }
    if fits(columns: usefulWidth, rows: drawing.height) {
      options.append("'--width \(usefulWidth)' shows the first columns alone")
    }
    return options.isEmpty ? partAdvice : options.joined(separator: ", ")
  }
}
