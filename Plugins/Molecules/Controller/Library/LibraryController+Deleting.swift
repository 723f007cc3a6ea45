import PluginAPI

/// The state of deletions on the library's screen.
struct LibraryDeletion {
  /// The molecule in the confirmation question.
  var asked: Int?
  /// The molecule that is being deleted.
  var current: SetAsideMolecule?
  /// The molecule that is being restored.
  var returning: SetAsideMolecule?
}

/// The molecules deleted in this run of the program that can be restored, the latest last.
@MainActor final class DeletedShelf {
  var molecules: [SetAsideMolecule] = []

  nonisolated init() {}
}

/// Deletes and restores molecules.
///
/// Before a molecule is deleted its original is set aside; restoring the molecule imports the original under a new
/// number.
extension LibraryController {
  static let askingDeletion: EffectID = "ask-deletion"
  static let settingAside: EffectID = "set-aside"
  static let deleting: EffectID = "delete"
  static let returning: EffectID = "bring-back"
  static let tidying: EffectID = "tidy"

  /// The effects that remove originals set aside in earlier runs.
  var tidy: [Effect] {
    guard let library = try? MoleculeLibrary(context) else { return [] }
    return [
      .compute(Self.tidying, label: "tidying up") { _ in
        library.tidyAndWait()
        return true
      }
    ]
  }

  func askDeletion(_ row: String) -> [Effect] {
    guard let id = Int(row), let shown = list.rows.first(where: { $0.id == row }) else {
      return [
        .status(Diagnostic(.note, code: "molecules.row-stays", "this row is no molecule and cannot be deleted"))
      ]
    }
    deletion.asked = id
    let request = ChoiceRequest(
      "Delete '\(shown.title)' and its original?",
      choices: [
        .init(id: "keep", title: "Keep it"),
        .init(id: "delete", title: "Delete it", detail: "u brings it back until the program ends"),
      ], selected: "keep")
    return [.choose(Self.askingDeletion, request)]
  }

  func receiveDeletion(_ message: Message) -> [Effect] {
    switch message {
    case .answered(Self.askingDeletion, let answer): return setAside(answer)
    case .finished(Self.settingAside, let kept as SetAsideMolecule):
      deletion.current = kept
      return delete(kept.id)
    case .failed(Self.settingAside, let report): return askAgain(report)
    case .finished(Self.deleting, _): return deleted() + reload()
    case .failed(Self.deleting, _), .cancelled(Self.deleting):
      deletion.current = nil
      return reload()
    case .emitted(Self.returning, let value):
      wanted = value.list?.last?["id"].integer.map(String.init)
      return []
    case .finished(Self.returning, _): return broughtBack()
    case .failed(Self.returning, _), .cancelled(Self.returning):
      if let molecule = deletion.returning { shelf.molecules.append(molecule) }
      deletion.returning = nil
      return reload()
    default: return []
    }
  }

  private func setAside(_ answer: String?) -> [Effect] {
    guard let id = deletion.asked, answer == "delete" || answer == "delete-for-good" else {
      deletion.asked = nil
      return []
    }
    if answer == "delete-for-good" { return delete(id) }
    guard let library = try? MoleculeLibrary(context) else { return [] }
    return [.compute(Self.settingAside, label: "deleting") { _ in try library.setAsideAndWait(id) }]
  }

  /// Asks again if a deletion could not be undone because the original cannot be set aside.
  private func askAgain(_ report: ErrorReport) -> [Effect] {
    let request = ChoiceRequest(
      "This deletion cannot be undone: \(report.message)",
      choices: [.init(id: "keep", title: "Keep it"), .init(id: "delete-for-good", title: "Delete it for good")],
      isDestructive: true)
    return [.choose(Self.askingDeletion, request)]
  }

  private func delete(_ id: Int) -> [Effect] {
    deletion.asked = nil
    return [.run(Self.deleting, command: "delete", arguments: ["molecule": .text("\(id)")])]
  }

  private func deleted() -> [Effect] {
    guard let molecule = deletion.current else { return [] }
    deletion.current = nil
    shelf.molecules.append(molecule)
    return [
      .status(Diagnostic(.note, code: "molecules.deleted", "'\(molecule.title)' is deleted; u brings it back"))
    ]
  }

  /// Imports the original of the most recently deleted molecule.
  func undoDeletion() -> [Effect] {
    guard deletion.returning == nil, let molecule = shelf.molecules.popLast() else {
      return [.status(Diagnostic(.note, code: "molecules.nothing-to-undo", "nothing was deleted here"))]
    }
    deletion.returning = molecule
    return [.run(Self.returning, command: "import", arguments: ["file": .list([.text(molecule.path)])])]
  }

  private func broughtBack() -> [Effect] {
    guard let molecule = deletion.returning, let library = try? MoleculeLibrary(context) else { return reload() }
    deletion.returning = nil
    return reload() + [
      .compute(Self.tidying, label: "tidying up") { _ in
        library.forgetAndWait(molecule)
        return true
      }
    ]
  }
}
