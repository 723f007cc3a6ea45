import PluginAPI

/// The contents of the detail screen.
struct DetailPage: Equatable, Sendable {
  /// The compound.
  var heading = ""
  /// Texts by group, in the order of the groups.
  var entries: [MetadataEntry] = []

  /// The number of lines that are not entries.
  var headingCount: Int { 1 + Set(entries.map(\.group)).count }
}

/// A view of grouped texts with a selected one; long ones are truncated and marked.
struct DetailView: View {
  var page: DetailPage
  var cursor: RowCursor
  /// The message shown if there is no content yet.
  var message: String

  private enum Line: Equatable {
    case heading(String)
    case group(String)
    case entry(Int)
    case gap
  }

  private static let labelWidth = 22

  func draw(into frame: inout TextFrame) {
    let (width, height) = (frame.size.width, frame.size.height)
    guard width > 0, height > 0 else { return }
    if page.entries.isEmpty {
      frame.put(TextWidth.truncated(message, to: width - 2), x: 2, y: 0, .secondary)
      return
    }
    let lines = self.lines
    let top = top(lines, height: height)
    for row in 0..<min(height, lines.count - top) { draw(lines[top + row], y: row, width: width - 1, into: &frame) }
    frame.scrollBar(x: width - 1, rows: 0..<height, top: top, count: lines.count)
  }

  var outline: Outline {
    Outline(
      title: page.heading, text: page.entries.isEmpty ? [message] : [],
      items: page.entries.enumerated().map { index, entry in
        let name = [entry.group.title, entry.label].filter { !$0.isEmpty }.joined(separator: ", ")
        return Outline.Item(
          id: "\(index)", text: "\(name): \(Self.oneLine(entry.text))",
          action: ActionInvocation(DetailAction.read.rawValue, [MoleculeArgument.id.name: .text("\(index)")]))
      })
  }

  /// Returns the entry drawn in a row, if there is one.
  func entry(atRow row: Int, height: Int) -> Int? {
    let lines = self.lines
    let index = top(lines, height: height) + row
    guard lines.indices.contains(index), row >= 0, case .entry(let entry) = lines[index] else { return nil }
    return entry
  }

  private var lines: [Line] {
    var lines: [Line] = [.heading(page.heading)]
    var group: MetadataEntry.Group?
    for (index, entry) in page.entries.enumerated() {
      if entry.group != group {
        lines += [.gap, .group(entry.group.title)]
        group = entry.group
      }
      lines.append(.entry(index))
    }
    return lines
  }

  /// Returns the first line to draw so that the selected entry and, if there is room, its group's heading are visible.
  private func top(_ lines: [Line], height: Int) -> Int {
    let selected = lines.firstIndex(of: .entry(cursor.selected)) ?? 0
    let lead = min(3, height - 1)
    return max(0, min(max(selected - height * 2 / 3, 0), max(0, lines.count - height), max(0, selected - lead)))
  }

  private func draw(_ line: Line, y: Int, width: Int, into frame: inout TextFrame) {
    switch line {
    case .heading(let text): frame.put(TextWidth.truncated(text, to: width - 2), x: 1, y: y, .heading)
    case .group(let text): frame.put(TextWidth.truncated(text, to: width - 2), x: 1, y: y, Style.accent.adding(.bold))
    case .gap: break
    case .entry(let index): draw(entry: index, y: y, width: width, into: &frame)
    }
  }

  private func draw(entry index: Int, y: Int, width: Int, into frame: inout TextFrame) {
    let entry = page.entries[index]
    let labelWidth = entry.label.isEmpty ? 0 : min(Self.labelWidth, width / 2)
    frame.put(TextWidth.truncated(entry.label, to: labelWidth - 1), x: 2, y: y, .secondary)
    let text = Self.oneLine(entry.text)
    let room = max(0, width - 2 - labelWidth - 2)
    frame.put(TextWidth.truncated(text, to: room), x: 2 + labelWidth, y: y)
    if TextWidth.columns(text) > room { frame.put("›", x: width - 1, y: y, .accent) }
    if index == cursor.selected {
      frame.restyle(Rect(x: 0, y: y, width: width, height: 1)) { Style(attributes: $0.attributes.union(.reverse)) }
      frame.put("▌", x: 0, y: y, .accent)
    }
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
