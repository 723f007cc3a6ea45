import PluginAPI

/// The screen of one search result: read more about it, or download it.
///
/// It returns the number of the molecule once it is in the library.
@MainActor final class DownloadController: Controller {
  private static let fetching: EffectID = "fetch"
  private static let browsing: EffectID = "browse"

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction(DownloadAction.choose, "Run the selected action"),
    ScreenAction(DownloadAction.download, "Download the molecule", keys: ["D"]),
    ScreenAction(DownloadAction.read, "Read its web page", keys: ["d"]),
    ScreenAction(DownloadAction.browse, "Open its web page in a browser", keys: ["B"]),
    ScreenAction(DownloadAction.cancel, "Cancel the download"),
  ]

  private var page: DownloadPage
  private let service: MoleculeService
  private var size = Size(width: 0, height: 0)
  private var isDownloading = false
  /// The number in the library, once the molecule is there.
  private var id: Int?

  init(_ request: ScreenRequest, _ context: any PluginContext) {
    let molecule = FoundMolecule(.record(request.arguments))
    let source = MoleculeService(request, context)
    service = source
    page = DownloadPage(molecule: molecule, source: source.title)
    page.list = ListState(rows: Self.rows)
    if context.isOffline {
      page.message = "The network is off; start without --offline to download"
      page.hasFailed = true
    }
  }

  private static let rows = [
    ListRow(
      id: DownloadAction.download.rawValue, title: "Download", detail: "into the library, then show it", badge: "D"),
    ListRow(id: DownloadAction.read.rawValue, title: "Read more", detail: "its web page as text", badge: "d"),
    ListRow(id: DownloadAction.browse.rawValue, title: "Open in a browser", detail: "its web page", badge: "B"),
  ]

  private static let show = ListRow(id: "show", title: "Show", detail: "already in the library")

  var title: String { page.molecule.code.isEmpty ? "Download" : page.molecule.code }
  var status: [StyledText.Run] { isDownloading ? [.init("esc cancels the download", .secondary)] : [] }
  var view: any View { DownloadView(page: page) }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      return []
    }
    if case .key(let key) = event, key == Key(.character("/")) { return nil }
    switch page.list.handle(event, in: DownloadView(page: page).listRect(of: size)) {
    case .chosen(let row), .disclosed(let row): return choose(row)
    case .changed: return []
    case nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    invocation.action == DownloadAction.choose.rawValue
      ? (invocation.arguments[MoleculeArgument.id] ?? page.list.selectedID).map(choose) ?? []
      : choose(invocation.action)
  }

  private func choose(_ row: String) -> [Effect] {
    if row == Self.show.id { return id.map { [.pop(.integer($0))] } ?? [] }
    guard let action = DownloadAction(rawValue: row) else { return [] }
    switch action {
    case .choose: return []
    case .download: return download()
    case .read:
      return [
        .push(
          ScreenRequest("page").with(MoleculeArgument.code, page.molecule.code)
            .with(MoleculeArgument.service, service))
      ]
    case .browse:
      let arguments: Record = ["code": .text(page.molecule.code), "service": .text(service.rawValue), "open": true]
      return [.run(Self.browsing, command: "page", arguments: arguments)]
    case .cancel: return isDownloading ? [.cancel(Self.fetching)] : []
    }
  }

  private func download() -> [Effect] {
    if isDownloading { return [] }
    isDownloading = true
    say("downloading \(page.molecule.code) …")
    let arguments: Record = ["code": .text(page.molecule.code), "service": .text(service.rawValue)]
    return [.run(Self.fetching, command: "fetch", arguments: arguments)]
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .progress(Self.fetching, let progress): say(Self.text(progress))
    case .emitted(Self.fetching, let value): id = value.list?.last?["id"].integer ?? value["id"].integer
    case .finished(Self.fetching): return fetched()
    case .failed(Self.fetching, let report): failed(report)
    case .cancelled(Self.fetching):
      isDownloading = false
      say("Download canceled; press D to resume it")
    case .finished(Self.browsing): say("Opened the page in the browser")
    case .failed(Self.browsing, let report): say(report.description, isFailure: true)
    default: break
    }
    return []
  }

  private func fetched() -> [Effect] {
    isDownloading = false
    guard let id else {
      say("The download has no molecule; press D to try again", isFailure: true)
      return []
    }
    say("Downloaded")
    return [.pop(.integer(id))]
  }

  private func failed(_ report: ErrorReport) {
    isDownloading = false
    if report.code == "molecules.already-there", let known = report.details["id"]?.integer {
      id = known
      page.list = ListState(rows: [Self.show] + Self.rows)
      return say("\(report.message); press enter to show it")
    }
    say(report.description + (report.isRetryable ? "\nPress D to try again" : ""), isFailure: true)
  }

  private func say(_ text: String, isFailure: Bool = false) {
    (page.message, page.hasFailed) = (text, isFailure)
  }

  private static func text(_ progress: Progress) -> String {
    let share = progress.fraction.map { " \(Int(min(max(0, $0), 1) * 100)) %" } ?? ""
    return progress.label + share + "\nesc cancels"
  }
}
