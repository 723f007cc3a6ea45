import PluginAPI
import PluginText

/// What a list shows.
enum EntityListSource: Sendable, Equatable {
  /// The first screen: the server's navigation, behind it the other roots; the navigation alone where it is no root.
  case top
  /// What is listed below an entity.
  case children(String)
  /// The roots of a navigation entity that says nothing of children: those whose category is its label or its id.
  case category(String, label: String)

  /// What is below an entity.
  init(below entity: EntitySummary) {
    let isCategory = entity.flags.contains(.navigation) && entity.childCount == nil
    self = isCategory ? .category(entity.permID, label: entity.summaryHeader) : .children(entity.permID)
  }

  /// Reads some rows.
  func page(_ reading: any EntityReading, _ range: Range<Int>) throws -> EntityPage {
    switch self {
    case .children(let id): return try reading.childrenAndWait(of: id, range)
    case .category(let id, let label):
      // It may have come to say what it lists since the list was opened.
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

  /// The navigation by its headings, and within them by names.
  ///
  /// Lists go from the last category to the first; what one goes in by stands as one looks for it.
  private static func categories(_ reading: any EntityReading) throws -> [EntitySummary] {
    try reading.navigationAndWait().map { row in
      (row: row, key: NaturalOrder.key(row.category) + [0, 0] + NaturalOrder.key(row.title))
    }.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.row)
  }

  /// Finds rows by a part of their texts.
  func filter(_ text: String, _ reading: any EntityReading, limit: Int) throws -> FoundEntities {
    switch self {
    case .children(let id): return try reading.filterAndWait(text, under: id, limit: limit)
    case .category(let id, let label):
      let below = try reading.filterAndWait(text, under: id, limit: limit)
      if !below.rows.isEmpty { return below }
      // What has the text is looked through for the category; of very many the last are not seen.
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
