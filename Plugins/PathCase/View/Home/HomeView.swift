import PluginAPI
import PluginText

/// A list of pathways, with the search above it and the progress of an update below.
struct HomeView: View {
  var list: ListView
  /// The search; nil if there is none.
  var line: InputLine?
  /// A Boolean value indicating whether typed text goes to the search.
  var isTyping: Bool
  /// The progress of an update; nil if none is running.
  var progress: Progress?
  /// The number of pathways found.
  var count: Int

  /// Returns the rectangle of the rows in a screen of a given size.
  static func listRect(of size: Size, isSearching: Bool, hasProgress: Bool) -> Rect {
    let below = Rect(size).split(top: isSearching ? 1 : 0).rest
    return hasProgress && below.height > 3 ? below.split(top: below.height - 2).top : below
  }

  func draw(into frame: inout TextFrame) {
    let size = frame.size
    guard size.width > 0, size.height > 0 else { return }
    let rect = Self.listRect(of: size, isSearching: line != nil, hasProgress: progress != nil)
    if let line {
      let note = SearchLine.note(line, count: count, hint: "name, synonym, metabolite, process, gene, EC")
      frame.draw(
        SearchLine(line: line, isTyping: isTyping, note: note), in: Rect(x: 0, y: 0, width: size.width, height: 1))
    }
    frame.draw(list, in: rect)
    let bottom = rect.y + rect.height
    guard let progress, size.height - bottom >= 2 else { return }
    let room = Rect(x: 2, y: bottom, width: max(0, size.width - 4), height: size.height - bottom)
    frame.draw(ProgressView(Progress(SanitizedText.line(progress.label), fraction: progress.fraction)), in: room)
  }

  var outline: Outline {
    var outline = list.outline
    if let line { outline.fields.append(.init("Search", line.text)) }
    if let progress { outline.text.append(SanitizedText.line(progress.label)) }
    return outline
  }
}
