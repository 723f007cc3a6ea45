import PluginAPI

/// The text of a drawing, or the reason why there is none.
enum DrawingText {
  /// The maximum number of cells written; larger texts are unreadable.
  static let limit = 16_000_000
  /// The maximum number of independent cycles in a network that is laid out for display.
  ///
  /// Drawings of genome-scale models have at least 0.75 cells per cycle squared, even at the smallest zoom, so above
  /// 4,600 cycles they exceed ``limit``. Such a network takes up to minutes to lay out and measure, so it is refused
  /// beforehand.
  static let mostCycles = 8_000
  static let partAdvice =
    "'pathcase draw FILE --output X.svg' makes a picture; 'pathcase neighbors' and 'path' list parts of the network"
  /// The minimum number of columns worth showing without the others.
  private static let usefulWidth = 200
  /// The number of rows drawn at a time, which limits the memory.
  private static let band = 100

  /// Rejects a network whose drawing would exceed the limit, without laying it out.
  ///
  /// - Throws: ``PathwayError/tooTangledToShow(cycles:limit:)``.
  static func check(_ graph: ReactionGraph, _ options: LayoutOptions) throws(ErrorReport) {
    if options.usesFrozenPlaces, graph.nodes.contains(where: { $0.frame != nil }) { return }
    let cycles = LayoutNet(graph, options: options).cycleCount
    if cycles > mostCycles { throw PathwayError.tooTangledToShow(cycles: cycles, limit: mostCycles) }
  }

  /// Returns the lines of a drawing, each truncated to a number of columns.
  ///
  /// - Throws: ``PathwayError`` if the drawing has too many cells.
  static func text(_ drawing: TextDrawing, columns: Int) throws(ErrorReport) -> String {
    guard fits(columns: columns, rows: drawing.height) else {
      throw PathwayError.tooLargeToShow(columns: drawing.width, rows: drawing.height, advice: advice(drawing))
    }
    var lines: [String] = []
    for row in stride(from: 0, to: drawing.height, by: band) {
      let height = min(band, drawing.height - row)
      lines += drawing.canvas(.init(row: row, width: columns, height: height)).lines
    }
    return lines.joined(separator: "\n")
  }

  /// Returns a note that only some columns of a drawing are shown, with the zoom that needs less space; nil if all are.
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

  /// Returns the options that give a smaller text, without those already in use.
  private static func advice(_ drawing: TextDrawing) -> String {
    var options: [String] = []
    // A dot per node takes about a third of a box's columns.
    if drawing.options.zoom != .overview, fits(columns: drawing.width / 3, rows: drawing.height) {
      options.append("'--zoom overview' needs less room")
    }
    if fits(columns: usefulWidth, rows: drawing.height) {
      options.append("'--width \(usefulWidth)' shows the first columns alone")
    }
    return options.isEmpty ? partAdvice : options.joined(separator: ", ")
  }
}
