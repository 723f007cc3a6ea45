import PluginAPI

/// Runs screens: manages the stack, routes events, performs effects and schedules frames.
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
  let display: any Display
  let setup: Setup
  let states: ScreenStates

  /// The screens, the front one last.
  var stack: [Screen] = []
  /// The number of layouts, used to detect nested ones.
  var layoutRound = 0
  /// A Boolean value indicating whether the right side of a split receives keys.
  var focusIsOnDetail = false
  /// The line shown to the user for a while.
  var notice: Diagnostic?
  var noticeTimer: (any Cancellable)?
  /// Counts turns of the loop and the events within them.
  var step = 0
  /// The step in which the notice was shown.
  var noticeStep = 0
  /// The slow call of a plugin, shown in the status line for a while and at most until the next input.
  var slowCall: String? {
    didSet {
      slowCallTimer?.cancel()
      slowCallTimer =
        slowCall == nil ? nil : session.loop.schedule(after: 4, every: nil) { [weak self] in self?.slowCall = nil }
    }
  }
  private var slowCallTimer: (any Cancellable)?
  /// The screen that gets drags until the button goes up.
  var mouseOwner: Screen?
  /// The keys of a sequence pressed so far.
  var pendingKeys: [Key] = []
  /// The event that is handled now.
  var currentEvent: Event?
  /// The animation phase of progress bars without a known end.
  var phase = 0
  var phaseTimer: (any Cancellable)?
  /// The rectangles of the hints in the status line, for clicks.
  var hintRects: [(rect: Rect, key: Key)] = []
  /// Progress reported by notifications, by plugin.
  var notified: [String: NotifiedProgress] = [:]
  var watchedPlugins: Set<String> = []
  var warnsBeforeInterrupt = true
  /// The receiver of announcements for linear reading.
  var onAnnouncement: (@MainActor (Announcement) -> Void)?
  private(set) var clock = FrameClock { false }
  private var tokens = 0
  private var turns = 0
  private var onEnd: (@MainActor (Int32) -> Void)?
  private(set) var exitStatus: Int32?
  /// The latest failure of a screen's work; nil if there was none.
  var lastFailure: ErrorReport?
  /// Writes what the user does; nil for no recording.
  var recorder: ScreenRecorder?
  /// A Boolean value indicating whether a recorded event is being handled, in which everything else follows from it.
  var isHandlingRecorded = false

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
    clock = FrameClock { [weak self] in self?.drawFrame() ?? false }
    display.onEvent = { [weak self] event in self?.take(event) }
    session.loop.setAfterTurn { [weak self] in self?.turnEnded() }
  }

  /// Shows the home screen, or a plugin's screen over nothing.
  func start(_ launch: ScreenLaunch) {
    guard let plugin = launch.plugin else {
      if launch.screen == Tour.screen { return showTour() }
      push(host: HomeController(navigator: self), named: "home", placement: .page)
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

  /// Does something that waits, and ends the navigator if the task is canceled meanwhile.
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
    recorder?.add(.end)
    exitStatus = status
    for screen in stack.reversed() { forget(screen) }
    stack = []
    states.write()
    clock.stop()
    noticeTimer?.cancel()
    slowCall = nil
    phaseTimer?.cancel()
    session.loop.setAfterTurn(nil)
    display.onEvent = nil
    effectsChanged()
    onEnd?(status)
    onEnd = nil
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
      watchProgress(of: plugin)
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
    let before = page
    stack.append(screen)
    pageChanged(from: before)
    for topic in screen.description.topics {
      let subscription = session.notifications.subscribe(topic) { [weak self, weak screen] notification in
        if let screen { self?.deliver(.notification(notification), to: screen) }
      }
      screen.subscriptions.append(subscription)
    }
    layOut()
  }

  /// Removes a screen and all above it, and delivers its value.
  func pop(_ screen: Screen, _ value: Value) {
    guard let index = stack.firstIndex(where: { $0 === screen }) else { return }
    recordOutcome(of: screen, value)
    let below = index > 0 ? stack[index - 1] : nil
    let before = page
    removeScreens(from: index)
    pageChanged(from: before)
    if let onReturn = screen.onReturn {
      onReturn(value)
    } else if let below {
      deliver(.returned(screen: screen.description.name, value), to: below)
    }
    if stack.isEmpty, exitStatus == nil { end(status: 0) } else { layOut() }
  }

  /// The page in front; the list if a detail is beside it.
  private var page: Screen? { splitScreens?.list ?? stack.last { $0.placement != .popover } }

  /// Removes the notice if another page came to the front.
  ///
  /// Errors stay for their full time, and so do notices shown in the same step.
  private func pageChanged(from before: Screen?) {
    guard let shown = notice, shown.severity != .error, noticeStep != step, page !== before else { return }
    notice = nil
    noticeTimer?.cancel()
  }

  func removeScreens(from index: Int) {
    while stack.count > index { forget(stack.removeLast()) }
    if mouseOwner.map({ !$0.isOpen }) ?? false { mouseOwner = nil }
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
    effectsChanged()
  }

  func nextToken() -> Int {
    tokens += 1
    return tokens
  }

  // MARK: Turns

  /// Requests a frame after each turn of the loop, which may have changed a screen.
  private func turnEnded() {
    turns += 1
    step += 1
    takeWaitingEvents()
    clock.request()
  }

  /// Draws the frame that is due now rather than soon.
  func finishFrame() {
    clock.request()
    clock.flush()
  }

  /// A Boolean value indicating whether effects are running, other than timers and those that wait for an answer.
  var isWorking: Bool { !notified.isEmpty || stack.contains { $0.running.contains { !$0.isAsking } } }

  /// True while keys wait for a screen that is loading.
  var hasWaitingEvents: Bool { stack.contains { !$0.waitingEvents.isEmpty } }

  /// A one-time timer within this time counts as running work: it delays something already requested.
  static let longestDueInSeconds = 1.0

  private var isDue: Bool { isWorking || stack.contains { !$0.dueTimers.isEmpty } }

  /// Waits until no event is queued, no effect runs and no frame is due.
  func untilIdle() async {
    var quietTurns = 0
    var seen = turns
    while exitStatus == nil, quietTurns < 3 {
      await withCheckedContinuation { continuation in session.loop.post { continuation.resume() } }
      await Task.yield()
      clock.flush()
      // The turn that woke this up is the only one that came: nothing else was queued.
      quietTurns = !isDue && turns - seen <= 1 ? quietTurns + 1 : 0
      seen = turns
      if isDue { await withCheckedContinuation { continuation in wakeWhenChanged.append(continuation) } }
    }
  }

  /// The tasks that wait for effects to end.
  private var wakeWhenChanged: [CheckedContinuation<Void, Never>] = []

  /// Wakes the tasks that wait for effects to end.
  func effectsChanged() {
    let waiting = wakeWhenChanged
    wakeWhenChanged = []
    for continuation in waiting { continuation.resume() }
  }
}
