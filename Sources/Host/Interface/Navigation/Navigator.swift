import PluginAPI

/// Runs screens: opens and closes them, lays them out, schedules frames, and joins the parts that do the rest.
@MainActor final class Navigator {
  /// The setup of a navigator.
  struct Setup {
    /// The user's keys by action name; see ``KeyMap``.
    var keys: [String: [Key]] = [:]
    /// The user's sequences of keys by action name.
    var sequences: [String: [KeySequence]] = [:]
    /// The seconds an effect runs before its progress is shown.
    var overlayDelayInSeconds = 0.15
    /// The seconds that the status line shows a note; it shows warnings and errors twice as long.
    var noteDurationInSeconds = 4.0
    /// Plugins that cannot be used, with the reason.
    var unusable: [UnusablePlugin] = []
    /// A Boolean value indicating whether the states of screens are kept between runs.
    var keepsStates = true
    /// Called once the first screen is shown.
    var onStart: (@MainActor (Navigator) -> Void)?
    /// A Boolean value indicating whether the first home screen offers the tour, once.
    var offersTour = false
    /// A Boolean value indicating whether the home screen lists the recent documents.
    var showsRecentDocuments = true

    /// Makes the same steps lead to the same screens, independent of earlier runs.
    mutating func ignoreEarlierRuns() { (keepsStates, showsRecentDocuments, offersTour) = (false, false, false) }
  }

  let session: HostSession
  let setup: Setup
  private let display: any Display
  private let states: ScreenStates
  private let screens: ScreenStack
  private let notices: NoticeLine
  private let recording: StepRecording
  private lazy var progress: ProgressOverlay = .init(
    session: session, delayInSeconds: setup.overlayDelayInSeconds,
    onEnd: { [weak self] in self?.effects.workChanged() })
  private lazy var effects: ScreenEffects = .init(
    navigator: self, screens: screens, progress: progress, recording: recording, display: display)
  private lazy var input: ScreenInput = .init(
    navigator: self, screens: screens, effects: effects, progress: progress, recording: recording, display: display)
  private lazy var dialogs: HostDialogs = .init(navigator: self, screens: screens, recording: recording)
  private lazy var clock: FrameClock = .init { [weak self] in self?.drawFrame() ?? false }
  /// The number of layouts, used to detect nested ones.
  private var layoutRound = 0
  private var turns = 0
  private var onAnnouncement: (@MainActor (Announcement) -> Void)?
  private var onEnd: (@MainActor (Int32) -> Void)?
  private(set) var exitStatus: Int32?

  /// An announcement for linear reading.
  enum Announcement: Sendable {
    case started(String)
    case ended(String, outcome: String)
    case notice(Diagnostic)
  }

  init(session: HostSession, display: any Display, setup: Setup = Setup()) {
    self.session = session
    self.display = display
    self.setup = setup
    states = ScreenStates(folder: session.folders.state, isEnabled: setup.keepsStates)
    screens = ScreenStack(display: display)
    notices = NoticeLine(loop: session.loop, durationInSeconds: setup.noteDurationInSeconds)
    recording = StepRecording(plugins: session.plugins)
    display.onEvent = { [weak self] event in self?.take(event) }
    session.loop.setAfterTurn { [weak self] in self?.turnEnded() }
  }

  /// Shows the home screen, or a plugin's screen over nothing.
  func start(_ launch: ScreenLaunch) {
    guard let plugin = launch.plugin else {
      if launch.screen == Tour.screen { return showTour() }
      showHome()
      return
    }
    var arguments = Record()
    if let first = launch.documents.first {
      arguments["document"] = .text(first)
      arguments["documents"] = .list(launch.documents.map(Value.text))
    }
    let screen = launch.screen ?? firstScreen(of: plugin)
    open(ScreenRequest(screen, plugin: plugin, arguments: arguments), askedBy: nil, placement: .page)
  }

  /// Returns the name of the screen that `workbench run` shows.
  func firstScreen(of plugin: String) -> String {
    session.plugins.contributions(of: plugin)?.screens.first?.name ?? ""
  }

