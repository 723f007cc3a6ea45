/// The colors of a picture.
struct PictureTheme: Sendable, Hashable {
  var background: PictureColour
  var text: PictureColour
  /// The color of process names.
  var quietText: PictureColour
  /// The color of lines along the main chain.
  var flow: PictureColour
  /// The color of lines of side molecules.
  var sideFlow: PictureColour
  var pool: PictureColour
  var poolBorder: PictureColour
  var side: PictureColour
  var sideBorder: PictureColour
  var process: PictureColour
  var processBorder: PictureColour
  var macromolecule: PictureColour
  var macromoleculeBorder: PictureColour
  var pathway: PictureColour
  var pathwayBorder: PictureColour
  var activation: PictureColour
  var inhibition: PictureColour
  var catalysis: PictureColour
  /// The color of compartment walls.
  var wall: PictureColour
  /// The alternating fill colors of compartments, translucent so that they can be nested.
  var rooms: [PictureColour]
  /// The colors of numbers below and above 0 in an overlay.
  var below: PictureColour
  var above: PictureColour
  /// The color of inactive elements in an overlay.
  var idle: PictureColour
  /// A Boolean value indicating whether colors of files, which are made for white paper, are used.
  var keepsFileColours = false

  /// The names of themes that users give.
  enum Name: String, Sendable, CaseIterable {
    case light, print, dark

    var theme: PictureTheme {
      switch self {
      case .light: PictureTheme.light
      case .print: PictureTheme.print
      case .dark: PictureTheme.dark
      }
    }
  }

  /// The theme for screens and slides.
  static let light = PictureTheme(
    background: .init(255, 255, 255), text: .init(28, 34, 46), quietText: .init(70, 82, 105),
    flow: .init(62, 78, 104), sideFlow: .init(140, 151, 168),
    pool: .init(253, 238, 214), poolBorder: .init(203, 139, 58),
    side: .init(244, 245, 248), sideBorder: .init(178, 186, 199),
    process: .init(255, 255, 255), processBorder: .init(62, 78, 104),
    macromolecule: .init(222, 239, 226), macromoleculeBorder: .init(84, 145, 99),
    pathway: .init(228, 228, 246), pathwayBorder: .init(118, 116, 178),
    activation: .init(44, 132, 72), inhibition: .init(190, 48, 48), catalysis: .init(52, 104, 176),
    wall: .init(150, 162, 182),
    rooms: [
      .init(236, 243, 250, cover: 0.75), .init(250, 244, 232, cover: 0.85), .init(238, 247, 238, cover: 0.8),
      .init(249, 238, 244, cover: 0.8), .init(241, 239, 250, cover: 0.8),
    ],
    below: .init(46, 110, 182), above: .init(200, 62, 42), idle: .init(203, 208, 216), keepsFileColours: true)

  /// The theme for paper: black lines on white.
  static let print = PictureTheme(
    background: .init(255, 255, 255), text: .init(0, 0, 0), quietText: .init(40, 40, 40),
    flow: .init(0, 0, 0), sideFlow: .init(110, 110, 110),
    pool: .init(255, 255, 255), poolBorder: .init(0, 0, 0), side: .init(255, 255, 255),
    sideBorder: .init(150, 150, 150), process: .init(255, 255, 255), processBorder: .init(0, 0, 0),
    macromolecule: .init(238, 238, 238), macromoleculeBorder: .init(0, 0, 0),
    pathway: .init(245, 245, 245), pathwayBorder: .init(90, 90, 90),
    activation: .init(0, 0, 0), inhibition: .init(0, 0, 0), catalysis: .init(0, 0, 0), wall: .init(120, 120, 120),
    rooms: [.init(0, 0, 0, cover: 0.025)], below: .init(90, 90, 90), above: .init(0, 0, 0),
    idle: .init(200, 200, 200))

  /// The theme for slides with a dark background.
  static let dark = PictureTheme(
    background: .init(22, 26, 34), text: .init(236, 239, 245), quietText: .init(176, 188, 208),
    flow: .init(158, 176, 206), sideFlow: .init(104, 118, 142),
    pool: .init(70, 52, 28), poolBorder: .init(222, 164, 88), side: .init(38, 44, 56),
    sideBorder: .init(92, 104, 126), process: .init(22, 26, 34), processBorder: .init(158, 176, 206),
    macromolecule: .init(32, 60, 42), macromoleculeBorder: .init(112, 178, 128),
    pathway: .init(48, 46, 80), pathwayBorder: .init(150, 148, 214),
    activation: .init(96, 196, 124), inhibition: .init(238, 108, 104), catalysis: .init(112, 164, 236),
    wall: .init(98, 114, 142),
    rooms: [
      .init(110, 150, 210, cover: 0.09), .init(220, 180, 100, cover: 0.08), .init(120, 200, 140, cover: 0.08),
      .init(220, 130, 170, cover: 0.08),
    ],
    below: .init(104, 166, 240), above: .init(244, 118, 96), idle: .init(70, 78, 92))
}
