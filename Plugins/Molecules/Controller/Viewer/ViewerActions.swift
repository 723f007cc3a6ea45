import PluginAPI

/// The actions of the viewer, their words and keys.
enum ViewerActions {
  /// The rotation in degrees for one key press.
  static let turnStep = 5
  /// The shift for one key press, as a fraction of the shorter side.
  static let panStep = 0.05
  /// The zoom factor for one key press.
  static let zoomStep = 1.15

  static let all: [ScreenAction] =
    turns + shifts + [
      ScreenAction("zoom", "Zoom in", keys: ["+", "="], arguments: ["factor": .number(zoomStep)]),
      ScreenAction("zoom", "Zoom out", keys: ["-", "_"], arguments: ["factor": .number(1 / zoomStep)]),
      ScreenAction("roll", "Roll left", keys: ["<", ","], arguments: ["degrees": .integer(turnStep)]),
      ScreenAction("roll", "Roll right", keys: [">", "."], arguments: ["degrees": .integer(-turnStep)]),
      ScreenAction("reset", "Reset the view to show everything", keys: ["r", "0"])
        .findable(by: ["center", "fit", "reset", "zoom to fit"]),
      ScreenAction("spin", "Start or stop spinning", keys: ["s", "space"]).findable(by: ["rotate"]),
      ScreenAction("choose-mode", "Choose the drawing mode", keys: ["m", "enter"])
        .findable(by: ["style", "representation", "mode"]),
      ScreenAction("color", "Next color scheme", keys: ["c"]),
      ScreenAction("select", "Select atoms", keys: ["/"]),
      ScreenAction("clear-selection", "Clear the selection"),
      ScreenAction("keep-selection", "Save the selection under a name"),
      ScreenAction("choose-selection", "Choose a saved selection"),
      ScreenAction("color", "Previous color scheme", keys: ["C"], arguments: ["step": -1]),
      ScreenAction("label", "Next kind of labels", keys: ["t"]),
      ScreenAction("next-mode", "Next drawing mode", keys: ["v"], arguments: ["step": 1]),
      ScreenAction("next-mode", "Previous drawing mode", keys: ["V"], arguments: ["step": -1]),
      ScreenAction("model", "Next model", keys: ["]"], arguments: ["step": 1]),
      ScreenAction("model", "Previous model", keys: ["["], arguments: ["step": -1]),
      ScreenAction("play", "Play or stop the models", keys: ["P"]),
      ScreenAction("assembly", "Next assembly or crystal copies", keys: ["a"], arguments: ["step": 1]),
      ScreenAction("assembly", "Previous assembly or crystal copies", keys: ["A"], arguments: ["step": -1]),
      ScreenAction("occlusion", "Turn ambient occlusion on or off", keys: ["o"]).findable(by: [
        "ambient occlusion", "shadows",
      ]),
      ScreenAction("outline", "Turn outlines on or off", keys: ["O"]),
      ScreenAction("fog", "Turn fog on or off", keys: ["f"]).findable(by: ["fog", "depth cue"]),
      ScreenAction("molecule", "Next molecule", keys: ["n", "page-down"], arguments: ["step": 1]),
      ScreenAction("molecule", "Previous molecule", keys: ["p", "page-up"], arguments: ["step": -1]),
      ScreenAction("library", "Library of molecules", keys: ["i"]),
      ScreenAction("details", "Show details", keys: ["d"]),
      ScreenAction("undo", "Undo the last change of the view", keys: ["u"]),
      ScreenAction("redo", "Redo the last undone change", keys: ["ctrl-r"]),
      ScreenAction("sequence", "Show or hide the sequence", keys: ["S"]),
      ScreenAction("structures", "Structures shown together", keys: ["W"])
        .findable(by: ["hide", "show", "overlay"]),
      ScreenAction("add", "Add a molecule to the view"),
      ScreenAction("save-session", "Save session", keys: ["ctrl-s"]),
      ScreenAction("open-session", "Open session", keys: ["ctrl-o"]),
      ScreenAction("about", "About Molecules"),
    ] + modes + colors

  private static let modes = RenderMode.allCases.map { mode in
    ScreenAction(
      "mode", "Draw as \(mode.title)", keys: ["\(mode.rawValue + 1)"], arguments: ["mode": .text(mode.name)]
    ).findable(by: mode.synonyms)
  }

  /// The actions of color schemes, only in the palette: there are not enough keys.
  private static let colors = ColorScheme.allCases.map { scheme in
    ScreenAction(
      "color", "Color by \(scheme.title)", keys: [], arguments: ["scheme": .text(scheme.rawValue)])
  }

  private static let turns = [
    ("left", -1, 0, ["left", "h"]), ("right", 1, 0, ["right", "l"]), ("up", 0, -1, ["up", "k"]),
    ("down", 0, 1, ["down", "j"]),
  ].map { name, right, down, keys in
    ScreenAction(
      "turn", "Turn \(name)", keys: keys,
      arguments: ["right": .integer(right * turnStep), "down": .integer(down * turnStep)])
  }

  private static let shifts = [
    ("left", -1.0, 0.0, ["shift-left", "H"]), ("right", 1, 0, ["shift-right", "L"]), ("up", 0, 1, ["shift-up", "K"]),
    ("down", 0, -1, ["shift-down", "J"]),
  ].map { name, right, up, keys in
    ScreenAction(
      "pan", "Shift \(name)", keys: keys,
      arguments: ["right": .number(right * panStep), "up": .number(up * panStep)])
  }
}

extension RenderMode {
  /// The display name.
  var title: String {
    switch self {
    case .ballAndStick: "Ball and stick"
    case .spacefilling: "Spacefilling"
    case .cylinders: "Cylinders"
    case .sticks: "Sticks"
    case .backbone: "Backbone"
    case .cartoon: "Cartoon"
    case .surface: "Surface"
    }
  }

  /// Other names in the field.
  fileprivate var synonyms: [String] {
    switch self {
    case .ballAndStick: []
    case .spacefilling: ["cpk", "spheres", "vdw", "van der waals"]
    case .cylinders: ["licorice"]
    case .sticks: ["lines", "wireframe"]
    case .backbone: ["trace", "tube"]
    case .cartoon: ["ribbon"]
    case .surface: ["molecular surface", "solvent excluded", "connolly"]
    }
  }
}