  /// Waits for the end, however it comes.
  func untilEnd() async -> Int32 {
    if let exitStatus { return exitStatus }
    return await withCheckedContinuation { continuation in
      onEnd = { continuation.resume(returning: $0) }
    }
  }

  /// Runs work that waits, and ends the navigator if the task is canceled in the meantime.
  func endingWhenCancelled<Result: Sendable>(_ work: @MainActor () async -> Result) async -> Result {
    let loop = session.loop
    return await withTaskCancellationHandler {
      await work()
    } onCancel: {
      loop.post { [weak self] in self?.end(status: 130) }
    }
  }

  /// Ends the run: closes all screens and stores their states.
  func end(status: Int32) {
    guard exitStatus == nil else { return }
    clock.flush()
    recording.end()
    exitStatus = status
    for screen in screens.all.reversed() { forget(screen) }
    screens.removeAll()
    states.write()
    clock.stop()
    notices.stop()
    progress.stop()
    session.loop.setAfterTurn(nil)
    display.onEvent = nil
    effects.changed()
    onEnd?(status)
    onEnd = nil
  }

  // MARK: Parts

  /// The screens, the front one last.
  var stack: [Screen] { screens.all }
  /// The screen that keys go to.
  var focused: Screen? { screens.focused }
  /// The path to the front screen: the plugin's name, then the titles of screens.
  var breadcrumbs: [String] { screens.breadcrumbs(session.plugins) }
  /// The notice in the status line.
  var notice: Diagnostic? { notices.notice }
  /// The latest failure of a screen's work; nil if there was none.
  var lastFailure: ErrorReport? { effects.lastFailure }
  /// A Boolean value indicating whether effects are running, other than timers and those that wait for an answer.
  var isWorking: Bool { effects.isWorking }
  /// True while progress bars without a known end move.
  var isAnimated: Bool { progress.isAnimated }
  /// True while keys wait for a screen that is loading.
  var hasWaitingEvents: Bool { stack.contains { !$0.waitingEvents.isEmpty } }

  /// Sets the receiver of announcements for linear reading.
  func setOnAnnouncement(_ receive: @escaping @MainActor (Announcement) -> Void) { onAnnouncement = receive }

  func announce(_ announcement: Announcement) { onAnnouncement?(announcement) }

  /// Shows a line in the status line for a while.
  func show(_ diagnostic: Diagnostic) {
    guard diagnostic.severity != .debug else { return }
    notices.show(diagnostic)
    announce(.notice(diagnostic))
  }

  /// Shows a plugin's slow call in the status line, from the next frame on.
  func showSlowCall(_ text: String) { notices.showSlowCall(text) }

  /// Performs a controller's effects, in order.
  func perform(_ effects: [Effect], for screen: Screen) { self.effects.perform(effects, for: screen) }

  /// Records and performs an action of a screen.
  func perform(_ invocation: ActionInvocation, on screen: Screen) {
    recording.record(invocation, on: screen)
    perform(screen.controller.perform(invocation), for: screen)
  }

  /// Performs the function of one of the host's own keys or palette entries.
  func perform(_ hostKey: HostKey) { input.perform(hostKey) }

  /// Closes the front screen; at the last one asks whether to quit if work is running.
  func back() { input.back() }

  /// Shows the home screen.
  func showHome() { push(host: HomeController(navigator: self), named: "home", placement: .page) }

  /// Shows the help of the front screen.
  func showHelp() { dialogs.showHelp() }

  /// Shows the palette with everything that can be done from the front screen.
  func showPalette(pattern: String = "") { dialogs.showPalette(pattern: pattern) }

  /// Shows the tour: over the front screen, or alone.
  func showTour() { dialogs.showTour() }

  /// Runs a command on a page of its own, after asking for its arguments, one after the other.
  func start(_ declaration: CommandDescription, of plugin: String, arguments: Record = Record()) {
    dialogs.start(declaration, of: plugin, arguments: arguments)
  }

