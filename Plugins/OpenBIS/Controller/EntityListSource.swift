import PluginAPI

/// What a list shows.
enum EntityListSource: Sendable, Equatable {
  /// The first screen: all roots, of which the server's navigation is a part; the navigation alone where it is not.
  case top
  /// What is listed below an entity.
  case children(String)

  /// Reads some rows.
  func page(_ reading: any EntityReading, _ range: Range<Int>) throws -> EntityPage {
    switch self {
    case .children(let id): return try reading.childrenAndWait(of: id, range)
    case .top:
      let rows = try reading.navigationAndWait()
      if rows.allSatisfy({ $0.flags.contains(.rootLevel) }) { return try reading.rootsAndWait(in: nil, range) }
      return EntityPage(rows: Array(rows[range.clamped(to: 0..<rows.count)]), total: rows.count)
    }
  }

  /// Finds rows by a part of their texts.
  func filter(_ text: String, _ reading: any EntityReading, limit: Int) throws -> FoundEntities {
    switch self {
    case .children(let id): return try reading.filterAndWait(text, under: id, limit: limit)
    case .top:
      let rows = try reading.navigationAndWait()
      let hasOthers =
        try rows.allSatisfy { $0.flags.contains(.rootLevel) }
        && reading.rootsAndWait(in: nil, 0..<1).total > rows.count
      if rows.isEmpty || hasOthers { return try reading.filterAndWait(text, under: nil, limit: limit) }
      let wanted = FoldedText.bytes(text)
      let hits = rows.filter { row in
        [row.summaryHeader, row.summary, row.permID].contains { FoldedText.bytes($0).contains(wanted) }
      }
      return FoundEntities(rows: Array(hits.prefix(limit)), hasMore: hits.count > limit)
    }
  }
}

extension [UInt8] {
  /// Whether bytes lie somewhere within these.
  fileprivate func contains(_ wanted: [UInt8]) -> Bool {
    guard let first = wanted.first else { return true }
    guard count >= wanted.count else { return false }
    return (0...count - wanted.count).contains {
      self[$0] == first && self[$0..<$0 + wanted.count].elementsEqual(wanted)
    }
  }
}
