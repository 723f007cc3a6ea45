import PluginAPI

/// The first screen: plugins, recent documents, and possible actions.
@MainActor final class HomeController: HostController {
  /// The kinds of rows, with which their ids begin; the plugin or the number of the document follows.
  private enum Row: String {
    case plugin, unusable, recent, more, tour, forget, palette, help, quit
    /// The text shown without plugins, which cannot be chosen.
    case noPlugin = "none"

    /// Returns the id of the row about a plugin or document.
    func id(_ subject: String) -> String { rawValue + " " + subject }
  }

  private unowned let navigator: Navigator
  private var recent: RecentDocuments?
  /// The recent documents that are not there.
  private var missing: Set<RecentDocuments.Entry> = []
  /// A Boolean value indicating whether all recent documents are shown, not just the last ones.
  private var showsAll = false
  private var offersTour: Bool
  private var state = FormState()
  private var rect = Rect(x: 0, y: 0, width: 0, height: 0)

  /// The number of recent documents that are shown at first.
  private static let fewDocuments = 8

  init(navigator: Navigator) {
    self.navigator = navigator
    let session = navigator.session
    let showsRecent = navigator.setup.showsRecentDocuments && RecentDocuments.areKept(in: session)
    recent = showsRecent ? RecentDocuments(folder: session.folders.state) : nil
    offersTour = navigator.setup.offersTour && Tour.isNew(folder: session.folders.state)
    state = FormState(sections)
  }

  var title: String { "Workbench" }

  var hints: [KeyHint] {
    [KeyHint("enter", "open")] + (offersTour ? [KeyHint("x", "skip the tour")] : [])
      + (selectedDocument == nil ? [] : [KeyHint("delete", "remove")])
  }

  var view: any View {
    var view = FormView(title, state, action: "open")
    (view.labelStyle, view.valueStyle) = (.plain, .secondary)
    return view
  }

  func start() -> [Effect] { [lookForDocuments()].compactMap { $0 } }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      rect = Rect(geometry.size)
      return []
    }
    if event == .key(Key(.delete)), let document = selectedDocument {
      remove([document])
      return []
    }
    if event == .key(Key(.character("x"))), offersTour {
      endOffer()
      return []
    }
    switch state.handle(event, in: rect) {
    case .chosen(let id), .disclosed(let id): return choose(item: id)
    case .changed: return []
    default: return nil
    }
  }

  func choose(item id: String) -> [Effect] {
    guard let (row, subject) = Self.row(ofID: id) else { return [] }
    switch row {
    case .plugin: return open(subject, document: nil)
    case .recent: return document(subject).map(open(_:)) ?? []
    case .unusable:
      let reason = navigator.setup.unusable.first { $0.id == subject }?.reason ?? ""
      return [.status(Diagnostic(.warning, code: "host.plugin-unusable", "plugin '\(subject)': \(reason)"))]
    case .more:
      showsAll = true
      state.sections = sections
    case .tour: navigator.showTour()
    case .forget: askWhatToForget()
    case .palette: navigator.perform(.palette)
    case .help: navigator.perform(.help)
    case .quit: return [.quit]
    case .noPlugin: break
    }
    return []
  }

  /// Returns the kind of a row, and the plugin or the number of the document; empty for other rows.
  private static func row(ofID id: String) -> (row: Row, subject: String)? {
    let words = id.split(separator: " ", maxSplits: 1).map(String.init)
    return words.first.flatMap(Row.init(rawValue:)).map { ($0, words.count > 1 ? words[1] : "") }
  }

  private func open(_ plugin: String, document: String?) -> [Effect] {
    let screens = navigator.session.plugins.contributions(of: plugin)?.screens ?? []
    guard let first = screens.first else {
      navigator.showPalette(pattern: plugin)
      return []
    }
    var arguments = Record()
    if let document { arguments["document"] = .text(document) }
    return [.push(ScreenRequest(first.name, plugin: plugin, arguments: arguments))]
  }
}

// MARK: - Rows

extension HomeController {
  private var sections: [FormSection] {
    let contributions = navigator.session.plugins.contributions
    var plugins = contributions.map {
      FormSection.Field($0.plugin.name, $0.plugin.summary, id: Row.plugin.id($0.plugin.id))
    }
    plugins += navigator.setup.unusable.map { FormSection.Field($0.id, "✗ " + $0.reason, id: Row.unusable.id($0.id)) }
    if plugins.isEmpty {
      plugins = [.init("None yet", "Install one with 'workbench plugin install FILE'", id: Row.noPlugin.rawValue)]
    }
    let tour = FormSection.Field("Take the tour", "\(Tour.steps(keys: [:]).count) short steps", id: Row.tour.rawValue)
    var actions: [FormSection.Field] = [
      .init("Find a command", "Search all commands by name  (:)", id: Row.palette.rawValue),
      .init("Show the keys", "Keys of this screen  (?)", id: Row.help.rawValue),
    ]
    if !documents.isEmpty {
      actions.append(.init("Forget documents", "Shorten the list of recent documents", id: Row.forget.rawValue))
    }
    if !offersTour { actions.append(tour) }
    actions.append(.init("Quit", "Leave Workbench  (q)", id: Row.quit.rawValue))
    return (offersTour ? [FormSection("New here?", [tour])] : []) + [FormSection("Plugins", plugins)]
      + (documents.isEmpty ? [] : [FormSection("Recent documents", documentRows)]) + [FormSection("Actions", actions)]
  }

