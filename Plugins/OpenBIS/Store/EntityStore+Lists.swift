import PluginStore
import PluginText

// The lists of the browser; each function sees one committed state.
extension EntityStore {
  /// Returns a range of a list's rows.
  func page(of source: EntityListSource, _ range: Range<Int>) async throws -> EntityPage {
    try await read { connection in
      switch source {
      case .children(let id): try EntityReader.children(id, range, connection)
      case .category(let id, let label): try Self.category(id, label, range, connection)
      case .top: try Self.top(range, connection)
      }
    }
  }

  /// Returns the rows of a list that contain a text.
  func filter(_ text: String, in source: EntityListSource, limit: Int) async throws -> FoundEntities {
    try await read { connection in
      func matches(under id: String?, limit: Int) throws -> FoundEntities {
        try EntityFilter.matches(text, id, limit, connection).entities(connection)
      }
      switch source {
      case .children(let id): return try matches(under: id, limit: limit)
      case .category(let id, let label):
        let below = try matches(under: id, limit: limit)
        if !below.rows.isEmpty { return below }
        // The matches are searched for the category; if there are very many, the last ones are missed.
        var found = try matches(under: nil, limit: 20 * limit)
        let rows = found.rows.filter { [label, id].contains($0.category) && $0.flags.contains(.rootLevel) }
        found.rows = Array(rows.prefix(limit))
        found.hasMore = found.hasMore || rows.count > limit
        return found
      case .top:
        let rows = try Self.categories(connection)
        let isAll = rows.allSatisfy { $0.flags.contains(.rootLevel) }
        if try rows.isEmpty || isAll && EntityReader.otherRoots(0..<1, connection).total > 0 {
          return try matches(under: nil, limit: limit)
        }
        let wanted = FoldedText.bytes(text)
        let hits = rows.filter { row in
          [row.summaryHeader, row.summary, row.permID].contains {
            ByteSearch.contains(wanted, in: FoldedText.bytes($0))
          }
        }
        return FoundEntities(rows: Array(hits.prefix(limit)), hasMore: hits.count > limit)
      }
    }
  }

  private static func category(
    _ id: String, _ label: String, _ range: Range<Int>, _ connection: Connection
  ) throws -> EntityPage {
    // The entity's children may have become known since the list was opened.
    if let entity = try EntityReader.summaries(of: [id], connection).first ?? nil, entity.childCount != nil {
      return try EntityReader.children(id, range, connection)
    }
    let page = try EntityReader.roots(label, range, connection)
    return label.isEmpty || page.total == 0 ? try EntityReader.roots(id, range, connection) : page
  }

  private static func top(_ range: Range<Int>, _ connection: Connection) throws -> EntityPage {
    let rows = try categories(connection)
    let first = rows[range.clamped(to: 0..<rows.count)]
    guard rows.allSatisfy({ $0.flags.contains(.rootLevel) }) else {
      return EntityPage(rows: Array(first), total: rows.count)
    }
    let start = max(0, range.lowerBound - rows.count)
    let others = try EntityReader.otherRoots(start..<max(start, range.upperBound - rows.count), connection)
    return EntityPage(rows: first + others.rows, total: rows.count + others.total)
  }

  /// Returns the navigation sorted by headings, and within them by names.
  ///
  /// Lists go from the last category to the first; entry points are ordered as people look for them.
  private static func categories(_ connection: Connection) throws -> [EntitySummary] {
    try EntityReader.navigation(connection).map { row in
      (row: row, key: NaturalOrder.key(row.category) + [0, 0] + NaturalOrder.key(row.title))
    }.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.row)
  }
}
