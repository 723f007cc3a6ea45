import PluginAPI

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
    frame.draw(ListView("What to do", page.list), in: rect)
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
      items: ListView("", page.list, action: "choose").outline.items)
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
    "NEUTRON DIFFRACTION": "neutrons", "FIBER DIFFRACTION": "fibre", "ELECTRON CRYSTALLOGRAPHY": "electrons",
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
