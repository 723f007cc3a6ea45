internal import CHost
internal import Glibc
import PluginAPI

/// The terminal on which a person watches a replay.
///
/// The screens keep the size of the recording, so that their steps mean the same; a smaller terminal shows their upper
/// left part. The terminal shows screens only during steps: output and questions of other commands appear on the
/// usual screen.
@MainActor final class ReplayTerminal {
  private let session: HostSession
  private let streams: StandardStreams
  private let interruption: Interruption?
  private let options: TerminalDisplay.Options
  /// The seconds between steps.
  private let pace: Double
  /// The terminal; nil while it is released.
  private var display: TerminalDisplay?
  /// The last frame of the screens.
  private var shown: (frame: TextFrame, links: [FrameLink])?
  private var waiting: CheckedContinuation<Void, Never>?
  private var timer: (any Cancellable)?
  /// A Boolean value indicating whether a key was pressed while nothing waited: it ends the next wait.
  private var hasEarlyKey = false
  /// The receiver of diagnostics while the terminal is released.
  private var printing: (@MainActor (Diagnostic) -> Void)?
  /// Diagnostics that are printed once the terminal is released.
  private var held: [Diagnostic] = []
  /// Ends the screens before a signal ends the program.
  var onEnding: (@MainActor (Int32) -> Void)?

  /// Takes the terminal.
  ///
  /// - Parameters:
  ///   - interpreter: Runs the script.
  ///   - pace: The seconds between steps; any key ends the wait early.
  /// - Throws: ``TerminalError`` if there is no terminal that can show the screens.
  init(_ interpreter: CommandInterpreter, pace: Double) throws {
    (session, streams, interruption) = (interpreter.session, interpreter.streams, interpreter.interruption)
    (options, self.pace) = (TerminalDisplay.Options(interpreter), pace)
    try take()
  }

  /// A Boolean value indicating whether the terminal opens links.
  var showsLinks: Bool { options.marksLinks }

  /// Takes the terminal and shows the last frame, unless that was done.
  ///
  /// - Throws: ``OutputError``, ``TerminalError``.
  func take() throws {
    guard display == nil else { return }
    try streams.output.flush()
    // Before the full screen, which must not show text that libraries write to standard error.
    session.plugins.divertOutput()
    let display = try TerminalDisplay(loop: session.loop, options: options)
    display.onEvent = { [weak self] in self?.receive($0) }
    self.display = display
    printing = session.plugins.onDiagnostic
    session.plugins.onDiagnostic = { [weak self] in self?.held.append($0) }
    draw()
  }

  /// Restores the terminal for other output.
  func release() {
    guard let display else { return }
    self.display = nil
    display.onEvent = nil
    display.close()
    session.plugins.onDiagnostic = printing
    for diagnostic in held { printing?(diagnostic) }
    (held, printing) = ([], nil)
    endPause()
  }

  /// Shows a frame of the screens.
  func show(_ frame: TextFrame, links: [FrameLink]) {
    shown = (frame, links)
    draw()
  }

  /// Waits until the user has seen the screens: for a part of the time between steps, or until a key is pressed.
  func pause(_ share: Double) async {
    let seconds = pace * share
    guard display != nil, seconds > 0, !hasEarlyKey else {
      hasEarlyKey = false
      return
    }
    let loop = session.loop
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting = continuation
        timer = loop.schedule(after: seconds, every: nil) { [weak self] in self?.endPause() }
      }
    } onCancel: {
      loop.post { [weak self] in self?.endPause() }
    }
  }

  private func endPause() {
    timer?.cancel()
    timer = nil
    waiting?.resume()
    waiting = nil
  }

  private func draw() {
    guard let display, let shown else { return }
    display.show(Self.fitted(shown.frame, to: display.geometry.size), links: shown.links)
  }

  /// Returns a frame of another size with the cells of a frame, as far as they fit.
  static func fitted(_ frame: TextFrame, to size: Size) -> TextFrame {
    var fitted = TextFrame(size: size, pixelsPerCell: frame.pixelsPerCell)
    let (from, to) = (frame.frameSize.width, fitted.frameSize.width)
    let width = min(from, to)
    let cells = frame.cells
    fitted.replaceCells { target in
      for row in 0..<min(frame.frameSize.height, size.height) {
        target.replaceSubrange(row * to..<row * to + width, with: cells[row * from..<row * from + width])
      }
    }
    if let cursor = frame.cursor { fitted.setCursor(x: cursor.x, y: cursor.y) }
    return fitted
  }

  private func receive(_ event: DisplayEvent) {
    switch event {
    case .input(.key(ScreenInput.interrupt)): interrupt()
    case .input(.key(ScreenInput.suspend)): display?.suspend()
    case .input(.key): if waiting == nil { hasEarlyKey = true } else { endPause() }
    case .input: break
    case .resized: draw()
    case .ended(let signal): end(by: signal)
    }
  }

  /// Interrupts the script, as Ctrl-C does where keys send signals.
  private func interrupt() {
    if let interruption { interruption.interrupt(.interrupt) } else { end(by: SIGINT) }
  }

  /// Ends the program as a signal does, once the terminal is restored and the recording of the replay is complete.
  private func end(by signal: Int32) {
    release()
    onEnding?(signal)
    try? streams.output.flush()
    streams.temporary.removeAll()
    StandardOutput.logRemaining()
    CrashJournal.close()
    ProgramProcess.killAll()
    chost_end(128 + signal)
  }
}
