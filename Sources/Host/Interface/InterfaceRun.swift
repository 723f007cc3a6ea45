import PluginAPI

/// Runs screens on a display until the user leaves.
@MainActor enum InterfaceRun {
  /// Shows a screen until the user leaves, closes the display, and returns the exit status.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - launch: The screen; its first document is remembered among the recent ones.
  ///   - display: The destination of frames and source of events.
  ///   - setup: The user's keys, unusable plugins.
  static func run(
    session: HostSession, _ launch: ScreenLaunch, display: any Display, setup: Navigator.Setup = Navigator.Setup()
  ) async -> Int32 {
    let navigator = Navigator(session: session, display: display, setup: setup)
    tellOfBlocks(navigator)
    // Standard error is the terminal that shows the screen.
    let printing = session.plugins.onDiagnostic
    session.plugins.onDiagnostic = { [weak navigator] in navigator?.show($0) }
    defer { session.plugins.onDiagnostic = printing }
    navigator.start(launch)
    // The screen reads its document meanwhile.
    remember(launch, in: session)
    let status = await navigator.endingWhenCancelled { await navigator.untilEnd() }
    display.close()
    return status
  }

  /// Adds the first document to the recent ones, unless it is a path to no file.
  ///
  /// A file is remembered by its absolute path, whatever folder the next run starts in.
  static func remember(_ launch: ScreenLaunch, in session: HostSession) {
    guard launch.isRemembered, let plugin = launch.plugin, let document = launch.documents.first else { return }
    let path = HostFile.absolute(document)
    let isFile = (try? HostFile.start(of: path, count: 0)) != nil
    if !isFile, document.contains("/") { return }
    var recent = RecentDocuments(folder: session.folders.state)
    recent.add(RecentDocuments.Entry(plugin: plugin, document: isFile ? path : document))
  }

  /// Reports the plugin that blocks the program: at once on the last line, later in the status line.
  private static func tellOfBlocks(_ navigator: Navigator) {
    let loop = navigator.session.loop
    loop.watchdog.setOnFinding { [weak navigator] finding in
      switch finding {
      case .blocked(let plugin):
        BlockedScreenNote.write(
          "\(BlockedScreenNote.name(plugin)) is not responding; press ctrl-c twice to end it")
      case .recovered(let plugin):
        loop.post {
          navigator?.show(
            Diagnostic(
              .warning, code: "host.loop-blocked",
              "\(BlockedScreenNote.name(plugin)) blocked the program"))
          navigator?.display.repaint()
        }
      }
    }
  }
}
