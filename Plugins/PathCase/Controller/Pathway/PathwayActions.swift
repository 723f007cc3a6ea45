import PluginAPI

/// The actions of the pathway screen: its own, and those of the contents that it may show.
enum PathwayActions {
  static let all = own + GraphController.actions + TableController.actions + ScenarioController.actions

  private static let own =
    [ScreenAction("pathways", "Pathways: show another one", keys: ["p"])]
    + PathwayContent.allCases.map { content in
      ScreenAction(
        "content", "Show \(content == .graph ? "the graph" : content.name)", keys: [content.key],
        arguments: ["content": .text(content.rawValue)])
    } + [ScreenAction("back", "Back to the pathway before")]

  /// Returns the key that stands for an action, for contents that know keys but not the action.
  static func key(of invocation: ActionInvocation) -> Key? {
    let action = all.first { $0.id == invocation.action && $0.arguments == invocation.arguments }
    return action?.keys.first.flatMap { Key($0) }
  }
}
