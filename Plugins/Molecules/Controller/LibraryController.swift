import PluginAPI
import PluginText

/// The screen that lists the molecules.
///
/// The first row leads to new molecules; it is not a molecule and cannot be deleted. Before a molecule is deleted its
/// original is set aside; restoring the molecule imports the original under a new number.
@MainActor final class LibraryController: Controller {
  private static let listing: EffectID = "list"
  private static let importing: EffectID = "import"
  private static let matching: EffectID = "match"
  private static let deleting: EffectID = "delete"
  private static let restoring: EffectID = "bring-back"

  /// The actions of the screen.
  enum Action: String, CaseIterable {
    case show
    case details
    case add
    case delete
    case undo
    case `import`
    case download
    case about
  }

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction(Action.show, "Show in the viewer"),
    ScreenAction(Action.details, "Show details", keys: ["d"]),
    ScreenAction(Action.add, "Add to the molecules in the viewer", keys: ["w"]),
    ScreenAction(Action.delete, "Delete the molecule and its original file", keys: ["x", "delete"]),
    ScreenAction(Action.undo, "Restore the last deleted molecule", keys: ["u"]),
    ScreenAction(Action.import, "Import a file", keys: ["I"]),
    ScreenAction(Action.download, "Download new molecule"),
    ScreenAction(Action.about, "About Molecules"),
  ]

  /// The state of reading the list.
  private enum Listing {
    case notStarted
    /// Running; `again` if something changed since it started.
    case running(isFirst: Bool, again: Bool)
    case ended
  }

  private let context: any PluginContext
  private let shelf: DeletedShelf
  /// A Boolean value indicating whether the screen below receives the chosen molecule; else a viewer opens on top of
  /// this one.
  private let returns: Bool
  private let flips: Bool
  private var size = Size(width: 0, height: 0)
  private var list: ListState
  private var listing = Listing.notStarted
  private var moleculeCount = 0
  /// The text of the filter whose matches were last requested.
  private var matchedText = ""
  /// The row to select when the list arrives.
  private var wanted: String?
  /// The molecule that is being deleted, if it can be restored.
  private var deleted: SetAsideMolecule?
  /// The molecule that is being restored.
  private var restored: SetAsideMolecule?
  private var flip = Flip()

  init(_ request: ScreenRequest, _ context: any PluginContext, _ shelf: DeletedShelf) {
    self.context = context
    self.shelf = shelf
    returns = request.arguments[MoleculeArgument.returns] ?? false
    flips = request.arguments[MoleculeArgument.flips] ?? false
    wanted = request.arguments[MoleculeArgument.selected].map(String.init)
    list = ListState(rows: [Self.download])
  }

  var title: String { "Library" }

  var status: [StyledText.Run] { [.init("\(moleculeCount) \(moleculeCount == 1 ? "molecule" : "molecules")")] }

  var wantsText: Bool { list.isFiltering }

  var isLoading: Bool {
    switch listing {
    case .notStarted: true
    case .running(let isFirst, _): isFirst
    case .ended: false
    }
  }

  var view: any View { flip.turned(ListView("Library", list, action: Action.show.rawValue)) }

  func start() -> [Effect] {
    let tidying = tidy {
      $0.store.listen()
      try await $0.tidy()
    }
    return reload() + [tidying] + (flips ? flip.begin(context) : [])
  }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      return []
    }
    switch list.handle(event, in: Rect(size)) {
    case .changed:
      // A user who moves before the list arrives does not want the selection changed.
      wanted = nil
      return findMatches()
    case .chosen(let id): return show(id)
    case .disclosed(let id): return details(id)
    case nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    let row = invocation.arguments[MoleculeArgument.id] ?? list.selectedID
    guard let action = Action(rawValue: invocation.action) else { return [] }
    switch action {
    case .show: return row.map(show) ?? []
    case .details: return row.map(details) ?? []
    case .add: return row.map(add) ?? []
    case .delete: return row.map(askDeletion) ?? []
    case .undo: return undoDeletion()
    case .import: return [askPath]
    case .download: return [search]
    case .about: return [MoleculesAbout.screen]
    }
  }

  func receive(_ message: Message) -> [Effect] {
    if let effects = flip.receive(message, at: context.now()) { return effects }
    switch message {
    case .emitted(Self.listing, let value):
      take(value.table)
      return []
    case .emitted(Self.importing, let value), .emitted(Self.restoring, let value):
      wanted = value.list?.last?["id"].integer.map(String.init)
      return []
    case .finished(Self.listing), .failed(Self.listing, _), .cancelled(Self.listing): return listed()
    case .finished(Self.importing), .failed(Self.importing, _): return reload()
    case .notification: return reload()
    case .finished(Self.deleting): return deletionEnded() + reload()
    case .failed(Self.deleting, _), .cancelled(Self.deleting):
      deleted = nil
      return reload()
    case .finished(Self.restoring): return restorationEnded()
    case .failed(Self.restoring, _), .cancelled(Self.restoring):
      if let restored { shelf.molecules.append(restored) }
      restored = nil
      return reload()
    case .returned("search", let value): return value.integer.map { show("\($0)") } ?? []
    default: return []
    }
  }

  /// Reloads the list, after a running listing.
  ///
  /// The first listing fills the library and reports each change: canceling it at each report would never let it end.
  private func reload() -> [Effect] {
    switch listing {
    case .running(let isFirst, _):
      listing = .running(isFirst: isFirst, again: true)
      return []
    case .notStarted: listing = .running(isFirst: true, again: false)
    case .ended: listing = .running(isFirst: false, again: false)
    }
    return [.run(Self.listing, command: "list", arguments: Record())]
  }

  private func listed() -> [Effect] {
    let before = listing
    listing = .ended
    return if case .running(_, again: true) = before { reload() } else { [] }
  }

  // MARK: Rows

  private static let download = ListRow(
    id: "download", title: "Download new molecule", detail: "by words or code; I to import a file")

  private func take(_ table: Table?) {
    guard let table else { return }
    moleculeCount = table.rowCount
    let counts = CountColumns(of: table)
    list.rows =
      [Self.download] + (0..<table.rowCount).map { Self.row(Value.record(table.row($0)), counts) }
    if let wanted { list.select(wanted) }
    wanted = nil
  }

  private static func row(_ molecule: Value, _ counts: CountColumns) -> ListRow {
    let summary = ModelRecord<MoleculeSummary>(molecule)
    return ListRow(
      id: "\(summary[\.id])", title: MoleculeLine.name(code: summary[\.code], title: summary[\.displayTitle]),
      badge: counts.badge(of: molecule), hasDisclosure: true)
  }

  // MARK: Words of the filter

  /// Searches the library's index for the filter text: compounds, authors and keywords are not shown in rows.
  private func findMatches() -> [Effect] {
    let text = list.filter.text
    guard text != matchedText else { return [] }
    matchedText = text
    // Matches of a different text are stale.
    list.alsoPassing = []
    if text.allSatisfy({ $0 == " " }) { return [.cancel(Self.matching)] }
    let search = load(Self.matching, "searching") { [context] _ in
      try await MoleculeLibrary(context).store.matches(text) ?? []
    } then: {
      $0.list.alsoPassing = $1.map(String.init)
    }
    return [search]
  }

  // MARK: What rows do

  private func show(_ row: String) -> [Effect] {
    guard let id = Int(row) else { return [search] }
    if returns { return [.pop(.integer(id))] }
    return [.push(ScreenRequest("viewer").with(MoleculeArgument.molecule, id))]
  }

  /// Shows a molecule together with the one in the viewer, or alone if there is no viewer.
  private func add(_ row: String) -> [Effect] {
    guard let id = Int(row) else { return [search] }
    return returns ? [.pop(["add": .integer(id)])] : show(row)
  }

  private func details(_ row: String) -> [Effect] {
    guard let id = Int(row) else { return [search] }
    return [.detail(ScreenRequest("detail").with(MoleculeArgument.molecule, id))]
  }

  // MARK: New molecules

  private var search: Effect { .push(ScreenRequest("search")) }

  private var askPath: Effect { ask(PromptRequest("Path of a structure file")) { $0.importFile($1) } }

  private func importFile(_ path: String) -> [Effect] {
    let trimmed = path.trimmed()
    if trimmed.isEmpty { return [] }
    return [.run(Self.importing, command: "import", arguments: ["file": .list([.text(trimmed)])])]
  }

  // MARK: Deleting and restoring

  private func askDeletion(_ row: String) -> [Effect] {
    guard let id = Int(row), let shown = list.rows.first(where: { $0.id == row }) else {
      return [
        .status(Diagnostic(.note, code: "molecules.row-stays", "this row is not a molecule and cannot be deleted"))
      ]
    }
    let request = ChoiceRequest(
      "Delete molecule '\(shown.title)' and its original file?",
      choices: [
        .init(id: "keep", title: "Keep it"),
        .init(id: "delete", title: "Delete it", detail: "press u to restore it while the program runs"),
      ], selected: "keep")
    return [choose(request) { $1 == "delete" ? $0.setAside(id) : [] }]
  }

  private func setAside(_ id: Int) -> [Effect] {
    let settingAside = load("set-aside", "deleting") { [context] _ in
      try await MoleculeLibrary(context).setAside(id)
    } then: { controller, molecule -> [Effect] in
      controller.deleted = molecule
      return [controller.delete(id)]
    } failed: {
      if case .failed(let report) = $1 { $0.askAgain(id, report) } else { [] }
    }
    return [settingAside]
  }

  /// Asks again if a deletion could not be undone because the original cannot be set aside.
  private func askAgain(_ id: Int, _ report: ErrorReport) -> [Effect] {
    let request = ChoiceRequest(
      "Delete the molecule permanently? It cannot be restored: \(report.message)",
      choices: [.init(id: "keep", title: "Keep it"), .init(id: "delete-for-good", title: "Delete it permanently")],
      isDestructive: true)
    return [choose(request) { $1 == "delete-for-good" ? [$0.delete(id)] : [] }]
  }

  private func delete(_ id: Int) -> Effect {
    .run(Self.deleting, command: "delete", arguments: ["molecule": .text("\(id)")])
  }

  private func deletionEnded() -> [Effect] {
    guard let molecule = deleted else { return [] }
    deleted = nil
    shelf.molecules.append(molecule)
    return [
      .status(Diagnostic(.note, code: "molecules.deleted", "deleted '\(molecule.title)'; press u to restore it"))
    ]
  }

  /// Imports the original of the most recently deleted molecule.
  private func undoDeletion() -> [Effect] {
    guard restored == nil, let molecule = shelf.molecules.popLast() else {
      return [.status(Diagnostic(.note, code: "molecules.nothing-to-undo", "nothing to restore"))]
    }
    restored = molecule
    return [.run(Self.restoring, command: "import", arguments: ["file": .list([.text(molecule.path)])])]
  }

  private func restorationEnded() -> [Effect] {
    guard let molecule = restored else { return reload() }
    restored = nil
    return reload() + [tidy { try await $0.forget(molecule) }]
  }

  /// Removes originals that were set aside and are no longer needed.
  private func tidy(_ work: @escaping @Sendable (MoleculeLibrary) async throws -> Void) -> Effect {
    load("tidy", "cleaning up") { [context] _ in
      try await work(MoleculeLibrary(context))
    } then: { _, _ in
    }
  }
}

