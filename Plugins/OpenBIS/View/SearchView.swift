import PluginAPI
import PluginText

/// The content of the search screen.
struct SearchPage: Sendable, Equatable {
  /// The state of the server's search.
  enum Remote: Sendable, Equatable {
    /// No search yet, or the words are too short.
    case none
    case waiting
    case asking
    case found(Int)
    case offline
    case failed(String)
  }

  var input = InputLine()
  /// The cached entities with the words.
  var local = FoundEntities()
  /// The server's results, in its order.
  var found: [EntitySummary] = []
  var remote = Remote.none
  var cursor = RowCursor()
  /// The search domain, if it is not the default one; "" otherwise.
  var kind = ""

  /// The entities that can be chosen: the server's results, then further cached ones.
  var rows: [EntitySummary] {
    let known = Set(found.map(\.permID))
    return found + local.rows.filter { !known.contains($0.permID) }
  }

  /// The selected entity.
  var selected: EntitySummary? { rows.indices.contains(cursor.selected) ? rows[cursor.selected] : nil }
}

/// An input line for words, and the results from the cache and the server.
struct SearchView: View {
  var page: SearchPage

  /// Returns the rectangle of the list in a screen of a size.
  static func listRect(of size: Size) -> Rect {
    Rect(x: 0, y: 2, width: size.width, height: max(0, size.height - 2))
  }

  func draw(into frame: inout TextFrame) {
    let (width, height) = (frame.size.width, frame.size.height)
    guard width > 0, height > 0 else { return }
    let note = self.note
    frame.put("search ", x: 2, y: 0, .accent)
    let room = max(1, width - 11)
    page.input.draw(into: &frame, x: 9, y: 0, width: room)
    if height > 1 { frame.put(TextWidth.truncated(note, to: width - 4), x: 2, y: 1, .secondary) }
    let rect = Self.listRect(of: frame.size)
    frame.inside(rect, drawRows)
  }

  private func drawRows(_ frame: inout TextFrame) {
    let rows = page.rows
    let (width, height) = (frame.size.width, frame.size.height)
    guard width > 4, height > 0 else { return }
    let top = page.cursor.visibleTop(count: rows.count, height: height)
    let seen = rows[min(top, rows.count)..<min(rows.count, top + height)]
    let titles = min(seen.reduce(8) { max($0, TextWidth.columns(EntityTitle.line($1))) }, (width - 4) / 2)
    for (y, entity) in seen.enumerated() {
      frame.put(TextWidth.truncated(EntityTitle.line(entity), to: titles), x: 2, y: y)
      let parts = [SanitizedText.line(entity.category), SanitizedText.line(entity.summary)].filter { !$0.isEmpty }
      let more = parts.joined(separator: " · ")
      frame.put(TextWidth.truncated(more, to: width - titles - 8), x: 4 + titles, y: y, .secondary)
      if top + y < page.found.count { frame.put("↓", x: width - 3, y: y, .accent) }
      if top + y == page.cursor.selected {
        frame.markSelected(Rect(x: 0, y: y, width: width - 1, height: 1))
      }
    }
    frame.scrollBar(x: width - 1, rows: 0..<height, top: top, count: rows.count)
  }

  /// The text about the state of the search.
  var note: String {
    if page.input.text.isEmpty {
      return "type words; cached results appear at once, the server's after a moment"
    }
    var parts: [String] = []
    let count = page.local.rows.count
    parts.append(
      count == 0 ? "nothing in the cache" : "\(count)\(page.local.hasMore ? " and more" : "") in the cache")
    if page.local.notIndexed > 0 { parts.append("\(page.local.notIndexed) not indexed yet") }
    if !page.kind.isEmpty { parts.append("search domain '\(page.kind)'") }
    switch page.remote {
    case .none: break
    case .waiting, .asking: parts.append("searching on the server …")
    case .found(0): parts.append("the server found nothing")
    case .found(let count): parts.append("↓ \(count) found by the server")
    case .offline: parts.append("offline: the server was not searched")
    case .failed(let text): parts.append(SanitizedText.line(text, limit: 120))
    }
    return parts.joined(separator: " · ")
  }

  var outline: Outline {
    Outline(
      title: "Search", text: [note], fields: [.init("Words", SanitizedText.line(page.input.text))],
      items: page.rows.map { entity in
        let parts = [EntityTitle.line(entity), SanitizedText.line(entity.category), SanitizedText.line(entity.summary)]
        return Outline.Item(
          id: entity.permID, text: parts.filter { !$0.isEmpty }.joined(separator: "  "),
          action: ActionInvocation(SearchAction.open.rawValue, [OpenBISArgument.id.name: .text(entity.permID)]))
      })
  }
}
