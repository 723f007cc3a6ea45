import PluginAPI
import PluginText

/// The first screen: all pathways, the entry to scenario analysis, and networks in files.
@MainActor final class HomeController: Controller {
  private static let updating: EffectID = "update"

  /// The actions of the screen.
  enum Action: String, CaseIterable {
    case open
    case search
    case scenarios
    case file
    case update
  }

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction(Action.open, "Open the selection"),
    ScreenAction(Action.search, "Search names, synonyms, metabolites, processes and genes", keys: ["/"]),
    ScreenAction(Action.scenarios, "Show scenarios (SMDA) of the selected pathway", keys: ["s"]),
    ScreenAction(Action.file, "Open a network file", keys: ["I"]),
    ScreenAction(Action.update, "Update the database", keys: ["u"]),
  ]

  private let context: any PluginContext
  private let shelf: PathwayShelf
  private var finder = PathwayFinder(hasEntries: true)
  private var size = Size(width: 0, height: 0)
  /// The running update of the database; nil if there is none.
  private var update: Update?
  /// The last text entered as the address of a database.
  private var lastServer = ""
  /// The document to show at once, from the command line: a pathway or the path of a file.
  private let document: String?

  /// A running update of the database.
  private struct Update {
    var progress = Progress("requesting the database")
    /// A Boolean value indicating whether the update fetched something.
    var hasNews = true
  }

  init(_ context: any PluginContext, _ shelf: PathwayShelf, document: String? = nil) {
    (self.context, self.shelf, self.document) = (context, shelf, document)
  }

  var title: String { "Pathways" }
  var wantsText: Bool { finder.wantsText }
  var isLoading: Bool { !finder.isFilled && update == nil }
  var view: any View { finder.view(title: title, progress: update?.progress, action: Action.open.rawValue) }

  var status: [StyledText.Run] {
    if update != nil { return [.init("downloading the database; esc cancels")] }
    return finder.status.map { .init($0) }
  }

  // MARK: Events

  func start() -> [Effect] { [open()] + (document.map { show($0, content: nil) } ?? []) }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      finder.resize(to: size.width)
      return []
    }
    if event == .key(Key(.escape)), update != nil, !finder.isSearching { return [.cancel(Self.updating)] }
    switch finder.handle(event, in: finder.listRect(of: size, hasProgress: update != nil)) {
    case .changed: return []
    case .chosen(let id): return choose(id)
    case .disclosed, nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    let id = invocation.arguments[PathCaseArgument.id] ?? finder.selectedID
    guard let action = Action(rawValue: invocation.action) else { return [] }
    switch action {
    case .open: return id.map(choose) ?? []
    case .search: finder.startTyping()
    case .scenarios: return scenarios(id)
    case .file: return askPath()
    case .update: return startUpdate(from: nil)
    }
    return []
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .notification: [open()]
    case .returned("pathways", let value): value["open"].text.map { show($0, content: .scenarios) } ?? []
    default: receiveUpdate(message)
    }
  }

  func saveState() -> [UInt8] {
    let record: Record = ["selected": .optional(finder.savedID)]
    return Value.record(record).encoded()
  }

  func restore(_ state: [UInt8]) {
    guard let value = try? Value(decoding: state), let id = value["selected"].text else { return }
    finder.select(id)
  }

  // MARK: The database

  private func open() -> Effect {
    load("open", "opening the database") { [shelf, context] _ in
      try shelf.listen(context)
      return try await FoundPathways.open(shelf, context)
    } then: {
      $0.take($1)
    } failed: { controller, failure in
      controller.finder.fail(failure)
      return []
    }
  }

  private func take(_ found: FoundPathways) -> [Effect] {
    finder.take(found)
    return found.trouble.map { [.status($0)] } ?? []
  }

  /// Fetches the database again; the present one stays active in the meantime.
  ///
  /// - Parameter server: The address or folder; nil for the one in the settings.
  private func startUpdate(from server: String?) -> [Effect] {
    if update != nil { return [.note("pathcase.updating", "downloading the database; esc cancels")] }
    update = Update()
    let arguments: Record = server.map { ["server": .text($0)] } ?? Record()
    return [.run(Self.updating, command: "update", arguments: arguments)]
  }

  private func startUpdate(fromTyped text: String) -> [Effect] {
    lastServer = text.trimmed()
    return lastServer.isEmpty ? [] : startUpdate(from: lastServer)
  }

  private func receiveUpdate(_ message: Message) -> [Effect] {
    switch message {
    case .progress(Self.updating, let progress): update?.progress = progress
    case .emitted(Self.updating, let outcome): update?.hasNews = outcome.table.map(Self.hasNews) ?? true
    case .finished(Self.updating):
      return endUpdate(
        update?.hasNews == false
          ? "the database is up to date" : "updated the database")
    case .cancelled(Self.updating): return endUpdate("update canceled; the database is unchanged")
    case .failed(Self.updating, let report):
      update = nil
      if report.code == "pathcase.no-server" {
        let request = PromptRequest("Address or folder of a database", text: lastServer)
        return [ask(request) { $0.startUpdate(fromTyped: $1) }]
      }
    default: break
    }
    return []
  }

  /// Returns whether the table of an update lists changed records.
  private static func hasNews(_ table: Table) -> Bool {
    (0..<table.rowCount).contains { row in
      ["added", "changed", "removed"].contains { (table.row(row)[$0]?.integer ?? 0) > 0 }
    }
  }

  private func endUpdate(_ text: String) -> [Effect] {
    update = nil
    return [open(), .note("pathcase.update-ended", text)]
  }

  // MARK: Opening

  private func choose(_ id: String) -> [Effect] {
    switch PathwayFinder.Entry(rawValue: id) {
    case .scenarios:
      [.present(ScreenRequest("pathways").with(PathCaseArgument.title, "Scenarios of which pathway?"))]
    case .file: askPath()
    case nil: show(id, content: nil, focus: finder.focus(of: id))
    }
  }

  private func scenarios(_ id: String?) -> [Effect] {
    guard let id, PathwayFinder.Entry(rawValue: id) == nil else {
      return choose(PathwayFinder.Entry.scenarios.rawValue)
    }
    return show(id, content: .scenarios)
  }

  private func show(_ id: String, content: PathwayContent?, focus: Identifier? = nil) -> [Effect] {
    let request = ScreenRequest("pathway").with(PathCaseArgument.pathway, id)
    return [.push(request.with(PathCaseArgument.content, content).with(PathCaseArgument.focus, focus))]
  }

  private func askPath() -> [Effect] {
    [ask(PromptRequest("Path of a file with a network")) { $0.openFile($1.trimmed()) }]
  }

  private func openFile(_ path: String) -> [Effect] {
    // A word with neither a folder nor an extension would be taken for a pathway.
    path.isEmpty ? [] : show(path.contains("/") ? path : "./\(path)", content: nil)
  }
}
