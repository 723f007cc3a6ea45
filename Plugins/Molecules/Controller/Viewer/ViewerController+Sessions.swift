import PluginAPI
import PluginText

/// Saves the shown molecules to a file, and restores them.
extension ViewerController {
  static let askingSave: EffectID = "save-as"
  static let askingOpen: EffectID = "open-session"
  static let savingSession: EffectID = "save-session"
  static let openingSession: EffectID = "read-session"
  static let openingLibraryForSession: EffectID = "open-library-for-session"

  /// Returns the source of a loaded molecule.
  func place(of molecule: Molecule) -> MoleculePlace? {
    if let id = molecule.id { return .library(id) }
    return if case .word(let word) = target { .file(word) } else { nil }
  }

  func askSession(toSave: Bool) -> [Effect] {
    if !toSave { return [.ask(Self.askingOpen, PromptRequest("Session to open"))] }
    guard let molecule, shownPlace != nil else {
      return [.status(Diagnostic(.note, code: "molecules.nothing-shown", "there is no molecule to save"))]
    }
    let code = molecule.structure.metadata.entryID.lowercased()
    let name = SessionCommands.named(code.isEmpty ? "molecules" : code)
    return [.ask(Self.askingSave, PromptRequest("Save the session as", text: name))]
  }

  /// Handles a message about sessions; returns nil for other messages.
  func receiveSession(_ message: Message) -> [Effect]? {
    switch message {
    case .answered(Self.askingSave, let path): return saveSession(path)
    case .answered(Self.askingOpen, let path): return Self.text(of: path).map(openSession) ?? []
    case .finished(Self.savingSession, let path as String):
      return [.status(Diagnostic(.note, code: "molecules.session-saved", "saved as '\(path)'"))]
    case .finished(Self.openingLibraryForSession, _):
      isLibraryOpen = true
      return waitingSession.map(openSession) ?? []
    case .finished(Self.openingSession, let opened as OpenedSession): return take(opened)
    case .failed(Self.openingSession, let report), .failed(Self.openingLibraryForSession, let report):
      waitingSession = nil
      if molecule == nil { self.message = report.description }
      // The session for this start is used up, regardless of the result.
      return molecule == nil && target == .lastViewed && SessionCommands.path(target, context) == nil
        ? load(target) : []
    case .cancelled(Self.openingSession), .cancelled(Self.openingLibraryForSession):
      waitingSession = nil
      if molecule == nil { self.message = "opening the session was cancelled" }
      return []
    default: return nil
    }
  }

  /// Returns the text of an answer; nil for none and for a blank one.
  private static func text(of answer: String?) -> String? {
    answer.map { $0.trimmed() }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func saveSession(_ answer: String?) -> [Effect] {
    guard let name = Self.text(of: answer), let place = shownPlace, let library = try? MoleculeLibrary(context) else {
      return []
    }
    let path = SessionCommands.named(name)
    let view = sessionView
    let places = [place] + structures.others.map(\.place)
    return [
      .compute(Self.savingSession, label: "saving the session") { _ in
        _ = try library.saveSessionAndWait(places, view: view, to: path)
        return path
      }
    ]
  }

  /// The view of the molecule, and the views of the others.
  private var sessionView: Value {
    guard case .record(var view) = state.value.content else { return state.value }
    view["others"] = .list(structures.others.map(\.view))
    view["visible"] = .bool(structures.isFirstVisible)
    return .record(view)
  }

  /// Opens a session; the library first, so that its molecules are available.
  func openSession(_ path: String) -> [Effect] {
    if molecule == nil { message = "opening the session …" }
    // The screen has started: what the first size shows is this.
    loading += 1
    guard isLibraryOpen else {
      waitingSession = path
      return [.run(Self.openingLibraryForSession, command: "list", arguments: Record())]
    }
    waitingSession = nil
    guard let library = try? MoleculeLibrary(context) else { return [] }
    return [.compute(Self.openingSession, label: "opening the session") { _ in try library.takeSessionAndWait(path) }]
  }

  private func take(_ opened: OpenedSession) -> [Effect] {
    guard let index = opened.places.firstIndex(where: { $0 != nil }), let place = opened.places[index] else {
      return []
    }
    var shown = ViewerState(opened.session.view)
    // The view belongs to the first molecule; another one is shown as a whole.
    if index > 0 { (shown.pose, shown.model) = (nil, 0) }
    selection.restore(text: shown.selection, sets: shown.sets)
    let told = opened.diagnostics.map { Effect.status($0) }
    waitingVisibility = index > 0 || opened.session.view["visible"].bool ?? true
    let views = opened.session.view["others"].list ?? []
    waitingStructures = opened.places.indices.dropFirst(index + 1).compactMap { other in
      opened.places[other].map { WaitingStructure(target: $0.target, view: views[safe: other - 1] ?? .null) }
    }
    switch place {
    case .library(let id):
      shown.molecule = id
      kept = shown
      return told + load(.number(id))
    case .file(let path):
      shown.molecule = nil
      kept = shown
      return told + load(.word(path))
    }
  }
}

extension MoleculePlace {
  /// The target to load.
  fileprivate var target: MoleculeTarget {
    switch self {
    case .library(let id): .number(id)
    case .file(let path): .word(path)
    }
  }
}
