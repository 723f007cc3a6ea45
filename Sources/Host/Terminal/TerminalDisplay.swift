internal import Glibc
import PluginAPI

/// A display on a terminal: termpaint sets it up and reads its input, our own encoder draws.
///
/// Frames are never queued: while the terminal processes output, only the newest frame is kept. On a slow line a frame
/// is sent in parts, text first, and a newer one may replace it between two parts.
@MainActor final class TerminalDisplay: Display {
  /// The options of a display.
  struct Options: Sendable {
    /// `--color`.
    var color = GlobalOptions.ColorChoice.auto
    /// The requested graphics mode; nil to choose by the terminal's abilities.
    var graphics: GraphicsMode?
    /// The setting `host.background`.
    var background = GlobalOptions.BackgroundChoice.auto
    /// The colors of roles.
    var theme = Theme.standard
    /// The process's environment.
    var environment: [String: String] = [:]
    /// A Boolean value indicating whether it handles SIGINT itself; otherwise ``TerminalDisplay/interrupt(isKey:)`` is
    /// called.
    var takesInterrupts = true
    /// A Boolean value indicating whether web addresses are marked as links.
    var marksLinks = false
  }

  /// The time limit for detection; a terminal that does not respond by then is used as a plain one.
  private static let longestDetectionInSeconds = 0.3
  /// The time after which a lone escape is taken as the key.
  private static let escapePauseInSeconds = 0.05
  /// A terminal that does not respond to a status request for this long is still drawn to.
  private static let longestStatusPauseInSeconds = 2.0
  private static let statusRequest = "\u{1B}[5n"

  private let loop: HostEventLoop
  private let device: TerminalDevice
  private var session: TermpaintSession
  private var translator = InputTranslator()
  private var encoder: FrameEncoder
  private var overlays: PixelOverlays
  private let capabilities: TerminalCapabilities
  private let depth: ColorDepth
  private let background: Color

  private let out = TerminalBytes(capacity: 1 << 16)
  private var sentCount = 0
  private var waitingFrame: TextFrame?
  private var waitingLinks: [FrameLink] = []
  /// The frame of which only a part was sent.
  private var unfinished: FrameEncoder.Content?
  /// The pixels to send after the last part of the unfinished frame.
  private var unfinishedPixels: [UInt8] = []
  /// A Boolean value indicating whether all cells of the unfinished frame were sent: a newer frame waits for its pixels.
  private var arePixelsDue = false
  /// The latest frame, if some of its pictures are too large for what is known of the terminal's speed.
  private var refusedFrame: TextFrame?
  /// A Boolean value indicating whether the latest frame differed from the one before.
  private var wroteLastFrame = false
  private var pacer: OutputPacer

  private var readWatch: (any Cancellable)?
  private var writeWatch: (any Cancellable)?
  private var escapeTimer: (any Cancellable)?
  /// The timer that gives up status requests; set while some are open.
  private var statusTimer: (any Cancellable)?
  /// The timer of the next bytes that find out the speed, while pictures are refused.
  private var probeTimer: (any Cancellable)?
  private var signals: TerminalSignals?
  private var isSuspended = false
  private var isClosed = false

  private(set) var geometry = ScreenGeometry(size: Size(width: 0, height: 0))
  let graphics: GraphicsMode
  let showsLinks: Bool
  var onEvent: (@MainActor (DisplayEvent) -> Void)?

  /// Opens the terminal of this process: detects its capabilities, enters full screen and starts reading.
  ///
  /// - Parameters:
  ///   - loop: The event loop; it must run, or run soon.
  ///   - options: The options.
  /// - Throws: ``TerminalError`` if there is no terminal, or if `options.graphics` needs a library that is missing.
  init(loop: HostEventLoop, options: Options) throws {
    try options.graphics?.pixels?.openLibraries()
    self.loop = loop
    device = try TerminalDevice()
    device.enterRawMode()
    let found = TerminalDetection.run(device, longestInSeconds: Self.longestDetectionInSeconds)
    (session, capabilities) = (found.session, found.capabilities)
    pacer = OutputPacer(roundTripInSeconds: found.roundTripInSeconds)
    depth = ColorDepth.chosen(
      options.color, environment: options.environment, isTerminal: true, showsTrueColor: capabilities.showsTrueColor)
    showsLinks = options.marksLinks
    graphics = options.graphics ?? GraphicsMode.best(for: capabilities, depth: depth)
    background = TerminalBackground.chosen(
      options.background, reported: capabilities.background, environment: options.environment)
    encoder = FrameEncoder(
      depth: depth, background: background, theme: options.theme, isSynchronized: capabilities.synchronizesOutput)
    overlays = PixelOverlays(mode: graphics, depth: depth, background: background)
    updateGeometry()
    session.setUp(backspaceIsControlH: device.backspaceIsControlH)
    enterFullScreen()
    startWatching(interrupts: options.takesInterrupts)
    // Keys typed in the meantime are delivered once there is a receiver.
    if !found.earlyInputs.isEmpty {
      loop.post { [weak self] in found.earlyInputs.forEach { self?.take($0) } }
    }
  }

