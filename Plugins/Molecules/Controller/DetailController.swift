import PluginAPI

/// The screen with all metadata of a molecule, group by group, read when it opens.
@MainActor final class DetailController: Controller {
  nonisolated static let actions: [ScreenAction] = [
    ScreenAction(DetailAction.read, "Show the whole text", keys: ["enter"]),
    ScreenAction(DetailAction.show, "Show in the viewer", keys: ["M"]),
  ]

  private let context: any PluginContext
  private let id: Int?
  /// The model shown in the viewer that opened this screen, from 1.
  private let shownModel: Int?
  private var size = Size(width: 0, height: 0)
  private var page = DetailPage()
  private var cursor = RowCursor()
  private var message = ""
  private var code = ""

  init(_ request: ScreenRequest, _ context: any PluginContext) {
    self.context = context
    id = request.arguments[MoleculeArgument.molecule]
    shownModel = request.arguments[MoleculeArgument.model]
  }

  var title: String { code.isEmpty ? "Details" : code }

  var isLoading: Bool { page.entries.isEmpty }

  var view: any View { DetailView(page: page, cursor: cursor, message: message) }

  func start() -> [Effect] {
    guard let id else {
      message = "No molecule given"
      return []
    }
    message = "Reading …"
    let reading = load("metadata", "reading metadata") { [context] _ in
      try await MoleculeLibrary(context).details(of: id)
    } then: {
      $0.show($1)
    } failed: {
      $0.message = $1.text(ifCanceled: "Reading canceled")
      return []
    }
    return [reading]
  }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      size = geometry.size
      return []
    case .key(let key):
      return cursor.handle(key, count: page.entries.count, height: max(1, size.height - page.headingCount)) ? [] : nil
    case .mouse(let mouse): return handle(mouse)
    default: return nil
    }
  }

  private func handle(_ mouse: Mouse) -> [Effect]? {
    switch mouse.action {
    case .scroll(let steps):
      cursor.selected = min(max(0, cursor.selected + steps), max(0, page.entries.count - 1))
      return []
    case .press(let clicks) where mouse.button == .left:
      let view = DetailView(page: page, cursor: cursor, message: message)
      guard let entry = view.entry(atRow: mouse.position.y, height: size.height) else { return [] }
      cursor.selected = entry
      return clicks >= 2 ? openSelected() : []
    default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = DetailAction(rawValue: invocation.action) else { return [] }
    switch action {
    case .read:
      if let row = invocation.arguments[MoleculeArgument.id].flatMap({ Int($0) }) { cursor.selected = row }
      return openSelected()
    case .show: return id.map { [.push(ScreenRequest("viewer").with(MoleculeArgument.molecule, $0))] } ?? []
    }
  }

  private func show(_ known: MoleculeDetails) {
    code = known.molecule.code
    message = ""
    var entries = known.entries
    let models = known.molecule.counts.models
    if let shownModel, let place = entries.lastIndex(where: { $0.group == .statistics }) {
      entries.insert(
        MetadataEntry(group: .statistics, label: "Current structure", text: "\(shownModel) of \(models)"),
        at: place + 1)
    }
    page = DetailPage(
      heading: known.molecule.compound.isEmpty ? known.molecule.displayTitle : known.molecule.compound,
      entries: entries)
  }

  private func openSelected() -> [Effect] {
    guard page.entries.indices.contains(cursor.selected) else { return [] }
    let entry = page.entries[cursor.selected]
    let title = [entry.group.title, entry.label].filter { !$0.isEmpty }.joined(separator: ": ")
    return [.push(TextController.request(title, entry.text))]
  }
}
