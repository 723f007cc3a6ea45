import PluginAPI

/// What the library's screen is deleting, and what it deleted.
struct LibraryDeletion {
  /// The molecule a question is about.
  var asked: Int?
  /// What is deleted at the moment.
  var current: SetAsideMolecule?
  /// What is being brought back.
  var returning: SetAsideMolecule?
}

/// What was deleted in this run of the program and can be brought back, the last one last.
@MainActor final class DeletedShelf {
  var molecules: [SetAsideMolecule] = []

  nonisolated init() {}
}

/// Deleting molecules, and bringing them back.
///
/// Before a molecule is deleted its original is set aside; bringing it back imports that, under a new number.
extension LibraryController {
  static let askingDeletion: EffectID = "ask-deletion"
  static let settingAside: EffectID = "set-aside"
  static let deleting: EffectID = "delete"
  static let returning: EffectID = "bring-back"
  static let tidying: EffectID = "tidy"

  /// Removes what earlier runs of the program had set aside.
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

  /// Asks again where deleting could not be undone, since the original cannot be set aside.
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

  /// Imports the original of the molecule that was deleted last.
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