  // MARK: Display

  @discardableResult func show(_ frame: TextFrame) -> Bool { show(frame, links: []) }

  @discardableResult func show(_ frame: TextFrame, links: [FrameLink]) -> Bool {
    (waitingFrame, waitingLinks) = (frame, showsLinks ? links : [])
    drawWaiting()
    drawRefused()
    return waitingFrame != nil || unfinished != nil || wroteLastFrame
  }

  func copy(_ text: String) {
    guard !isClosed, !isSuspended else { return }
    // OSC 52: the terminal decodes base64 and owns the clipboard.
    let sequence = Array("\u{1B}]52;c;".utf8) + Base64.encoded(Array(text.utf8)) + Array("\u{1B}\\".utf8)
    out.append(sequence)
    pacer.send(sequence.count)
    send()
  }

  func suspend() {
    guard !isClosed, !isSuspended else { return }
    // The leader of a session was started without a shell that could continue it.
    if getsid(0) == getpid() { return }
    leaveFullScreen()
    device.leaveRawMode()
    CrashRestore.clear()
    isSuspended = true
    readWatch?.cancel()
    readWatch = nil
    kill(getpid(), SIGSTOP)
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    for watch in [readWatch, writeWatch, escapeTimer, statusTimer, probeTimer] { watch?.cancel() }
    signals?.end()
    if !isSuspended {
      leaveFullScreen()
      device.leaveRawMode()
    }
    CrashRestore.clear()
    device.close()
  }

  // MARK: Full screen

  private func enterFullScreen() {
    out.append(session.takeOutput())
    if capabilities.knowsKittyKeyboard { out.append("\u{1B}[>1u") }
    forgetScreen()
    CrashRestore.startRescue(fileDescriptor: device.fileDescriptor)
    CrashRestore.set(
      restoreSequence, attributes: device.originalAttributes, fileDescriptor: device.fileDescriptor)
    pacer.send(out.count)
    send()
  }

  /// The sequence that restores the terminal: it ends anything half written, then resets our own modes, then
  /// termpaint's.
  private var restoreSequence: [UInt8] {
    var text = "\u{1B}\\\u{1B}[m\u{1B}[?25h"
    if capabilities.synchronizesOutput { text = "\u{1B}\\\u{1B}[?2026l" + text }
    if showsLinks { text += TerminalLinks.mark("") }
    text += graphics.pixels?.deletion(at: nil) ?? ""
    if capabilities.knowsKittyKeyboard { text += "\u{1B}[<u" }
    return Array(text.utf8) + session.restoreSequence
  }

  private func leaveFullScreen() {
    for watch in [writeWatch, statusTimer, probeTimer] { watch?.cancel() }
    (writeWatch, statusTimer, probeTimer) = (nil, nil, nil)
    out.removeAll()
    sentCount = 0
    let restore = restoreSequence
    session.pause()
    _ = session.takeOutput()
    device.writeAll(restore, milliseconds: 500)
    takeOpenAnswers()
  }

  /// Reads outstanding responses, which must not reach the shell.
  private func takeOpenAnswers() {
    while pacer.openRequests > 0, device.waitForInput(milliseconds: 100), let bytes = device.read(), !bytes.isEmpty {
      session.add(bytes)
      for case .statusReport in session.takeInputs() { pacer.confirm(at: MonotonicClock.seconds) }
    }
    pacer.giveUp()
  }

  /// Returns to full screen after the process was stopped, by its own request or by others.
  private func resume() {
    guard !isClosed else { return }
    // Stopped by others: the shell may have changed the terminal in the meantime.
    if !isSuspended { leaveFullScreen() }
    isSuspended = false
    device.enterRawMode()
    session.unpause()
    updateGeometry()
    enterFullScreen()
    if readWatch == nil {
      readWatch = loop.watch(fileDescriptor: device.fileDescriptor, for: .reading) { [weak self] in self?.read() }
    }
    onEvent?(.resized)
  }

