import PluginAPI

/// Runs screens without a terminal: feeds keys and gives the last frame.
@MainActor enum HeadlessRun {
  /// The forms a frame is given in.
  enum Format: String, Sendable, CaseIterable {
    case text, ansi, json
  }

  /// What ended a headless run and what was on the screen then.
  struct Outcome: Sendable {
    var frame: String
    var exitStatus: Int32
    /// The error the front screen is about, if it is a page about one.
    var error: ErrorReport?
  }

  /// Shows a screen, feeds it the steps and gives the last frame.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - plugin: The plugin's id; nil for the home screen.
  ///   - documents: What it shall show.
  ///   - size: Columns and rows.
  ///   - keys: The text of `--keys`; nil to wait once.
  ///   - format: The form of the frame.
  ///   - setup: Keys, unusable plugins.
  /// - Returns: The last frame, and 0 or the status the program ended with.
  /// - Throws: ``HeadlessError`` before anything is shown.
  static func run(
    session: HostSession, plugin: String?, documents: [String] = [], size: Size, keys: String? = nil,
    format: Format = .text, setup: Navigator.Setup = Navigator.Setup()
  ) async throws -> Outcome {
    let steps = try keys.map { text throws(HeadlessError) in try HeadlessStep.steps(text) } ?? [.wait]
    let display = HeadlessDisplay(size: size)
    var setup = setup
    // The same keys give the same frame, whatever was looked at before.
    setup.keepsStates = false
    let navigator = Navigator(session: session, display: display, setup: setup)
    navigator.start(plugin: plugin, documents: documents)
    for step in steps where navigator.exitStatus == nil {
      await feed(step, to: navigator, display, session.loop)
    }
    navigator.finishFrame()
    let outline = navigator.focused?.controller.view.outline
    let error = (navigator.stack.last?.controller as? ErrorController)?.report
    let frame = display.frame ?? TextFrame(size: size)
    let text = FrameText.text(frame, format, path: navigator.breadcrumbs, outline: outline)
    navigator.end(status: 0)
    return Outcome(frame: text, exitStatus: error?.exitStatus ?? navigator.exitStatus ?? 0, error: error)
  }

  /// Takes one step; every event is a turn of the loop of its own.
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
