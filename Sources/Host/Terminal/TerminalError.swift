import PluginAPI

/// An error of a terminal or of drawing for it.
enum TerminalError {
  static func notATerminal(stream: String) -> ErrorReport {
    CommonHostError.noTerminal(
      "\(stream) is not a terminal", advice: "run the command in a terminal, or use '--plain' or '--headless 80x24'")
  }
  static let cannotOpen = DeclaredError("host.terminal-failed", .failure, "the terminal cannot be set up")
  static func cannotOpen(path: String, errno: Int32) -> ErrorReport {
    cannotOpen("cannot set up the terminal '\(path)' (errno \(errno))", advice: "use '--plain'")
  }
  static func libraryMissing(name: String, package: String, reason: String) -> ErrorReport {
    CommonHostError.libraryMissing(
      "cannot open '\(name)': \(reason)",
      advice: "install it with 'sudo apt install \(package)', or use '--graphics half-block'")
  }
  static let libraryUnusable = DeclaredError("host.library-unusable", .failure, "a system library is too old")
  static func libraryUnusable(name: String, symbol: String) -> ErrorReport {
    libraryUnusable(
      "'\(name)' has no function '\(symbol)'", advice: "install version 1.8 or newer, or use '--graphics half-block'")
  }
  static let notEncoded = DeclaredError(
    "host.no-graphics", .failure, "the picture cannot be shown in this graphics mode")
  static func notEncoded(mode: GraphicsMode) -> ErrorReport {
    notEncoded("cannot encode the picture as \(mode.rawValue)", advice: "use '--graphics half-block'")
  }
}