  private func updateGeometry() {
    let (size, pixels) = device.geometry
    let cell = capabilities.cellPixels ?? pixels ?? PicturePrinter.usualCellPixels
    geometry = ScreenGeometry(
      size: size, pixelsPerCell: graphics.pixelsPerCell(cellPixels: cell), background: background)
  }

  // MARK: Input

  private func startWatching(interrupts: Bool) {
    readWatch = loop.watch(fileDescriptor: device.fileDescriptor, for: .reading) { [weak self] in self?.read() }
    let numbers = [SIGWINCH, SIGTERM, SIGHUP, SIGTSTP, SIGCONT] + (interrupts ? [SIGINT] : [])
    signals = TerminalSignals(numbers) { [weak self] number in
      self?.loop.post { self?.take(signal: number) }
    }
  }

  /// Handles a SIGINT received by other code.
  ///
  /// - Parameter isKey: True if it was the key, pressed while the loop could not read it.
  func interrupt(isKey: Bool) {
    guard isKey else { return take(signal: SIGINT) }
    if !isClosed { onEvent?(.input(.key(Key(.character("c"), .control)))) }
  }

  func repaint() {
    guard !isClosed, !isSuspended else { return }
    updateGeometry()
    forgetScreen()
    onEvent?(.resized)
  }

  private func take(signal number: Int32) {
    guard !isClosed else { return }
    switch number {
    case SIGWINCH: repaint()
    case SIGTSTP: suspend()
    case SIGCONT: resume()
    default: onEvent?(.ended(signal: number))
    }
  }

  private func read() {
    guard !isClosed, !isSuspended else { return }
    guard let bytes = device.read() else {
      readWatch?.cancel()
      readWatch = nil
      onEvent?(.ended(signal: SIGHUP))
      return
    }
    guard !bytes.isEmpty else { return }
    session.add(bytes)
    takeInputs()
    escapeTimer?.cancel()
    escapeTimer = nil
    if session.wantsCallback {
      escapeTimer = loop.schedule(after: Self.escapePauseInSeconds, every: nil) { [weak self] in
        self?.resolveEscape()
      }
    }
  }

  private func resolveEscape() {
    guard !isClosed, !isSuspended else { return }
    session.resolveEscape(asking: capabilities.answers)
    takeInputs()
  }

  private func takeInputs() {
    let answers = session.takeOutput()
    if !answers.isEmpty {
      out.append(answers)
      pacer.send(answers.count)
      // The same request distinguishes a lone escape from a sequence.
      if answers.suffix(4).elementsEqual(Self.statusRequest.utf8) { noteRequest() }
      send()
    }
    for input in session.takeInputs() where !isClosed { take(input) }
  }

  private func take(_ input: TerminalInput) {
    switch input {
    case .statusReport:
      pacer.confirm(at: MonotonicClock.seconds)
      statusTimer?.cancel()
      statusTimer = nil
      if pacer.openRequests > 0 { limitWait() }
      drawWaiting()
      drawRefused()
    case .repaintRequested:
      forgetScreen()
      onEvent?(.resized)
    default:
      guard let event = translator.event(of: input, at: MonotonicClock.seconds) else { return }
      // Escape pressed twice at once looks like escape with alt.
      let isTwice = event == .key(Key(.escape, .alt))
      for event in isTwice ? [.key(Key(.escape)), .key(Key(.escape))] : [event] { onEvent?(.input(event)) }
    }
  }

  // MARK: Output

  /// Draws the newest frame, or the next part of one, if the terminal has processed what was sent before.
  private func drawWaiting() {
    guard !isClosed, !isSuspended, sentCount == out.count, waitingFrame != nil || unfinished != nil else { return }
    guard pacer.isReady || !capabilities.answers else {
      if pacer.openRequests == 0 {
        requestStatus()
        send()
      }
      return
    }
    out.removeAll()
    sentCount = 0
    var before: [UInt8] = []
    if let frame = waitingFrame, !arePixelsDue {
      waitingFrame = nil
      unfinished = nil
      // A frame of another size was drawn before the terminal changed; another one follows.
      guard frame.frameSize == geometry.size else { return }
      before = compose(frame)
    }
    guard let content = unfinished, content.size == geometry.size else { return }
    let limit = capabilities.answers ? pacer.room : .max
    // On a slow line pixels wait until the cells before them are processed: together they would delay a key too long.
    let divides = longestPiece != .max && !unfinishedPixels.isEmpty
    var isWhole = encoder.encode(
      content, into: out, before: before, after: divides ? [] : unfinishedPixels, limit: limit)
    if divides, isWhole {
      arePixelsDue = !out.isEmpty
      if arePixelsDue { isWhole = false } else { encoder.encode(content, into: out, after: unfinishedPixels) }
    }
    if isWhole { (unfinished, unfinishedPixels, arePixelsDue) = (nil, [], false) }
    wroteLastFrame = !out.isEmpty
    if out.isEmpty { return }
    pacer.send(out.count)
    if capabilities.answers, pacer.wantsRequest || !isWhole || waitingFrame != nil {
      requestStatus()
    }
    send()
  }

