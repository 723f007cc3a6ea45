import PluginAPI

/// The arguments of screens and actions.
enum MoleculeArgument {
  // MARK: Screens

  /// The number of a molecule in the library.
  static let molecule = ScreenArgument<Int>("molecule")
  /// The shown model of a molecule, from 1.
  static let model = ScreenArgument<Int>("model")
  /// The first file or code named on the command line.
  static let document = ScreenArgument<String>("document")
  /// All files and codes named on the command line.
  static let documents = ScreenArgument<[String]>(
    "documents", read: { $0.list?.compactMap(\.text) }, write: { .list($0.map { .text($0) }) })
  /// True if the library returns the chosen molecule to the screen below.
  static let returns = ScreenArgument<Bool>("returns")
  /// True if the library appears by turning.
  static let flips = ScreenArgument<Bool>("flips")
  /// The molecule that the library selects at first.
  static let selected = ScreenArgument<Int>("selected")
  /// The search words.
  static let words = ScreenArgument<String>("words")
  /// The searched service.
  static let service = ScreenArgument<MoleculeService>("service")
  /// The code of a molecule at a service.
  static let code = ScreenArgument<String>("code")
  /// The heading of a text.
  static let title = ScreenArgument<String>("title")
  /// A text.
  static let text = ScreenArgument<String>("text")

  // MARK: Actions

  /// The id of a row of a list.
  static let id = ScreenArgument<String>("id")
  /// The number of a link of a web page.
  static let link = ScreenArgument<Int>("link")
  /// 1 for the next and -1 for the previous one.
  static let step = ScreenArgument<Int>("step")
  /// A turn in degrees, or a shift as a fraction of the shorter side.
  static let right = ScreenArgument<Double>("right")
  /// A turn in degrees.
  static let down = ScreenArgument<Double>("down")
  /// A shift as a fraction of the shorter side.
  static let up = ScreenArgument<Double>("up")
  /// A factor of the zoom.
  static let factor = ScreenArgument<Double>("factor")
  /// A roll in degrees.
  static let degrees = ScreenArgument<Double>("degrees")
  /// A drawing mode.
  static let mode = ScreenArgument<RenderMode>("mode")
  /// A color scheme.
  static let scheme = ScreenArgument<ColorScheme>("scheme")
  /// A selection of atoms, as text.
  static let selection = ScreenArgument<String>("selection")
}