  /// Begins a recording of the screens, if a file is named.
  ///
  /// - Throws: ``HostFileError`` if the file cannot be written.
  func startRecording(_ launch: ScreenLaunch, to file: String?) throws {
    guard let file else { return }
    try recording.start(launch, to: file, size: display.geometry.size) { [weak self] report in
      self?.show(Diagnostic(.error, code: report.code, report.message, advice: report.advice))
    }
  }

  /// Performs a step of a recording.
  ///
  /// Call it while the screens are idle, in a turn of the loop.
  /// - Throws: ``ScreenStepError`` if the front screen cannot do it.
  func replay(_ step: ScreenStep) throws(ErrorReport) {
    try StepReplay(navigator: self, screens: screens, input: input, effects: effects, recording: recording)
      .perform(step)
  }

  // MARK: Stack

  /// Makes a plugin's screen and puts it in front; a page about the error if that fails.
  func open(_ request: ScreenRequest, askedBy asker: Screen?, placement: Screen.Placement) {
    let plugin = request.plugin ?? asker?.plugin ?? ""
    do {
      let controller = try session.plugins.controller(request, askedBy: plugin)
      let known = session.plugins.contributions(of: plugin)?.screens.first { $0.name == request.screen }
      let description = known ?? ScreenDescription(request.screen, title: request.screen)
      if request.arguments["document"] == nil, let state = states.take(plugin: plugin, screen: request.screen) {
        controller.restore(state)
      }
      push(make(plugin: plugin, description, controller, placement))
      progress.watch(plugin)
    } catch {
      let report = ErrorReport(wrapping: error, plugin: plugin, command: "screen " + request.screen)
      push(host: ErrorController(report: report), named: "error", placement: placement)
    }
  }

  /// Puts a screen of the host in front.
  func push(
    host controller: any HostController, named name: String, placement: Screen.Placement, plugin: String? = nil,
    recording: Screen.Recording = .events, onReturn: (@MainActor (Value) -> Void)? = nil
  ) {
    let screen = make(plugin: plugin, ScreenDescription(name, title: controller.title), controller, placement)
    screen.onReturn = onReturn
    screen.recording = recording
    push(screen)
  }

  private func make(
    plugin: String?, _ description: ScreenDescription, _ controller: any Controller, _ placement: Screen.Placement
  ) -> Screen {
    let scope = (plugin ?? "host") + "." + description.name
    let keys = KeyMap(actions: description.actions, scope: scope, overrides: setup.keys)
    return Screen(
      plugin: plugin, description: description, controller: controller, placement: placement, keys: keys)
  }

  private func push(_ screen: Screen) {
    let before = screens.page
    screens.append(screen)
    pageChanged(from: before)
    for topic in screen.description.topics {
      let subscription = session.notifications.subscribe(topic) { [weak self, weak screen] notification in
        if let screen { self?.effects.deliver(.notification(notification), to: screen) }
      }
      screen.subscriptions.append(subscription)
    }
    layOut()
  }

  /// Removes a screen and all above it, and delivers its value.
  func pop(_ screen: Screen, _ value: Value) {
    guard let index = screens.index(of: screen) else { return }
    recording.recordOutcome(of: screen, value)
    let below = index > 0 ? stack[index - 1] : nil
    let before = screens.page
    removeScreens(from: index)
    pageChanged(from: before)
    if let onReturn = screen.onReturn {
      onReturn(value)
    } else if let below {
      effects.deliver(.returned(screen: screen.description.name, value), to: below)
    }
    if stack.isEmpty, exitStatus == nil { end(status: 0) } else { layOut() }
  }

  private func pageChanged(from before: Screen?) {
    if screens.page !== before { notices.pageChanged() }
  }

  /// Shows a screen beside the requesting one, in place of the current detail; the focus follows unless keys only
  /// moved.
  func showDetail(_ request: ScreenRequest, askedBy screen: Screen) {
    guard screen.placement == .page, let index = screens.index(of: screen) else {
      open(request, askedBy: screen, placement: .page)
      return
    }
    removeScreens(from: index + 1)
    screens.focusDetail(!input.onlyMoves)
    open(request, askedBy: screen, placement: .detail)
  }

