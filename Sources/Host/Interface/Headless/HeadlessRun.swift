import PluginAPI

/// Runs screens without a terminal: feeds keys and returns the last frame.
@MainActor enum HeadlessRun {
  /// The outcome of a headless run, with its last frame.
  struct Outcome: Sendable {
    var frame: String
    var exitStatus: Int32
    /// The error the front screen is about, if it is a page about one.
    var error: ErrorReport?
    /// The failure of the screens' work in a run without keys, which means that the document could not be shown.
    var failure: ErrorReport?
  }

  /// Shows a screen, feeds it the keys and returns the last frame; without keys it waits once.
  ///
  /// - Throws: ``HeadlessError`` before anything is shown.
  static func run(
    session: HostSession, _ launch: ScreenLaunch, setup: Navigator.Setup = Navigator.Setup()
  ) async throws -> Outcome {
    let headless = launch.headless ?? ScreenLaunch.Headless()
    let keys = try HeadlessStep.steps(headless.keys)
    let options = session.options
    let display = HeadlessDisplay(
      size: headless.size, graphics: options.picture.graphics ?? .halfBlock,
      background: TerminalBackground.chosen(options.background, reported: nil, environment: [:]))
    var setup = setup
    // The same keys give the same frame, independent of earlier runs.
    setup.keepsStates = false
    let navigator = Navigator(session: session, display: display, setup: setup)
    navigator.start(launch)
    await navigator.endingWhenCancelled {
      for step in keys.isEmpty ? [.wait] : keys where navigator.exitStatus == nil {
        await feed(step, to: navigator, display, session.loop)
      }
      // Keys that wait for a screen are fed too before the last frame.
      if navigator.hasWaitingEvents { await navigator.untilIdle() }
    }
    navigator.finishFrame()
    let outline = navigator.focused?.controller.view.outline
    let error = (navigator.stack.last?.controller as? ErrorController)?.report
    let frame = display.frame ?? TextFrame(size: headless.size)
    let text = FrameText.text(frame, headless.format, path: navigator.breadcrumbs, outline: outline)
    navigator.end(status: 0)
    return Outcome(
      frame: text, exitStatus: error?.exitStatus ?? navigator.exitStatus ?? 0, error: error,
      failure: keys.isEmpty ? navigator.lastFailure : nil)
  }

  /// Performs one step; every event is a separate turn of the loop.
  static func feed(
    _ step: HeadlessStep, to navigator: Navigator, _ display: HeadlessDisplay, _ loop: HostEventLoop
  ) async {
    switch step {
    case .wait: await navigator.untilIdle()
    case .resize(let size): await turn(loop) { display.resize(to: size) }
    default:
      for event in step.events { await turn(loop) { display.onEvent?(.input(event)) } }
    }
  }

  private static func turn(_ loop: HostEventLoop, _ work: @escaping @MainActor @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      loop.post {
        work()
        continuation.resume()
      }
    }
  }
}
