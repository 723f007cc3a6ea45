import PluginAPI

/// The first screen: plugins, recent documents, and possible actions.
@MainActor final class HomeController: HostController {
  private unowned let navigator: Navigator
  private let recent: RecentDocuments
  private var state = FormState()
  private var rect = Rect(x: 0, y: 0, width: 0, height: 0)

  init(navigator: Navigator) {
    self.navigator = navigator
    recent = RecentDocuments(folder: navigator.session.folders.state)
    state = FormState(sections)
  }

  var title: String { "Workbench" }
  var hints: [KeyHint] { [KeyHint("enter", "open")] }

  var view: any View {
    var view = FormView(title, state, action: "open")
    (view.labelStyle, view.valueStyle) = (.plain, .secondary)
    return view
  }

  private var sections: [FormSection] {
    let contributions = navigator.session.plugins.contributions
    var plugins = contributions.map {
      FormSection.Field($0.plugin.name, $0.plugin.summary, id: "plugin " + $0.plugin.id)
    }
    plugins += navigator.setup.unusable.map { FormSection.Field($0.id, "✗ " + $0.reason, id: "unusable " + $0.id) }
    if plugins.isEmpty {
      plugins = [.init("None yet", "Install one with 'workbench plugin install FILE'", id: "none")]
    }
    let documents = recent.entries.enumerated().map { index, entry in
      FormSection.Field(
        entry.document.split(separator: "/").last.map(String.init) ?? entry.document,
        entry.plugin + "  " + entry.document, id: "recent \(index)")
    }
    let doing: [FormSection.Field] = [
      .init("Find a command", "Search all commands by name  (:)", id: "palette"),
      .init("Show the keys", "Keys of this screen  (?)", id: "help"),
      .init("Quit", "Leave Workbench  (q)", id: "quit"),
    ]
    return [FormSection("Plugins", plugins)] + (documents.isEmpty ? [] : [FormSection("Recent documents", documents)])
      + [FormSection("Actions", doing)]
  }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      rect = Rect(geometry.size)
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
    case "recent":
      guard let index = Int(words[1]), recent.entries.indices.contains(index) else { return [] }
      return open(recent.entries[index].plugin, document: recent.entries[index].document)
    case "unusable":
      let reason = navigator.setup.unusable.first { $0.id == words[1] }?.reason ?? ""
      return [.status(Diagnostic(.warning, code: "host.plugin-unusable", "plugin '\(words[1])': \(reason)"))]
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
