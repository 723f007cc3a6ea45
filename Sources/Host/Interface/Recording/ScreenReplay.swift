import PluginAPI

/// Screens in memory that the lines of a script control, shown on the terminal if the user wants to see them.
@MainActor final class ScreenReplay {
  private let navigator: Navigator
  private let display: HeadlessDisplay
  private let session: HostSession
  /// The terminal that shows the screens; nil for none.
  private let terminal: ReplayTerminal?
  /// A Boolean value indicating whether the script has ended the screens; they may also end by a step.
  private(set) var isClosed = false

  /// Shows the first screen.
  ///
  /// - Throws: ``HostFileError`` if the steps are recorded again and the file cannot be written; ``TerminalError``.
  init(_ launch: ScreenLaunch, size: Size, _ interpreter: CommandInterpreter) throws {
    session = interpreter.session
    session.options = interpreter.options
    display = HeadlessDisplay(size: size, options: interpreter.options)
    terminal = try interpreter.replayPace.map { try ReplayTerminal(interpreter, pace: $0) }
    var setup = Navigator.Setup(session: session)
    setup.ignoreEarlierRuns()
    navigator = Navigator(session: session, display: display, setup: setup)
    do {
      try navigator.startRecording(launch, to: interpreter.options.recordFile)
    } catch {
      navigator.end(status: 1)
      terminal?.release()
      throw error
    }
    if let terminal {
      display.showsLinks = terminal.showsLinks
      display.onFrame = { [weak terminal] in terminal?.show($0, links: $1) }
      terminal.onEnding = { [weak self] in self?.navigator.end(status: 128 + $0) }
    }
    navigator.start(launch)
  }

  /// Waits for the work of the steps before, and performs a step.
  ///
  /// - Throws: ``ScreenStepError`` if the front screen cannot do it, `CancellationError`.
  func perform(_ step: ScreenStep) async throws {
    try await untilIdle()
    try await pauseForViewer(1)
    switch step {
    case .resize(let size): try await inTurn { [display] () throws(ErrorReport) in display.resize(to: size) }
    case .type(let text):
      for character in text ?? "" {
        // A character may begin work, for whose end the next one waits.
        if navigator.focused?.keepsEvents ?? false { try await untilIdle() }
        try await pauseForViewer(0.1)
        try await replay(.type(String(character)))
      }
    case .action, .open, .command, .answer, .choose, .key, .paste, .mouse, .cancel, .end: try await replay(step)
    }
  }

  /// Ends the screens once they are idle.
  ///
  /// - Returns: The last frame as text, with a line feed.
  func end() async throws -> [UInt8] {
    try await untilIdle()
    try await pauseForViewer(1)
    navigator.finishFrame()
    let frame = display.frame ?? TextFrame(size: display.geometry.size)
    let text = FrameText.text(
      frame, .text, path: navigator.breadcrumbs, outline: navigator.focused?.controller.view.outline,
      theme: session.options.theme)
    close()
    return Array((text + "\n").utf8)
  }

  /// Ends the screens at once.
  func close() {
    isClosed = true
    terminal?.release()
    navigator.end(status: 0)
  }

  /// Restores the terminal for other output, until the next step.
  func releaseTerminal() { terminal?.release() }

  /// Shows the screens for a while before the next step.
  ///
  /// - Parameter share: The part of the usual time.
  private func pauseForViewer(_ share: Double) async throws {
    guard let terminal else { return }
    try terminal.take()
    await terminal.pause(share)
    // Timers may have begun work meanwhile.
    try await untilIdle()
  }

  private func replay(_ step: ScreenStep) async throws {
    try await inTurn { [navigator] () throws(ErrorReport) in try navigator.replay(step) }
  }

  private func untilIdle() async throws {
    await navigator.endingWhenCancelled { await navigator.untilIdle() }
    try Task.checkCancellation()
  }

  /// Runs work in a separate turn of the loop, after which a frame is drawn.
  private func inTurn(_ work: @escaping @MainActor @Sendable () throws(ErrorReport) -> Void) async throws {
    let loop = session.loop
    let failure: ErrorReport? = await withCheckedContinuation { continuation in
      loop.post {
        do throws(ErrorReport) {
          try work()
          continuation.resume(returning: nil)
        } catch {
          continuation.resume(returning: error)
        }
      }
    }
    if let failure { throw failure }
  }
}
