import PluginAPI

/// Input that arrived before the rows it refers to.
enum TypedAhead {
  case key(Key)
  case action(ActionInvocation)
}

/// The browser's queue of input that waits for its rows.
extension BrowserController {
  /// The actions that apply to the selected row.
  private static let actionsOnRows: Set<String> = ["open", "details", "tree", "files", "export"]

  /// Returns true if a key must be queued; keys that lead away are queued only behind others.
  func keeps(_ key: Key) -> Bool {
    guard awaitsRows, !level.list.isFiltering else { return false }
    if key == Key(.escape) {
      typedAhead = []
      return false
    }
    if Self.leadsBack(key) { return !typedAhead.isEmpty }
    var cursor = RowCursor()
    return key == Key(.enter) || key == Key(.right) || cursor.handle(key, count: 2, height: 2)
  }

  /// Returns true if an action must be queued.
  func keeps(_ invocation: ActionInvocation) -> Bool {
    guard awaitsRows, invocation.arguments["id"] == nil else { return false }
    return !typedAhead.isEmpty || Self.actionsOnRows.contains(invocation.action)
  }

  /// Handles the queued input in order, until rows are missing again.
  func catchUp() -> [Effect] {
    var effects: [Effect] = []
    while !typedAhead.isEmpty, !awaitsRows {
      switch typedAhead.removeFirst() {
      case .key(let key): effects += handle(.key(key)) ?? []
      case .action(let invocation): effects += perform(invocation)
      }
    }
    return effects
  }
}
