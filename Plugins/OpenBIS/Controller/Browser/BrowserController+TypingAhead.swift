import PluginAPI

/// What was typed before the rows came that it is about.
enum TypedAhead {
  case key(Key)
  case action(ActionInvocation)
}

/// How the browser keeps keys until it knows what they mean.
extension BrowserController {
  /// Actions about the selected row.
  private static let actionsOnRows: Set<String> = ["open", "details", "tree", "files", "export"]

  /// Whether a key is kept for later; those that lead away are not, unless they follow others that are.
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

  /// Whether an action is kept for later.
  func keeps(_ invocation: ActionInvocation) -> Bool {
    guard awaitsRows, invocation.arguments["id"] == nil else { return false }
    return !typedAhead.isEmpty || Self.actionsOnRows.contains(invocation.action)
  }

  /// Does what was typed ahead, in order, as far as the rows for it are there.
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
