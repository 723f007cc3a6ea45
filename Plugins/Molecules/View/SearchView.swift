import PluginAPI

/// The contents of the search screen.
struct SearchPage: Equatable, Sendable {
  /// The phase of a search.
  enum Phase: Equatable, Sendable {
    /// Nothing was typed yet.
    case empty
    /// Too few letters were typed.
    case short
    /// A search is running.
    case searching
    case found
    /// There are no results.
    case nothing
    case cancelled
    /// The search failed: the error, and the advice.
    case failed(String)
    /// The network is disabled by the user.
    case offline
  }

  var input = InputLine()
  /// The service in use.
  var source = ""
  var phase = Phase.empty
  /// The search words of the shown results.
  var query = ""
  var list = ListState()

  /// The message shown if there are no results, or next to older ones.
  var message: String {
    switch phase {
    case .empty: "Type a name, an organism, an author or an entry code; results appear as you type"
    case .short: "Type one more letter"
    case .searching: "Searching \(source) for '\(input.text)' …"
    case .found: ""
    case .nothing: "\(source) has no results for '\(query)'; try other words, or press tab for another service"
    case .cancelled: "Search canceled; press enter to search again"
    case .failed(let text): "\(text)\nPress enter to search again"
    case .offline: "The network is off; start without --offline to search, or press I in the library to import a file"
    }
  }
}

/// A view with a line for search words, and the results.
struct SearchView: View {
  var page: SearchPage

  /// The number of rows above the list.
  static let headHeight = 2

  /// Returns the rectangle of the list.
  static func listRect(of size: Size) -> Rect {
    Rect(x: 0, y: headHeight, width: size.width, height: max(0, size.height - headHeight))
  }

  func draw(into frame: inout TextFrame) {
    let width = frame.size.width
    guard width > 0, frame.size.height > 0 else { return }
    let label = "Search "
    let end = frame.put(TextWidth.truncated(label, to: width), x: 1, y: 0, .accent)
    let sourceWidth = TextWidth.columns(page.source)
    let showsSource = end + 16 + sourceWidth < width
    let room = width - end - 1 - (showsSource ? sourceWidth + 2 : 0)
    page.input.draw(into: &frame, x: end, y: 0, width: max(1, room))
    if showsSource { frame.put(page.source, x: width - sourceWidth - 1, y: 0, .secondary) }
    frame.put(String(repeating: "─", count: width), x: 0, y: 1, .secondary)
    let rect = Self.listRect(of: frame.size)
    if page.list.rows.isEmpty {
      frame.inside(rect, drawMessage)
    } else {
      frame.draw(ListView("Results", page.list), in: rect)
      drawState(into: &frame)
    }
  }

  private func drawMessage(_ frame: inout TextFrame) {
    let isBad = if case .failed = page.phase { true } else { false }
    let lines = page.message.split(separator: "\n").flatMap { TextWidth.wrapped(String($0), to: frame.size.width - 4) }
    for (y, line) in lines.enumerated() {
      frame.put(line, x: 2, y: y + 1, isBad && y == 0 ? .error : isBad ? .plain : .secondary)
    }
  }

  /// Draws the state of the search in the ruling line while older results are shown.
  private func drawState(into frame: inout TextFrame) {
    let text =
      switch page.phase {
      case .found: "\(page.list.rows.count) \(page.list.rows.count == 1 ? "result" : "results") for '\(page.query)'"
      case .searching: "Searching …"
      case .empty, .short, .nothing, .cancelled, .failed, .offline:
        page.message.split(separator: "\n").first.map(String.init) ?? ""
      }
    if text.isEmpty { return }
    let style: Style = if case .failed = page.phase { .error } else { .secondary }
    frame.put(" " + TextWidth.truncated(text, to: max(0, frame.size.width - 6)) + " ", x: 2, y: 1, style)
  }

