import PluginAPI

/// Loads what a viewer shows: the molecule that keys act on, the ones shown together with it, and sessions of them.
@MainActor final class ViewerLoading {
  static let openingLibrary: EffectID = "open-library"
  private static let loading: EffectID = "load"

  /// A molecule waiting to be shown together with the active one.
  private struct Waiting {
    var target: MoleculeTarget
    /// The saved view of a session; nil for the default.
    var view: Value?
  }

  /// The state of the library, which the first start fills before anything is loaded from it.
  private enum Library {
    case closed
    case opening(for: [Purpose])
    case open

    var isOpen: Bool { if case .open = self { true } else { false } }
  }

  /// The work that waits for the library.
  private enum Purpose: Equatable {
    case molecule, others
    case session(String)
  }

  private enum Phase {
    case idle, loading, openingSession
  }

  private unowned let viewer: ViewerController
  private let context: any PluginContext
  private let announcements: ViewerAnnouncements
  private var library = Library.closed
  private var phase = Phase.idle
  private var target: MoleculeTarget
  /// The molecules still to be added, in order.
  private var waiting: [Waiting]
  /// A Boolean value indicating whether the molecule loaded by a session will be visible.
  private var willBeVisible = true
  /// The state saved in an earlier run or a session, until a molecule is shown.
  private var pendingState: ViewerState?

  init(
    _ viewer: ViewerController, _ request: ScreenRequest, _ context: any PluginContext,
    _ announcements: ViewerAnnouncements
  ) {
    self.viewer = viewer
    self.context = context
    self.announcements = announcements
    if let word = request.arguments[MoleculeArgument.document] {
      target = .word(word)
    } else if let id = request.arguments[MoleculeArgument.molecule] {
      target = .number(id)
    } else {
      target = .lastViewed
    }
    let documents = request.arguments[MoleculeArgument.documents] ?? []
    waiting = documents.dropFirst().map { Waiting(target: .word($0)) }
  }

  /// A Boolean value indicating whether the active molecule is being loaded.
  var isLoading: Bool { if case .loading = phase { true } else { false } }

  /// Restores a saved state when the molecule is shown.
  func restore(_ state: ViewerState?) {
    pendingState = state
    if let state { viewer.restoreSelection(of: state) }
  }

  /// Returns the state to restore in the next run, as no molecule was shown in this one.
  func saveState() -> [UInt8] { pendingState?.bytes ?? [] }

  // MARK: The library

  /// Continues with work once the library is open.
  private func whenOpen(_ purpose: Purpose) -> [Effect] {
    switch library {
    case .open: return resume(purpose)
    case .opening(let purposes):
      library = .opening(for: purposes.filter { $0 != purpose } + [purpose])
      return []
    case .closed:
      library = .opening(for: [purpose])
      return [.run(Self.openingLibrary, command: "list", arguments: Record())]
    }
  }

  private func resume(_ purpose: Purpose) -> [Effect] {
    switch purpose {
    case .molecule: isLoading ? load(target) : []
    case .others: addWaiting()
    case .session(let path): openSession(path)
    }
  }

  /// Continues with the work that waits for the library.
  func libraryOpened() -> [Effect] {
    let before = library
    library = .open
    return if case .opening(let purposes) = before { purposes.flatMap(resume) } else { [] }
  }

  /// Ends the work that waits for the library, which did not open.
  func libraryFailed(_ failure: Load.Failure) -> [Effect] {
    guard case .opening(let purposes) = library else { return [] }
    library = .closed
    return purposes.flatMap { purpose -> [Effect] in
      switch purpose {
      case .molecule: return loadingEnded(failure)
      case .others:
        waiting = []
        return []
      case .session: return sessionFailed(failure)
      }
    }
  }

  // MARK: The active molecule

  /// Loads the molecule that was requested first.
  func start() -> [Effect] { load(target) }

  /// Loads a molecule, in place of one that is being loaded.
  ///
  /// Unless the target is a file, the library is opened first.
  func load(_ target: MoleculeTarget) -> [Effect] {
    if let path = SessionCommands.path(target, context) { return openSession(path) }
    self.target = target
    phase = .loading
    viewer.say("Loading …")
    if !library.isOpen, !target.mayBeFile { return whenOpen(.molecule) }
    announcements.start(.loading)
    let (isOpen, published) = (library.isOpen, announcements.progress(of: .loading))
    let loading = viewer.load(Self.loading, "loading") { [context] progress in
      let progress = AnnouncedProgress(host: progress, published: published)
      return try await MoleculeLibrary(context, report: { progress.report($0) }).load(target, isOpen: isOpen)
    } then: { [self] _, loaded in
      take(loaded)
    } failed: { [self] _, failure in
      loadingEnded(failure)
    }
    return [loading]
  }

  private func take(_ loaded: LoadedTarget) -> [Effect] {
    // A session that waits for the library takes the place of the molecule.
    if case .openingSession = phase { return [] }
    announcements.end(.loading)
    switch loaded {
    case .needsLibrary: return whenOpen(.molecule)
    case .emptyLibrary:
      phase = .idle
      viewer.clear()
      viewer.say("The library is empty; press i, then import a file")
      return []
    case .molecule(let molecule):
      phase = .idle
      let earlier = pendingState.flatMap { $0.molecule == molecule.id ? $0 : nil }
      let place = MoleculePlace(of: molecule, loadedFrom: target)
      let effects = viewer.show(molecule, from: place, as: earlier, isVisible: willBeVisible)
      (willBeVisible, pendingState) = (true, nil)
      return remember(molecule) + effects + addWaiting()
    }
  }

