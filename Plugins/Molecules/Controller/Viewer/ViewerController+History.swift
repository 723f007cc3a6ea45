import PluginAPI

/// Undoes and redoes changes of the view.
extension ViewerController {
  /// The kinds of changes whose quick repetitions are one step.
  private static let runs: Set = ["turn", "pan", "zoom", "roll"]

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "undo": return step(history.undo(from: state), "nothing to take back")
    case "redo": return step(history.redo(from: state), "nothing to do again")
    default:
      let kind = Self.runs.contains(invocation.action) ? invocation.action : nil
      return recorded(kind: kind) { act(invocation) } ?? []
    }
  }

  /// Handles the mouse; a drag is one change.
  func recorded(_ mouse: Mouse) -> [Effect]? {
    if case .press = mouse.action { history.endRun() }
    let kind = if case .scroll = mouse.action { "zoom" } else { "drag" }
    return recorded(kind: kind) { handle(mouse) }
  }

  /// Records the view before a possible change.
  func recorded(kind: String? = nil, _ change: () -> [Effect]?) -> [Effect]? {
    let (before, loaded) = (state, shownLoading)
    let effects = change()
    if molecule != nil, shownLoading == loaded, state != before {
      history.note(before, kind: kind, at: context.now())
    }
    return effects
  }

  private func step(_ state: ViewerState?, _ otherwise: String) -> [Effect] {
    guard let state else {
      return [.status(Diagnostic(.note, code: "molecules.nothing-to-undo", otherwise))]
    }
    return take(state)
  }

  /// Restores a view of the shown molecule.
  func take(_ state: ViewerState) -> [Effect] {
    guard let molecule else { return [] }
    model = min(state.model, max(0, molecule.counts.models - 1))
    chosenMode = state.mode
    mode = state.mode ?? firstMode(of: molecule)
    scheme = state.scheme
    effects = state.effects
    takeCopiesAndPose(of: state, molecule.structure)
    picked = nil
    if selection.text != state.selection { selection.restore(text: state.selection, sets: state.sets) }
    if labelKind != state.labels || !labels.isEmpty {
      labelKind = state.labels
      relabel()
    }
    movingQuality = .moving
    return render(isMoving: false) + updateStrip()
  }

  /// Restores the copies and the viewpoint of a view.
  private func takeCopiesAndPose(of state: ViewerState, _ structure: Structure) {
    copies = state.copies.flatMap { SceneCopies($0, of: structure) } ?? .deposited
    if let pose = state.pose, pose.frame != nil, camera != nil {
      camera?.take(pose)
    } else {
      // The view was never drawn: its frame is computed now.
      (pose, camera) = (state.pose, nil)
    }
  }
}
