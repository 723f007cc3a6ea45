import PluginAPI
import PluginText

/// The source of a list's rows.
enum EntityListSource: Sendable, Equatable {
  /// The first screen: the server's navigation, followed by the other roots if all of the navigation are roots.
  case top
  /// The children of an entity.
  case children(String)
  /// The roots of a navigation entity with unknown children: those whose category is its label or its id.
  case category(String, label: String)

  /// Creates the source of the list below an entity.
  init(below entity: EntitySummary) {
    let isCategory = entity.flags.contains(.navigation) && entity.childCount == nil
    self = isCategory ? .category(entity.permID, label: entity.summaryHeader) : .children(entity.permID)
  }

  /// Reads a range of rows.
  func page(_ reading: any EntityReading, _ range: Range<Int>) throws -> EntityPage {
    switch self {
    case .children(let id): return try reading.childrenAndWait(of: id, range)
    case .category(let id, let label):
      // The entity's children may have become known since the list was opened.
      if let entity = try reading.summariesAndWait([id]).first ?? nil, entity.childCount != nil {
        return try reading.childrenAndWait(of: id, range)
      }
      let page = try reading.rootsAndWait(in: label, range)
      return label.isEmpty || page.total == 0 ? try reading.rootsAndWait(in: id, range) : page
    case .top:
      let rows = try Self.categories(reading)
      guard rows.allSatisfy({ $0.flags.contains(.rootLevel) }) else {
        return EntityPage(rows: Array(rows[range.clamped(to: 0..<rows.count)]), total: rows.count)
      }
      let start = max(0, range.lowerBound - rows.count)
      let others = try reading.otherRootsAndWait(start..<max(start, range.upperBound - rows.count))
      let first = rows[range.clamped(to: 0..<rows.count)]
      return EntityPage(rows: first + others.rows, total: rows.count + others.total)
    }
  }

  /// Returns the navigation sorted by headings, and within them by names.
  ///
  /// Lists go from the last category to the first; entry points are ordered as people look for them.
  private static func categories(_ reading: any EntityReading) throws -> [EntitySummary] {
    try reading.navigationAndWait().map { row in
      (row: row, key: NaturalOrder.key(row.category) + [0, 0] + NaturalOrder.key(row.title))
    }.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.row)
  }

  /// Returns the rows that contain a text.
  func filter(_ text: String, _ reading: any EntityReading, limit: Int) throws -> FoundEntities {
    switch self {
    case .children(let id): return try reading.filterAndWait(text, under: id, limit: limit)
    case .category(let id, let label):
      let below = try reading.filterAndWait(text, under: id, limit: limit)
      if !below.rows.isEmpty { return below }
      // The matches are searched for the category; if there are very many, the last ones are missed.
      var found = try reading.filterAndWait(text, under: nil, limit: 20 * limit)
      let rows = found.rows.filter { [label, id].contains($0.category) && $0.flags.contains(.rootLevel) }
      found.rows = Array(rows.prefix(limit))
      found.hasMore = found.hasMore || rows.count > limit
      return found
    case .top:
      let rows = try Self.categories(reading)
      let hasOthers =
        try rows.allSatisfy { $0.flags.contains(.rootLevel) } && reading.otherRootsAndWait(0..<1).total > 0
      if rows.isEmpty || hasOthers { return try reading.filterAndWait(text, under: nil, limit: limit) }
      let wanted = FoldedText.bytes(text)
      let hits = rows.filter { row in
        [row.summaryHeader, row.summary, row.permID].contains { ByteSearch.contains(wanted, in: FoldedText.bytes($0)) }
      }
      return FoundEntities(rows: Array(hits.prefix(limit)), hasMore: hits.count > limit)
    }
  }
}
