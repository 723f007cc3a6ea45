internal import CHost
internal import Glibc
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
  /// - Throws: ``HostFileError`` if the screens are recorded and the file cannot be written.
  static func run(
    session: HostSession, _ launch: ScreenLaunch, display: any Display, setup: Navigator.Setup = Navigator.Setup()
  ) async throws -> Int32 {
    let navigator = Navigator(session: session, display: display, setup: setup)
    do {
      try navigator.startRecording(launch, to: launch.screen == Tour.screen ? nil : session.options.recordFile)
    } catch {
      navigator.end(status: 1)
      display.close()
      throw error
    }
    tellOfBlocks(navigator)
    // Standard error is the terminal that shows the screen.
    let printing = session.plugins.onDiagnostic
    session.plugins.onDiagnostic = { [weak navigator] in navigator?.show($0) }
    defer { session.plugins.onDiagnostic = printing }
    navigator.start(launch)
    setup.onStart?(navigator)
    // The screen reads its document meanwhile.
    remember(launch, in: session)
    let status = await navigator.endingWhenCancelled { await navigator.untilEnd() }
    display.close()
    return status
  }

  /// Shows a screen on the terminal until the user leaves, and returns the exit status.
  ///
  /// - Throws: ``TerminalError`` if there is no terminal that can show it.
  static func runOnTerminal(
    _ launch: ScreenLaunch, _ interpreter: CommandInterpreter, setup: Navigator.Setup
  ) async throws -> Int32 {
    let session = interpreter.session
    // Before the full screen, which must not show text that libraries write to standard error.
    session.plugins.divertOutput()
    let display = try TerminalDisplay(loop: session.loop, options: TerminalDisplay.Options(interpreter))
    interpreter.interruption?.handOver(to: display, loop: session.loop)
    return try await run(session: session, launch, display: display, setup: setup)
  }

  /// Adds the first document to the recent ones, unless it is a path to no file, or personal data.
  ///
  /// A file is remembered by its absolute path, whatever folder the next run starts in.
  static func remember(_ launch: ScreenLaunch, in session: HostSession) {
    guard launch.isRemembered, let plugin = launch.plugin, let document = launch.documents.first,
      RecentDocuments.areKept(in: session)
    else { return }
    let path = HostFile.absolute(document)
    let isFile = (try? HostFile.start(of: path, count: 0)) != nil
    if !isFile, document.contains("/") { return }
    let entry = RecentDocuments.Entry(plugin: plugin, document: isFile ? path : document)
    var recent = RecentDocuments(folder: session.folders.state)
    // Last, as it reads the declarations of all commands, for which the first frame would wait.
    guard recent.entries.first != entry, session.plugins.contributions(of: plugin)?.hasHarmlessDocuments == true
    else { return }
    recent.add(entry)
  }

  /// Reports the plugin that blocks the program: at once on the last line, later in the status line.
  ///
  /// Slow calls are named in the status line for a while.
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
          navigator?.repaint()
        }
      case .slow(let plugin, let seconds):
        // No new frame: a slow drawing would never end.
        MainActor.assumeIsolated {
          navigator?.showSlowCall("\(BlockedScreenNote.name(plugin)) took \(Int(seconds * 1000)) ms")
        }
      }
    }
  }
}

extension TerminalDisplay.Options {
  /// Creates the options of a display for the screens of an interpreter.
  @MainActor init(_ interpreter: CommandInterpreter) {
    let options = interpreter.session.options
    color = options.color
    graphics = options.picture.graphics
    background = options.background
    theme = options.theme
    environment = interpreter.streams.environment
    takesInterrupts = interpreter.interruption == nil
    marksLinks = interpreter.streams.marksLinks(options)
  }
}

extension ScreenLauncher {
  /// The screens of this program: on the terminal, as lines of text, or headless.
  static let standard = ScreenLauncher { launch, interpreter in
    let session = interpreter.session
    if interpreter.replay != nil { throw ScreenStepError.alreadyShown }
    session.options = interpreter.options
    var setup = Navigator.Setup(session: session)
    if launch.screen != Tour.screen, session.options.recordsScreens { setup.ignoreEarlierRuns() }
    if launch.headless != nil {
      let outcome = try await HeadlessRun.run(session: session, launch, setup: setup)
      if outcome.exitStatus != 0, let error = outcome.error { throw error }
      let frame = Array((outcome.frame + "\n").utf8)
      guard let failure = outcome.failure else { return frame }
      try interpreter.streams.output.write(frame)
      throw failure
    }
    try interpreter.streams.output.flush()
    let status: Int32
    if session.options.isPlain {
      let isTerminal = isatty(STDIN_FILENO) == 1
      status = await PlainRun.run(
        session: session, launch, setup: setup, readSecret: PlainRun.secretReader(isTerminal: isTerminal),
        prompts: isTerminal)
    } else {
      setup.offersTour = !session.options.noInput && !session.options.recordsScreens
      status = try await InterfaceRun.runOnTerminal(launch, interpreter, setup: setup)
    }
    if status != 0 { throw ReportedFailure(status: status) }
    return []
  }
}

extension Navigator.Setup {
  /// Creates the setup of a session: the user's keys, and the unusable plugins.
  @MainActor init(session: HostSession) {
    keys = HostSettings.keys(session.settings)
    sequences = HostSettings.sequences(session.settings)
    unusable = session.plugins.catalog.plugins.compactMap { plugin in
      guard let id = plugin.id, plugin.state != .ready, plugin.state != .shadowed else { return nil }
      let why = plugin.error.map { "\($0)" } ?? "enable it with 'workbench plugin enable \(id)'"
      return UnusablePlugin(id: id, reason: "\(plugin.state.rawValue): \(why)")
    }
  }
}

extension Interruption {
  /// Leaves interrupts to a display on a loop.
  fileprivate func handOver(to display: TerminalDisplay, loop: HostEventLoop) {
    handOver(
      to: Screen(isBlocked: { [watchdog = loop.watchdog] in watchdog.isBlocked }) { [weak self, weak display] isKey in
        loop.post {
          self?.screenAnswered()
          display?.interrupt(isKey: isKey)
        }
      })
  }
}

/// A note on the last line of the full screen, written past the display while the loop cannot draw.
enum BlockedScreenNote {
  /// Returns a name for the code that blocks the loop.
  static func name(_ plugin: String?) -> String { plugin.map { "plugin '\($0)'" } ?? "something" }

  /// Writes the note if there is a full screen; the display must repaint when the loop runs again.
  ///
  /// May be called on any thread; never waits.
  static func write(_ text: String) {
    let terminal = chost_crash_terminal()
    var window = winsize()
    guard terminal >= 0, ioctl(terminal, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 1, window.ws_row > 0 else {
      return
    }
    let bytes = bytes(text, columns: Int(window.ws_col), row: Int(window.ws_row))
    // Bytes that the terminal does not accept at once are dropped: the terminal itself may be blocking the loop.
    _ = bytes.withUnsafeBytes { Glibc.write(terminal, $0.baseAddress, $0.count) }
  }

  /// Returns the bytes that show the note in reverse on a row (from 1) and restore the cursor.
  ///
  /// - Source: ECMA-48, CUP, SGR and EL; DEC VT100, DECSC and DECRC.
  static func bytes(_ text: String, columns: Int, row: Int) -> [UInt8] {
    let shown = TextWidth.padded(text, to: columns - 1)
    return Array("\u{1B}7\u{1B}[\(row);1H\u{1B}[0;7m\(shown)\u{1B}[0m\u{1B}[K\u{1B}8".utf8)
  }
}
