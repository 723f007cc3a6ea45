import PluginAPI

/// The screen that lists the molecules.
///
/// The first row leads to new molecules; it is no molecule and cannot be deleted.
@MainActor final class LibraryController: Controller {
  static let downloadRow = "download"
  static let listing: EffectID = "list"
  static let deleting: EffectID = "delete"
  static let importing: EffectID = "import"
  static let askingDeletion: EffectID = "ask-deletion"
  static let offering: EffectID = "offer"
  static let askingPath: EffectID = "ask-path"

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("show", "Show in the viewer"),
    ScreenAction("details", "What is known of it", keys: ["i"]),
    ScreenAction("delete", "Delete it and its original", keys: ["d", "delete"]),
    ScreenAction("import", "Import a file", keys: ["a"]),
    ScreenAction("download", "Download new molecule"),
  ]

  var list: ListState
  private var size = Size(width: 0, height: 0)
  private var hasStarted = false
  private var isListing = false
  /// Whether something changed since the listing that runs was begun.
  private var needsListing = false
  private var molecules = 0
  /// Whether the screen below takes the chosen molecule; else a viewer is put over this one.
  private let returns: Bool
  /// The molecule a question is about.
  private var asked: String?
  /// The row to select when the list comes.
  private var wanted: String?

  init(_ request: ScreenRequest) {
    returns = request.arguments["returns"]?.bool ?? false
    wanted = request.arguments["selected"]?.integer.map(String.init)
    list = ListState(rows: [Self.download])
  }

  var title: String { "Library" }

  var status: [StyledText.Run] {
    hasStarted ? [.init("\(molecules) \(molecules == 1 ? "molecule" : "molecules")")] : []
  }

  var wantsText: Bool { list.isFiltering }

  var view: any View { ListView("Library", list, action: "show") }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      if hasStarted { return [] }
      hasStarted = true
      return reload()
    }
    switch list.handle(event, in: Rect(size)) {
    case .changed: return []
    case .chosen(let id): return show(id)
    case .disclosed(let id): return details(id)
    case nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    let row = invocation.arguments["id"]?.text ?? list.selectedID
    switch invocation.action {
    case "show": return row.map(show) ?? []
    case "details": return row.map(details) ?? []
    case "delete": return row.map(askDeletion) ?? []
    case "import": return [askPath]
    case "download": return [offer]
    default: return []
    }
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .emitted(Self.listing, let value):
      take(value.table)
      return []
    case .emitted(Self.importing, let value):
      wanted = value.list?.last?["id"].integer.map(String.init)
      return []
    case .finished(Self.listing, _), .failed(Self.listing, _), .cancelled(Self.listing): return listed()
    case .finished(Self.importing, _), .finished(Self.deleting, _), .failed(Self.importing, _): return reload()
    case .notification: return reload()
    case .answered(Self.askingDeletion, let answer): return delete(answer)
    case .answered(Self.offering, let answer): return answer == "import" ? [askPath] : []
    case .answered(Self.askingPath, let path): return importFile(path)
    default: return []
    }
  }

  /// Lists anew, once what is being listed is there.
  ///
  /// The first listing fills the library and tells of each change: cancelling it then would never let it end.
  private func reload() -> [Effect] {
    needsListing = isListing
    if isListing { return [] }
    isListing = true
    return [.run(Self.listing, command: "list", arguments: Record())]
  }

  private func listed() -> [Effect] {
    isListing = false
    return needsListing ? reload() : []
  }

  // MARK: Rows

  private static let download = ListRow(id: downloadRow, title: "Download new molecule", detail: "or import a file")

  private func take(_ table: Table?) {
    guard let table else { return }
    molecules = table.rowCount
    list.rows =
      [Self.download] + (0..<table.rowCount).map { Self.row(Value.record(table.row($0))) }
    if let wanted { list.select(wanted) }
    wanted = nil
  }

  private static func row(_ molecule: Value) -> ListRow {
    let (code, title) = (molecule["code"].text ?? "", molecule["title"].text ?? "")
    let id = "\(molecule["id"].integer ?? 0)"
    let models = molecule["models"].integer ?? 1
    let badge =
      "\(molecule["atoms"].integer ?? 0) atoms  \(molecule["bonds"].integer ?? 0) bonds"
      + (models > 1 ? "  \(models) models" : "")
    let name = title.isEmpty ? code.isEmpty ? "molecule \(id)" : code : title
    return ListRow(id: id, title: name, detail: code, badge: badge, hasDisclosure: true)
  }

  // MARK: What rows do

  private func show(_ row: String) -> [Effect] {
    guard let id = Int(row) else { return [offer] }
    if returns { return [.pop(.integer(id))] }
    return [.push(ScreenRequest("viewer", arguments: ["molecule": .integer(id)]))]
  }

  private func details(_ row: String) -> [Effect] {
    guard let id = Int(row) else { return [offer] }
    return [.detail(ScreenRequest("detail", arguments: ["molecule": .integer(id)]))]
  }

  private func askDeletion(_ row: String) -> [Effect] {
    guard Int(row) != nil, let shown = list.rows.first(where: { $0.id == row }) else {
      return [
        .status(Diagnostic(.note, code: "molecules.row-stays", "this row is no molecule and cannot be deleted"))
      ]
    }
    asked = row
    let request = ChoiceRequest(
      "Delete '\(shown.title)' and its original?",
      choices: [.init(id: "keep", title: "Keep it"), .init(id: "delete", title: "Delete it")], isDestructive: true)
    return [.choose(Self.askingDeletion, request)]
  }

  private func delete(_ answer: String?) -> [Effect] {
    defer { asked = nil }
    guard answer == "delete", let asked else { return [] }
    return [.run(Self.deleting, command: "delete", arguments: ["molecule": .text(asked)])]
  }

  // MARK: New molecules

  private var offer: Effect {
    .choose(
      Self.offering,
      ChoiceRequest(
        "This version cannot download yet",
        choices: [
          .init(id: "import", title: "Import a file", detail: "PDB, mmCIF, BinaryCIF, SDF or XYZ, plain or gzipped"),
          .init(id: "nothing", title: "Back to the library"),
        ], selected: "import"))
  }

  private var askPath: Effect { .ask(Self.askingPath, PromptRequest("Path of a structure file")) }

  private func importFile(_ path: String?) -> [Effect] {
    let trimmed = path.map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) } ?? ""
    if trimmed.isEmpty { return [] }
    return [.run(Self.importing, command: "import", arguments: ["file": .list([.text(trimmed)])])]
  }
}