  /// Closes the screens from an index on, without a layout.
  func removeScreens(from index: Int) {
    while screens.count > index { forget(screens.removeLast()) }
    input.screensClosed()
  }

  private func forget(_ screen: Screen) {
    if let plugin = screen.plugin, screen.hostController == nil {
      do throws(ErrorReport) {
        try states.keep(screen.controller.saveState(), plugin: plugin, screen: screen.description.name)
      } catch {
        session.plugins.log(error, of: plugin)
        show(Diagnostic(.error, code: error.code, error.message, advice: error.advice))
      }
    }
    if screen.isVisible {
      screen.isVisible = false
      _ = screen.controller.handle(.visible(false))
    }
    screen.close()
    effects.changed()
  }

  // MARK: Layout

  /// Lays out all visible screens, and notifies those whose geometry changed.
  ///
  /// A notified screen may open or close another one at once, which starts a new layout. This one is then outdated, and
  /// continuing it would show screens that are now covered.
  func layOut() {
    layoutRound += 1
    let round = layoutRound
    let visible = screens.arrange()
    for screen in stack where screen.isVisible && !visible.contains(where: { $0 === screen }) {
      screen.isVisible = false
      input.give(.visible(false), to: screen)
      if round != layoutRound { return }
    }
    for screen in visible where screen.isOpen {
      tell(screen, in: round)
      if round != layoutRound { return }
    }
    clock.request()
  }

  private func tell(_ screen: Screen, in round: Int) {
    var geometry = display.geometry
    geometry.size = screen.rect.size
    if screen.sentGeometry != geometry {
      let isFirst = screen.sentGeometry == nil
      screen.sentGeometry = geometry
      input.give(.resize(geometry), to: screen)
      if isFirst, screen.isOpen { perform(screen.controller.start(), for: screen) }
    }
    if round == layoutRound, screen.isOpen, !screen.isVisible {
      screen.isVisible = true
      input.give(.visible(true), to: screen)
    }
  }

  // MARK: Turns

  /// Handles an event of the display.
  func take(_ event: DisplayEvent) {
    guard exitStatus == nil else { return }
    clock.request()
    switch event {
    case .input(let event):
      beginInput()
      input.take(event)
    case .resized:
      recording.resized(to: display.geometry.size)
      layOut()
    case .ended(let signal): end(status: 128 + signal)
    }
  }

  /// Counts an input, and removes the slow call from the status line.
  func beginInput() { notices.beginInput() }

  /// Requests a frame after each turn of the loop, which may have changed a screen.
  private func turnEnded() {
    turns += 1
    notices.beginTurn()
    input.takeWaitingEvents()
    clock.request()
  }

  /// Draws the frame and passes it to the display.
  ///
  /// - Returns: True if it differs from the one before.
  private func drawFrame() -> Bool {
    guard exitStatus == nil else { return false }
    let status = StatusLine(screens: screens, setup: setup, notices: notices, input: input)
    let drawing = FrameDrawing(screens: screens, progress: progress, status: status, plugins: session.plugins)
    let (frame, hints) = drawing.draw(display.geometry)
    input.setHints(hints)
    return display.showsLinks ? display.show(frame, links: drawing.links(in: frame)) : display.show(frame)
  }

  /// Draws everything again, whatever the display shows now.
  func repaint() { display.repaint() }

  /// Draws the frame that is due now rather than soon.
  func finishFrame() {
    clock.request()
    clock.flush()
  }

  /// Waits until no event is queued, no effect runs and no frame is due.
  func untilIdle() async {
    var quietTurns = 0
    var seen = turns
    while exitStatus == nil, quietTurns < 3 {
      await withCheckedContinuation { continuation in session.loop.post { continuation.resume() } }
      await Task.yield()
      clock.flush()
      // Only the turn that resumed this task ran: nothing else was queued.
      quietTurns = !effects.isDue && turns - seen <= 1 ? quietTurns + 1 : 0
      seen = turns
      if effects.isDue { await effects.untilChanged() }
    }
  }
}
