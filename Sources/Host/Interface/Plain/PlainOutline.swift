import PluginAPI

/// A screen's outline as lines to read.
@MainActor enum PlainOutline {
  /// Returns the items that can be chosen, in order.
  static func choices(_ screen: Screen) -> [Outline.Item] {
    screen.controller.view.outline.items.filter { $0.action != nil }
  }

  /// Returns path, paragraphs, fields, items and status; items that can be chosen are numbered, others begin with a
  /// dash.
  static func lines(_ screen: Screen, path: [String], items limit: Int) -> [String] {
    let outline = screen.controller.view.outline
    var way = path
    if way.last != screen.controller.title { way.append(screen.controller.title) }
    var lines = ["", way.joined(separator: " > ")]
    if !outline.title.isEmpty, outline.title != screen.controller.title { lines.append(outline.title) }
    lines += outline.text.filter { !$0.isEmpty }
    lines += outline.fields.map { "\($0.label): \($0.value)" }
    var number = 0
    for item in outline.items.prefix(limit) {
      if item.action == nil {
        lines.append("- " + item.text)
      } else {
        number += 1
        lines.append("\(number). \(item.text)")
      }
    }
    if outline.items.count > limit {
      lines.append("\(outline.items.count - limit) more; press Enter to show them")
    }
    let status = screen.controller.status.map(\.text).filter { !$0.isEmpty }.joined(separator: ", ")
    if !status.isEmpty { lines.append("status: " + status) }
    return lines
  }
}