  /// Makes a frame the unfinished one, with its pictures as pixels or cells.
  ///
  /// - Returns: The bytes to send before its cells.
  private func compose(_ frame: TextFrame) -> [UInt8] {
    if !unfinishedPixels.isEmpty { overlays.revoke() }
    var content = FrameEncoder.Content(frame)
    content.isPicture = frame.pictureCells
    content.links = waitingLinks
    var drawn = frame
    let pixels = overlays.compose(&drawn, longestPiece: longestPiece)
    content.cells = drawn.cells
    for rect in pixels.uncovered { encoder.forget(rect) }
    (unfinished, unfinishedPixels) = (content, pixels.after)
    refusedFrame = overlays.neededPiece == nil ? nil : frame
    return pixels.before
  }

  /// The most bytes of pixels to send at a time.
  private var longestPiece: Int { capabilities.answers ? pacer.longestPiece : .max }

  /// Draws the latest frame again once its refused pictures fit the terminal's speed; until that is known, sends bytes
  /// that show it.
  private func drawRefused() {
    guard !isClosed, !isSuspended, sentCount == out.count, waitingFrame == nil, unfinished == nil,
      let frame = refusedFrame, let needed = overlays.neededPiece, pacer.openRequests == 0
    else { return }
    if pacer.longestPiece >= needed {
      waitingFrame = frame
      return drawWaiting()
    }
    let time = MonotonicClock.seconds
    guard let pause = pacer.probePause(at: time) else { return }
    if pause > 0 { return waitForProbe(pause) }
    out.removeAll()
    sentCount = 0
    // Terminals ignore NUL.
    out.append([UInt8](repeating: 0, count: pacer.probe(at: time)))
    requestStatus()
    send()
  }

  /// Forgets the content of the screen: the next frame is drawn completely.
  private func forgetScreen() {
    encoder.forgetScreen()
    overlays.forget()
    (unfinishedPixels, arePixelsDue, refusedFrame) = ([], false, nil)
  }

  /// Draws the latest frame again, or probes, after a pause.
  ///
  /// - Parameter seconds: The pause.
  private func waitForProbe(_ seconds: Double) {
    guard probeTimer == nil else { return }
    probeTimer = loop.schedule(after: seconds, every: nil) { [weak self] in
      self?.probeTimer = nil
      self?.drawRefused()
    }
  }

  /// Appends a request for the terminal's status to the output.
  private func requestStatus() {
    out.append(Self.statusRequest)
    noteRequest()
  }

  /// Counts a status request; what waits for its response continues after a while even without one.
  private func noteRequest() {
    pacer.request(at: MonotonicClock.seconds)
    limitWait()
  }

  /// Gives up the open requests unless there is a response in time.
  private func limitWait() {
    guard statusTimer == nil else { return }
    statusTimer = loop.schedule(after: Self.longestStatusPauseInSeconds, every: nil) { [weak self] in
      self?.statusTimer = nil
      self?.pacer.giveUp()
      self?.drawWaiting()
      self?.drawRefused()
    }
  }

  /// Writes the bytes that the terminal accepts now; the rest later.
  private func send() {
    if sentCount < out.count {
      guard let count = device.write(UnsafeRawBufferPointer(rebasing: out.bytes[sentCount...])) else {
        sentCount = out.count
        return
      }
      sentCount += count
    }
    if sentCount == out.count {
      writeWatch?.cancel()
      writeWatch = nil
      out.removeAll()
      sentCount = 0
    } else if writeWatch == nil {
      writeWatch = loop.watch(fileDescriptor: device.fileDescriptor, for: .writing) { [weak self] in
        self?.send()
        self?.drawWaiting()
      }
    }
  }
}
