import PluginAPI

/// A content whose long-running work is canceled while another pathway is shown, and restarted on return.
@MainActor protocol ResumableContent: Controller {
  /// The names of the effects to cancel; others, such as storing data, continue.
  static var endedWhenLeft: Set<String> { get }

  /// Restarts the canceled work.
  ///
  /// - Parameter ended: The names of the effects that were running.
  func resume(_ ended: Set<String>) -> [Effect]
}

extension GraphController: ResumableContent {
  static var endedWhenLeft: Set<String> { [layingOut, drawing] }

  func resume(_ ended: Set<String>) -> [Effect] { ended.contains(Self.layingOut) ? layOut() : draw() }
}

extension ScenarioController: ResumableContent {
  static var endedWhenLeft: Set<String> { [counting, paging, sharing] }

  func resume(_ ended: Set<String>) -> [Effect] {
    if ended.contains(Self.counting) { return count() }
    return (ended.contains(Self.sharing) ? share() : [])
      + (ended.contains(Self.paging) ? state.findings.map { page(from: $0.first) } ?? [] : [])
  }
}
