import PluginAPI

/// The titles, arguments and keys of the viewer's actions.
enum ViewerActions {
  /// The rotation in degrees for one key press.
  static let turnStep = 5
  /// The shift for one key press, as a fraction of the shorter side.
  static let panStep = 0.05
  /// The zoom factor for one key press.
  static let zoomStep = 1.15

  static let all: [ScreenAction] =
    turns + shifts + other + modes + colors

  private static let other: [ScreenAction] =
    [
      ScreenAction(ViewerAction.zoom, "Zoom in", keys: ["+", "="]).with(MoleculeArgument.factor, zoomStep),
      ScreenAction(ViewerAction.zoom, "Zoom out", keys: ["-", "_"]).with(MoleculeArgument.factor, 1 / zoomStep),
      ScreenAction(
        ViewerAction.roll, "Roll left", keys: ["<", ","], arguments: [MoleculeArgument.degrees.name: .integer(turnStep)]
      ),
      ScreenAction(
        ViewerAction.roll, "Roll right", keys: [">", "."],
        arguments: [MoleculeArgument.degrees.name: .integer(-turnStep)]),
      ScreenAction(ViewerAction.reset, "Reset the view to show everything", keys: ["r", "0"])
        .findable(by: ["center", "fit", "reset", "zoom to fit"]),
      ScreenAction(ViewerAction.spin, "Start or stop spinning", keys: ["s", "space"]).findable(by: ["rotate"]),
      ScreenAction(ViewerAction.chooseMode, "Choose the drawing mode", keys: ["m", "enter"])
        .findable(by: ["style", "representation", "mode"]),
      ScreenAction(ViewerAction.color, "Next color scheme", keys: ["c"]),
      ScreenAction(ViewerAction.select, "Select atoms", keys: ["/"]),
      ScreenAction(ViewerAction.clearSelection, "Clear the selection"),
      ScreenAction(ViewerAction.keepSelection, "Save the selection under a name"),
      ScreenAction(ViewerAction.chooseSelection, "Choose a saved selection"),
      ScreenAction(ViewerAction.color, "Previous color scheme", keys: ["C"]).with(MoleculeArgument.step, -1),
      ScreenAction(ViewerAction.label, "Next kind of labels", keys: ["t"]),
      ScreenAction(ViewerAction.nextMode, "Next drawing mode", keys: ["v"]).with(MoleculeArgument.step, 1),
      ScreenAction(ViewerAction.nextMode, "Previous drawing mode", keys: ["V"]).with(MoleculeArgument.step, -1),
      ScreenAction(ViewerAction.model, "Next model", keys: ["]"]).with(MoleculeArgument.step, 1),
      ScreenAction(ViewerAction.model, "Previous model", keys: ["["]).with(MoleculeArgument.step, -1),
      ScreenAction(ViewerAction.play, "Play or stop the models", keys: ["P"]),
      ScreenAction(ViewerAction.assembly, "Next assembly or crystal copies", keys: ["a"]).with(
        MoleculeArgument.step, 1),
      ScreenAction(ViewerAction.assembly, "Previous assembly or crystal copies", keys: ["A"]).with(
        MoleculeArgument.step, -1),
      ScreenAction(ViewerAction.occlusion, "Turn ambient occlusion on or off", keys: ["o"]).findable(by: [
        "ambient occlusion", "shadows",
      ]),
      ScreenAction(ViewerAction.outline, "Turn outlines on or off", keys: ["O"]),
      ScreenAction(ViewerAction.fog, "Turn fog on or off", keys: ["f"]).findable(by: ["fog", "depth cue"]),
      ScreenAction(ViewerAction.molecule, "Next molecule", keys: ["n", "page-down"]).with(MoleculeArgument.step, 1),
      ScreenAction(ViewerAction.molecule, "Previous molecule", keys: ["p", "page-up"]).with(MoleculeArgument.step, -1),
      ScreenAction(ViewerAction.library, "Library of molecules", keys: ["i"]),
      ScreenAction(ViewerAction.details, "Show details", keys: ["d"]),
      ScreenAction(ViewerAction.undo, "Undo the last change of the view", keys: ["u"]),
      ScreenAction(ViewerAction.redo, "Redo the last undone change", keys: ["ctrl-r"]),
      ScreenAction(ViewerAction.sequence, "Show or hide the sequence", keys: ["S"]),
      ScreenAction(ViewerAction.structures, "Structures shown together", keys: ["W"])
        .findable(by: ["hide", "show", "overlay"]),
      ScreenAction(ViewerAction.add, "Add a molecule to the view"),
      ScreenAction(ViewerAction.saveSession, "Save session", keys: ["ctrl-s"]),
      ScreenAction(ViewerAction.openSession, "Open session", keys: ["ctrl-o"]),
      ScreenAction(ViewerAction.about, "About Molecules"),
    ]

  private static let modes = RenderMode.allCases.map { mode in
    ScreenAction(
      ViewerAction.mode, "Draw as \(mode.title)", keys: ["\(mode.rawValue + 1)"]
    ).with(MoleculeArgument.mode, mode).findable(by: mode.synonyms)
  }

  /// The actions of color schemes, only in the palette: there are not enough keys.
  private static let colors = ColorScheme.allCases.map { scheme in
    ScreenAction(
      ViewerAction.color, "Color by \(scheme.title)"
    ).with(MoleculeArgument.scheme, scheme)
  }

  private static let turns = [
    ("left", -1, 0, ["left", "h"]), ("right", 1, 0, ["right", "l"]), ("up", 0, -1, ["up", "k"]),
    ("down", 0, 1, ["down", "j"]),
  ].map { name, right, down, keys in
    ScreenAction(
      ViewerAction.turn, "Turn \(name)", keys: keys,
      arguments: [
        MoleculeArgument.right.name: .integer(right * turnStep), MoleculeArgument.down.name: .integer(down * turnStep),
      ])
  }

  private static let shifts = [
    ("left", -1.0, 0.0, ["shift-left", "H"]), ("right", 1, 0, ["shift-right", "L"]), ("up", 0, 1, ["shift-up", "K"]),
    ("down", 0, -1, ["shift-down", "J"]),
  ].map { name, right, up, keys in
    ScreenAction(
      ViewerAction.pan, "Shift \(name)", keys: keys
    ).with(MoleculeArgument.right, right * panStep).with(MoleculeArgument.up, up * panStep)
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
