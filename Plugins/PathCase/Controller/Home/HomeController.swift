import PluginAPI
import PluginText

/// The first screen: all pathways, the entry to scenario analysis, and networks in files.
@MainActor final class HomeController: Controller {
  static let opening = "open"
  static let askingPath: EffectID = "ask-path"
  static let updating: EffectID = "update"
  static let askingServer: EffectID = "ask-server"

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("open", "Open what is selected"),
    ScreenAction("search", "Search names, synonyms, metabolites, processes, genes", keys: ["/"]),
    ScreenAction("scenarios", "Scenarios (SMDA) of the selected pathway", keys: ["s"]),
    ScreenAction("file", "Open a network in a file", keys: ["I"]),
    ScreenAction("update", "Update the database", keys: ["u"]),
  ]

  private let context: any PluginContext
  private let shelf: PathwayShelf
  private var finder = PathwayFinder(hasEntries: true)
  private var size = Size(width: 0, height: 0)
  private var hasStarted = false
  /// Counts openings of the database, so that stale ones are recognized.
  private var round = 0
  private var isUpdating = false
  private var progress: Progress?
  /// The last text entered as the address of a database.
  private var lastServer = ""
  /// A Boolean value indicating whether the update fetched something.
  private var hasNews = true
  /// The content in which the next chosen pathway is shown.
  private var wantedContent: PathwayContent?
  /// The document to show at once, from the command line: a pathway or the path of a file.
  private let document: String?

  init(_ context: any PluginContext, _ shelf: PathwayShelf, document: String? = nil) {
    (self.context, self.shelf, self.document) = (context, shelf, document)
  }

  var title: String { "Pathways" }
  var wantsText: Bool { finder.isTyping }
  var isLoading: Bool { !finder.isFilled && !isUpdating }
  var view: any View { finder.view(title: title, progress: progress, action: "open") }

  var status: [StyledText.Run] {
    if isUpdating { return [.init("the database is being fetched; esc cancels")] }
    return finder.status.map { .init($0) }
  }

  // MARK: Events

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      finder.resize(to: size.width)
      if hasStarted { return [] }
      hasStarted = true
      return open() + (document.map { show($0, content: nil) } ?? [])
    }
    if event == .key(Key(.escape)), isUpdating, !finder.isSearching { return [.cancel(Self.updating)] }
    switch finder.handle(event, in: finder.listRect(of: size, hasProgress: progress != nil)) {
    case .changed: return []
    case .chosen(let id): return choose(id)
    case .disclosed, nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    let id = invocation.arguments["id"]?.text ?? finder.selectedID
    switch invocation.action {
    case "open": return id.map(choose) ?? []
    case "search": finder.startTyping()
    case "scenarios": return scenarios(id)
    case "file": return [.ask(Self.askingPath, PromptRequest("Path of a file with a network"))]
    case "update": return update(from: nil)
    default: break
    }
    return []
  }

  func receive(_ message: Message) -> [Effect] {
    let opening = EffectID(Self.opening, generation: round)
    switch message {
    case .finished(opening, let found as FoundPathways):
      finder.take(found)
      return found.trouble.map { [.status($0)] } ?? []
    case .failed(opening, let report): finder.message = report.description
    case .cancelled(opening): finder.message = "opening the database was cancelled"
    case .answered(Self.askingPath, let path): return openFile(path)
    case .answered(Self.askingServer, let server): return update(fromTyped: server)
    case .notification: return open()
    case .returned("pathways", let value): return value["open"].text.map { show($0, content: wantedContent) } ?? []
    default: return receiveUpdate(message)
    }
    return []
  }

  func saveState() -> [UInt8] {
    let record: Record = ["selected": .optional(finder.selectedID ?? finder.wanted)]
    return Value.record(record).encoded()
  }

  func restore(_ state: [UInt8]) {
    guard let value = try? Value(decoding: state), let id = value["selected"].text else { return }
    finder.wanted = id
  }

  // MARK: The database

  private func open() -> [Effect] {
    round += 1
    let (shelf, context) = (shelf, context)
    return [
      .compute(EffectID(Self.opening, generation: round), label: "opening the database") { _ in
        try FoundPathways(shelf, context)
      }
    ]
  }

  /// Fetches the database again; the present one stays active in the meantime.
  ///
  /// - Parameter server: The address or folder; nil for the one in the settings.
  private func update(from server: String?) -> [Effect] {
    if isUpdating {
      return [.status(Diagnostic(.note, code: "pathcase.updating", "the database is being fetched; esc cancels"))]
    }
    (isUpdating, hasNews) = (true, true)
    progress = Progress("asking for the database")
    let arguments: Record = server.map { ["server": .text($0)] } ?? Record()
    return [.run(Self.updating, command: "update", arguments: arguments)]
  }

  private func update(fromTyped text: String?) -> [Effect] {
    let server = (text ?? "").trimmed()
    lastServer = server
    return server.isEmpty ? [] : update(from: server)
  }

  private func receiveUpdate(_ message: Message) -> [Effect] {
    switch message {
    case .progress(Self.updating, let progress): self.progress = progress
    case .emitted(Self.updating, let outcome): hasNews = outcome.table.map(Self.hasNews) ?? true
    case .finished(Self.updating, _):
      return ended(
        .note, hasNews ? "the update has ended; this is the newest database" : "there is nothing new in the database")
    case .cancelled(Self.updating): return ended(.note, "the update was cancelled; the database is as before")
    case .failed(Self.updating, let report):
      (isUpdating, progress) = (false, nil)
      if report.code == "pathcase.no-server" {
        let request = PromptRequest("Address or folder of a database", text: lastServer)
        return [.ask(Self.askingServer, request)]
      }
      return [.status(Diagnostic(telling: report, .error))]
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

  private func ended(_ severity: Diagnostic.Severity, _ text: String) -> [Effect] {
    (isUpdating, progress) = (false, nil)
    return open() + [.status(Diagnostic(severity, code: "pathcase.update-ended", text))]
  }

  // MARK: Opening

  private func choose(_ id: String) -> [Effect] {
    switch PathwayFinder.Entry(rawValue: id) {
    case .scenarios:
      wantedContent = .scenarios
      return [.present(ScreenRequest("pathways", arguments: ["title": "Scenarios of which pathway?"]))]
    case .file: return [.ask(Self.askingPath, PromptRequest("Path of a file with a network"))]
    case nil: return show(id, content: nil, focus: finder.focus(of: id))
    }
  }

  private func scenarios(_ id: String?) -> [Effect] {
    guard let id, PathwayFinder.Entry(rawValue: id) == nil else {
      return choose(PathwayFinder.Entry.scenarios.rawValue)
    }
    return show(id, content: .scenarios)
  }

  private func show(_ id: String, content: PathwayContent?, focus: Identifier? = nil) -> [Effect] {
    wantedContent = nil
    var arguments: Record = ["pathway": .text(id)]
    if let content { arguments["content"] = .text(content.rawValue) }
    if let focus { arguments["focus"] = .text(focus.text) }
    return [.push(ScreenRequest("pathway", arguments: arguments))]
  }

  private func openFile(_ path: String?) -> [Effect] {
    let trimmed = (path ?? "").trimmed()
    // A word with neither a folder nor an extension would be taken for a pathway.
    return trimmed.isEmpty ? [] : show(trimmed.contains("/") ? trimmed : "./\(trimmed)", content: nil)
  }
}

extension Diagnostic {
  /// Creates a one-line diagnostic from an error report.
  init(telling report: ErrorReport, _ severity: Severity) {
    self.init(severity, code: report.code, report.message, advice: report.advice)
  }
}
