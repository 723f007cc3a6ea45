import PluginAPI

/// The first screen: plugins, recent documents, and possible actions.
@MainActor final class HomeController: HostController {
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
    let words = id.split(separator: " ", maxSplits: 1).map(String.init)
    switch words.first {
    case "plugin": return open(words[1], document: nil)
    case "recent": return document(words[1]).map(open(_:)) ?? []
    case "unusable":
      let reason = navigator.setup.unusable.first { $0.id == words[1] }?.reason ?? ""
      return [.status(Diagnostic(.warning, code: "host.plugin-unusable", "plugin '\(words[1])': \(reason)"))]
    case "more":
      showsAll = true
      state.sections = sections
    case "tour":
      navigator.showTour()
    case "forget": askWhatToForget()
    case "palette": navigator.perform(.palette)
    case "help": navigator.perform(.help)
    case "quit": return [.quit]
    default: break
    }
    return []
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
      FormSection.Field($0.plugin.name, $0.plugin.summary, id: "plugin " + $0.plugin.id)
    }
    plugins += navigator.setup.unusable.map { FormSection.Field($0.id, "✗ " + $0.reason, id: "unusable " + $0.id) }
    if plugins.isEmpty {
      plugins = [.init("None yet", "Install one with 'workbench plugin install FILE'", id: "none")]
    }
    let tour = FormSection.Field("Take the tour", "\(Tour.steps(keys: [:]).count) short steps", id: "tour")
    var actions: [FormSection.Field] = [
      .init("Find a command", "Search all commands by name  (:)", id: "palette"),
      .init("Show the keys", "Keys of this screen  (?)", id: "help"),
    ]
    if !documents.isEmpty {
      actions.append(.init("Forget documents", "Shorten the list of recent documents", id: "forget"))
    }
    if !offersTour { actions.append(tour) }
    actions.append(.init("Quit", "Leave Workbench  (q)", id: "quit"))
    return (offersTour ? [FormSection("New here?", [tour])] : []) + [FormSection("Plugins", plugins)]
      + (documents.isEmpty ? [] : [FormSection("Recent documents", documentRows)]) + [FormSection("Actions", actions)]
  }

  private var documents: [RecentDocuments.Entry] { recent?.entries ?? [] }

  private var documentRows: [FormSection.Field] {
    let count = showsAll || documents.count <= Self.fewDocuments + 1 ? documents.count : Self.fewDocuments
    let rows = documents.prefix(count).enumerated().map { index, entry in
      FormSection.Field(
        entry.document.split(separator: "/").last.map(String.init) ?? entry.document,
        (missing.contains(entry) ? "✗ missing: " : "") + entry.plugin + "  " + entry.document, id: "recent \(index)")
    }
    let rest = documents.count - count
    return rest == 0 ? rows : rows + [.init("\(rest) more", "Show all recent documents", id: "more")]
  }
}

// MARK: - Recent documents

extension HomeController {
  /// Returns the document of a row's number.
  private func document(_ number: String) -> RecentDocuments.Entry? {
    Int(number).flatMap { documents.indices.contains($0) ? documents[$0] : nil }
  }

  private var selectedDocument: RecentDocuments.Entry? {
    guard let id = state.selectedField?.id, id.hasPrefix("recent ") else { return nil }
    return document(String(id.dropFirst(7)))
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
        .init(id: "remove", title: "Remove it from the list"), .init(id: "try", title: "Try to open it"),
        .init(id: "keep", title: "Keep it in the list"),
      ])
    ask(request) { controller, answer in
      switch answer {
      case "remove": controller.remove([entry])
      case "try": controller.navigator.start(ScreenLaunch(plugin: entry.plugin, documents: [entry.document]))
      default: break
      }
    }
    return []
  }

  private func askWhatToForget() {
    let gone = missing.intersection(documents)
    var choices: [ChoiceRequest.Choice] = [.init(id: "keep", title: "Keep the list")]
    if !gone.isEmpty { choices.append(.init(id: "missing", title: "Remove missing ones", detail: "\(gone.count)")) }
    choices.append(.init(id: "all", title: "Remove all", detail: "\(documents.count)"))
    ask(ChoiceRequest("Forget recent documents; the files are kept", choices: choices)) { controller, answer in
      switch answer {
      case "missing": controller.remove(gone)
      case "all": controller.remove(Set(controller.documents))
      default: break
      }
    }
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