/// The molecules deleted in this run of the program that can be restored, the latest last.
@MainActor final class DeletedShelf {
  fileprivate var molecules: [SetAsideMolecule] = []

  nonisolated init() {}
}

/// The counts on the right of the library's rows, each in its own column.
private struct CountColumns {
  /// The digits of the largest counts of all rows.
  private let atoms, bonds, models: Int

  init(of molecules: Table) {
    func largest(_ column: String) -> Int {
      guard let values = molecules[column]?.values else { return 0 }
      return (0..<molecules.rowCount).reduce(0) { max($0, values[$1].integer ?? 0) }
    }
    atoms = "\(largest("atoms"))".count
    bonds = "\(largest("bonds"))".count
    models = largest("models") > 1 ? "\(largest("models"))".count : 0
  }

  /// Returns the counts of a row; the number of models only if there are several.
  func badge(of molecule: Value) -> String {
    let count = molecule["models"].integer ?? 1
    var badge = padded(molecule["atoms"].integer ?? 0, atoms) + " atoms  "
    badge += padded(molecule["bonds"].integer ?? 0, bonds) + " bonds"
    if models == 0 { return badge }
    let column = "  " + padded(count, models) + " models"
    return badge + (count > 1 ? column : String(repeating: " ", count: column.count))
  }

  private func padded(_ count: Int, _ width: Int) -> String {
    let digits = "\(count)"
    return String(repeating: " ", count: width - digits.count) + digits
  }
}
