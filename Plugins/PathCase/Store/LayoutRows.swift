import PluginStore

/// The rows of layouts, which snapshots and the user's data share.
enum LayoutRows {
  /// Replaces the user's layout of a pathway.
  static func replace(_ layout: FrozenLayout, in connection: Connection) throws {
    _ = try remove(of: layout.pathway, from: connection)
    try connection.execute("INSERT INTO layout VALUES (?, ?, ?)", [layout.pathway.text, layout.width, layout.height])
    try write(layout, to: connection)
  }

  /// Removes the user's layout of a pathway.
  ///
  /// - Returns: True if there was one.
  static func remove(of pathway: Identifier, from connection: Connection) throws -> Bool {
    try connection.execute("DELETE FROM layout WHERE pathway = ?", [pathway.text])
    return connection.changedRows > 0
  }

  /// Writes the nodes and paths of a layout.
  static func write(_ layout: FrozenLayout, to connection: Connection) throws {
    for node in layout.nodes {
      try connection.execute(
        "INSERT INTO layout_node (pathway, ref, clone, x, y, width, height) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [layout.pathway.text, node.ref.text, node.clone, node.x, node.y, node.width, node.height])
    }
    for path in layout.paths {
      try connection.execute(
        "INSERT INTO layout_path (pathway, process, pool, points) VALUES (?, ?, ?, ?)",
        [layout.pathway.text, path.process.text, path.pool.text, bytes(path.points)])
    }
  }

  /// Returns the layouts of a query for pathway, width and height, with their nodes and paths.
  static func read(_ query: String, _ arguments: [(any SQLConvertible)?] = [], from connection: Connection) throws
    -> [FrozenLayout]
  {
    var layouts = try connection.list(query, arguments) {
      FrozenLayout(pathway: Identifier($0.text(0)), width: $0[1].number, height: $0[2].number)
    }
    for index in layouts.indices {
      let pathway = layouts[index].pathway.text
      layouts[index].nodes = try connection.list(
        "SELECT ref, clone, x, y, width, height FROM layout_node WHERE pathway = ? ORDER BY position", [pathway]
      ) {
        FrozenNode(
          ref: Identifier($0.text(0)), clone: $0.text(1), x: $0.number(2), y: $0.number(3), width: $0[4].number,
          height: $0[5].number)
      }
      layouts[index].paths = try connection.list(
        "SELECT process, pool, points FROM layout_path WHERE pathway = ? ORDER BY position", [pathway]
      ) { row in
        FrozenPath(
          process: Identifier(row.text(0)), pool: Identifier(row.text(1)), points: row.withBytes(2, points))
      }
    }
    return layouts
  }

  private static func bytes(_ points: [FrozenPath.Point]) -> [UInt8] {
    points.flatMap { point in
      [point.x, point.y].flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) } }
    }
  }

  private static func points(_ bytes: UnsafeRawBufferPointer) -> [FrozenPath.Point] {
    let numbers = (0..<bytes.count / 8).map { place in
      Double(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self)))
    }
    return stride(from: 0, to: numbers.count - 1, by: 2).map { FrozenPath.Point(x: numbers[$0], y: numbers[$0 + 1]) }
  }
}
