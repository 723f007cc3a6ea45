import PluginAPI

/// The actions of the graph.
enum GraphAction: String, CaseIterable {
  case pan
  case zoom
  case fit
  case find
  case next
  case select
  case details
  case common
  case overlay
  case noOverlay = "no-overlay"
  case overlayFile = "overlay-file"
  case overlayFluxes = "overlay-fluxes"
  case saveLayout = "save-layout"
  case forgetLayout = "forget-layout"
  case layOut = "lay-out"
  case ascii
  case move
  case copy

  /// A Boolean value indicating whether the action shows the graph in place of another content.
  var showsGraph: Bool { self == .overlayFile || self == .overlayFluxes }
}

// MARK: - Titles and keys

extension GraphAction {
  /// The actions with their titles, arguments and keys.
  static let all: [ScreenAction] =
    pans + [
      ScreenAction(zoom, "Zoom in: longer labels", keys: ["+", "="]).with(PathCaseArgument.step, 1),
      ScreenAction(zoom, "Zoom out: more of the graph", keys: ["-", "_"]).with(PathCaseArgument.step, -1),
      ScreenAction(fit, "Fit the whole graph", keys: ["f"]),
      ScreenAction(find, "Find nodes by name", keys: ["/"]),
      ScreenAction(next, "Next node or match", keys: ["n"]).with(PathCaseArgument.step, 1),
      ScreenAction(next, "Previous node or match", keys: ["N"]).with(PathCaseArgument.step, -1),
    ] + selections + [
      ScreenAction(details, "Show details of the selected node, or open its pathway", keys: ["enter", "d"]),
      ScreenAction(common, "Hide or show common molecules", keys: ["c"]),
      ScreenAction(overlay, "Next overlay, or none", keys: ["o"]),
      ScreenAction(noOverlay, "No overlay", keys: ["O"]),
      ScreenAction(overlayFile, "Show numbers from a file over the graph", keys: ["F"]),
      ScreenAction(overlayFluxes, "Show the optimal fluxes over the graph", keys: ["B"]),
      ScreenAction(saveLayout, "Save this layout as your own", keys: ["S"]),
      ScreenAction(forgetLayout, "Delete your own layout", keys: ["x"]),
      ScreenAction(layOut, "Compute a new layout", keys: ["r"]),
      ScreenAction(ascii, "Switch ASCII drawing on or off", keys: ["a"]),
    ] + moves + [
      ScreenAction(copy, "Copy the id of the selected node", keys: ["y"])
    ]

  private typealias Direction = GraphState.Direction

  private static let pans: [ScreenAction] = {
    let steps: [(Direction, [String])] = [
      (.left, ["left", "h"]), (.right, ["right", "l"]), (.up, ["up", "k"]), (.down, ["down", "j"]),
    ]
    let pages: [(Direction, String)] = [(.up, "page-up"), (.down, "page-down"), (.left, "home"), (.right, "end")]
    return steps.map { direction, keys in
      panning(direction, "Move \(direction.rawValue)", keys: keys, isPage: false)
    }
      + pages.map { direction, key in
        panning(direction, "Move a page \(direction.rawValue)", keys: [key], isPage: true)
      }
  }()

  private static func panning(
    _ direction: Direction, _ title: String, keys: [String], isPage: Bool
  ) -> ScreenAction {
    ScreenAction(pan, title, keys: keys).with(PathCaseArgument.direction, direction).with(PathCaseArgument.page, isPage)
  }

  private static let selections: [ScreenAction] = {
    let steps: [(Direction, [String])] = [
      (.left, ["shift-left", "H"]), (.right, ["shift-right", "L"]), (.up, ["shift-up", "K"]),
      (.down, ["shift-down", "J"]),
    ]
    return steps.map { direction, keys in
      ScreenAction(select, "Select the node \(direction.rawValue)", keys: keys).with(
        PathCaseArgument.direction, direction)
    }
  }()

  private static let moves = Direction.allCases.map { direction in
    ScreenAction(
      move, "Move the selected node \(direction.rawValue)", keys: ["ctrl-\(direction.rawValue)"]
    ).with(PathCaseArgument.direction, direction)
  }
}