  private func remember(_ molecule: Molecule) -> [Effect] {
    // The last viewed molecule is already recorded.
    guard target != .lastViewed, let id = molecule.id else { return [] }
    return [.run("remember", command: "open", arguments: ["molecule": .text(String(id))])]
  }

  /// Records that loading ended without a molecule; the previous one stays.
  private func loadingEnded(_ failure: Load.Failure) -> [Effect] {
    guard isLoading else { return [] }
    phase = .idle
    viewer.say(failure.text(ifCanceled: "Loading canceled"))
    announcements.end(.loading)
    return []
  }

  // MARK: Other molecules

  /// Shows another molecule together with the active one.
  func add(_ target: MoleculeTarget) -> [Effect] {
    waiting.append(Waiting(target: target))
    return waiting.count == 1 ? addWaiting() : []
  }

  /// Loads the waiting molecules, one after the other.
  private func addWaiting() -> [Effect] {
    guard viewer.hasMolecule, let target = waiting.first?.target else { return [] }
    let isOpen = library.isOpen
    let adding = viewer.load("add", "loading") { [context] progress in
      try await MoleculeLibrary(context, report: { progress.report($0) }).load(target, isOpen: isOpen)
    } then: { [self] _, loaded in
      takeOther(loaded)
    } failed: { [self] _, failure in
      addingFailed(failure)
    }
    return [adding]
  }

  private func takeOther(_ loaded: LoadedTarget) -> [Effect] {
    switch loaded {
    case .needsLibrary: return whenOpen(.others)
    case .emptyLibrary: waiting = []
    case .molecule(let molecule):
      guard !waiting.isEmpty else { return [] }
      let added = waiting.removeFirst()
      guard let place = MoleculePlace(of: molecule, loadedFrom: added.target) else { return addWaiting() }
      var structure = ShownStructure(place: place, molecule: molecule)
      if let view = added.view { structure.take(view) }
      viewer.changeStructures { $0.add(structure) }
      return (added.view == nil ? viewer.showAllAgain() : viewer.render()) + addWaiting()
    }
    return []
  }

  private func addingFailed(_ failure: Load.Failure) -> [Effect] {
    guard case .failed = failure else {
      waiting = []
      return []
    }
    if !waiting.isEmpty { waiting.removeFirst() }
    return addWaiting()
  }

  // MARK: Sessions

  /// Saves the shown molecules to a file.
  func saveSession(as name: String) -> [Effect] {
    guard let (places, view) = viewer.session else { return [] }
    let path = SessionCommands.named(name)
    let saving = viewer.load("save-session", "saving the session") { [context] _ in
      try await MoleculeLibrary(context).saveSession(places, view: view, to: path)
    } then: { _, _ -> [Effect] in
      [.status(Diagnostic(.note, code: "molecules.session-saved", "saved as '\(path)'"))]
    }
    return [saving]
  }

  /// Opens a session in place of what is being loaded; the library first, so that its molecules are available.
  func openSession(_ path: String) -> [Effect] {
    phase = .openingSession
    viewer.say("Opening the session …")
    guard library.isOpen else { return whenOpen(.session(path)) }
    let opening = viewer.load(Self.loading, "opening the session") { [context] _ in
      try await MoleculeLibrary(context).takeSession(path)
    } then: { [self] _, opened in
      take(opened)
    } failed: { [self] _, failure in
      sessionFailed(failure)
    }
    return [opening]
  }

  private func sessionFailed(_ failure: Load.Failure) -> [Effect] {
    phase = .idle
    viewer.say(failure.text(ifCanceled: "Opening the session was canceled"))
    guard case .failed = failure, !viewer.hasMolecule, target == .lastViewed else { return [] }
    // The session for this start is used up, regardless of the result.
    return SessionCommands.path(target, context) == nil ? load(target) : []
  }

  private func take(_ opened: OpenedSession) -> [Effect] {
    phase = .idle
    guard let index = opened.places.firstIndex(where: { $0 != nil }), let place = opened.places[index] else {
      return []
    }
    var shown = ViewerState(opened.session.view)
    // The view belongs to the first molecule; another one is shown as a whole.
    if index > 0 { (shown.pose, shown.model) = (nil, 0) }
    if case .library(let id) = place { shown.molecule = id } else { shown.molecule = nil }
    restore(shown)
    willBeVisible = index > 0 || opened.session.view["visible"].bool ?? true
    let views = opened.session.view["others"].list ?? []
    waiting = opened.places.indices.dropFirst(index + 1).compactMap { other in
      opened.places[other].map { Waiting(target: $0.target, view: views[safe: other - 1] ?? .null) }
    }
    return opened.diagnostics.map { .status($0) } + load(place.target)
  }
}

extension MoleculeTarget {
  /// A Boolean value indicating whether the target can be a file, for which the library need not be opened.
  fileprivate var mayBeFile: Bool {
    if case .word = self { true } else { false }
  }
}

extension MoleculePlace {
  /// Creates the location of a loaded molecule; nil if it is not in the library and its target is not a file.
  fileprivate init?(of molecule: Molecule, loadedFrom target: MoleculeTarget) {
    if let id = molecule.id {
      self = .library(id)
    } else if case .word(let word) = target {
      self = .file(word)
    } else {
      return nil
    }
  }

  /// The target to load.
  fileprivate var target: MoleculeTarget {
    switch self {
    case .library(let id): .number(id)
    case .file(let path): .word(path)
    }
  }
}
