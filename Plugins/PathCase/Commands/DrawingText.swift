/// The text of a drawing, or why there is none.
enum DrawingText {
  /// The most cells that are written: what is larger is no text that anyone reads.
  static let limit = 16_000_000
  /// So many rows are drawn at once, which bounds the memory.
  private static let band = 100

  /// The lines of a drawing, the first so many columns of each.
  ///
  /// - Throws: ``PathwayError`` for a drawing with too many cells.
  static func text(_ drawing: TextDrawing, columns: Int) throws(PathwayError) -> String {
    guard columns.multipliedReportingOverflow(by: drawing.height).partialValue <= limit, columns <= limit,
      drawing.height <= limit
    else { throw .tooLargeToShow(columns: drawing.width, rows: drawing.height) }
    var lines: [String] = []
    for row in stride(from: 0, to: drawing.height, by: band) {
      let height = min(band, drawing.height - row)
      lines += drawing.canvas(.init(row: row, width: columns, height: height)).lines
    }
    return lines.joined(separator: "\n")
  }
}
