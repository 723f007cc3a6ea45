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

/// The input line of a search, with a note at its right end.
struct SearchLine: View {
  var line: InputLine
  /// A Boolean value indicating whether typed text goes to the line.
  var isTyping: Bool
  /// The number of results, or a hint.
  var note: String

  func draw(into frame: inout TextFrame) {
    let width = frame.size.width
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

  /// Returns the number of results as a note; the hint if nothing has been typed yet.
  static func note(_ line: InputLine, count: Int, hint: String) -> String {
    line.text.contains { $0 != " " } ? count == 0 ? "nothing found" : "\(count) found" : hint
  }

  var outline: Outline { Outline(title: "Search", text: [line.text]) }
}