  private var documents: [RecentDocuments.Entry] { recent?.entries ?? [] }

  private var documentRows: [FormSection.Field] {
    let count = showsAll || documents.count <= Self.fewDocuments + 1 ? documents.count : Self.fewDocuments
    let rows = documents.prefix(count).enumerated().map { index, entry in
      FormSection.Field(
        entry.document.split(separator: "/").last.map(String.init) ?? entry.document,
        (missing.contains(entry) ? "✗ missing: " : "") + entry.plugin + "  " + entry.document,
        id: Row.recent.id("\(index)"))
    }
    let rest = documents.count - count
    return rest == 0 ? rows : rows + [.init("\(rest) more", "Show all recent documents", id: Row.more.rawValue)]
  }
}

// MARK: - Recent documents

extension HomeController {
  /// Returns the document of a row's number.
  private func document(_ number: String) -> RecentDocuments.Entry? {
    Int(number).flatMap { documents.indices.contains($0) ? documents[$0] : nil }
  }

  private var selectedDocument: RecentDocuments.Entry? {
    guard let (row, subject) = state.selectedField.flatMap({ Self.row(ofID: $0.id) }), row == .recent else {
      return nil
    }
    return document(subject)
  }

  /// Returns the work that finds the missing documents: a file system on the network may take long to answer.
  private func lookForDocuments() -> Effect? {
    let files = documents.filter { $0.document.hasPrefix("/") }
    if files.isEmpty { return nil }
    return compute("recent", "Looking for recent documents") { _ in
      Set(files.filter { !HostFile.isDocument($0.document) })
    } then: { controller, missing -> [Effect] in
      controller.missing = missing
      controller.state.sections = controller.sections
      return []
    }
  }

  /// Opens a document, and asks about one that is not there.
  private func open(_ entry: RecentDocuments.Entry) -> [Effect] {
    guard missing.contains(entry) else {
      recent?.add(entry)
      state.sections = sections
      return open(entry.plugin, document: entry.document)
    }
    let request = ChoiceRequest(
      "'\(entry.document)' is missing",
      choices: [
        .init(id: MissingAnswer.remove.rawValue, title: "Remove it from the list"),
        .init(id: MissingAnswer.open.rawValue, title: "Try to open it"),
        .init(id: MissingAnswer.keep.rawValue, title: "Keep it in the list"),
      ])
    ask(request) { controller, answer in
      switch answer.flatMap(MissingAnswer.init(rawValue:)) {
      case .remove: controller.remove([entry])
      case .open: controller.navigator.start(ScreenLaunch(plugin: entry.plugin, documents: [entry.document]))
      case .keep, nil: break
      }
    }
    return []
  }

  /// The answers to the question about a missing document.
  private enum MissingAnswer: String {
    case remove, keep
    case open = "try"
  }

  private func askWhatToForget() {
    let gone = missing.intersection(documents)
    var choices: [ChoiceRequest.Choice] = [.init(id: ForgetAnswer.keep.rawValue, title: "Keep the list")]
    if !gone.isEmpty {
      choices.append(.init(id: ForgetAnswer.missing.rawValue, title: "Remove missing ones", detail: "\(gone.count)"))
    }
    choices.append(.init(id: ForgetAnswer.all.rawValue, title: "Remove all", detail: "\(documents.count)"))
    ask(ChoiceRequest("Forget recent documents; the files are kept", choices: choices)) { controller, answer in
      switch answer.flatMap(ForgetAnswer.init(rawValue:)) {
      case .missing: controller.remove(gone)
      case .all: controller.remove(Set(controller.documents))
      case .keep, nil: break
      }
    }
  }

  /// The answers to the question about the list of recent documents.
  private enum ForgetAnswer: String {
    case keep, missing, all
  }

  private func ask(_ request: ChoiceRequest, _ answered: @escaping @MainActor (HomeController, String?) -> Void) {
    navigator.push(
      host: ChoiceController(request), named: "choice", placement: .popover, recording: .answer
    ) { [weak self] value in
      if let self { answered(self, value.text) }
    }
  }

  private func remove(_ gone: Set<RecentDocuments.Entry>) {
    recent?.remove(gone)
    missing.subtract(gone)
    state.sections = sections
  }

  // MARK: Tour

  /// Removes the offer of the tour, if there is one.
  func endOffer() {
    guard offersTour else { return }
    offersTour = false
    state.sections = sections
  }
}
