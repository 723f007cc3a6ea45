/// The positions and lines of a planar drawing: each vertex has a row, each segment of a line a column.
///
/// Segments run vertically in their columns; where they meet a vertex or cross, they lean toward it within its row.
///
/// - Source: R. Tamassia, I. Tollis, Discrete Comput. Geom. 1, 321 (1986), for rows and columns that nothing crosses.
struct PlanarDrawing {
  private let layers: PlanarLayers
  private let isUpsideDown: Bool
  private let sizes: [LayoutOptions.Size]
  private let borders: [Double]
  /// The row of each vertex, counted from the top.
  private var row: [Int]
  /// The column of each real vertex.
  private var column: [Int]
  /// The center of each column, and of each row.
  private var xs: [Double] = []
  private var ys: [Double] = []
  /// Half the height of the slanted segments in each row.
  private var halves: [Double] = []
  /// The distance between columns or rows that hold lines only.
  private static let step = 14.0

  init(
    _ layers: PlanarLayers, isUpsideDown: Bool, sizes: [LayoutOptions.Size], borders: [Double], options: LayoutOptions
  ) {
    self.layers = layers
    self.isUpsideDown = isUpsideDown
    self.sizes = sizes
    self.borders = borders
    let last = layers.layer.max() ?? 0
    row = layers.layer.map { isUpsideDown ? last - $0 : $0 }
    var columns = [[Int]](repeating: [], count: sizes.count)
    for (line, darts) in layers.planar.darts.enumerated() {
      let ends = layers.planar.lines[line]
      if let first = darts.first { columns[ends.0].append(layers.across[first >> 1]) }
      if let last = darts.last { columns[ends.1].append(layers.across[last >> 1]) }
    }
    column = columns.map { values in values.isEmpty ? 0 : values.sorted()[values.count / 2] }
    measure(rows: last + 1, options)
  }

  /// Gives columns and rows the space that their vertices need.
  private mutating func measure(rows: Int, _ options: LayoutOptions) {
    var widths = [Double](repeating: Self.step, count: (layers.across.max() ?? 0) + 1)
    var heights = [Double](repeating: Self.step, count: rows)
    halves = [Double](repeating: Self.step * 0.4, count: rows)
    for vertex in sizes.indices {
      widths[column[vertex]] = max(widths[column[vertex]], sizes[vertex].width + options.nodeGap)
      let height = sizes[vertex].height + options.layerGap / 2
      heights[row[vertex]] = max(heights[row[vertex]], height)
      halves[row[vertex]] = max(halves[row[vertex]], height * 0.48)
    }
    xs = Self.middles(widths)
    ys = Self.middles(heights)
  }

  private static func middles(_ lengths: [Double]) -> [Double] {
    var next = 0.0
    return lengths.map { length in
      next += length
      return next - length / 2
    }
  }

  func result() -> ComponentLayout.Result {
    var result = ComponentLayout.Result()
    result.centers = sizes.indices.map { .init(x: xs[column[$0]], y: ys[row[$0]]) }
    let ports = ports()
    result.lines = layers.planar.darts.indices.map { points(of: $0, ports) }
    result.width = (xs.last ?? 0) + Self.step
    result.height = (ys.last ?? 0) + Self.step
    for vertex in sizes.indices {
      result.width = max(result.width, result.centers[vertex].x + sizes[vertex].width / 2)
      result.height = max(result.height, result.centers[vertex].y + sizes[vertex].height / 2)
    }
    return result
  }

  /// An end of a line: whether it leaves below, and its column.
  private struct End {
    var line: Int
    var isStart: Bool
    var column: Int
    var number: Int { 2 * line + (isStart ? 0 : 1) }
  }

  /// Returns the horizontal offset at which each line meets its vertex's border: by line, start then end.
  private func ports() -> [Double] {
    var sides = [[End]](repeating: [], count: 2 * sizes.count)
    for (line, darts) in layers.planar.darts.enumerated() {
      let ends = layers.planar.lines[line]
      for (isStart, vertex, dart) in [(true, ends.0, darts.first), (false, ends.1, darts.last)] {
        guard let dart else { continue }
        let other = layers.planar.embedding.origin[isStart ? dart ^ 1 : dart]
        let end = End(line: line, isStart: isStart, column: layers.across[dart >> 1])
        sides[2 * vertex + (row[other] > row[vertex] ? 1 : 0)].append(end)
      }
    }
    var offsets = [Double](repeating: 0, count: 2 * layers.planar.darts.count)
    for (side, ends) in sides.enumerated() {
      let step = min(borders[side / 2] / Double(ends.count + 1), 14)
      let sorted = ends.sorted { ($0.column, $0.number) < ($1.column, $1.number) }
      for (index, end) in sorted.enumerated() {
        offsets[end.number] = (Double(index) - Double(ends.count - 1) / 2) * step
      }
    }
    return offsets
  }

  private func points(of line: Int, _ ports: [Double]) -> [FrozenPath.Point] {
    let darts = layers.planar.darts[line]
    let embedding = layers.planar.embedding
    var points: [FrozenPath.Point] = []
    for (number, dart) in darts.enumerated() {
      let (from, to) = (embedding.origin[dart], embedding.target(dart))
      let x = xs[layers.across[dart >> 1]]
      let down = row[from] < row[to] ? 1.0 : -1
      if number == 0 {
        points.append(
          .init(x: xs[column[from]] + ports[2 * line], y: ys[row[from]] + down * sizes[from].height / 2))
      } else if let last = points.last, (last.y < ys[row[from]]) == (down < 0) {
        // It turns back at the line it crosses.
        points.append(.init(x: (last.x + x) / 2, y: ys[row[from]]))
      }
      points.append(.init(x: x, y: ys[row[from]] + down * halves[row[from]]))
      points.append(.init(x: x, y: ys[row[to]] - down * halves[row[to]]))
      if number == darts.count - 1 {
        points.append(
          .init(x: xs[column[to]] + ports[2 * line + 1], y: ys[row[to]] - down * sizes[to].height / 2))
      }
    }
    return LayerRouter.withoutStraightBends(points)
  }
}
