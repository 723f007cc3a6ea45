import PluginAPI

/// The browser's reading of the rows of its lists.
extension BrowserController {
  /// Reads the missing rows of the current list; one read at a time.
  func read() -> [Effect] {
    guard let open, !level.isReading else { return [] }
    let height = max(1, size.height)
    guard let range = level.list.missing(height: height) else { return [] }
    level.isReading = true
    let (serial, source, reading) = (level.serial, level.source, open.reading)
    let ids = levels.compactMap { $0.entity?.permID }
    return [
      .compute(EffectID(Self.rows, generation: serial), label: "reading") { _ in
        LevelRows(
          serial: serial, range: range, page: try source.page(reading, range),
          entities: try reading.summariesAndWait(ids))
      }
    ]
  }

  func take(_ rows: LevelRows) -> [Effect] {
    guard let index = levels.firstIndex(where: { $0.serial == rows.serial }) else { return [] }
    levels[index].isReading = false
    let before = level.list.selected?.permID
    levels[index].list.take(rows.page, for: rows.range)
    if levels[index].needsReading {
      levels[index].needsReading = false
      levels[index].list.expire()
    }
    let gone = takeEntities(rows.entities)
    let moved = level.list.selected?.permID == before ? [] : follow()
    return gone + read() + moved + catchUp()
  }

  func readingFailed(_ id: EffectID, _ report: ErrorReport) -> [Effect] {
    guard let index = levels.firstIndex(where: { $0.serial == id.generation }) else { return [] }
    levels[index].isReading = false
    typedAhead = []
    return [.status(Diagnostic(report, .error))]
  }

  /// Updates the entities of the levels; leaves a deleted entity for its nearest living ancestor.
  private func takeEntities(_ entities: [EntitySummary?]) -> [Effect] {
    var deleted: EntitySummary?
    for (place, entity) in entities.enumerated().reversed() {
      let index = place + 1
      guard levels.indices.contains(index), let known = levels[index].entity else { continue }
      if let entity, !entity.flags.contains(.notLoaded) || known.flags.contains(.notLoaded) {
        levels[index].list.parent = entity
      } else if index == levels.count - 1 {
        deleted = known
        levels.removeLast()
      }
    }
    guard let deleted else { return [] }
    let place = level.entity.map { "'\(EntityTitle.line($0))'" } ?? "the first screen"
    return [
      .status(
        Diagnostic(
          .warning, code: "openbis.entity-deleted",
          "'\(EntityTitle.line(deleted))' was deleted on the server; this is \(place)"))
    ]
  }

  func filter() -> [Effect] {
    let text = level.list.filter.text
    guard text != filteredText else { return [] }
    filteredText = text
    guard let reading = open?.reading, !text.isEmpty else { return [.cancel(Self.filtering)] }
    let (serial, source) = (level.serial, level.source)
    return [
      .cancel(Self.filtering),
      .compute(Self.filtering, label: "filtering") { _ in
        LevelHits(serial: serial, text: text, found: try source.filter(text, reading, limit: Self.mostHits))
      },
    ]
  }

  func take(_ hits: LevelHits) -> [Effect] {
    guard hits.serial == level.serial else { return [] }
    level.list.take(hits.found, for: hits.text)
    return follow()
  }
}
