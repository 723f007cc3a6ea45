import PluginAPI

/// Runs screens on a display until the user leaves.
@MainActor enum InterfaceRun {
  /// Shows the home screen or a plugin's first screen, and gives the exit status once the user left.
  ///
  /// The display is closed at the end.
  /// - Parameters:
  ///   - session: The session.
  ///   - plugin: The plugin's id; nil for the home screen.
  ///   - documents: What it shall show; the first one is remembered among the recent documents.
  ///   - display: Where frames go and events come from.
  ///   - setup: The user's keys, unusable plugins.
  static func run(
    session: HostSession, plugin: String?, documents: [String] = [], display: any Display,
    setup: Navigator.Setup = Navigator.Setup()
  ) async -> Int32 {
    remember(documents, of: plugin, in: session)
    let navigator = Navigator(session: session, display: display, setup: setup)
    navigator.start(plugin: plugin, documents: documents)
    let status = await navigator.untilEnd()
    display.close()
    return status
  }

  /// Puts the first document among the recent ones.
  static func remember(_ documents: [String], of plugin: String?, in session: HostSession) {
    guard let plugin, let document = documents.first else { return }
    var recent = RecentDocuments(folder: session.folders.state)
    recent.add(RecentDocuments.Entry(plugin: plugin, document: document))
  }
}
