import PluginAPI

/// A function of the host with a key of its own, for keys that the screen has not handled.
enum HostKey: String, CaseIterable {
  case help
  case palette
  case back
  case focus
  case quit
  case redraw
  case home

  /// The keys unless the user's key map has others under `host.` and the name.
  var standardKeys: [Key] {
    switch self {
    case .help: [Key(.character("?")), Key(.function(1))]
    case .palette: [Key(.character("p"), .control), Key(.character(":"))]
    case .back: [Key(.escape), Key(.backspace), Key(.character("q"))]
    case .focus: [Key(.tab), Key(.tab, .shift)]
    case .quit: [Key(.character("q"))]
    case .redraw: [Key(.character("l"), .control)]
    case .home: []
    }
  }

  /// The printable keys of the host, which no screen may take: help, status line and palette name them everywhere.
  static let reserved: Set<Key> = Set(allCases.flatMap(\.standardKeys).filter { $0.typedCharacter != nil })

  /// The title in help and palette.
  var title: String {
    switch self {
    case .help: "Help: keys of this screen"
    case .palette: "Find a command by name"
    case .back: "Go back"
    case .focus: "Switch to the other side of the split"
    case .quit: "Quit, on the first screen"
    case .redraw: "Redraw the screen"
    case .home: "Go to the home screen"
    }
  }

  func keys(_ overrides: [String: [Key]]) -> [Key] { overrides["host." + rawValue] ?? standardKeys }
}
