import PluginAPI
import PluginText

/// A list of entities in sections by category: header, summary, number of children, and `›` if there are entities
/// below.
struct EntityListView: View {
  /// The heading in the outline.
  var title: String
  var state: EntityListState
  /// The text shown if there are no rows, with the possible actions.
  var emptyText: String

  func draw(into frame: inout TextFrame) {
    let (head, body) = frame.bounds.split(top: state.showsFilter ? 1 : 0)
    if state.showsFilter { frame.inside(head, drawFilter) }
    frame.inside(body, drawRows)
  }

  /// The title and the rows held; other rows are only counted.
  var outline: Outline {
    let rows = (0..<min(state.count, Self.mostSpoken)).compactMap { index -> Outline.Item? in
      guard let entity = state.entity(at: index) else { return nil }
      let section = state.heading(at: index).map { SanitizedText.line($0) + ": " } ?? ""
      return Outline.Item(
        id: entity.permID, text: section + Self.spoken(entity, isParent: state.isParent(index)),
        action: ActionInvocation("open", ["id": .text(entity.permID)]))
    }
    var text = rows.isEmpty ? [emptyShown] : []
    if state.count > rows.count { text.append("\(state.count) rows, of which \(rows.count) are listed here") }
    return Outline(title: SanitizedText.line(title), text: text, items: rows)
  }

  /// The largest number of rows in linear reading.
  private static let mostSpoken = 1000

  private static func spoken(_ entity: EntitySummary, isParent: Bool) -> String {
    let parts = [
      EntityTitle.line(entity), SanitizedText.line(entity.summary), isParent ? "this list's own" : badge(entity),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// Returns the text at the right of a row.
  static func badge(_ entity: EntitySummary) -> String {
    let count = entity.childCount.map { $0 > 0 ? "\($0)" : "" } ?? ""
    return [EntityTitle.mark(entity.flags), count].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  private var emptyShown: String {
    state.filter.text.isEmpty ? emptyText : "nothing here matches '\(SanitizedText.line(state.filter.text, limit: 60))'"
  }

  private func drawFilter(_ frame: inout TextFrame) {
    var note = ""
    if let found = state.found {
      note = "\(found.rows.count)" + (found.hasMore ? " and more" : "")
      if found.notIndexed > 0 { note += ", \(found.notIndexed) not indexed yet" }
    }
    let width = frame.size.width
    let room = max(0, width - 3 - TextWidth.columns(note))
    frame.put("/ ", x: 0, y: 0, .accent)
    if state.isFiltering {
      state.filter.draw(into: &frame, x: 2, y: 0, width: room)
    } else {
      frame.put(TextWidth.truncated(state.filter.text, to: room), x: 2, y: 0)
    }
    if width > note.count + 4 { frame.put(note, x: width - TextWidth.columns(note), y: 0, .secondary) }
  }

  private func drawRows(_ frame: inout TextFrame) {
    let (width, height) = (frame.size.width, frame.size.height)
    guard width > 0, height > 0 else { return }
    if state.count == 0 {
      for (y, line) in TextWidth.wrapped(emptyShown, to: max(1, width - 4)).prefix(height).enumerated() {
        frame.put(line, x: 2, y: y, .secondary)
      }
      return
    }
    let layout = EntityListLayout(state, height: height)
    let isLong = state.count > height
    let rowWidth = isLong ? width - 1 : width
    let columns = Columns(
      layout.lines.compactMap { line in
        // The list's own entity may have any title: its row is not aligned with the others.
        if case .row(let index) = line, !state.isParent(index) { state.entity(at: index) } else { nil }
      })
    for (y, line) in layout.lines.enumerated() {
      switch line {
      case .heading(let category):
        let text = TextWidth.truncated(SanitizedText.line(category), to: rowWidth - 2)
        frame.put(text, x: 1, y: y, Style.accent.adding(.bold))
      case .row(let index):
        draw(index, columns, in: Rect(x: 0, y: y, width: rowWidth, height: 1), into: &frame)
      }
    }
    if isLong { frame.scrollBar(x: width - 1, rows: 0..<height, top: layout.top, count: state.count) }
  }

  /// The widths of the visible columns.
  private struct Columns {
    var title = 0
    var badge = 0
    var hasMarks = false

    init(_ rows: [EntitySummary]) {
      for row in rows {
        title = max(title, TextWidth.columns(EntityTitle.line(row)))
        badge = max(badge, TextWidth.columns(EntityListView.badge(row)))
        hasMarks = hasMarks || EntityListView.leadsOn(row)
      }
    }
  }

  /// Returns true if there are, or may be, entities below an entity.
  static func leadsOn(_ entity: EntitySummary) -> Bool {
    (entity.childCount ?? 0) > 0 || entity.flags.contains(.navigation)
  }

  private func draw(_ index: Int, _ columns: Columns, in rect: Rect, into frame: inout TextFrame) {
    guard let entity = state.entity(at: index) else {
      frame.put("…", x: 2, y: rect.y, .secondary)
      if index == state.cursor.selected { select(rect, in: &frame) }
      return
    }
    var end = rect.width - 1
    if columns.hasMarks, rect.width > 8 {
      if Self.leadsOn(entity), !state.isParent(index) { frame.put("›", x: end - 1, y: rect.y, .accent) }
      end -= 3
    }
    let badge = Self.badge(entity)
    if !badge.isEmpty, end - columns.badge - 4 >= min(columns.title, 16) {
      let style = EntityTitle.mark(entity.flags).isEmpty ? Style.secondary : .warning
      frame.put(badge, x: end - TextWidth.columns(badge), y: rect.y, style)
      end -= columns.badge + 2
    }
    drawTexts(entity, index, columns, end: end, y: rect.y, into: &frame)
    if index == state.cursor.selected { select(rect, in: &frame) }
  }

  private func drawTexts(
    _ entity: EntitySummary, _ index: Int, _ columns: Columns, end: Int, y: Int, into frame: inout TextFrame
  ) {
    let room = max(0, end - 2)
    let title = EntityTitle.line(entity)
    let column = max(min(columns.title, room * 3 / 5), 8, min(room, TextWidth.columns(title)))
    let style: Style = state.isParent(index) ? .heading : entity.flags.contains(.notLoaded) ? .secondary : .plain
    let summary = SanitizedText.line(entity.summary)
    frame.put(TextWidth.truncated(title, to: summary.isEmpty ? room : column), x: 2, y: y, style)
    let left = room - column - 2
    if left > 3 { frame.put(TextWidth.truncated(summary, to: left), x: 4 + column, y: y, .secondary) }
  }

  private func select(_ rect: Rect, in frame: inout TextFrame) {
    frame.restyle(rect) { Style(attributes: $0.attributes.union(.reverse).subtracting(.dim)) }
    frame.put("▌", x: rect.x, y: rect.y, .accent)
  }
}
