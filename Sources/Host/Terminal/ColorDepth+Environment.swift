import PluginAPI

extension ColorDepth {
  /// Chooses the number of colors for a stream.
  ///
  /// `--color never` and, without `--color always`, `NO_COLOR` mean none, and so does a `TERM` that names a terminal
  /// without colors, such as `dumb` or `vt100`, whatever the terminal could show. A name with few colors, such as
  /// `xterm-16color` or `linux`, is obeyed too. Then `COLORTERM` decides, what the terminal said,
  /// and the name in `TERM`: terminals with all colors are called `xterm-256color` by default. A number of colors in
  /// `--color` holds wherever there are any.
  /// - Parameters:
  ///   - choice: `--color`.
  ///   - environment: The process's environment.
  ///   - isTerminal: True if the stream is a terminal.
  ///   - showsTrueColor: True if the terminal is known to show all colors.
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
    case .sixteen, .palette, .trueColor:
      let usual = chosen(.auto, environment: environment, isTerminal: isTerminal, showsTrueColor: showsTrueColor)
      if usual == .none { return .none }
      return choice == .sixteen ? .sixteen : choice == .palette ? .palette : .trueColor
    }
  }

  private static func named(_ name: String, _ environment: [String: String], _ showsTrueColor: Bool) -> ColorDepth {
    if isMonochrome(name) { return .none }
    if hasFewColors(name) { return .sixteen }
    let colors = environment["COLORTERM"] ?? ""
    if showsTrueColor || colors == "truecolor" || colors == "24bit" || name.hasSuffix("-direct") { return .trueColor }
    if name.split(separator: "-").contains("256color") || name.hasPrefix("xterm-kitty") || name == "alacritty"
      || name == "foot"
    {
      return .palette
    }
    return name.isEmpty ? .none : .sixteen
  }

  /// Returns true if a name in `TERM` is that of a terminal without colors.
  private static func isMonochrome(_ name: String) -> Bool {
    if name == "dumb" || name.hasSuffix("-m") || name.hasSuffix("-mono") { return true }
    return ["vt1", "vt2", "vt3", "vt4", "vt510", "vt520"].contains(where: name.hasPrefix)
  }

  /// Returns true if a name in `TERM` indicates at most 16 colors, or 88, whose palette differs.
  private static func hasFewColors(_ name: String) -> Bool {
    let parts = name.split(separator: "-")
    return parts.first == "linux" || parts.contains { ["8color", "16color", "88color"].contains($0) }
  }
}
