import PluginAPI

/// A list of pathways, with the search above it and the progress of an update below.
struct HomeView: View {
  var list: ListView
  /// The search; nil if nothing is searched.
  var line: InputLine?
  /// Whether what is typed goes to the search.
  var isTyping: Bool
  /// How far an update is; nil if none runs.
  var progress: Progress?
  /// How many pathways were found.
  var count: Int

  /// Where the rows are in a screen of a size.
  static func listRect(of size: Size, isSearching: Bool, hasProgress: Bool) -> Rect {
    let below = Rect(size).split(top: isSearching ? 1 : 0).rest
    return hasProgress && below.height > 3 ? below.split(top: below.height - 2).top : below
  }

  func draw(into frame: inout TextFrame) {
    let size = frame.size
    guard size.width > 0, size.height > 0 else { return }
    let rect = Self.listRect(of: size, isSearching: line != nil, hasProgress: progress != nil)
    if let line { drawLine(line, into: &frame) }
    frame.draw(list, in: rect)
    let bottom = rect.y + rect.height
    guard let progress, size.height - bottom >= 2 else { return }
    let room = Rect(x: 2, y: bottom, width: max(0, size.width - 4), height: size.height - bottom)
    frame.draw(ProgressView(Progress(ShownText.line(progress.label), fraction: progress.fraction)), in: room)
  }

  private func drawLine(_ line: InputLine, into frame: inout TextFrame) {
    let width = frame.size.width
    let hasWords = line.text.contains { $0 != " " }
    let note =
      !hasWords ? "name, synonym, metabolite, process, gene, EC" : count == 0 ? "nothing found" : "\(count) found"
    let room = max(1, min(width - 3, max(12, width - TextWidth.columns(note) - 6)))
    frame.put("/ ", x: 0, y: 0, .accent)
    if isTyping {
      line.draw(into: &frame, x: 2, y: 0, width: room)
    } else {
      frame.put(TextWidth.truncated(line.text, to: room), x: 2, y: 0)
    }
    let left = width - room - 5
    guard left > 3 else { return }
    let shown = TextWidth.truncated(note, to: left)
    frame.put(shown, x: width - 1 - TextWidth.columns(shown), y: 0, .secondary)
  }

  var outline: Outline {
    var outline = list.outline
    if let line { outline.fields.append(.init("Search", line.text)) }
    if let progress { outline.text.append(ShownText.line(progress.label)) }
    return outline
  }
}
