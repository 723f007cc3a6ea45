import PluginAPI

/// A request to `run` or `open` a screen.
struct ScreenLaunch: Sendable, Equatable {
  /// The forms a headless screen's last frame is printed in.
  enum FrameFormat: String, Sendable, CaseIterable {
    case text, ansi, json
  }

  /// A screen without a terminal.
  struct Headless: Sendable, Equatable {
    /// The standard size, where no terminal is attached.
    static let standardSize = Size(width: 80, height: 24)

    /// Columns and rows.
    var size = standardSize
    /// The keys to feed, separated by spaces; `type:TEXT` and `wait` too.
    var keys = ""
    /// The form of the last frame.
    var format = FrameFormat.text
  }

  /// The plugin; nil for the home screen.
  var plugin: String?
  /// The screen; nil for the plugin's first one.
  var screen: String?
  /// The documents to show; the first is its `document` argument.
  var documents: [String] = []
  /// A Boolean value indicating whether the first document joins the recent ones.
  var isRemembered = true
  /// The settings of a run without a terminal; nil for the terminal.
  var headless: Headless?

  /// Activates the plugin.
  ///
  /// - Throws: The reason why it cannot be used, or ``PluginHostError/noScreens(_:commands:)``.
  @MainActor func activatePlugin(in plugins: PluginHost) throws {
    guard let plugin else { return }
    _ = try plugins.activated(plugin)
    if screen == nil, let known = plugins.contributions(of: plugin), known.screens.isEmpty {
      throw PluginHostError.noScreens(plugin, commands: known.commandNames)
    }
  }
}

/// Shows screens for the command line.
struct ScreenLauncher: Sendable {
  /// Shows a screen until it ends.
  ///
  /// - Returns: The bytes to print on stdout afterwards, such as the last frame of a headless screen.
  let run: @MainActor @Sendable (ScreenLaunch, CommandInterpreter) async throws -> [UInt8]
}
