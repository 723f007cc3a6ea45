import PluginAPI

/// The screen of a pathway: a toolbar, and the content below it.
struct PathwayView: View {
  var title: String
  /// The available contents.
  var contents: [PathwayContent]
  var shown: PathwayContent
  /// The text at the right of the toolbar.
  var note: String
  var content: any View

  /// Returns the rectangle of the content in a screen of a given size; small screens have no toolbar.
  static func area(of size: Size) -> Rect {
    Rect(size).split(top: size.height >= 5 ? 1 : 0).rest
  }

  func draw(into frame: inout TextFrame) {
    let area = Self.area(of: frame.size)
    if area.y > 0 { frame.inside(Rect(x: 0, y: 0, width: frame.size.width, height: 1), drawToolbar) }
    frame.draw(content, in: area)
  }

  private func drawToolbar(_ frame: inout TextFrame) {
    let width = frame.size.width
    var end = 0
    for (content, text, columns) in tabs(width: width) {
      let isShown = content == shown
      let x = frame.put(content.key, x: columns.lowerBound, y: 0, .accent)
      end = x
      if text.isEmpty { continue }
      // Without colors, brackets mark the current content.
      end = frame.put(
        isShown ? "[\(text)]" : " \(text) ", x: x, y: 0, isShown ? Style.heading.adding(.underline) : .plain)
    }
    let room = width - end - 2
    guard !note.isEmpty, TextWidth.columns(note) <= room else { return }
    frame.put(note, x: width - 1 - TextWidth.columns(note), y: 0, .secondary)
  }

  private static let fullWidth = 88

  /// Returns the tabs of the toolbar: the contents with their titles and columns.
  ///
  /// If even short titles do not fit, only the current content has one; the others are shown by their keys.
  private func tabs(width: Int) -> [(content: PathwayContent, text: String, columns: Range<Int>)] {
    func length(_ text: String) -> Int { text.isEmpty ? 2 : text.count + 4 }
    var texts = contents.map { width >= Self.fullWidth ? $0.title : $0.shortTitle }
    if texts.reduce(0, { $0 + length($1) }) > width {
      texts = contents.map { $0 == shown ? $0.shortTitle : "" }
    }
    var x = 1
    return zip(contents, texts).map { content, text in
      defer { x += length(text) }
      return (content, text, x..<x + length(text) - 1)
    }
  }

  /// Returns the content at a position in the toolbar; nil outside the tabs.
  func content(at point: Point, width: Int) -> PathwayContent? {
    point.y == 0 ? tabs(width: width).first { $0.columns.contains(point.x) }?.content : nil
  }

  var outline: Outline {
    var outline = content.outline
    outline.title = [title, outline.title].filter { !$0.isEmpty }.joined(separator: ": ")
    return outline
  }
}

/// A short notice in place of a missing content.
struct NoticeView: View {
  var title: String
  var text: String

  func draw(into frame: inout TextFrame) {
    let lines = TextWidth.wrapped(text, to: max(1, frame.size.width - 4))
    for (y, line) in lines.prefix(frame.size.height).enumerated() {
      frame.put(line, x: min(2, max(0, frame.size.width - 1)), y: y, .secondary)
    }
  }

  var outline: Outline { Outline(title: title, text: [text]) }
}

/// The contents that the content area of a pathway's screen can show.
enum PathwayContent: String, CaseIterable, ParameterValue {
  case graph, scenarios, processes, metabolites, compartments, ranges

  /// The title in the toolbar.
  var title: String { name.prefix(1).uppercased() + name.dropFirst() }

  /// The name in the help.
  var name: String {
    switch self {
    case .graph: "graph"
    case .scenarios, .processes, .metabolites, .compartments: rawValue
    case .ranges: "reference ranges"
    }
  }

  /// The title in a narrow toolbar.
  var shortTitle: String {
    switch self {
    case .graph: "Graph"
    case .scenarios: "Scen."
    case .processes: "Proc."
    case .metabolites: "Metab."
    case .compartments: "Comp."
    case .ranges: "Ranges"
    }
  }

  /// The text shown instead of a table without rows.
  var emptyText: String {
    self == .ranges ? "the database has no reference ranges for these metabolites" : "there are none"
  }

  /// The key that selects it.
  var key: String { "\((Self.allCases.firstIndex(of: self) ?? 0) + 1)" }
}

/// A table, with the search above it while there is one.
struct SearchedTableView: View {
  var table: TableView
  /// The search; nil if there is none.
  var search: SearchLine?

  /// Returns the rectangle of the table in a screen of a given size.
  static func tableRect(of size: Size, isSearching: Bool) -> Rect {
    Rect(size).split(top: isSearching && size.height > 1 ? 1 : 0).rest
  }

  func draw(into frame: inout TextFrame) {
    let rect = Self.tableRect(of: frame.size, isSearching: search != nil)
    frame.draw(table, in: rect)
    if let search, rect.y > 0 { frame.draw(search, in: Rect(x: 0, y: 0, width: frame.size.width, height: 1)) }
  }

  var outline: Outline {
    var outline = table.outline
    if let search { outline.fields.append(.init("Search", search.line.text)) }
    return outline
  }
}
