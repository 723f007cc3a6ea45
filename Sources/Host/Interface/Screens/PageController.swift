import PluginAPI

/// A page of text of the host: help, an error, a result.
@MainActor class PageController: HostController {
  let title: String
  private var state: TextPageState
  private var rect = Rect(x: 0, y: 0, width: 0, height: 0)

  init(title: String, _ text: StyledText, wraps: Bool = true) {
    self.title = title
    state = TextPageState(text, wraps: wraps)
  }

  var view: any View { TextPageView(title, state) }
  var wantsText: Bool { state.isSearching }
  var hints: [KeyHint] { [KeyHint("/", "search"), KeyHint("esc", "back")] }
  var shownError: ErrorReport? { nil }

  func popoverSize(in size: Size) -> Size {
    let lines = state.text.lines.map { $0.reduce(0) { $0 + TextWidth.columns($1.text) } }
    return Size(width: max(50, (lines.max() ?? 0) + 3), height: lines.count)
  }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      rect = Rect(geometry.size)
      return []
    }
    return state.handle(event, in: rect) == nil ? nil : []
  }
}

/// A page about an error, with its code and advice.
@MainActor final class ErrorController: PageController {
  private let report: ErrorReport

  init(report: ErrorReport) {
    self.report = report
    super.init(title: "Error", Self.text(of: report))
  }

  override var hints: [KeyHint] { [KeyHint("esc", "back")] }
  override var shownError: ErrorReport? { report }

  /// Returns the message, the advice, and the code with the details.
  static func text(of report: ErrorReport) -> StyledText {
    var text = StyledText()
    text.add(.init("✗ ", .error), .init(report.message, .heading))
    if let advice = report.advice {
      text.add(.init(""))
      text.add(.init(advice))
    }
    text.add(.init(""))
    let facts = [("code", report.code)] + report.details.fields.map { ($0.name, $0.value.shortText) }
    let width = facts.reduce(0) { max($0, TextWidth.columns($1.0)) }
    for fact in facts { text.add(.init(TextWidth.padded(fact.0, to: width) + "  ", .secondary), .init(fact.1)) }
    return text
  }
}