  var outline: Outline {
    let results = ListView("Results", page.list, action: SearchAction.open.rawValue).outline
    let words = page.input.text
    return Outline(
      title: "Download new molecule", text: page.message.isEmpty ? [] : [page.message],
      fields: [.init("service", page.source)] + (words.isEmpty ? [] : [.init("words", words)]),
      items: [
        Outline.Item(
          id: "words", text: "Words to search for", action: ActionInvocation(SearchAction.words.rawValue))
      ]
        + (page.list.rows.isEmpty ? [] : results.items))
  }
}

/// The contents of the download screen.
struct DownloadPage: Equatable, Sendable {
  var molecule: FoundMolecule
  var source = ""
  var list = ListState()
  /// The state or result of the download; empty before it.
  var message = ""
  /// A Boolean value indicating whether the message reports a failure.
  var hasFailed = false
}

/// A view of title, method and resolution of a found molecule, and the possible actions.
struct DownloadView: View {
  var page: DownloadPage

  /// Returns the rectangle of the list of actions.
  func listRect(of size: Size) -> Rect {
    let top = min(size.height, heading(width: size.width).count + 1)
    return Rect(x: 0, y: top, width: size.width, height: min(page.list.rows.count, size.height - top))
  }

  private func heading(width: Int) -> [StyledText.Run] {
    let title = TextWidth.wrapped(page.molecule.title, to: max(1, width - 4)).map { StyledText.Run($0, .heading) }
    let about = [page.molecule.code, page.molecule.quality, page.source].filter { !$0.isEmpty }
    return title + [.init(about.joined(separator: "  "), .secondary)]
  }

  func draw(into frame: inout TextFrame) {
    let size = frame.size
    for (y, run) in heading(width: size.width).enumerated() {
      frame.put(TextWidth.truncated(run.text, to: max(0, size.width - 3)), x: 2, y: y, run.style)
    }
    let rect = listRect(of: size)
    frame.draw(ListView("Actions", page.list), in: rect)
    let lines = page.message.split(separator: "\n").flatMap {
      TextWidth.wrapped(String($0), to: max(1, size.width - 4))
    }
    for (index, line) in lines.enumerated() {
      frame.put(line, x: 2, y: rect.y + rect.height + 1 + index, page.hasFailed ? .error : .plain)
    }
  }

  var outline: Outline {
    let molecule = page.molecule
    let fields = [
      ("code", molecule.code), ("method", molecule.method),
      ("resolution", molecule.resolution.map { "\($0) Å" } ?? ""), ("service", page.source),
    ]
    return Outline(
      title: molecule.title.isEmpty ? molecule.code : molecule.title, text: page.message.isEmpty ? [] : [page.message],
      fields: fields.filter { !$0.1.isEmpty }.map { .init($0.0, $0.1) },
      items: ListView("", page.list, action: DownloadAction.choose.rawValue).outline.items)
  }
}

/// A search result as shown on screens.
struct FoundMolecule: Equatable, Sendable {
  var code: String
  var title: String
  /// The experimental method, or the formula of a compound.
  var method: String
  /// The resolution in ångström.
  var resolution: Double?

  /// Creates it from the fields of a search result.
  init(_ value: Value) {
    code = value["code"].text ?? ""
    title = value["title"].text ?? ""
    method = value["method"].text ?? ""
    resolution = value["resolution"].number
  }

  /// Method and resolution in short form, such as `X-ray 1.74 Å`.
  var quality: String {
    [Self.short(method), resolution.map { Self.number($0) + " Å" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static let shortMethods = [
    "X-RAY DIFFRACTION": "X-ray", "ELECTRON MICROSCOPY": "EM", "SOLUTION NMR": "NMR", "SOLID-STATE NMR": "NMR",
    "NEUTRON DIFFRACTION": "neutrons", "FIBER DIFFRACTION": "fiber", "ELECTRON CRYSTALLOGRAPHY": "electrons",
  ]

  private static func short(_ method: String) -> String {
    let parts = method.split(separator: ";").map { $0.drop { $0 == " " } }
    return parts.map { shortMethods[$0.uppercased()] ?? String($0) }.joined(separator: "/")
  }

  /// Returns a number with at most two decimals.
  private static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e9 else { return "\(value)" }
    return "\((value * 100).rounded() / 100)"
  }
}
