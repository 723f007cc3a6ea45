import PluginAPI

extension GraphController {
  /// The actions of the graph; keys, palette and help are generated from them.
  nonisolated static let actions: [ScreenAction] =
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
    ] + numberActions + [
      ScreenAction("save-layout", "Keep this layout as my own", keys: ["S"]),
      ScreenAction("forget-layout", "Forget my own layout", keys: ["x"]),
      ScreenAction("lay-out", "Lay out anew", keys: ["r"]),
      ScreenAction("ascii", "Draw with ASCII only, or not", keys: ["a"]),
    ] + moves + [
      ScreenAction("copy", "Copy the id of the selected node", keys: ["y"])
    ]

  private nonisolated static let pans =
    [
      ("left", ["left", "h"]), ("right", ["right", "l"]), ("up", ["up", "k"]), ("down", ["down", "j"]),
    ].map { name, keys in
      ScreenAction("pan", "Move \(name)", keys: keys, arguments: ["direction": .text(name), "page": false])
    }
    + [("up", "page-up"), ("down", "page-down"), ("left", "home"), ("right", "end")].map { name, key in
      ScreenAction("pan", "Move a page \(name)", keys: [key], arguments: ["direction": .text(name), "page": true])
    }

  private nonisolated static let moves = GraphState.Direction.allCases.map { direction in
    ScreenAction(
      "move", "Move the selected node \(direction.rawValue)", keys: ["ctrl-\(direction.rawValue)"],
      arguments: ["direction": .text(direction.rawValue)])
  }

  private nonisolated static let selections = [
    ("left", ["shift-left", "H"]), ("right", ["shift-right", "L"]), ("up", ["shift-up", "K"]),
    ("down", ["shift-down", "J"]),
  ].map { name, keys in
    ScreenAction("select", "Select the node \(name)", keys: keys, arguments: ["direction": .text(name)])
  }
}
