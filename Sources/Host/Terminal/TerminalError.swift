import PluginAPI

/// An error of a terminal or of drawing for it.
enum TerminalError: Error, Equatable {
  /// Standard input or output is not a terminal.
  case notATerminal(stream: String)
  /// The terminal cannot be opened or set up.
  case cannotOpen(path: String, errno: Int32)
  /// A library that draws pictures is not installed.
  case libraryMissing(name: String, package: String, reason: String)
  /// A library that draws pictures has not the functions it should have.
  case libraryUnusable(name: String, symbol: String)
  /// The picture could not be encoded.
  case notEncoded(mode: GraphicsMode)
}

extension TerminalError: ReportableError, CustomStringConvertible {
  var report: ErrorReport {
    switch self {
    case .notATerminal(let stream):
      ErrorReport(
        code: "host.no-terminal", kind: .usage, "\(stream) is not a terminal",
        advice: "run the command in a terminal, or use '--plain' or '--headless 80x24'")
    case .cannotOpen(let path, let errno):
      ErrorReport(
        code: "host.terminal-failed", kind: .failure, "cannot set up the terminal '\(path)' (errno \(errno))",
        advice: "use '--plain'")
    case .libraryMissing(let name, let package, let reason):
      ErrorReport(
        code: "host.library-missing", kind: .failure, "cannot open '\(name)': \(reason)",
        advice: "install it with 'sudo apt install \(package)', or use '--graphics half-block'")
    case .libraryUnusable(let name, let symbol):
      ErrorReport(
        code: "host.library-unusable", kind: .failure, "'\(name)' has no function '\(symbol)'",
        advice: "install version 1.8 or newer, or use '--graphics half-block'")
    case .notEncoded(let mode):
      ErrorReport(
        code: "host.no-graphics", kind: .failure, "cannot encode the picture as \(mode.rawValue)",
        advice: "use '--graphics half-block'")
    }
  }

  var description: String { report.description }
}
