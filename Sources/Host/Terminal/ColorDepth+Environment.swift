import PluginAPI

extension ColorDepth {
  /// Chooses how many colours are used on a stream.
  ///
  /// `--color never` and, without `--color always`, `NO_COLOR` and `TERM=dumb` mean none; then `COLORTERM` decides,
  /// what the terminal said, and the name in `TERM`.
  /// - Parameters:
  ///   - choice: `--color`.
  ///   - environment: The process's environment.
  ///   - isTerminal: Whether the stream is a terminal.
  ///   - showsTrueColor: Whether the terminal was found to show all colours.
  /// - Source: https://no-color.org; https://github.com/termstandard/colors.
  static func chosen(
    _ choice: GlobalOptions.ColorChoice, environment: [String: String], isTerminal: Bool, showsTrueColor: Bool = false
  ) -> ColorDepth {
    let name = environment["TERM"] ?? ""
    switch choice {
    case .never: return .none
    case .always: return max(.sixteen, named(name, environment, showsTrueColor))
    case .auto:
      let isForced = environment["CLICOLOR_FORCE"].map { !$0.isEmpty && $0 != "0" } ?? false
      if !(environment["NO_COLOR"] ?? "").isEmpty { return .none }
      if isForced { return max(.sixteen, named(name, environment, showsTrueColor)) }
      return isTerminal ? named(name, environment, showsTrueColor) : .none
    }
  }

  private static func named(_ name: String, _ environment: [String: String], _ showsTrueColor: Bool) -> ColorDepth {
    if name == "dumb" { return .none }
    let colors = environment["COLORTERM"] ?? ""
    if showsTrueColor || colors == "truecolor" || colors == "24bit" || name.hasSuffix("-direct") { return .trueColor }
    if name.split(separator: "-").contains("256color") || name.hasPrefix("xterm-kitty") || name == "alacritty"
      || name == "foot"
    {
      return .palette
    }
    if name.isEmpty || name.hasSuffix("-m") || name.hasSuffix("-mono") { return .none }
    if name.hasPrefix("vt1") || name.hasPrefix("vt2") || name.hasPrefix("vt3") { return .none }
    return .sixteen
  }
}
