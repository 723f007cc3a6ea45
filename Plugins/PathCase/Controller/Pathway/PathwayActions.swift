import PluginAPI

/// The actions of the pathway screen: its own, and those of the contents that it may show.
enum PathwayActions {
  static let all = own + graph + [ScreenAction("choose", "Tell about the selected row")] + scenarios

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

  // MARK: The graph

  private static let graph: [ScreenAction] =
    pans + [
      ScreenAction("zoom", "Zoom in: more of the labels", keys: ["+", "="], arguments: ["step": 1]),
      ScreenAction("zoom", "Zoom out: more of the graph", keys: ["-", "_"], arguments: ["step": -1]),
      ScreenAction("fit", "Fit: as close as all of it is seen", keys: ["f"]),
      ScreenAction("find", "Find nodes by name", keys: ["/"]),
      ScreenAction("next", "Next node, or next found", keys: ["n"], arguments: ["step": 1]),
      ScreenAction("next", "Node before, or found before", keys: ["N"], arguments: ["step": -1]),
    ] + selections + [
      ScreenAction("details", "Tell about the selected node; a pathway's opens it", keys: ["enter", "d"]),
      ScreenAction("common", "Common molecules: hide or show", keys: ["c"]),
      ScreenAction("overlay", "Next overlay, or none", keys: ["o"]),
      ScreenAction("no-overlay", "No overlay", keys: ["O"]),
    ] + numbers + [
      ScreenAction("save-layout", "Keep this layout as my own", keys: ["S"]),
      ScreenAction("forget-layout", "Forget my own layout", keys: ["x"]),
      ScreenAction("lay-out", "Lay out anew", keys: ["r"]),
      ScreenAction("ascii", "Draw with ASCII only, or not", keys: ["a"]),
    ] + moves + [
      ScreenAction("copy", "Copy the id of the selected node", keys: ["y"])
    ]

  private static let pans =
    [
      ("left", ["left", "h"]), ("right", ["right", "l"]), ("up", ["up", "k"]), ("down", ["down", "j"]),
    ].map { name, keys in
      ScreenAction("pan", "Move \(name)", keys: keys, arguments: ["direction": .text(name), "page": false])
    }
    + [("up", "page-up"), ("down", "page-down"), ("left", "home"), ("right", "end")].map { name, key in
      ScreenAction("pan", "Move a page \(name)", keys: [key], arguments: ["direction": .text(name), "page": true])
    }

  private static let moves = GraphState.Direction.allCases.map { direction in
    ScreenAction(
      "move", "Move the selected node \(direction.rawValue)", keys: ["ctrl-\(direction.rawValue)"],
      arguments: ["direction": .text(direction.rawValue)])
  }

  private static let selections = [
    ("left", ["shift-left", "H"]), ("right", ["shift-right", "L"]), ("up", ["shift-up", "K"]),
    ("down", ["shift-down", "J"]),
  ].map { name, keys in
    ScreenAction("select", "Select the node \(name)", keys: keys, arguments: ["direction": .text(name)])
  }

  /// Numbers shown on the graph, which these actions show whatever the content.
  static let numbers = [
    ScreenAction("overlay-file", "Numbers of a file over the graph", keys: ["F"]),
    ScreenAction("overlay-fluxes", "Best fluxes of the model over the graph", keys: ["B"]),
  ]

  // MARK: Scenarios

  /// Actions of the scenario browser; its keys have other meanings in the graph.
  static let scenarios: [ScreenAction] = [
    ScreenAction("scenario-mode", "Scenarios: necessary, strict or realizable (m)"),
    ScreenAction("scenario-panel", "Scenarios: next panel (v)"),
    ScreenAction("scenario-clear", "Scenarios: nothing observed (X)"),
    ScreenAction("scenario-sample", "Scenarios: some drawn at random (r)"),
    ScreenAction("scenario-go-to", "Scenarios: go to one by its number (g)"),
    ScreenAction("scenario-keep", "Scenarios: keep the selected one (e)"),
    ScreenAction("scenario-kept", "Scenarios: kept ones (b)"),
    ScreenAction("observations-load", "Observations: load kept ones (o)"),
    ScreenAction("observations-keep", "Observations: keep these (O)"),
  ]
}
